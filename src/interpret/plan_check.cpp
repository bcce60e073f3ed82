#include "src/interpret/plan_check.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <variant>

#include "src/plan/kernels/shuffle.hpp"
#include "src/plan/machine/line.hpp"

namespace relayout::interpret {
namespace {

template <class Entries>
bool refers_to(int index, const Entries& entries) {
  return index < static_cast<int>(entries.size());
}

bool loop_is_sound(const plan::Nest& nest, const plan::Loop& loop) {
  const bool has_both_forms = loop.table >= 0 && loop.trips_from_table >= 0;
  const bool has_bad_step = loop.guard >= 0 && loop.guard_step <= 0;
  return !has_both_forms && !has_bad_step && refers_to(loop.guard, nest.guards) &&
         refers_to(loop.table, nest.tables) && refers_to(loop.trips_from_table, nest.tables);
}

bool kernel_is_sound(const plan::Nest& nest) {
  if (const auto* copy = std::get_if<plan::CopyKernel>(&nest.kernel)) {
    return refers_to(copy->bytes_from_table, nest.tables);
  }
  if (const auto* gather = std::get_if<plan::GatherKernel>(&nest.kernel)) {
    return refers_to(gather->count_from_table, nest.tables);
  }
  if (const auto* fill = std::get_if<plan::FillKernel>(&nest.kernel)) {
    const auto element_bytes = static_cast<std::int64_t>(fill->element.size());
    return element_bytes > 0 && fill->bytes % element_bytes == 0;
  }
  const auto* shuffle = std::get_if<plan::ShuffleKernel>(&nest.kernel);
  return shuffle == nullptr || plan::is_sound(*shuffle);
}

/// Lines that runs leave to the next one are whole there.
bool overlap_is_sound(const plan::Nest& nest) {
  const plan::Staging& staging = *nest.staging;
  if (staging.overlap_bytes == 0) return true;
  if (staging.overlap_bytes < plan::kLineBytes || staging.overlap_bytes >= staging.run_bytes) return false;
  return staging.row_loop < staging.first_loop && nest.loops[staging.row_loop].is_counted();
}

bool staging_is_sound(const plan::Nest& nest) {
  if (!nest.staging) return true;
  const plan::Staging& staging = *nest.staging;
  const bool takes_loops = staging.first_loop >= 1 && staging.first_loop <= nest.loops.size();
  return takes_loops && staging.runs >= 1 && staging.groups >= 1 && staging.run_bytes >= 1 &&
         staging.scratch_stride_bytes >= 0 && staging.slack_bytes >= 0 && overlap_is_sound(nest) &&
         (staging.background.empty() || std::has_single_bit(staging.background.size()));
}

bool cut_is_sound(const plan::Nest& nest) {
  const std::size_t end = nest.staging ? nest.staging->first_loop : nest.loops.size();
  return nest.cut_loop < std::min(end, nest.loops.size()) && nest.loops[nest.cut_loop].trips_from_table < 0;
}

}  // namespace

std::string index_fault(const plan::Nest& nest) {
  if (nest.loops.empty()) return "there is no loop";
  for (std::size_t level = 0; level < nest.loops.size(); ++level) {
    if (!loop_is_sound(nest, nest.loops[level]))
      return "loop " + std::to_string(level) + " contradicts itself";
  }
  if (nest.loops[0].trips_from_table >= 0) return "loop 0 takes its trips from a table that no loop walks";
  if (!cut_is_sound(nest)) return "the loop that is cut contradicts itself";
  if (!staging_is_sound(nest)) return "the staging contradicts itself";
  return kernel_is_sound(nest) ? "" : "the kernel contradicts itself";
}

}  // namespace relayout::interpret
