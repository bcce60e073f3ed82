#include "relayout/layout.hpp"

#include <string>

#include <gtest/gtest.h>

#include "src/layout/layout_data.hpp"

namespace relayout {
namespace {

Layout layout(const std::string& spec) {
  return *Layout::parse(spec);
}

TEST(Layout, offsets_are_checked_against_the_shape) {
  const Layout matrix = layout("f32[6,8]");
  EXPECT_EQ(*matrix.offset(std::vector<std::int64_t>{5, 7}), 47);
  EXPECT_EQ(matrix.offset(std::vector<std::int64_t>{6, 0}).error().message,
            "index 6 of dimension 0 is outside [0, 6)");
  EXPECT_EQ(matrix.offset(std::vector<std::int64_t>{0}).error().code, ErrorCode::kBadArgument);
}

TEST(Layout, a_buffer_has_at_most_two_to_the_60_bytes_in_every_notation) {
  const std::int64_t most = std::int64_t{1} << 60;
  for (const std::string suffix : {"", "[0]", "{0}", "{0:T(8)}"}) {
    const auto largest = Layout::parse("u8[" + std::to_string(most) + "]" + suffix);
    ASSERT_TRUE(largest) << suffix << ": " << largest.error().message;
    EXPECT_EQ(largest->size_bytes(), most);
    const auto larger = Layout::parse("u8[" + std::to_string(most + 1) + "]" + suffix);
    ASSERT_FALSE(larger) << suffix;
    EXPECT_EQ(larger.error().code, ErrorCode::kOverflow);
  }
  EXPECT_EQ(Layout::parse("c128[" + std::to_string(most / 16) + "]{0}")->size_bytes(), most);
  EXPECT_EQ(Layout::parse("s4[" + std::to_string(most * 2 - 1) + "]{0:E(4)}")->size_bytes(), most);
  EXPECT_EQ(Layout::parse("s4[" + std::to_string(most * 2 + 1) + "]{0:E(4)}").error().code,
            ErrorCode::kOverflow);
}

TEST(Layout, a_buffer_of_spaced_elements_has_at_most_two_to_the_60_bytes_too) {
  EXPECT_EQ(Layout::parse("u8[2]{0:E(4611686018427387904)}")->size_bytes(), std::int64_t{1} << 60);
  for (const char* text : {"u8[4]{0:E(4611686018427387904)}", "u8[7]{0:E(1317624576693539402)}",
                           "u8[9]{0:E(4611686018427387904)}", "u8[3]{0:E(4611686018427387904)}"}) {
    const auto spaced = Layout::parse(text);
    ASSERT_FALSE(spaced) << text;
    EXPECT_EQ(spaced.error().code, ErrorCode::kOverflow) << spaced.error().message;
  }
}

TEST(Layout, strides_exist_where_every_dimension_is_one_digit) {
  EXPECT_EQ(*layout("f32[6,8]").strides(), (std::vector<std::int64_t>{8, 1}));
  EXPECT_EQ(*layout("f32[6,8][1, 0]").strides(), (std::vector<std::int64_t>{1, 6}));
  EXPECT_EQ(*layout("f32[6,1,8]").strides(), (std::vector<std::int64_t>{8, 0, 1}));
  EXPECT_FALSE(layout("f32[6,8][1, 0, 1 p(4)]").strides());
  EXPECT_FALSE(layout("f32[8][0 oe(8)]").strides());
}

TEST(Layout, contiguous_elements_count_the_run_in_logical_order) {
  EXPECT_EQ(layout("f32[6,8]").contiguous_elements(), 48);
  EXPECT_EQ(layout("f32[6,8][1, 0]").contiguous_elements(), 1);
  EXPECT_EQ(layout("f32[6,8][1, 0, 1 p(4)]").contiguous_elements(), 4);
  EXPECT_EQ(layout("f32[2,3,4,5][0, 2, 3, 1]").contiguous_elements(), 1);
  EXPECT_EQ(layout("f32[4,5,6][1, 0, 2]").contiguous_elements(), 6);
}

TEST(Layout, simplified_expression_has_no_needless_operators) {
  EXPECT_EQ(layout("f32[6,8]").simplified_expression(), "8*d0 + d1");
  EXPECT_EQ(layout("f32[8][0, 0 oe(8)]").data().shape.size(), 1U);
}

TEST(Layout, raw_expression_evaluates_to_the_offset) {
  const Layout packed = layout("f32[6,8][1, 0, 1 p(4)]");
  for (std::int64_t row = 0; row < 6; ++row) {
    for (std::int64_t column = 0; column < 8; ++column) {
      const std::vector<std::int64_t> at = {row, column};
      EXPECT_EQ(*expr::evaluate(packed.data().raw, at), 24 * (column / 4) + 4 * row + column % 4);
      EXPECT_EQ(*expr::evaluate(packed.data().simplified(), at), 24 * (column / 4) + 4 * row + column % 4);
    }
  }
}

TEST(MergedDigits, neighbours_that_chain_become_one) {
  using layout::Digit;
  const std::vector<Digit> digits = {{0, 1, 4, 2}, {0, 4, 3, 8}, {1, 1, 2, 1}, {2, 1, 1, 24}};
  EXPECT_EQ(layout::merged_digits(digits), (std::vector<Digit>{{0, 1, 12, 2}, {1, 1, 2, 1}}));
}

}  // namespace
}  // namespace relayout
