#pragma once

#include "src/cli/compare/comparison.hpp"
#include "src/cli/json.hpp"

namespace relayout::cli {

/// What `compare` answers for one pair; README.md and docs/measuring.md explain the keys. What was not asked
/// for has no key.
Json to_json(const Comparison& result);

}  // namespace relayout::cli
