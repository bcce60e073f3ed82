#pragma once

#include <string>
#include <string_view>

#include "src/cli/json.hpp"

namespace relayout::cli {

/// The answer of `relayout hlo` as one page: the sums, the dearest instructions as bars, and all of them in a
/// table. Bars are times where they were taken, else bytes.
std::string movements_page(std::string_view path, const Json& answer);

}  // namespace relayout::cli
