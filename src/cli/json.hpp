#pragma once

#include <nlohmann/json.hpp>

namespace relayout::cli {

/// JSON objects whose keys keep the order in which they were added.
using Json = nlohmann::ordered_json;

}  // namespace relayout::cli
