#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "relayout/draw.hpp"

namespace relayout::draw {

/// What a picture needs to know of a layout, whatever its notation.
struct Subject {
  std::string title;
  Shape shape;
  std::int64_t lowest_offset = 0;
  std::int64_t places = 0;         ///< of the buffer, from the lowest offset on
  std::int64_t places_a_row = 32;  ///< of the picture of the buffer
  std::function<Result<std::int64_t>(std::span<const std::int64_t> coordinate)> offset;
};

/// Which line runs along an edge of a cell.
enum class Border : std::uint8_t { kNone, kInner, kTile };

/// One logical element.
struct ElementCell {
  std::int64_t row = 0;
  std::int64_t column = 0;
  Shape coordinate;
  std::int64_t offset = 0;
  Border left = Border::kNone;
  Border top = Border::kNone;
};

/// The elements that share all coordinates but the last two.
struct Panel {
  Shape leading;  ///< the coordinates that they share
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<ElementCell> cells;
};

/// One place of the buffer.
struct Place {
  std::int64_t elements = 0;  ///< that are there; 0: padding
  Shape coordinate;           ///< of the first one
};

/// All that is drawn, without positions.
struct Picture {
  std::string title;
  std::int64_t lowest_offset = 0;
  std::int64_t total_places = 0;
  std::int64_t places_a_row = 32;
  std::vector<Panel> panels;
  std::vector<Place> places;
  std::vector<std::string> notes;  ///< counts, and what was left out
};

/// The most rows and columns of a panel.
inline constexpr std::int64_t kMaximumSide = 64;

/// \error kBadArgument, and what the offsets give
Result<Picture> make_picture(const Subject& subject, const DrawOptions& options);

/// Along one dimension, the index steps between which another tile begins.
struct TileSteps {
  std::vector<std::int64_t> places;  ///< rising; the last one is the outermost tile's
  Border before(std::int64_t index) const;
};

/// The tiles along every dimension; none where the offset isn't a sum over the dimensions.
/// `drawn` are the cells to check that on. \error what the offsets give
Result<std::vector<TileSteps>> find_tiles(const Subject& subject, const std::vector<Panel>& drawn);

/// The SVG document.
std::string to_svg(const Picture& picture);

}  // namespace relayout::draw
