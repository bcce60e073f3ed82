#pragma once

#include <cstdint>
#include <string>

#include "relayout/cute/swizzle.hpp"
#include "relayout/layout.hpp"
#include "relayout/result.hpp"

namespace relayout {

/// How much of a layout is drawn.
struct DrawOptions {
  /// The most elements, and the most places of the buffer, that get a cell; the picture says what it leaves
  /// out. No panel has more than 64 rows or columns.
  std::int64_t maximum_cells = 4096;
};

/// A picture of a layout as an SVG document. The elements in logical order, each with its offset, coloured by
/// it, with lines where tiles meet; the last two dimensions are rows and columns, the others panels. Below,
/// the buffer in physical order, each place with the coordinate of its element (`*` if it has several),
/// padding grey. Elements are `<rect class="element">`, places `<rect class="place">` and
/// `<rect class="padding">`. Equal arguments give equal text. \error kBadArgument unless maximum_cells is
/// positive, kSystem
Result<std::string> draw_svg(const Layout& layout, const DrawOptions& options = {});
/// The same of CuTe's: the top-level modes are the dimensions.
Result<std::string> draw_svg(const cute::AnyLayout& layout, const DrawOptions& options = {});

}  // namespace relayout
