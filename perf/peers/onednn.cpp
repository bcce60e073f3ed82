// oneDNN's reorder as a peer of `relayout compare --peer`: a plain strided copy per box, the loops as
// dimensions. oneDNN has no 8- and 16-byte elements: those are moved as two and four 4-byte ones.

#include <cstdint>
#include <memory>
#include <omp.h>
#include <oneapi/dnnl/dnnl.hpp>
#include <string>
#include <vector>

#include "src/cli/compare/peer_interface.h"

namespace {

using dnnl::memory;

/// A reorder of one box with its arguments.
struct BoxReorder {
  dnnl::reorder reorder;
  memory from;
  memory to;
};

struct Prepared {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  std::vector<BoxReorder> boxes;
};

memory::data_type type_of(std::int64_t bytes) {
  if (bytes == 1) return memory::data_type::u8;
  return bytes == 2 ? memory::data_type::bf16 : memory::data_type::f32;
}

/// Extents, and strides on both sides, in units of what type_of moves.
struct Dimensions {
  memory::dims extents;
  memory::dims source_strides;
  memory::dims destination_strides;
};

Dimensions dimensions_of(const relayout_peer_box& box, std::int64_t units) {
  Dimensions all;
  for (std::int64_t i = box.loop_count; i-- > 0;) {
    const relayout_peer_loop& loop = box.loops[i];
    all.extents.push_back(loop.extent);
    all.source_strides.push_back(loop.source_stride * units);
    all.destination_strides.push_back(loop.destination_stride * units);
  }
  if (units > 1 || all.extents.empty()) {
    all.extents.push_back(units);
    all.source_strides.push_back(1);
    all.destination_strides.push_back(1);
  }
  return all;
}

BoxReorder reorder_of(const relayout_peer_problem& problem, const relayout_peer_box& box, const void* source,
                      void* destination, const dnnl::engine& engine) {
  const std::int64_t bytes = problem.element_bytes;
  const Dimensions all = dimensions_of(box, bytes > 4 ? bytes / 4 : 1);
  const memory::desc from(all.extents, type_of(bytes), all.source_strides);
  const memory::desc to(all.extents, type_of(bytes), all.destination_strides);
  char* read = static_cast<char*>(const_cast<void*>(source)) + box.source_base * bytes;
  char* written = static_cast<char*>(destination) + box.destination_base * bytes;
  return {dnnl::reorder({engine, from, engine, to}), memory(from, engine, read), memory(to, engine, written)};
}

void* prepare(const relayout_peer_problem* problem, const void* source, void* destination) {
  const std::int64_t bytes = problem->element_bytes;
  if (bytes != 1 && bytes != 2 && bytes % 4 != 0) return nullptr;
  try {
    auto prepared = std::make_unique<Prepared>();
    for (std::int64_t i = 0; i < problem->box_count; ++i) {
      prepared->boxes.push_back(
          reorder_of(*problem, problem->boxes[i], source, destination, prepared->engine));
    }
    return prepared.release();
  } catch (const dnnl::error&) {  // more dimensions than it has, say
    return nullptr;
  }
}

void run(void* prepared) {
  auto& all = *static_cast<Prepared*>(prepared);
  for (BoxReorder& box : all.boxes) box.reorder.execute(all.stream, box.from, box.to);
  all.stream.wait();
}

void release(void* prepared) {
  delete static_cast<Prepared*>(prepared);
}

std::string name() {
  const dnnl_version_t& version = *dnnl_version();
  return "oneDNN " + std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
         std::to_string(version.patch);
}

}  // namespace

const relayout_peer_list* relayout_peers() {
  omp_set_num_threads(1);
  static const std::string full_name = name();
  static const relayout_peer peer = {full_name.c_str(), prepare, run, release};
  static const relayout_peer_list list = {RELAYOUT_PEER_VERSION, 1, &peer};
  return &list;
}
