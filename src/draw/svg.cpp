#include <algorithm>
#include <array>

#include "src/draw/markup.hpp"
#include "src/draw/picture.hpp"

namespace relayout::draw {
namespace {

// Pixels.
constexpr std::int64_t kMargin = 20;
constexpr std::int64_t kCellHeight = 22;
constexpr std::int64_t kCharacterWidth = 7;
constexpr std::int64_t kHeadingHeight = 22;
constexpr std::int64_t kGap = 26;
constexpr std::int64_t kMaximumWidth = 1600;

constexpr const char* kStyle =
    "text{font:11px ui-monospace,Consolas,monospace;text-anchor:middle;fill:#000}"
    ".title{font-size:16px;font-weight:bold;text-anchor:start}"
    ".note{font-size:12px;text-anchor:start;fill:#444}"
    ".index{font-size:10px;fill:#777}"
    ".light{fill:#fff}"
    ".element,.place{stroke:#fff;stroke-width:.5}"
    ".padding{fill:#bbb;stroke:#fff;stroke-width:.5}"
    ".inner{stroke:#fff;stroke-width:2;fill:none}"
    ".tile{stroke:#000;stroke-width:3;fill:none}";

struct Colour {
  std::int64_t red = 0;
  std::int64_t green = 0;
  std::int64_t blue = 0;
  /// Whether text on it has to be white (BT.601 luma).
  bool is_dark() const { return 299 * red + 587 * green + 114 * blue < 128000; }
};

/// Matplotlib's viridis, of equal perceived steps, at eighths.
constexpr std::array<Colour, 9> kScale{{{68, 1, 84},
                                        {71, 45, 123},
                                        {59, 82, 139},
                                        {44, 114, 142},
                                        {33, 145, 140},
                                        {40, 174, 128},
                                        {94, 201, 98},
                                        {173, 220, 48},
                                        {253, 231, 37}}};

/// The colour at `position` of `count` places.
Colour colour_at(std::int64_t position, std::int64_t count) {
  const double share = count < 2 ? 0.0 : static_cast<double>(position) / static_cast<double>(count - 1);
  const auto step = static_cast<std::int64_t>(std::clamp(share, 0.0, 1.0) * 2048);
  const auto low = static_cast<std::size_t>(std::min<std::int64_t>(step / 256, 7));
  const std::int64_t part = step - static_cast<std::int64_t>(low) * 256;
  const auto between = [part](std::int64_t from, std::int64_t to) { return from + (to - from) * part / 256; };
  const Colour& from = kScale[low];
  const Colour& to = kScale[low + 1];
  return {between(from.red, to.red), between(from.green, to.green), between(from.blue, to.blue)};
}

std::string text_of(const Colour& colour) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "#";
  for (const std::int64_t part : {colour.red, colour.green, colour.blue}) {
    text += kDigits[static_cast<std::size_t>(part / 16)];
    text += kDigits[static_cast<std::size_t>(part % 16)];
  }
  return text;
}

std::string joined(const Shape& numbers, std::string_view separator) {
  std::string text;
  for (const std::int64_t number : numbers) {
    text += (text.empty() ? "" : std::string(separator)) + std::to_string(number);
  }
  return text;
}

struct Point {
  std::int64_t x = 0;
  std::int64_t y = 0;
};

/// Writes from top to bottom, keeping the size of what was written.
class SvgWriter {
 public:
  explicit SvgWriter(const Picture& picture) : picture_(picture) {}

  std::string run() {
    y_ = kMargin + 16;
    text({kMargin, y_}, "title", picture_.title);
    for (const std::string& note : picture_.notes) text({kMargin, y_ += 18}, "note", note);
    cover({kMargin + 10 * static_cast<std::int64_t>(picture_.title.size()), y_});
    y_ += kGap;
    write_panels();
    write_buffer();
    const std::string width = std::to_string(corner_.x + kMargin);
    const std::string height = std::to_string(corner_.y + kMargin);
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height +
           "\" viewBox=\"0 0 " + width + " " + height + "\">\n<title>" + escaped(picture_.title) +
           "</title>\n<style>" + kStyle + "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n" +
           body_ + "</svg>\n";
  }

 private:
  void cover(Point point) { corner_ = {std::max(corner_.x, point.x), std::max(corner_.y, point.y)}; }

  static std::string at(Point point) {
    return " x=\"" + std::to_string(point.x) + "\" y=\"" + std::to_string(point.y) + "\"";
  }

  void text(Point point, std::string_view style, std::string_view content) {
    body_ += "<text class=\"" + std::string(style) + "\"" + at(point) + ">" + escaped(content) + "</text>\n";
    cover(point);
  }

  /// A rectangle with a label in its middle.
  void cell(Point point, std::string_view style, const Colour& colour, std::string_view label) {
    body_ += "<rect class=\"" + std::string(style) + "\"" + at(point) + " width=\"" +
             std::to_string(cell_width_) + "\" height=\"" + std::to_string(kCellHeight) + "\" fill=\"" +
             text_of(colour) + "\"/><text" + (colour.is_dark() ? " class=\"light\"" : "") +
             at({point.x + cell_width_ / 2, point.y + 15}) + ">" + escaped(label) + "</text>\n";
    cover({point.x + cell_width_, point.y + kCellHeight});
  }

