#pragma once

#include <vector>

#include "relayout/cute/algebra.hpp"

namespace relayout::cute {

/// Follows a tiler through its own quotient or product, whose parts are (tile, rest) pairs, and puts the
/// tiles together and the rests: ((tiles...), (rests..., modes that the tiler does not reach...)).
Result<Layout> zipped(const Layout& layout, const Tiler& tiler);
/// The zipped layout with the rests, and where `flat` the tiles too, as modes of their own.
Result<Layout> unpacked(const Layout& zipped, bool flat);

using Operation = Result<Layout> (*)(const Layout& layout, const Tiler& tiler);
/// `operation` with each mode of a layout and of the tiler; modes that the tiler does not reach stay.
/// \error kBadArgument if the tiler has more modes
Result<Layout> each_mode(const Layout& layout, const Tiler& tiler, Operation operation);

}  // namespace relayout::cute
