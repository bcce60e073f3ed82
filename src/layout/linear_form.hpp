#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "src/expr/index_expr.hpp"

namespace relayout::layout {

/// The coefficients of `e` per variable index below `variables`, if it is a sum of multiples of variables and
/// a constant; nothing if a division is in it or a product overflows.
std::optional<std::vector<std::int64_t>> linear_coefficients(const expr::IndexExpr& e, std::size_t variables);

}  // namespace relayout::layout
