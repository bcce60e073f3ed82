// CuTe's text: what is read, how it is printed, and the tables of CuTe's page on layouts.

#include <gtest/gtest.h>

#include "tests/notation/cute_random.hpp"

namespace relayout {
namespace {

using testing::RandomCute;

std::string reprinted(const std::string& text) {
  const auto layout = cute::parse(text);
  return layout ? cute::to_string(*layout) : "error: " + layout.error().message;
}

TEST(CuteText, example) {
  EXPECT_EQ(reprinted("((2,2),2):((4,1),2)"), "((2,2),2):((4,1),2)");
}

TEST(CuteText, blanks_may_stand_between_tokens_and_are_not_printed) {
  EXPECT_EQ(reprinted(" ( (2 , 2),2) : ((4,1), 2) "), "((2,2),2):((4,1),2)");
}

TEST(CuteText, static_marks_are_kept_and_do_not_count) {
  EXPECT_EQ(reprinted("(_2,4):(4,_1)"), "(_2,4):(4,_1)");
  EXPECT_EQ(reprinted("_4:_-1"), "_4:_-1");
  EXPECT_EQ(*cute::parse_layout("(_2,4):(4,_1)"), *cute::parse_layout("(2,4):(4,1)"));
}

TEST(CuteText, integers_and_tuples_of_one_differ) {
  EXPECT_EQ(reprinted("(8):(1)"), "(8):(1)");
  EXPECT_FALSE(*cute::parse_layout("(8):(1)") == *cute::parse_layout("8:1"));
}

TEST(CuteText, a_shape_alone_is_compact) {
  EXPECT_EQ(reprinted("(2,(3,4))"), "(2,(3,4)):(1,(2,6))");
  EXPECT_EQ(reprinted("(2,1,4)"), "(2,1,4):(1,0,2)");
  EXPECT_EQ(reprinted("_8"), "_8:_1");
}

TEST(CuteText, swizzles_and_composed_layouts_have_theirs) {
  EXPECT_EQ(reprinted("Sw<2,0,3> o _0 o (_8,_8):(_8,_1)"), "Sw<2,0,3> o _0 o (_8,_8):(_8,_1)");
  EXPECT_EQ(reprinted("S<1,2,-2> o (4,4):(4,1)"), "Sw<1,2,-2> o 0 o (4,4):(4,1)");
  EXPECT_EQ(reprinted("(4,5):(1,4) o 2 o (2,3):(1,2)"), "(4,5):(1,4) o 2 o (2,3):(1,2)");
  EXPECT_EQ(cute::to_string(*cute::parse_swizzle("Sw<3,4,3>")), "Sw<3,4,3>");
}

TEST(CuteText, errors_say_where_and_what) {
  EXPECT_EQ(reprinted("(2,3"), "error: expected ',' or ')' at position 4, found the end");
  EXPECT_EQ(reprinted("()"), "error: expected an integer, '_' or '(' at position 1, found ')'");
  EXPECT_EQ(reprinted("(2,3):(1,2,4)"), "error: shape (2,3) and stride (1,2,4) are not nested alike");
  EXPECT_EQ(reprinted("(2,(2,2)):(4,2,1)"), "error: shape (2,(2,2)) and stride (4,2,1) are not nested alike");
  EXPECT_EQ(reprinted("(0,2):(1,1)"), "error: size 0 is not positive");
  EXPECT_EQ(reprinted("(_,2):(1,1)"), "error: _ is not a size");
  EXPECT_EQ(reprinted("(2,2):(1,_)"), "error: _ is not a stride");
  EXPECT_EQ(reprinted("4:1x"), "error: expected the end at position 3, found 'x'");
  EXPECT_EQ(reprinted("Sw<2,0,1> o 4:1"), "error: Sw<2,0,1> shifts by less than the bits it changes");
  EXPECT_EQ(reprinted("Sw<2,0,3>"), "error: expected 'o' and a layout at position 9, found the end");
  EXPECT_EQ(reprinted("9223372036854775808:1"),
            "error: an integer, '_' or '(' at position 0 does not fit in 64 bits");
  EXPECT_EQ(reprinted("(4294967296,4294967296):(1,1)"),
            "error: the size of shape (4294967296,4294967296) does not fit in 64 bits");
  EXPECT_EQ(reprinted("(3,2):(1,9223372036854775807)"),
            "error: the cosize, in the mode 2:9223372036854775807, does not fit in 64 bits");
}

TEST(CuteText, nesting_has_a_limit) {
  const std::string deep = std::string(256, '(') + "2" + std::string(256, ')');
  EXPECT_TRUE(cute::parse(deep + ':' + deep));
  EXPECT_FALSE(cute::parse('(' + deep + "):(" + deep + ')'));
  EXPECT_FALSE(cute::parse(std::string(1000000, '(')));
}

TEST(CuteText, random_layouts_are_read_back) {
  testing::for_cute_seeds(500, [](RandomCute& random) {
    RandomCute::Leaves leaves(static_cast<std::size_t>(random.uniform(1, 6)));
    for (auto& leaf : leaves) leaf = {random.uniform(1, 5), random.uniform(-9, 9)};
    const std::string text = random.text_of(leaves);
    const auto layout = cute::parse_layout(text);
    ASSERT_TRUE(layout) << text << ' ' << layout.error().message;
    EXPECT_EQ(to_string(*layout), text);
    for (std::int64_t i = 0; i < layout->size(); ++i) {
      ASSERT_EQ((*layout)(i), RandomCute::evaluate(leaves, i)) << text << " at " << i;
    }
  });
}

// The tables of CuTe's page on layouts.

std::string line_of(const std::string& text) {
  return *cute::print_1d(*cute::parse(text));
}

std::string table_of(const std::string& text) {
  return *cute::print_2d(*cute::parse(text));
}

TEST(CutePage, vectors) {
  EXPECT_EQ(line_of("(8):(1)"), "0 1 2 3 4 5 6 7\n");
  EXPECT_EQ(line_of("(8):(2)"), "0 2 4 6 8 10 12 14\n");
  EXPECT_EQ(line_of("((4,2)):((1,4))"), "0 1 2 3 4 5 6 7\n");
}

TEST(CutePage, matrices) {
  EXPECT_EQ(table_of("(4,2):(1,4)"), "  0   4 \n  1   5 \n  2   6 \n  3   7 \n");
  EXPECT_EQ(table_of("(4,2):(2,1)"), "  0   1 \n  2   3 \n  4   5 \n  6   7 \n");
  EXPECT_EQ(table_of("((2,2),2):((4,1),2)"), "  0   2 \n  4   6 \n  1   3 \n  5   7 \n");
}

TEST(CutePage, constructed_layouts_in_one_line) {
  EXPECT_EQ(line_of("_8:_1"), "0 1 2 3 4 5 6 7\n");
  EXPECT_EQ(line_of("8:1"), "0 1 2 3 4 5 6 7\n");
  EXPECT_EQ(line_of("(_2,_4):(_1,_2)"), "0 1 2 3 4 5 6 7\n");
  EXPECT_EQ(line_of("(_2,4):(_1,_2)"), "0 1 2 3 4 5 6 7\n");
  EXPECT_EQ(line_of("(2,(2,2)):(4,(2,1))"), "0 4 2 6 1 5 3 7\n");
}

TEST(CutePage, tuples) {
  const auto get = [](const char* text, std::vector<std::int64_t> path) {
    return to_string(*cute::get(*cute::parse_int_tuple(text), path));
  };
  EXPECT_EQ(get("6", {0}), "6");
  EXPECT_EQ(get("(3,(6,2),8)", {1}), "(6,2)");
  EXPECT_EQ(get("(3,(6,2),8)", {1, 1}), "2");
  for (const auto& [text, rank, depth, size] :
       {std::tuple("6", 1, 0, 6), {"(2)", 1, 1, 2}, {"(4,3)", 2, 1, 12}, {"(3,(6,2),8)", 3, 2, 288}}) {
    const auto tuple = cute::parse_int_tuple(text);
    EXPECT_EQ(cute::rank(*tuple), rank) << text;
    EXPECT_EQ(cute::depth(*tuple), depth) << text;
    EXPECT_EQ(*cute::size(*tuple), size) << text;
  }
}

TEST(CutePrintLayout, draws_a_grid) {
  EXPECT_EQ(*cute::print_layout(*cute::parse("(4,2):(2,1)")),
            "(4,2):(2,1)\n"
            "      0   1 \n"
            "    +---+---+\n"
            " 0  | 0 | 1 |\n"
            "    +---+---+\n"
            " 1  | 2 | 3 |\n"
            "    +---+---+\n"
            " 2  | 4 | 5 |\n"
            "    +---+---+\n"
            " 3  | 6 | 7 |\n"
            "    +---+---+\n");
}

TEST(CutePrintLayout, takes_the_width_from_the_inner_layout_of_a_composed_one) {
  EXPECT_EQ(*cute::print_layout(*cute::parse("Sw<1,0,1> o 0 o (2,2):(2,1)")),
            "Sw<1,0,1> o 0 o (2,2):(2,1)\n"
            "      0   1 \n"
            "    +---+---+\n"
            " 0  | 0 | 1 |\n"
            "    +---+---+\n"
            " 1  | 3 | 2 |\n"
            "    +---+---+\n");
}

TEST(CutePrintLayout, refuses_what_has_no_table_or_too_large_a_one) {
  EXPECT_EQ(cute::print_layout(*cute::parse("8:1")).error().code, ErrorCode::kBadArgument);
  EXPECT_EQ(cute::print_layout(*cute::parse("(1024,1025)")).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(cute::print_1d(*cute::parse("4611686018427387904:1")).error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace relayout
