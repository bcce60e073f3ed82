#pragma once

#include <cstdint>

#include "src/plan/model/plan.hpp"
#include "src/plan/model/target.hpp"

namespace relayout::plan {

/// Lines of both sides together that one run of `nest` fetches into a cache of so many bytes. A line that two
/// trips of a loop touch is fetched once if all that one of the trips touches leaves it there. An estimate
/// from strides alone, without the cache's sets: takes microseconds. Loops over tables count as if no lines
/// were shared.
double lines_fetched(const Nest& nest, std::int64_t cache_bytes);

/// So many times the lines of another order one may fetch that is preferred for something else. For the
/// destination's where others crowd sets of the first cache 10 other pairs gained and lost with a third more
/// (Zen 4).
inline constexpr double kHardlyMoreLines = 1.05;

/// Lines of either side.
struct FetchedLines {
  double source = 0;
  double destination = 0;

  double both() const { return source + destination; }
};

/// Those that one run of `nest` fetches into the first cache, of kSetSpanBytes a way: where the lines that a
/// trip leaves in a set are more than its ways, the next one does not find them. Lines that continue written
/// rows are fetched ahead (bytes_to_rest_of_rows), and may be lost before they are written. An estimate like
/// the one above, which takes a few microseconds.
FetchedLines lines_fetched_by_sets(const Nest& nest, const Target& target);

/// Whether `other`, in another order, fetches hardly more of those than `nest`.
bool fetches_hardly_more(const Nest& other, const Nest& nest, const Target& target);

/// Those that one run of `nest` fetches into a cache that loses none: each that it touches once, but for
/// loops over tables as above.
FetchedLines lines_touched(const Nest& nest);

}  // namespace relayout::plan
