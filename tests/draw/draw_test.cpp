#include "relayout/draw.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "relayout/cute/text.hpp"

namespace relayout {
namespace {

/// What stands in the cells of a picture, in the order of the document.
struct Cells {
  std::vector<std::string> elements;
  std::vector<std::string> places;  ///< padding is ""
  std::int64_t padding = 0;
  bool well_formed = true;
};

/// Reads tags one by one, checking that they nest; knows as much XML as the pictures need.
Cells read_cells(const std::string& svg) {
  Cells cells;
  std::vector<std::string> open;
  std::string last_class;
  for (std::size_t at = svg.find('<'); at != std::string::npos; at = svg.find('<', at)) {
    const std::size_t end = svg.find('>', at);
    if (end == std::string::npos) return {{}, {}, 0, false};
    const std::string tag = svg.substr(at + 1, end - at - 1);
    const std::string text = svg.substr(end + 1, svg.find('<', end) - end - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
    if (tag.front() == '/') {
      cells.well_formed = cells.well_formed && !open.empty() && "/" + open.back() == name;
      if (!open.empty()) open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
    const bool is_cell = tag.find("class=\"element\"") != std::string::npos ||
                         tag.find("class=\"place\"") != std::string::npos;
    if (tag.find("class=\"padding\"") != std::string::npos) {
      ++cells.padding;
      cells.places.push_back("");
    }
    if (name == "text" && last_class == "element") cells.elements.push_back(text);
    if (name == "text" && last_class == "place") cells.places.push_back(text);
    if (is_cell) last_class = tag.find("\"element\"") != std::string::npos ? "element" : "place";
    if (!is_cell) last_class.clear();
    at = end;
  }
  cells.well_formed = cells.well_formed && open.empty();
  return cells;
}

Cells drawn(const std::string& spec) {
  const auto svg = draw_svg(*Layout::parse(spec));
  return svg ? read_cells(*svg) : Cells{{}, {}, 0, false};
}

Cells drawn_cute(const std::string& text) {
  const auto svg = draw_svg(*cute::parse(text));
  return svg ? read_cells(*svg) : Cells{{}, {}, 0, false};
}

TEST(Draw, every_element_shows_its_offset_and_every_place_its_coordinate) {
  const Cells cells = drawn("f32[6,8][1, 0, 1 p(4)]");
  EXPECT_TRUE(cells.well_formed);
  std::vector<std::string> offsets;
  std::vector<std::string> coordinates(48);
  for (std::size_t row = 0; row < 6; ++row) {
    for (std::size_t column = 0; column < 8; ++column) {
      const std::size_t offset = 24 * (column / 4) + 4 * row + column % 4;
      offsets.push_back(std::to_string(offset));
      coordinates[offset] = std::to_string(row) + "," + std::to_string(column);
    }
  }
  EXPECT_EQ(cells.elements, offsets);
  EXPECT_EQ(cells.places, coordinates);
  EXPECT_EQ(cells.padding, 0);
}

TEST(Draw, padding_is_grey) {
  const Cells cells = drawn("f32[10,12]{1,0:T(4,8)}");
  EXPECT_EQ(cells.elements.size(), 120U);
  EXPECT_EQ(cells.places.size(), 12U * 16U);
  EXPECT_EQ(cells.padding, 12 * 16 - 10 * 12);
  EXPECT_EQ(cells.places[31], "3,7");  // the last element of the first tile
  EXPECT_EQ(cells.places[36], "");     // columns 12 to 15 of the second one
}

TEST(Draw, leading_dimensions_become_panels) {
  const auto svg = draw_svg(*Layout::parse("f32[2,3,4,5]"));
  EXPECT_EQ(read_cells(*svg).elements.size(), 120U);
  for (const char* panel : {"[0, 0, :, :]", "[0, 2, :, :]", "[1, 0, :, :]", "[1, 2, :, :]"}) {
    EXPECT_NE(svg->find(panel), std::string::npos) << panel;
  }
}

TEST(Draw, ranks_below_two_are_lines) {
  EXPECT_EQ(drawn("f32[]").elements, std::vector<std::string>{"0"});
  EXPECT_EQ(drawn("f32[3]").elements, (std::vector<std::string>{"0", "1", "2"}));
  EXPECT_EQ(drawn("f32[200]").elements.size(), 200U);
  EXPECT_TRUE(drawn("f32[0,3]").well_formed);
  EXPECT_TRUE(drawn("f32[0,3]").elements.empty());
}

TEST(Draw, cute_layouts_show_gaps_and_shared_places) {
  EXPECT_EQ(drawn_cute("(2,2):(1,4)").places, (std::vector<std::string>{"0,0", "1,0", "", "", "0,1", "1,1"}));
  EXPECT_EQ(drawn_cute("(2,3):(0,2)").places, (std::vector<std::string>{"0,0*", "", "0,1*", "", "0,2*"}));
  EXPECT_EQ(drawn_cute("3:-2").elements, (std::vector<std::string>{"0", "-2", "-4"}));
  EXPECT_EQ(drawn_cute("3:-2").places, (std::vector<std::string>{"2", "", "1", "", "0"}));
}

TEST(Draw, titles_are_escaped) {
  const auto svg = draw_svg(*cute::parse("Sw<1,0,2> o 0 o (2,4):(4,1)"));
  EXPECT_NE(svg->find("<title>Sw&lt;1,0,2&gt; o 0 o (2,4):(4,1)</title>"), std::string::npos);
  // Row 1 has bit 2 set, which flips bit 0: 4 5 6 7 becomes 5 4 7 6.
  EXPECT_EQ(read_cells(*svg).elements, (std::vector<std::string>{"0", "1", "2", "3", "5", "4", "7", "6"}));
}

TEST(Draw, lines_run_where_tiles_meet) {
  const auto tile_lines = [](const std::string& spec) {
    const auto svg = draw_svg(*Layout::parse(spec));
    const std::size_t begin = svg->find("<path class=\"tile\"");
    const std::string path = svg->substr(begin, svg->find("/>", begin) - begin);
    return std::count(path.begin(), path.end(), 'M') - 1;  // but for the frame
  };
  EXPECT_EQ(tile_lines("f32[6,8]"), 0);
  EXPECT_EQ(tile_lines("f32[6,8][1, 0, 1 p(4)]"), 6);           // left of column 4, in 6 rows
  EXPECT_EQ(tile_lines("f32[8,16]{1,0:T(4,8)}"), 8 + 16);       // left of column 8, above row 4
  EXPECT_EQ(tile_lines("f32[8,16]{1,0:T(4,8)(2,1)}"), 8 + 16);  // the pairs of rows are inner lines
  EXPECT_EQ(tile_lines("f32[6,8][0, 1, 0 p(2), 1 p(4)]"), 6 + 16);
}

TEST(Draw, large_layouts_are_drawn_in_part_and_say_so) {
  const auto svg = draw_svg(*Layout::parse("f32[4096,4096]"));
  EXPECT_EQ(read_cells(*svg).elements.size(), 4096U);
  EXPECT_NE(svg->find("the first 4096 elements of the panels are drawn"), std::string::npos);
  EXPECT_NE(svg->find("the buffer is left out"), std::string::npos);
  const Cells few = read_cells(*draw_svg(*Layout::parse("f32[7,9]"), {.maximum_cells = 20}));
  EXPECT_EQ(few.elements.size(), 18U);  // whole rows
  EXPECT_EQ(few.places.size(), 20U);
  EXPECT_EQ(draw_svg(*Layout::parse("f32[7]"), {.maximum_cells = 0}).error().code, ErrorCode::kBadArgument);
}

TEST(Draw, equal_layouts_give_equal_text) {
  const Layout layout = *Layout::parse("bf16[64,300]{1,0:T(8,128)(2,1)}");
  EXPECT_EQ(*draw_svg(layout), *draw_svg(layout));
}

}  // namespace
}  // namespace relayout
