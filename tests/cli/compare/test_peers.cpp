// Peers whose results are known, for compare_test.py: right, wrong in one element, doing nothing, unable.

#include <cstdint>
#include <cstring>

#include "src/cli/compare/peer_interface.h"

namespace {

struct Prepared {
  const relayout_peer_problem* problem;
  const char* source;
  char* destination;
};

void* prepare(const relayout_peer_problem* problem, const void* source, void* destination) {
  return new Prepared{problem, static_cast<const char*>(source), static_cast<char*>(destination)};
}

void* refuse(const relayout_peer_problem*, const void*, void*) {
  return nullptr;
}

void run_box(const Prepared& job, const relayout_peer_box& box) {
  std::int64_t count = 1;
  for (std::int64_t i = 0; i < box.loop_count; ++i) count *= box.loops[i].extent;
  for (std::int64_t element = 0; element < count; ++element) {
    std::int64_t from = box.source_base;
    std::int64_t to = box.destination_base;
    std::int64_t rest = element;
    for (std::int64_t i = 0; i < box.loop_count; ++i) {
      from += rest % box.loops[i].extent * box.loops[i].source_stride;
      to += rest % box.loops[i].extent * box.loops[i].destination_stride;
      rest /= box.loops[i].extent;
    }
    const std::int64_t bytes = job.problem->element_bytes;
    std::memcpy(job.destination + to * bytes, job.source + from * bytes, static_cast<std::size_t>(bytes));
  }
}

void run_rightly(void* prepared) {
  const auto& job = *static_cast<Prepared*>(prepared);
  for (std::int64_t i = 0; i < job.problem->box_count; ++i) run_box(job, job.problem->boxes[i]);
}

void run_wrongly(void* prepared) {
  run_rightly(prepared);
  const auto& job = *static_cast<Prepared*>(prepared);
  job.destination[job.problem->destination_bytes / 2] ^= 1;
}

void do_nothing(void*) {}

void release(void* prepared) {
  delete static_cast<Prepared*>(prepared);
}

constexpr relayout_peer kPeers[] = {{"right", prepare, run_rightly, release},
                                    {"wrong", prepare, run_wrongly, release},
                                    {"idle", prepare, do_nothing, release},
                                    {"unable", refuse, do_nothing, release}};

constexpr relayout_peer_list kList = {RELAYOUT_PEER_VERSION, 4, kPeers};

}  // namespace

const relayout_peer_list* relayout_peers() {
  return &kList;
}
