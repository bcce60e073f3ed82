#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/expr/index_expr.hpp"
#include "src/plan/refinement/problem.hpp"

namespace relayout::plan {

/// Where a problem's points lie in the destination, in row-major order, over and over. It refers to the
/// problem. \pre no extent is 0
class Places {
 public:
  explicit Places(const Problem& problem) : problem_(problem), coordinate_(problem.extents.size(), 0) {}

  /// In elements, of the next point.
  std::int64_t next() {
    const std::int64_t place = expr::evaluate_unchecked(problem_.destination, coordinate_);
    for (std::size_t i = coordinate_.size(); i-- > 0;) {
      if (++coordinate_[i] < problem_.extents[i]) break;
      coordinate_[i] = 0;
    }
    return place;
  }

 private:
  const Problem& problem_;
  std::vector<std::int64_t> coordinate_;
};

}  // namespace relayout::plan
