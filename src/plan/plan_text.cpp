#include <string>

#include "src/plan/plan.hpp"
#include "src/plan/shuffle.hpp"

namespace relayout::plan {
namespace {

std::string number(std::int64_t value) {
  return std::to_string(value);
}

std::string loop_text(const Nest& nest, const Loop& loop) {
  if (loop.table >= 0) return "for each of " + number(loop.trips) + " runs of table " + number(loop.table);
  std::string text = loop.trips_from_table >= 0
                         ? "for the length of the run of table " + number(loop.trips_from_table)
                         : "for " + number(loop.trips);
  text +=
      ": source +" + number(loop.source_step_bytes) + ", destination +" + number(loop.destination_step_bytes);
  if (loop.guard < 0) return text;
  const Guard& guard = nest.guards[static_cast<std::size_t>(loop.guard)];
  text += ", while guard " + number(loop.guard) + " (+" + number(loop.guard_step) + ") is below " +
          number(guard.limit);
  if (guard.overlaps() && loop.guard_step == 1) {
    text += ", last step back by " + number(guard.source_back_bytes) + " and " +
            number(guard.destination_back_bytes);
  }
  return text;
}

struct KernelText {
  std::string operator()(const CopyKernel& kernel) const {
    if (kernel.bytes_from_table >= 0) {
      return "copy the run's length times " + number(kernel.element_bytes) + " bytes";
    }
    return "copy " + number(kernel.bytes) + " bytes";
  }
  std::string operator()(const PermuteKernel& kernel) const {
    return "permute " + number(std::int64_t{1} << kernel.network.slots) + " vectors of " +
           number(kernel.network.vector_bytes) + " bytes:\n" + to_string(kernel.network);
  }
  std::string operator()(const GatherKernel& kernel) const {
    const std::string count = kernel.count_from_table >= 0 ? "the run's length" : number(kernel.count);
    return std::string(kernel.hardware ? "gather " : "move ") + count + " elements of " +
           number(kernel.element_bytes) + " bytes, source +" + number(kernel.source_stride_bytes) +
           ", destination +" + number(kernel.destination_stride_bytes);
  }
  std::string operator()(const FillKernel& kernel) const {
    return "fill " + number(kernel.bytes) + " bytes of padding";
  }
  std::string operator()(const ShuffleKernel& kernel) const {
    return "shuffle " + std::to_string(kernel.sources.size()) + " source pieces into " +
           std::to_string(kernel.destinations.size()) + " destination pieces of at most " +
           std::to_string(kernel.piece_bytes) + " bytes, " + std::to_string(term_count(kernel)) + " shuffles";
  }
};

}  // namespace

std::string to_string(const Plan& plan) {
  std::string text = "isa " + std::string(relayout::to_string(plan.isa)) + ", elements of " +
                     number(plan.element_bytes) + " bytes, source " + number(plan.source_bytes) +
                     " bytes, destination " + number(plan.destination_bytes) + " bytes\n";
  for (std::size_t i = 0; i < plan.nests.size(); ++i) {
    const Nest& nest = plan.nests[i];
    text += "nest " + std::to_string(i) + " from source " + number(nest.source_base_bytes) +
            ", destination " + number(nest.destination_base_bytes) + " (all in bytes)" +
            (nest.store == StorePolicy::kStreaming ? ", streaming stores" : "") +
            (nest.prefetch_source_bytes == 0 ? "" : ", prefetch +" + number(nest.prefetch_source_bytes)) +
            "\n";
    std::string indent = "  ";
    for (const Loop& loop : nest.loops) {
      text += indent + loop_text(nest, loop) + "\n";
      indent += "  ";
    }
    text += indent + std::visit(KernelText{}, nest.kernel) + "\n";
  }
  for (const Note& note : plan.notes) text += note.choice + ": " + note.reason + "\n";
  return text;
}

}  // namespace relayout::plan
