#include <algorithm>
#include <memory>
#include <variant>

#include "jit/emit_loops.hpp"
#include "jit/emitter.hpp"
#include "src/plan/kernels/shuffle.hpp"
#include "src/plan/machine/line.hpp"

namespace relayout::jit {

namespace {

/// A kernel that takes its length from a table needs a loop that walks the table.
bool has_lengths(const plan::Nest& nest) {
  int table = -1;
  if (const auto* copy = std::get_if<plan::CopyKernel>(&nest.kernel)) table = copy->bytes_from_table;
  if (const auto* gather = std::get_if<plan::GatherKernel>(&nest.kernel)) table = gather->count_from_table;
  const auto walks = [table](const plan::Loop& loop) { return loop.table == table; };
  return table < 0 || std::any_of(nest.loops.begin(), nest.loops.end(), walks);
}

}  // namespace

void emit_nest(Emitter& emitter, const plan::Nest& nest) {
  if (!has_lengths(nest)) {
    emitter.fail("a kernel takes its length from a table that no loop walks");
    return;
  }
  if (const auto* shuffle = std::get_if<plan::ShuffleKernel>(&nest.kernel);
      shuffle != nullptr && !plan::is_sound(*shuffle)) {
    emitter.fail("a shuffle kernel contradicts itself");
    return;
  }
  const Target& target = emitter.target();
  const bool in_runs = nest.store == plan::StorePolicy::kStreamingRuns && !nest.staging;
  struct MakeEmitter {
    const Target& target;
    int vector_registers;
    bool in_runs;
    std::int64_t line_offset_bytes;
    using Pointer = std::unique_ptr<KernelEmitter>;
    Pointer operator()(const plan::CopyKernel& kernel) const {
      return make_copy_emitter(kernel, target, in_runs);
    }
    Pointer operator()(const plan::PermuteKernel& kernel) const {
      return make_permute_emitter(kernel, vector_registers, in_runs);
    }
    Pointer operator()(const plan::GatherKernel& kernel) const { return make_gather_emitter(kernel, target); }
    Pointer operator()(const plan::FillKernel& kernel) const {
      return make_fill_emitter(kernel, target, line_offset_bytes);
    }
    Pointer operator()(const plan::ShuffleKernel& kernel) const {
      return kernel.piece_bytes == 64 ? make_wide_shuffle_emitter(kernel, target)
                                      : make_shuffle_emitter(kernel, target);
    }
  };
  const bool masks_in_vector = nest.under_masks && !target.has_evex;
  const int vector_registers = target.vector_registers - (masks_in_vector ? 1 : 0);
  const std::unique_ptr<KernelEmitter> kernel = std::visit(
      MakeEmitter{target, vector_registers, in_runs, nest.destination_base_bytes % plan::kLineBytes},
      nest.kernel);
  emitter.set_prefetch_source_bytes(nest.prefetch_source_bytes);
  emitter.set_source_fetches(nest.source_fetches);
  emitter.set_prefetch_destination_bytes(nest.prefetch_destination_bytes);
  emitter.set_block_fetch(nest.block_fetch);
  emitter.set_widest_copy_bytes(nest.widest_copy_bytes);
  emitter.set_under_masks(nest.under_masks);
  LoopEmitter(emitter, nest, *kernel).emit();
}

}  // namespace relayout::jit
