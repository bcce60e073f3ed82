#pragma once

#include <optional>

#include <nlohmann/json.hpp>

namespace relayout::cli {

/// JSON objects whose keys keep the order in which they were added.
using Json = nlohmann::ordered_json;

/// `value` to five significant digits; null for none, and for what is not finite.
Json rounded(std::optional<double> value);

}  // namespace relayout::cli
