#pragma once

#include <string>

#include "src/cli/json.hpp"

namespace relayout::cli {

/// What `compare` answers for several pairs (report.hpp) as an SVG picture: a row for each pair, a mark for
/// each contender at its rate over memcpy's, on a logarithmic axis.
std::string plot_svg(const Json& results);

}  // namespace relayout::cli
