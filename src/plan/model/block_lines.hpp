#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/plan/model/kernel_access.hpp"
#include "src/plan/model/plan.hpp"
#include "src/plan/model/target.hpp"

namespace relayout::plan {

/// Sets of a cache, which hold `ways` lines each.
struct CacheSets {
  std::int64_t line_bytes = 64;
  std::int64_t sets = 1;
  std::int64_t ways = 16;
};

/// All of the first cache.
CacheSets first_cache(const Target& target);

/// All of the second cache.
CacheSets second_cache(const Target& target);

/// What blocks may take of it.
CacheSets second_cache_for_blocks(const Target& target);

/// Whether a cache holds the lines that one run of the `count` innermost loops touches, on both sides
/// together: lines that are a power of two apart share a few sets. Strides that are no whole lines are
/// rounded. Takes a microsecond. \pre cache.ways < 128
bool block_fits(const Nest& nest, std::size_t count, const CacheSets& cache);

/// Whether a cache holds the lines of `runs` of one side, and of as many as `loops` make of them with their
/// steps there. The rest as block_fits.
bool lines_fit(std::vector<Extent> runs, std::span<const Loop> loops, std::int64_t Loop::*step,
               const CacheSets& cache);

}  // namespace relayout::plan
