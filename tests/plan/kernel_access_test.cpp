#include "src/plan/kernel_access.hpp"

#include <gtest/gtest.h>

namespace relayout::plan {
namespace {

TEST(KernelAccess, extents_that_meet_or_overlap_are_one_run) {
  const std::vector<Extent> runs = merged_runs({{64, 64}, {200, 8}, {0, 64}, {204, 16}, {201, 2}});
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].offset_bytes, 0);
  EXPECT_EQ(runs[0].bytes, 128);
  EXPECT_EQ(runs[1].offset_bytes, 200);
  EXPECT_EQ(runs[1].bytes, 20);
  EXPECT_EQ(count_runs({{0, 4}, {5, 4}}), 2U) << "a byte lies between";
  EXPECT_EQ(count_runs({}), 0U);
}

}  // namespace
}  // namespace relayout::plan
