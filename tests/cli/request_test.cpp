#include "src/cli/request.hpp"

#include <array>

#include <gtest/gtest.h>

namespace relayout::cli {
namespace {

TEST(Request, integers_lie_in_their_range_and_are_the_lowest_where_missing) {
  EXPECT_EQ(*optional_integer(Json{{"n", 4}}, "n", 1, 4), 4);
  EXPECT_EQ(*optional_integer(Json::object(), "n", 1, 4), 1);
  EXPECT_EQ(*optional_integer(Json{{"n", nullptr}}, "n", 1, 4), 1);
  for (const Json& bad : {Json(0), Json(5), Json(1.5), Json("1"), Json(-1), Json(UINT64_MAX)}) {
    const auto refused = optional_integer(Json{{"n", bad}}, "n", 1, 4);
    ASSERT_FALSE(refused.ok()) << bad;
    EXPECT_EQ(refused.error().message, "\"n\" is no number from 1 to 4");
  }
}

TEST(Request, paths_with_a_nul_character_are_refused_rather_than_cut) {
  EXPECT_EQ(*required_path(Json{{"in", "a.npy"}}, "in"), "a.npy");
  EXPECT_EQ(required_path(Json{{"in", std::string("a\0.npy", 6)}}, "in").error().message,
            "\"in\" holds a NUL character");
}

TEST(Request, a_key_that_nothing_reads_is_named) {
  constexpr std::array<std::string_view, 2> known = {"src", "fill"};
  EXPECT_TRUE(check_keys(Json{{"src", 1}}, known).ok());
  EXPECT_EQ(check_keys(Json{{"src", 1}, {"fil", 2}}, known).error().message, "unknown key \"fil\"");
}

}  // namespace
}  // namespace relayout::cli
