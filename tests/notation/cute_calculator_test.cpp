// The calculator's expressions: what they may be made of, and what is wrong with those that are refused.

#include <algorithm>

#include <gtest/gtest.h>

#include "relayout/cute.hpp"

namespace relayout {
namespace {

std::string answer(const std::string& expression) {
  const auto value = cute::calculate(expression);
  return value ? to_string(*value) : "error: " + value.error().message;
}

TEST(CuteCalculator, example) {
  EXPECT_EQ(answer("composition((6,2):(8,2), (4,3):(3,1))"), "((2,2),3):((24,2),8)");
}

TEST(CuteCalculator, values_stand_for_themselves) {
  EXPECT_EQ(answer("(4,2):(2,1)"), "(4,2):(2,1)");
  EXPECT_EQ(answer("(4,_2)"), "(4,_2)");
  EXPECT_EQ(answer("Sw<2,0,3>"), "Sw<2,0,3>");
  EXPECT_EQ(answer("Sw<2,0,3> o (8,8):(8,1)"), "Sw<2,0,3> o 0 o (8,8):(8,1)");
}

TEST(CuteCalculator, tilers_are_layouts_shapes_and_lists) {
  EXPECT_EQ(answer("logical_divide((6,8):(8,1), 3)"), answer("logical_divide((6,8):(8,1), 3:1)"));
  EXPECT_EQ(answer("zipped_divide((6,8):(8,1), (3,4))"), "((3,4),(2,2)):((8,1),(24,4))");
  EXPECT_EQ(answer("zipped_divide((6,8):(8,1), <3:1,4:1>)"), "((3,4),(2,2)):((8,1),(24,4))");
  EXPECT_EQ(answer("zipped_divide((6,8):(8,1), [3:1;4:1])"), "((3,4),(2,2)):((8,1),(24,4))");
  EXPECT_EQ(answer("logical_divide(((4,6),8):((1,4),24), <<2:1,3:1>,_>)"),
            "(((2,2),(3,2)),8):(((1,2),(4,12)),24)");
}

TEST(CuteCalculator, an_integer_1_as_a_tiler_is_compact_except_in_compositions) {
  EXPECT_EQ(answer("flat_divide((3,3):(3,27), (1,1))"), "(1,1,3,3):(0,0,3,27)");
  EXPECT_EQ(answer("flat_divide((_3,_3):(_3,_27), (_1,_1))"), "(_1,_1,_3,_3):(_0,_0,_3,_27)");
  EXPECT_EQ(answer("tiled_product((2,(3,8)):(24,(1,3)), (1,4))"), "((2,(3,8)),1,4):((24,(1,3)),0,24)");
  EXPECT_EQ(answer("logical_divide(6:2, 1:1)"), "(1,6):(2,2)");
  EXPECT_EQ(answer("composition((8,4):(4,1), (1,4))"), "(1,4):(4,1)");
}

TEST(CuteCalculator, composed_layouts_change_inside) {
  EXPECT_EQ(answer("composition(Sw<2,0,3>, (8,8):(8,1))"), "Sw<2,0,3> o 0 o (8,8):(8,1)");
  EXPECT_EQ(answer("tile_to_shape(Sw<3,4,3> o 0 o (8,64):(64,1), (128,128))"),
            "Sw<3,4,3> o 0 o ((8,16),(64,2)):((64,512),(1,8192))");
  EXPECT_EQ(answer("zipped_divide(Sw<2,0,3> o 0 o (8,8):(8,1), (4,4))"),
            "Sw<2,0,3> o 0 o ((4,4),(2,2)):((8,1),(32,4))");
  EXPECT_EQ(answer("slice(Sw<2,0,3> o 0 o (8,8):(8,1), (3,_))"), "Sw<2,0,3> o 24 o (8):(1)");
  EXPECT_EQ(answer("upcast(Sw<3,4,3> o 0 o (8,64):(64,1), 8)"), "Sw<3,1,3> o 0 o (8,8):(8,1)");
  EXPECT_EQ(answer("downcast(Sw<3,1,3> o 2 o (8,8):(8,1), 8)"), "Sw<3,4,3> o 16 o (8,64):(64,1)");
}

TEST(CuteCalculator, paths_lead_into_layouts_and_tuples) {
  EXPECT_EQ(answer("size((4,(2,3)):(1,(4,8)), 1, 0)"), "2");
  EXPECT_EQ(answer("stride((4,(2,3)):(1,(4,8)), 1)"), "(4,8)");
  EXPECT_EQ(answer("cosize((4,(2,3)):(1,(4,8)), 1)"), "21");
  EXPECT_EQ(answer("get((4,(2,3)):(1,(4,8)), 1, 1)"), "3:8");
}

TEST(CuteCalculator, slices_take_the_coordinate_first_as_in_cute_or_last) {
  EXPECT_EQ(answer("slice((0,_,1), (2,3,4):(1,2,6))"), "(3):(2)");
  EXPECT_EQ(answer("slice((2,3,4):(1,2,6), (0,_,1))"), "(3):(2)");
  EXPECT_EQ(answer("slice((2,3,4), (0,_,1))"), "(3):(2)");
  EXPECT_EQ(answer("dice((0,_,1), (2,3,4):(1,2,6))"), "(2,4):(1,6)");
  EXPECT_EQ(answer("slice((3,_), Sw<2,0,3> o 0 o (8,8):(8,1))"), "Sw<2,0,3> o 24 o (8):(1)");
  EXPECT_EQ(answer("slice((2,3,4), LayoutLeft)"), "error: slice: argument 2 should be a layout");
}

TEST(CuteCalculator, modes_are_appended_up_to_a_rank) {
  EXPECT_EQ(answer("append(3:1, 4:3)"), "(3,4):(1,3)");
  EXPECT_EQ(answer("append(4:1, 3)"), "(4,1,1):(1,0,0)");
  EXPECT_EQ(answer("prepend((3,4):(1,3), 5:7, 4)"), "(5,5,3,4):(7,7,1,3)");
  EXPECT_EQ(answer("append(4:1, 9223372036854775807)"),
            "error: append: a rank of 9223372036854775807 is too large");
}

TEST(CuteCalculator, arguments_may_be_left_out_at_the_end) {
  EXPECT_EQ(answer("complement((2,2):(4,1), )"), "2:2");
  EXPECT_EQ(answer("complement(, 24)"), "error: complement: argument 1 should be a layout");
  EXPECT_EQ(answer("complement()"), "error: complement does not take 0 arguments");
}

TEST(CuteCalculator, errors_say_where) {
  EXPECT_EQ(answer("size(4:1"), "error: expected ',' or ')' at position 8, found the end");
  EXPECT_EQ(answer("size 4:1"), "error: expected '(' after size at position 5, found '4'");
  EXPECT_EQ(answer("size(4:1) 3"), "error: expected the end at position 10, found '3'");
  EXPECT_EQ(answer("[4:1]"), "error: the expression is no layout, tuple, integer or call");
  EXPECT_EQ(answer("coalesce([4:1])"), "error: coalesce: argument 1 should be a layout");
  EXPECT_EQ(answer("swizzle([1,0], 4)"), "error: swizzle: argument 1 should be a swizzle's three numbers");
}

TEST(CuteCalculator, nesting_has_a_limit) {
  std::string deep = "4:1";
  for (int i = 0; i < 90; ++i) deep = "coalesce(" + deep + ')';
  EXPECT_EQ(answer(deep), "4:1");
  for (int i = 0; i < 20; ++i) deep = "coalesce(" + deep + ')';
  EXPECT_FALSE(cute::calculate(deep));
  EXPECT_FALSE(cute::calculate(std::string(100000, '[')));
}

TEST(CuteCalculator, every_operation_has_a_name_and_checks_its_arguments) {
  const auto names = cute::operation_names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  for (const std::string_view name : names) {
    EXPECT_FALSE(cute::calculate(name, {})) << name;
    EXPECT_FALSE(cute::calculate(name, {"LayoutLeft", "LayoutLeft"})) << name;
  }
}

}  // namespace
}  // namespace relayout
