#pragma once

#include <cstdint>

#include "src/plan/model/block_lines.hpp"
#include "src/plan/model/plan.hpp"

namespace relayout::plan {

/// Server memory is interleaved between channels by lower bits of the address than this, so that places a
/// multiple of it apart are on one.
inline constexpr std::int64_t kInterleaveBytes = 2048;

/// How many places on a side are visited in turn before one of them has been walked for a stretch that the
/// processor's prefetch is worth, gaps as long as what is walked included. `run_bytes`: contiguous bytes of
/// one call of the kernel there.
std::int64_t count_streams(const Nest& nest, std::int64_t Loop::*step, std::int64_t run_bytes);

/// As many places of a side, several runs of one call counted.
std::int64_t count_read_streams(const Nest& nest);
std::int64_t count_written_streams(const Nest& nest);

/// Whether a cache holds a line of each place of the destination that is written before one of them has been
/// walked for `stretch_bytes`.
bool written_places_fit(const Nest& nest, std::int64_t stretch_bytes, const CacheSets& cache);

/// Whether a nest writes three places in turn or more, at most `most`, each for a long stretch, at multiples
/// of 2 KiB from one another.
bool walks_congruent_stretches(const Nest& nest, std::int64_t most);

/// Whether some of the innermost loops fill a stretch of the destination, four fifths of it at least, from a
/// stretch of the source, both worth the processor's prefetch and at most `longest_bytes`.
bool fills_stretches(const Nest& nest, std::int64_t longest_bytes);

}  // namespace relayout::plan
