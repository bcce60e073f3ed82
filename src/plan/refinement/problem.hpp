#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "src/expr/index_expr.hpp"
#include "src/expr/permuted_map.hpp"

namespace relayout::plan {

/// A relayout problem: every notation ends here. Element `x` of the domain moves from `source(x)` to
/// `destination(x)`; the destination map is injective. Offsets in elements.
struct Problem {
  std::vector<std::int64_t> extents;  ///< variable i (IndexExpr::variable_index) runs over [0, extents[i])
  expr::IndexExpr source;
  expr::IndexExpr destination;
  std::int64_t element_bytes = 1;
  std::int64_t source_elements = 0;       ///< physical size, padding included
  std::int64_t destination_elements = 0;  ///< physical size, padding included
  /// `destination` once more, if it is one.
  std::optional<expr::PermutedMap> permuted_destination = std::nullopt;
};

}  // namespace relayout::plan
