#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "relayout/layout.hpp"

namespace relayout {
namespace {

std::string message(const std::string& text, bool strict = false) {
  const auto shape = xla::parse(text, {strict});
  if (!shape) return shape.error().message;
  const auto status = xla::validate(*shape);
  return status ? "accepted" : status.error().message;
}

std::string canonical(const std::string& text) {
  const auto shape = xla::parse(text);
  return shape ? xla::to_string(*shape) : shape.error().message;
}

TEST(XlaText, every_attribute_is_read_and_printed_in_order) {
  const std::string text = "s4[16,256]{1,0:T(8,128)(8,1)L(2048)E(4)S(3)SC(0:4,8)(1:130)M(1024)}";
  EXPECT_EQ(canonical(text), text);
  EXPECT_EQ(message(text, true), "accepted");
  const auto array = *xla::parse(text)->array;
  EXPECT_EQ(array.layout.tiles, (std::vector<xla::Tile>{{8, 128}, {8, 1}}));
  EXPECT_EQ(array.layout.tail_padding_alignment, 2048);
  EXPECT_EQ(array.layout.element_bits, 4);
  EXPECT_EQ(array.layout.memory_space, 3);
  EXPECT_EQ(array.layout.split_configs, (std::vector<xla::SplitConfig>{{0, {4, 8}}, {1, {130}}}));
  EXPECT_EQ(array.layout.metadata_prefix_bytes, 1024);
}

TEST(XlaText, blanks_and_comments_stand_between_any_two_tokens) {
  EXPECT_EQ(canonical("f32 [ 2 ,/*rows*/ 3 ] { 1 , 0 : T ( 2 , * , 4 ) // end\n }"),
            "f32[2,3]{1,0:T(2,*,4)}");
}

TEST(XlaText, missing_layouts_are_the_default_ones) {
  EXPECT_EQ(canonical("f32[2,3,4]"), "f32[2,3,4]{2,1,0}");
  EXPECT_EQ(canonical("f32[]"), "f32[]");
  EXPECT_EQ(canonical("f32[]{:T(128)}"), "f32[]{:T(128)}");
}

TEST(XlaText, every_fifth_member_of_a_tuple_has_its_number) {
  EXPECT_EQ(canonical("(s8[],s8[],s8[],s8[],s8[],token[])"),
            "(s8[], s8[], s8[], s8[], s8[], /*index=5*/token[])");
  EXPECT_EQ(canonical("((), opaque[], b(f32[2]))"), "((), opaque[], b(f32[2]{0}))");
}

TEST(XlaText, dynamic_dimensions_count_as_their_bound) {
  EXPECT_EQ(canonical("f32[<=5,?]"), "f32[<=5,?]{1,0}");
  EXPECT_EQ(Layout::parse("f32[<=5,3]")->element_count(), 15);
  EXPECT_EQ(Layout::parse("f32[5,?]").error().code, ErrorCode::kUnsupported);
}

TEST(XlaText, padding_is_printed_last) {
  const std::string text = "f32[2,3]{0,1:S(1)PAD(3,5)=LOWEST}";
  EXPECT_EQ(canonical(text), text);
  EXPECT_EQ(canonical("f32[2]{0:PAD(4)}"), "f32[2]{0:PAD(4)=INVALID}");
  EXPECT_EQ(message("f32[2,3]{0,1:T(2,2)PAD(3,5)=ZERO}"),
            "f32[2,3]{0,1:T(2,2)PAD(3,5)=ZERO}: T and PAD exclude each other");
  EXPECT_EQ(message("f32[2,3]{0,1:PAD(1,5)=ZERO}"),
            "f32[2,3]{0,1:PAD(1,5)=ZERO}: PAD's extent 1 does not hold dimension 0");
  EXPECT_EQ(message("f32[2]{0:PAD(4)=TWO}"),
            "expected INVALID, ZERO, ONE, LOWEST, HIGHEST or UNKNOWN at position 16, found 'TWO'");
}

TEST(XlaText, errors_name_the_position_and_what_was_expected) {
  EXPECT_EQ(message("F32[2]"), "expected an element type, 'b(' or '(' at position 0, found 'F32'");
  EXPECT_EQ(message("f32[2,3"), "expected ',' or ']' at position 7, found the end");
  EXPECT_EQ(message("f32[-2]"), "expected an extent from 0 to 2^63 - 1 at position 4");
  EXPECT_EQ(message("f32[2]{}"), "expected a dimension number or ':' after '{' at position 7, found '}'");
  EXPECT_EQ(message("f32[2,3]{1}"), "expected 2 dimension numbers in the layout at position 8, found 1");
  EXPECT_EQ(message("f32[2,3]{1,0:T(2,)}"), "expected a tile size or '*' at position 17, found ')'");
  EXPECT_EQ(
      message("f32[2,3]{1,0:S(1)E(4)}"),
      "expected '}' or the next attribute (D T L # * E S SC P M PAD, in this order) at position 17, found "
      "'E'");
  EXPECT_EQ(message("f32[2] x"), "expected the end at position 7, found 'x'");
  EXPECT_EQ(message("(f32[2]"), "expected ',' or ')' at position 7, found the end");
}

TEST(XlaText, what_would_abort_xlas_process_is_an_error) {
  EXPECT_EQ(message("f32[2,3]{1,0:T(-2,2)}"), "expected a positive tile size at position 15, found '-2'");
  EXPECT_EQ(message("f32[2,3]{1,0:T(0,2)}"), "f32[2,3]{1,0:T(0,2)}: a tile size is not positive");
  EXPECT_EQ(message("f32[2,3]{1,0:L(0)}"), "expected a tail padding alignment of 1 or more at position 15");
  EXPECT_NE(message("token[2]"), "accepted");
}

TEST(XlaText, strict_parsing_refuses_what_slips_through_xlas_parser) {
  for (const std::string attributes : {"S(256)", "S(-1)", "T(2,2", "T(2", "E(4", "L(4S(1)", "M(-5)", "SC(0:)",
                                       "D(D,C)", "T(-9223372036854775808,2)"}) {
    const std::string text = "f32[2,3]{1,0:" + attributes + "}";
    EXPECT_EQ(message(text), "accepted") << text;
    EXPECT_NE(message(text, true), "accepted") << text;
  }
  EXPECT_EQ(canonical("f32[2]{0:S(256)}"), "f32[2]{0}");
  EXPECT_EQ(canonical("f32[2]{0:S(128)}"), "f32[2]{0:S(-128)}");
  EXPECT_EQ(message("f32[2]{0:S(256)}", true), "expected a memory space from 0 to 127 at position 11");
}

TEST(XlaText, tuples_nest_as_deep_as_xla_lets_them) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '(') + std::string(depth, ')'); };
  EXPECT_EQ(message(nested(8192)), "accepted");
  EXPECT_NE(message(nested(8193)), "accepted");
}

