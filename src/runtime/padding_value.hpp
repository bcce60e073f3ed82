#pragma once

#include <cstddef>
#include <vector>

#include "relayout/layout.hpp"
#include "relayout/result.hpp"

namespace relayout::runtime {

/// What a destination's own padding value (`PAD(3,5)=ONE`) asks its padding to hold, as one element's bytes,
/// least significant first; empty for zero and for layouts that ask for nothing. \error kUnsupported for
/// types whose one, lowest or highest value is not known here: give the fill explicitly
Result<std::vector<std::byte>> padding_value_bytes(const Layout& destination);

}  // namespace relayout::runtime
