#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "src/expr/index_expr.hpp"

namespace relayout::expr::testing {

/// Constants of a rule instance.
struct Constants {
  std::int64_t a = 1;
  std::int64_t b = 1;
  std::int64_t c = 0;
};

/// One instance of a rule: left == right wherever the variables x, y and z lie in their ranges.
struct RuleInstance {
  std::string left;
  std::string right;
  std::array<Range, 3> ranges = {};  ///< of x, y, z; no bounds where the rule needs none
};

/// A rule of the simplifier with its equation and side condition, as the documentation of the rule states
/// them.
struct RuleCase {
  const char* name;
  const char* equation;
  std::function<std::optional<RuleInstance>(Constants)> instance;  ///< nothing where the side condition fails
};

/// Every rule of the normal form and of the presentations.
const std::vector<RuleCase>& rule_cases();

/// Equations that look like rules and are wrong without their side condition; each was a bug of some
/// simplifier.
const std::vector<RuleCase>& wrong_rule_cases();

}  // namespace relayout::expr::testing
