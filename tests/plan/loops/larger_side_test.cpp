#include "src/plan/loops/larger_side.hpp"

#include <gtest/gtest.h>

#include "src/plan/model/target.hpp"
#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

Target target_of_one_mebibyte() {
  Target target;
  target.level2_bytes = 1024 * 1024;
  return target;
}

/// Of copies of 16 bytes each, so many bytes apart.
std::optional<LoopWalk> order_of(std::int64_t copies, std::int64_t source_apart,
                                 std::int64_t destination_apart) {
  return order_of_larger_side(nest_of_copies(16, {{copies, source_apart, destination_apart}}),
                              target_of_one_mebibyte());
}

TEST(LargerSide, is_that_of_most_lines) {
  EXPECT_EQ(order_of(8192, 256, 16), LoopWalk::kSource) << "8192 lines and 2048";
  EXPECT_EQ(order_of(8192, 16, 256), LoopWalk::kDestination);
  EXPECT_EQ(order_of(8192, 256, 32), std::nullopt) << "8192 lines and 4096";
}

TEST(LargerSide, is_followed_only_where_half_of_the_second_cache_holds_the_other) {
  EXPECT_EQ(order_of(32768, 256, 16), LoopWalk::kSource) << "8192 lines, 512 KiB";
  EXPECT_EQ(order_of(32772, 256, 16), std::nullopt) << "a line more";
}

TEST(LargerSide, counts_lines_once_that_are_fetched_again) {
  const Nest again = nest_of_copies(16, {{4, 16, 16}, {4096, 64, 1024}});
  EXPECT_EQ(order_of_larger_side(again, target_of_one_mebibyte()), std::nullopt)
      << "4096 lines on either side, each fetched four times";
}

}  // namespace
}  // namespace relayout::plan
