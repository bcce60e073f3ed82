#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/plan/machine/line.hpp"
#include "src/plan/model/kernel_access.hpp"
#include "src/plan/model/plan.hpp"
#include "src/plan/tiles/row_sets.hpp"

namespace relayout::plan {

/// Places a stride apart that a side visits.
struct Repeat {
  double count = 1;
  std::int64_t stride_bytes = 0;
};

/// Lines in each set of a first cache; parts of lines, of runs that begin anywhere.
using LinesPerSet = std::array<float, kSetSpanBytes / kLineBytes>;

/// The places of one side that a call and the loops put around it so far visit.
class SideFootprint {
 public:
  explicit SideFootprint(const std::vector<Extent>& runs);

  void add(Repeat repeat);
  /// Runs are so much longer.
  void lengthen(std::int64_t bytes);
  std::int64_t run_bytes() const { return run_bytes_; }

  /// Distinct lines; of runs that begin anywhere the mean number. What comes around begins at multiples of
  /// `alignment_bytes`, which divides a line.
  double lines(std::int64_t alignment_bytes) const;
  /// How these lie in the sets, the lines of `further_bytes` behind each run included. Strides that are no
  /// whole lines are rounded.
  LinesPerSet per_set(std::int64_t alignment_bytes, std::int64_t further_bytes) const;
  /// What divides the distances of all runs, and `alignment_bytes`.
  std::int64_t alignment_of_rows(std::int64_t alignment_bytes) const;

 private:
  /// Runs joined to longer ones, and the first of the repeats by which these lie apart.
  struct Rows {
    double run_bytes = 0;
    std::size_t first = 0;
  };
  Rows rows() const;
  std::int64_t alignment_of(const Rows& rows, std::int64_t alignment_bytes) const;

  std::int64_t run_bytes_ = 0;
  std::vector<Repeat> repeats_;  ///< by rising stride
};

/// One side of a nest, and the lines fetched for it by the loops put around so far, from the innermost on.
class SideCount {
 public:
  /// The nest outlives the count.
  SideCount(const std::vector<Extent>& runs, const std::vector<Loop>& loops, std::int64_t Loop::*step,
            std::int64_t base_bytes);

  /// From now on the line behind each run is fetched, too, if a loop goes on there.
  void fetch_next_lines();

  double lines() const { return lines_; }
  double fetched() const { return fetched_; }
  /// Of all that the loops inside loop `index` touch.
  LinesPerSet per_set(std::size_t index) const;

  /// Puts loop `index` around those inside it. `kept`: the part of their lines that one trip leaves in the
  /// cache for the next.
  void widen(std::size_t index, double trips, double kept);

 private:
  bool goes_on_behind_runs(const Loop& loop) const;

  SideFootprint footprint_;
  const std::vector<Loop>& loops_;
  std::int64_t Loop::*step_;
  std::vector<std::int64_t> alignments_;  ///< before each loop, and before the call: where they may begin
  double lines_ = 0;
  double fetched_ = 0;
  std::int64_t next_bytes_ = 0;  ///< behind each run, fetched but not counted unless the cache loses it
};

}  // namespace relayout::plan
