#pragma once

#include <algorithm>
#include <cstdint>

#include "src/plan/model/pair_sizes.hpp"
#include "src/plan/model/plan_options.hpp"
#include "src/plan/model/target.hpp"

namespace relayout::plan {

/// What every choice of a plan may depend on, besides the box or the nest that it is made for.
struct PlanInputs {
  PairSizes sizes;
  const Target& target;
  const PlanOptions& options;

  bool is_past_first_cache() const { return sizes.footprint_bytes() > target.level1_data_bytes; }
  bool is_past_second_cache() const { return sizes.footprint_bytes() > target.level2_bytes; }
  bool is_past_last_cache() const { return sizes.residence == Residence::kMemory; }

  /// Whether the last cache just holds both buffers, but many rows are streamed already.
  bool nearly_fill_last_cache() const { return streams_early_from(target.streamed_rows_from_bytes); }
  /// Whether short copies are streamed, and blocks staged, though the last cache just holds both buffers.
  bool leave_last_cache_early() const {
    return nearly_fill_last_cache() && sizes.footprint_bytes() > left_early_from_bytes();
  }
  /// Bytes of both buffers past which they do, if rows are streamed early at all.
  std::int64_t left_early_from_bytes() const {
    return std::max(target.streamed_rows_from_bytes, target.staged_from_bytes);
  }
  /// Whether the last cache holds both buffers, but rows that crowd sets of the second one are streamed.
  bool streams_crowded_rows() const { return streams_early_from(target.streamed_crowded_rows_from_bytes); }

 private:
  /// \param bytes of both buffers; 0: never
  bool streams_early_from(std::int64_t bytes) const {
    return !is_past_last_cache() && bytes > 0 && sizes.footprint_bytes() > bytes;
  }
};

}  // namespace relayout::plan