  void index(Point point, std::int64_t number) { text(point, "index", std::to_string(number)); }

  Colour colour_of(std::int64_t offset) const {
    return colour_at(offset - picture_.lowest_offset, picture_.total_places);
  }

  void write_panels() {
    std::size_t characters = 2;
    for (const Panel& panel : picture_.panels) {
      for (const ElementCell& element : panel.cells)
        characters = std::max(characters, std::to_string(element.offset).size());
    }
    cell_width_ = kCharacterWidth * static_cast<std::int64_t>(characters) + 10;
    body_ += "<g id=\"elements\">\n";
    std::int64_t x = kMargin;
    for (const Panel& panel : picture_.panels) {
      const std::int64_t width = 30 + panel.columns * cell_width_;
      if (x > kMargin && x + width > kMaximumWidth) {
        x = kMargin;
        y_ = corner_.y + kGap;
      }
      write_panel(panel, {x, y_});
      x += width + kGap;
    }
    body_ += "</g>\n";
    y_ = corner_.y + kGap + 8;
  }

  void write_panel(const Panel& panel, Point origin) {
    if (!panel.leading.empty()) {
      text({origin.x, origin.y}, "note", "[" + joined(panel.leading, ", ") + ", :, :]");
      origin.y += kHeadingHeight;
    }
    const Point corner{origin.x + 30, origin.y + 4};
    for (std::int64_t column = 0; column < panel.columns; ++column)
      index({corner.x + column * cell_width_ + cell_width_ / 2, origin.y}, column);
    std::string inner;
    std::string tile;
    for (const ElementCell& element : panel.cells) {
      const Point point{corner.x + element.column * cell_width_, corner.y + element.row * kCellHeight};
      if (element.column == 0) index({corner.x - 14, point.y + 15}, row_label(element));
      cell(point, "element", colour_of(element.offset), std::to_string(element.offset));
      add_edge(element.left, point, "v" + std::to_string(kCellHeight), inner, tile);
      add_edge(element.top, point, "h" + std::to_string(cell_width_), inner, tile);
    }
    add_path("inner", inner);
    tile += "M" + std::to_string(corner.x) + " " + std::to_string(corner.y) + "h" +
            std::to_string(panel.columns * cell_width_) + "v" + std::to_string(panel.rows * kCellHeight) +
            "h-" + std::to_string(panel.columns * cell_width_) + "z";
    add_path("tile", tile);
  }

  static std::int64_t row_label(const ElementCell& element) {
    const std::size_t rank = element.coordinate.size();
    if (rank == 0) return 0;
    return element.coordinate[rank < 2 ? 0 : rank - 2];
  }

  static void add_edge(Border border, Point from, const std::string& step, std::string& inner,
                       std::string& tile) {
    if (border == Border::kNone) return;
    (border == Border::kTile ? tile : inner) +=
        "M" + std::to_string(from.x) + " " + std::to_string(from.y) + step;
  }

  void add_path(std::string_view style, const std::string& path) {
    if (!path.empty()) body_ += "<path class=\"" + std::string(style) + "\" d=\"" + path + "\"/>\n";
  }

  static std::string label_of(const Place& place) {
    if (place.elements == 0) return "";
    return joined(place.coordinate, ",") + (place.elements > 1 ? "*" : "");
  }

  void write_buffer() {
    if (picture_.places.empty()) return;
    std::size_t characters = 2;
    for (const Place& place : picture_.places) characters = std::max(characters, label_of(place).size());
    cell_width_ = kCharacterWidth * static_cast<std::int64_t>(characters) + 10;
    text({kMargin, y_}, "note", "The buffer in physical order; grey: padding");
    y_ += 12;
    body_ += "<g id=\"buffer\">\n";
    for (std::size_t i = 0; i < picture_.places.size(); ++i) write_place(static_cast<std::int64_t>(i));
    body_ += "</g>\n";
  }

  void write_place(std::int64_t number) {
    const Place& place = picture_.places[static_cast<std::size_t>(number)];
    const std::int64_t column = number % picture_.places_a_row;
    const Point point{kMargin + 40 + column * cell_width_, y_ + number / picture_.places_a_row * kCellHeight};
    const std::int64_t offset = picture_.lowest_offset + number;
    if (column == 0) index({point.x - 20, point.y + 15}, offset);
    if (place.elements > 0) {
      cell(point, "place", colour_of(offset), label_of(place));
    } else {
      body_ += "<rect class=\"padding\"" + at(point) + " width=\"" + std::to_string(cell_width_) +
               "\" height=\"" + std::to_string(kCellHeight) + "\"/>\n";
      cover({point.x + cell_width_, point.y + kCellHeight});
    }
  }

  const Picture& picture_;
  std::string body_;
  Point corner_;
  std::int64_t y_ = 0;
  std::int64_t cell_width_ = 0;
};

}  // namespace

std::string to_svg(const Picture& picture) {
  return SvgWriter(picture).run();
}

}  // namespace relayout::draw
