#pragma once

#include <cstdint>

#include "src/plan/model/packed_spacing.hpp"
#include "src/plan/model/target.hpp"
#include "src/plan/refinement/loop_nest.hpp"
#include "src/plan/refinement/problem.hpp"

namespace relayout::plan {

/// The nearest memory that holds both buffers.
enum class Residence : std::uint8_t { kSecondCache, kLastCache, kMemory };

/// What is known of a pair before its nests are made.
struct PairSizes {
  std::int64_t element_bytes = 1;
  Residence residence = Residence::kMemory;
  std::int64_t source_bytes = 0;
  std::int64_t destination_bytes = 0;
  std::int64_t filled_bytes = 0;  ///< of the destination's padding, if that is filled
  /// Whole lines are to be written, which streaming stores need that the caller asked for, or that a last
  /// cache has which just holds both buffers.
  bool wants_whole_lines = false;
  bool of_staged_block = false;  ///< in the caches, but what it reads comes from farther away

  std::int64_t footprint_bytes() const { return source_bytes + destination_bytes; }
  /// Whether the last cache holds both buffers, but whole lines are to be written.
  bool leaves_last_cache_early() const { return residence == Residence::kLastCache && wants_whole_lines; }
};

/// \param nest of the problem, which tells what of the source is padding
PairSizes pair_sizes(const Problem& problem, const LoopNest& nest, const PackedSpacing& spacing,
                     const Target& target);

/// Whether the last cache holds both buffers, but not what a processor has of it to itself where others share
/// it (Target::followed_reads_up_to_bytes).
bool is_past_fast_share(const PairSizes& sizes, const Target& target);

/// Past the last cache, or what a processor has of it to itself.
bool is_past_own_share(const PairSizes& sizes, const Target& target);

}  // namespace relayout::plan
