#include <functional>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "relayout/layout.hpp"

namespace relayout {
namespace {

Layout layout(const std::string& spec) {
  auto result = Layout::parse(spec);
  EXPECT_TRUE(result) << spec << ": " << (result ? "" : result.error().message);
  return *result;
}

std::string error_of(const std::string& spec) {
  const auto result = Layout::parse(spec);
  return result ? "accepted" : result.error().message;
}

std::vector<std::int64_t> offsets(const Layout& l) {
  std::vector<std::int64_t> values;
  Shape at(l.shape().size(), 0);
  for (std::int64_t i = 0; i < l.element_count(); ++i) {
    values.push_back(*l.offset(at));
    for (std::size_t d = at.size(); d-- > 0;) {
      if (++at[d] < l.shape()[d]) break;
      at[d] = 0;
    }
  }
  return values;
}

TEST(Morello, example) {
  const Layout packed = layout("f32[6,8][1, 0, 1 p(4)]");
  EXPECT_EQ(*packed.offset(std::vector<std::int64_t>{2, 5}), 24 * 1 + 4 * 2 + 1);
  EXPECT_EQ(packed.physical_shape(), (Shape{2, 6, 4}));
}

TEST(Morello, odd_even_puts_even_indices_first) {
  EXPECT_EQ(offsets(layout("f32[8][0 oe(8)]")), (std::vector<std::int64_t>{0, 4, 1, 5, 2, 6, 3, 7}));
}

TEST(Morello, odd_even_outside_a_pack_is_still_a_bijection) {
  EXPECT_EQ(offsets(layout("f32[8][0 oe(4), 0 p(2)]")), (std::vector<std::int64_t>{0, 1, 4, 5, 2, 3, 6, 7}));
}

TEST(Morello, text_is_read_with_any_blanks_and_without_brackets) {
  const auto spaced = morello::parse(" [ 1 ,0, 1  p ( 4 ) ] ");
  const auto bare = morello::parse("1,0,1 p(4)");
  ASSERT_TRUE(spaced && bare);
  EXPECT_EQ(*spaced, *bare);
  EXPECT_EQ(morello::to_string(*bare), "[1, 0, 1 p(4)]");
}

TEST(Morello, syntax_errors_name_the_position_and_what_was_expected) {
  EXPECT_EQ(morello::parse("[1, x]").error().message,
            "expected a logical dimension at position 4, found 'x'");
  EXPECT_EQ(morello::parse("[1 p4]").error().message, "expected '(' at position 4, found '4'");
  EXPECT_EQ(morello::parse("[1").error().message, "expected ',' or ']' at position 2, found the end");
  EXPECT_EQ(morello::parse("[1] 2").error().message, "expected the end at position 4, found '2'");
  EXPECT_EQ(morello::parse("[1 pp(2)]").error().message, "expected 'p' or 'oe' at position 3, found 'pp'");
}

TEST(Morello, invalid_layouts_name_the_physical_dimension) {
  EXPECT_NE(error_of("f32[8][0, 0 p(4)]").find("physical dimension 1 (0 p(4))"), std::string::npos);
  EXPECT_NE(error_of("f32[8,2][0 p(4), 0 p(2), 1]").find("physical dimension 1 (0 p(2))"), std::string::npos);
  EXPECT_NE(error_of("f32[8,2][0, 1, 0]").find("physical dimension 2 (0)"), std::string::npos);
  EXPECT_NE(error_of("f32[8][0 p(1)]").find("fewer than 2"), std::string::npos);
  EXPECT_NE(error_of("f32[9][0 oe(3)]").find("odd-even size"), std::string::npos);
  EXPECT_NE(error_of("f32[8,2][0, 1, 5]").find("past rank 2"), std::string::npos);
  EXPECT_NE(error_of("f32[10,2][0, 1, 0 p(4)]").find("not a multiple"), std::string::npos);
  EXPECT_NE(error_of("f32[8,4][0]").find("logical dimension 1 has extent 4"), std::string::npos);
}

TEST(Morello, odd_even_next_to_its_dynamic_or_a_pack_is_legal) {
  EXPECT_EQ(offsets(layout("f32[8][0, 0 oe(4)]")), (std::vector<std::int64_t>{0, 2, 1, 3, 4, 6, 5, 7}));
  EXPECT_EQ(layout("f32[24][0 p(3), 0 oe(8)]").physical_shape(), (Shape{3, 8}));
}

TEST(Morello, an_oversize_pack_is_clipped_once_per_dimension) {
  EXPECT_EQ(layout("f32[10,8][1, 0, 1 p(4), 0 p(2), 1 p(4)]").physical_shape(), (Shape{1, 5, 2, 2, 4}));
  EXPECT_NE(error_of("f32[1,3][0 p(4), 1 p(3), 0 p(2)]").find("clip a second"), std::string::npos);
}

TEST(Morello, unit_zero_and_no_dimensions_work) {
  EXPECT_EQ(layout("f32[][]").physical_elements(), 1);
  EXPECT_EQ(layout("f32[]").rank(), 0);
  EXPECT_EQ(layout("f32[1,1][]").physical_elements(), 1);
  EXPECT_EQ(layout("f32[0,3][1, 0]").size_bytes(), 0);
  EXPECT_EQ(layout("f32[0,3][1, 0]").contiguous_elements(), 0);
  EXPECT_TRUE(Layout::parse("f32[0,9223372036854775807]"));
}

TEST(Morello, sizes_past_the_limit_are_errors) {
  EXPECT_EQ(Layout::parse("f32[4294967296,4294967296]").error().code, ErrorCode::kOverflow);
  EXPECT_EQ(Layout::parse("f32[99999999999999999999]").error().code, ErrorCode::kOverflow);
  EXPECT_TRUE(Layout::parse("f32[4294967296,16]"));
}

/// All layouts of up to four physical dimensions on a shape.
void for_each_layout(const Shape& shape, const std::function<void(const Layout&)>& visit) {
  std::vector<morello::PhysicalDimension> choices;
  for (int d = 0; d < static_cast<int>(shape.size()); ++d) {
    choices.push_back(morello::PhysicalDimension::dynamic(d));
    for (const std::int64_t size : {2, 4}) {
      choices.push_back(morello::PhysicalDimension::packed(d, size));
      choices.push_back(morello::PhysicalDimension::odd_even(d, size));
    }
  }
  morello::PhysicalDimensions current;
  const std::function<void()> extend = [&] {
    if (auto l = Layout::from_morello(*ElementType::parse("u8"), shape, current)) visit(*l);
    if (current.size() == 4) return;
    for (const auto& choice : choices) {
      current.push_back(choice);
      extend();
      current.pop_back();
    }
  };
  extend();
}

TEST(MorelloCanonical, equal_maps_have_equal_texts_and_different_maps_different_ones) {
  for (const Shape& shape : {Shape{8, 4}, Shape{2, 8}, Shape{16}, Shape{4, 1, 4}}) {
    std::map<std::vector<std::int64_t>, std::string> text_of_map;
    std::map<std::string, std::vector<std::int64_t>> map_of_text;
    int seen = 0;
    for_each_layout(shape, [&](const Layout& l) {
      const auto map = offsets(l);
      const auto [text, fresh_map] = text_of_map.emplace(map, l.to_string());
      EXPECT_EQ(text->second, l.to_string());
      const auto [known, fresh_text] = map_of_text.emplace(l.to_string(), map);
      EXPECT_EQ(known->second, map) << l.to_string();
      ++seen;
    });
    EXPECT_GT(seen, 10);
  }
}

TEST(MorelloCanonical, unit_dynamics_and_pairs_of_odd_even_disappear) {
  EXPECT_EQ(layout("f32[8][0, 0 oe(8)]").to_string(), layout("f32[8][0 oe(8)]").to_string());
  EXPECT_EQ(layout("f32[8][0, 0 oe(2)]").to_string(), "f32[8][0]");
  EXPECT_EQ(layout("f32[12,8][0, 1, 0 p(2), 1 p(8)]").to_string(), "f32[12,8][0, 1]");
}

TEST(MorelloDimensions, dropping_renumbers_and_merges) {
  const auto dims = *morello::parse("[0, 1, 0 p(4), 2]");
  EXPECT_EQ(morello::to_string(morello::drop_dimension(dims, 1)), "[0, 1]");
  EXPECT_EQ(morello::to_string(morello::drop_dimension(dims, 0)), "[0, 1]");
  EXPECT_EQ(morello::to_string(morello::drop_dimension(dims, 2)), "[0, 1, 0 p(4)]");
}

TEST(MorelloDimensions, packs_whose_product_is_past_64_bits_are_kept_apart_when_dropping) {
  const std::string apart = "[0 p(9223372036854775807), 0 p(4)]";
  const auto dims = *morello::parse("[0 p(9223372036854775807), 1, 0 p(4)]");
  EXPECT_EQ(morello::to_string(morello::drop_dimension(dims, 1)), apart);
}

TEST(MorelloDimensions, swapping_renames) {
  EXPECT_EQ(morello::to_string(morello::swap_dimensions(*morello::parse("[0, 1, 0 p(4)]"), 0, 1)),
            "[1, 0, 1 p(4)]");
}

TEST(MorelloBuilders, image_layouts_list_channels_last) {
  EXPECT_EQ(morello::to_string(morello::nhwc()), "[0, 2, 3, 1]");
  EXPECT_EQ(morello::to_string(morello::nchwc(16)), "[0, 1, 2, 3, 1 p(16)]");
  EXPECT_EQ(morello::to_string(morello::column_major(3)), "[2, 1, 0]");
}

}  // namespace
}  // namespace relayout