TEST(XlaText, what_validation_refuses_is_refused) {
  for (const std::string layout :
       {"{1,1}", "{5,7}", "{1,0:T}", "{1,0:T()}", "{1,0:E(-4)}", "{1,0:#(u32)}", "{1,0:*(u16)}",
        "{1,0:SC(2:1)}", "{1,0:SC(0:2)}", "{1,0:SC(1:2,1)}", "{1,0:SC(1:1)(1:2)}", "{1,0:PAD(2)=ZERO}"}) {
    const auto shape = xla::parse("f32[2,3]" + layout);
    ASSERT_TRUE(shape) << layout;
    EXPECT_FALSE(xla::validate(*shape)) << layout;
    EXPECT_FALSE(xla::parse("(f32[2,3]" + layout + ")")) << layout;
  }
  EXPECT_EQ(xla::validate(*xla::parse("u8[4294967296,4294967296]")).error().code, ErrorCode::kOverflow);
}

/// A random array whose layout is valid.
xla::ArrayShape random_array(std::mt19937_64& generator) {
  const auto uniform = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(generator);
  };
  std::vector<std::int64_t> dimensions(static_cast<std::size_t>(uniform(0, 4)));
  for (auto& extent : dimensions) extent = uniform(0, 9);
  auto array = xla::make_array(*ElementType::parse(uniform(0, 1) == 0 ? "s4" : "bf16"), dimensions);
  std::shuffle(array.layout.minor_to_major.begin(), array.layout.minor_to_major.end(), generator);
  for (std::int64_t tiles = uniform(0, 3); tiles > 0; --tiles) {
    xla::Tile tile(static_cast<std::size_t>(uniform(1, 4)));
    for (auto& entry : tile) entry = uniform(0, 4) == 0 ? xla::kCombine : uniform(1, 9);
    array.layout.tiles.push_back(tile);
  }
  if (uniform(0, 1) == 0) array.layout.tail_padding_alignment = uniform(2, 99);
  if (uniform(0, 1) == 0) array.layout.element_bits = uniform(1, 99);
  if (uniform(0, 1) == 0) array.layout.memory_space = static_cast<std::int8_t>(uniform(1, 127));
  if (uniform(0, 1) == 0) array.layout.metadata_prefix_bytes = uniform(1, 99);
  if (array.layout.tiles.empty() && uniform(0, 1) == 0) {
    for (const auto extent : dimensions) array.layout.padded_dimensions.push_back(extent + uniform(0, 5));
    if (!dimensions.empty()) array.layout.padding_value = static_cast<xla::PaddingValue>(uniform(0, 5));
  }
  return array;
}

TEST(XlaText, what_is_printed_is_read_back_as_the_same_array) {
  const char* given = std::getenv("RELAYOUT_TEST_SEED");
  const std::uint64_t first = given != nullptr ? std::stoull(given) : 1;
  for (std::uint64_t seed = first; seed < first + (given != nullptr ? 1 : 2000); ++seed) {
    std::mt19937_64 generator(seed);
    const auto array = random_array(generator);
    const auto again = xla::parse(xla::to_string(array), {.strict = true});
    ASSERT_TRUE(again) << "RELAYOUT_TEST_SEED=" << seed << ' ' << xla::to_string(array)
                       << again.error().message;
    EXPECT_EQ(*again->array, array) << "RELAYOUT_TEST_SEED=" << seed << ' ' << xla::to_string(array);
  }
}

}  // namespace
}  // namespace relayout
