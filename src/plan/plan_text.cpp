#include "src/plan/plan_text.hpp"

#include <algorithm>
#include <string>

#include "src/plan/kernels/shuffle.hpp"

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

std::string runs_text(const Staging& staging) {
  std::string text = staging.background.empty() ? ", into scratch, which leaves in "
                                                : ", into scratch, which holds padding and leaves in ";
  if (staging.all_runs() == 1) return text + "a run of " + number(staging.run_bytes) + " bytes";
  if (staging.groups > 1)
    text += number(staging.groups) + " groups, destination +" + number(staging.group_stride_bytes) + ", of ";
  return text + number(staging.runs) + " runs of " + number(staging.run_bytes) + " bytes, destination +" +
         number(staging.run_stride_bytes) + ", scratch +" + number(staging.scratch_stride_bytes);
}

std::string staging_text(const Staging& staging) {
  const std::string overlap = staging.overlap_bytes == 0
                                  ? ""
                                  : ", which overlap by " + number(staging.overlap_bytes) +
                                        " so that they write whole lines along loop " +
                                        number(static_cast<std::int64_t>(staging.row_loop));
  if (staging.fetch_bytes == 0) return runs_text(staging) + overlap;
  return runs_text(staging) + overlap + ", while the source is fetched from +" + number(staging.fetch_bytes) +
         " on";
}

const char* store_text(StorePolicy policy) {
  if (policy == StorePolicy::kTemporal) return "";
  return policy == StorePolicy::kStreaming ? ", streaming stores" : ", streaming stores within runs";
}

std::string fetch_text(const FetchedRows& rows) {
  return number(rows.rows_per_call) + " rows of " + number(rows.row_bytes) + " bytes, +" +
         number(rows.stride_bytes) + ", from +" + number(rows.ahead_bytes);
}

/// Of the block that begins at a loop; of one that is a single call, at the innermost.
std::string fetch_text(const Nest& nest, std::size_t depth) {
  if (!nest.block_fetch || std::min(nest.block_fetch->first_loop, nest.loops.size() - 1) != depth) return "";
  const BlockFetch& fetch = *nest.block_fetch;
  std::string text = std::string(", each call fetches of the next ") + (nest.staging ? "region " : "block ");
  if (fetch.source.rows_per_call > 0) text += "source " + fetch_text(fetch.source);
  if (fetch.destination.rows_per_call > 0)
    text += "; destination " + std::string(fetch.to_write ? "to write " : "") + fetch_text(fetch.destination);
  return text;
}

std::string fetches_text(const Nest& nest) {
  if (nest.prefetch_source_bytes == 0 || nest.source_fetches == SourceFetches::kAfterLoads) return "";
  return nest.source_fetches == SourceFetches::kBetweenStores ? " between stores"
                                                              : " between stores, row by row";
}

std::string nest_text(const Nest& nest, std::size_t index) {
  std::string text =
      "nest " + std::to_string(index) + " from source " + number(nest.source_base_bytes) + ", destination " +
      number(nest.destination_base_bytes) + " (all in bytes)" + store_text(nest.store) +
      (nest.prefetch_source_bytes == 0 ? "" : ", prefetch +" + number(nest.prefetch_source_bytes)) +
      fetches_text(nest) +
      (nest.prefetch_destination_bytes == 0
           ? ""
           : ", destination prefetch +" + number(nest.prefetch_destination_bytes)) +
      (nest.under_masks ? ", under masks" : "") + "\n";
  std::string indent = "  ";
  for (std::size_t i = 0; i < nest.loops.size(); ++i) {
    const bool staged = nest.staging && i == nest.staging->first_loop;
    const bool cut_inside = i == nest.cut_loop && i > 0;
    text += indent + loop_text(nest, nest.loops[i]) + (cut_inside ? ", cut into parts" : "") +
            (staged ? staging_text(*nest.staging) : "") + fetch_text(nest, i) + "\n";
    indent += "  ";
  }
  return text + indent + std::visit(KernelText{}, nest.kernel) + "\n";
}

}  // namespace

NumberedText numbered_text(const Plan& plan) {
  NumberedText numbered;
  std::string& text = numbered.text;
  text = "isa " + std::string(relayout::to_string(plan.isa)) + ", elements of " + number(plan.element_bytes) +
         " bytes, source " + number(plan.source_bytes) + " bytes, destination " +
         number(plan.destination_bytes) + " bytes\n";
  for (std::size_t i = 0; i < plan.nests.size(); ++i) {
    numbered.nest_lines.push_back(1 + static_cast<int>(std::count(text.begin(), text.end(), '\n')));
    text += nest_text(plan.nests[i], i);
  }
  for (const Note& note : plan.notes) text += note.choice + ": " + note.reason + "\n";
  return numbered;
}

std::string to_string(const Plan& plan) {
  return numbered_text(plan).text;
}

int stage_row(const Network& network, int stage) {
  int row = kFirstPhaseRow;
  for (const Phase& phase : network.phases) {
    if (stage < phase.last_stage) return row + 1 + stage - phase.first_stage;
    row += 1 + phase.last_stage - phase.first_stage;
  }
  return row;
}

}  // namespace relayout::plan
