#include "src/draw/picture.hpp"

#include <algorithm>

namespace relayout::draw {
namespace {

/// Elements that are looked at to tell what lies in the buffer; beyond, only elements are drawn.
constexpr std::int64_t kMaximumEnumerated = std::int64_t{1} << 18;

std::int64_t product(std::span<const std::int64_t> extents) {
  std::int64_t result = 1;
  for (const std::int64_t extent : extents) {
    if (__builtin_mul_overflow(result, extent, &result)) return INT64_MAX;
  }
  return result;
}

/// Steps to the next coordinate in row-major order; false after the last.
bool step_to_next(Shape& coordinate, std::span<const std::int64_t> shape) {
  for (std::size_t i = coordinate.size(); i-- > 0;) {
    if (++coordinate[i] < shape[i]) return true;
    coordinate[i] = 0;
  }
  return false;
}

class PictureMaker {
 public:
  PictureMaker(const Subject& subject, const DrawOptions& options) : subject_(subject), options_(options) {
    rows_ = subject.shape.size() < 2 ? 1 : subject.shape[subject.shape.size() - 2];
    columns_ = subject.shape.empty() ? 1 : subject.shape.back();
    elements_ = product(subject.shape);
  }

  Result<Picture> run() {
    picture_.title = subject_.title;
    picture_.lowest_offset = subject_.lowest_offset;
    picture_.total_places = subject_.places;
    picture_.places_a_row = subject_.places_a_row;
    picture_.notes.push_back(std::to_string(elements_) + " elements in " + std::to_string(subject_.places) +
                             " places");
    if (auto status = add_panels(); !status) return status.error();
    if (auto status = mark_tiles(); !status) return status.error();
    if (auto status = add_places(); !status) return status.error();
    return std::move(picture_);
  }

 private:
  bool is_line() const { return subject_.shape.size() < 2; }

  Status add_panels() {
    if (elements_ == 0) return {};
    const std::size_t leading_rank = is_line() ? 0 : subject_.shape.size() - 2;
    const auto leading_shape = std::span(subject_.shape).first(leading_rank);
    Shape leading(leading_rank, 0);
    std::int64_t drawn = 0;
    do {
      auto panel = is_line() ? line_panel() : grid_panel(leading);
      if (!panel) return panel.error();
      drawn += static_cast<std::int64_t>(panel->cells.size());
      picture_.panels.push_back(std::move(*panel));
      if (drawn + static_cast<std::int64_t>(picture_.panels.back().cells.size()) > options_.maximum_cells)
        break;
    } while (step_to_next(leading, leading_shape));
    if (drawn < elements_) {
      picture_.notes.push_back("the first " + std::to_string(drawn) + " elements of the panels are drawn");
    }
    return {};
  }

  /// A vector, in lines of kMaximumSide elements.
  Result<Panel> line_panel() const {
    Panel panel;
    const std::int64_t count = std::min(columns_, options_.maximum_cells);
    panel.columns = std::min(count, kMaximumSide);
    panel.rows = (count + panel.columns - 1) / panel.columns;
    for (std::int64_t index = 0; index < count; ++index) {
      const Shape coordinate(subject_.shape.size(), index);
      if (auto status = add_cell(panel, {index / panel.columns, index % panel.columns, coordinate}); !status)
        return status.error();
    }
    return panel;
  }

  Result<Panel> grid_panel(const Shape& leading) const {
    Panel panel;
    panel.leading = leading;
    panel.columns = std::min({columns_, kMaximumSide, options_.maximum_cells});
    panel.rows = std::min({rows_, kMaximumSide, options_.maximum_cells / panel.columns});
    Shape coordinate = leading;
    coordinate.resize(leading.size() + 2);
    for (std::int64_t row = 0; row < panel.rows; ++row) {
      for (std::int64_t column = 0; column < panel.columns; ++column) {
        coordinate[leading.size()] = row;
        coordinate[leading.size() + 1] = column;
        if (auto status = add_cell(panel, {row, column, coordinate}); !status) return status.error();
      }
    }
    return panel;
  }

  Status add_cell(Panel& panel, ElementCell cell) const {
    const auto offset = subject_.offset(cell.coordinate);
    if (!offset) return offset.error();
    cell.offset = *offset;
    panel.cells.push_back(std::move(cell));
    return {};
  }

  Status mark_tiles() {
    const auto tiles = find_tiles(subject_, picture_.panels);
    if (!tiles) return tiles.error();
    for (Panel& panel : picture_.panels) {
      for (ElementCell& cell : panel.cells) {
        const std::size_t rank = cell.coordinate.size();
        if (rank > 0 && cell.column > 0) cell.left = (*tiles)[rank - 1].before(cell.coordinate[rank - 1]);
        if (rank > 1) cell.top = (*tiles)[rank - 2].before(cell.coordinate[rank - 2]);
      }
    }
    return {};
  }

  Status add_places() {
    const std::int64_t shown = std::min(subject_.places, options_.maximum_cells);
    if (elements_ > kMaximumEnumerated) {
      picture_.notes.push_back("the buffer is left out: there are more than " +
                               std::to_string(kMaximumEnumerated) + " elements");
      return {};
    }
    picture_.places.resize(static_cast<std::size_t>(shown));
    if (elements_ > 0) {
      if (auto status = enter_elements(); !status) return status;
    }
    if (shown < subject_.places) {
      picture_.notes.push_back("the first " + std::to_string(shown) + " places of the buffer are drawn");
    }
    return {};
  }

  Status enter_elements() {
    Shape coordinate(subject_.shape.size(), 0);
    do {
      const auto offset = subject_.offset(coordinate);
      if (!offset) return offset.error();
      const std::int64_t index = *offset - subject_.lowest_offset;
      if (index < 0 || index >= subject_.places) {
        return Error{ErrorCode::kUnsupported, "offset " + std::to_string(*offset) + " is outside the buffer"};
      }
      if (index >= static_cast<std::int64_t>(picture_.places.size())) continue;
      Place& place = picture_.places[static_cast<std::size_t>(index)];
      if (place.elements++ == 0) place.coordinate = coordinate;
    } while (step_to_next(coordinate, subject_.shape));
    return {};
  }

  const Subject& subject_;
  const DrawOptions& options_;
  std::int64_t rows_ = 1;
  std::int64_t columns_ = 1;
  std::int64_t elements_ = 1;
  Picture picture_;
};

}  // namespace

Result<Picture> make_picture(const Subject& subject, const DrawOptions& options) {
  if (options.maximum_cells < 1) return Error{ErrorCode::kBadArgument, "maximum_cells must be positive"};
  return PictureMaker(subject, options).run();
}

}  // namespace relayout::draw
