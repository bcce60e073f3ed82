#pragma once

#include <vector>

#include "src/plan/model/plan.hpp"

namespace relayout::plan {

/// Contiguous bytes that one access touches, from where the loops stand.
struct Extent {
  std::int64_t offset_bytes = 0;
  std::int64_t bytes = 0;
};

/// What one call of a nest's kernel reads and writes. Lengths that come from run tables are their means.
struct KernelAccess {
  std::vector<Extent> source;
  std::vector<Extent> destination;
};
/// Piece by piece, as the kernel loads and stores them.
KernelAccess kernel_access(const Nest& nest);
/// The contiguous runs that these make up, by offset: in less than a third of the time of merging them.
KernelAccess kernel_runs(const Nest& nest);

/// Contiguous runs that the extents make up, by offset: those that begin where another ends are one with it.
std::vector<Extent> merged_runs(std::vector<Extent> extents);

/// The sum of their lengths.
std::int64_t total_bytes(const std::vector<Extent>& extents);

/// How often the loops of a nest run: for each the mean trips, tables and guards considered. Where several
/// loops share a guard, the outermost of them has what the others leave.
std::vector<double> mean_trips(const Nest& nest);

/// Bytes that all calls of a nest's kernel write, overlapping tails included.
double written_bytes(const Nest& nest);

}  // namespace relayout::plan
