#include "src/plan/loops/padding_nests.hpp"

#include <gtest/gtest.h>

namespace relayout::plan {
namespace {

TEST(PaddingNests, long_runs_are_cut_into_chunks) {
  const auto nests = padding_nests({{0, 100000, {}}}, {0, 0, 0, 0});
  ASSERT_TRUE(nests);
  ASSERT_EQ(nests->size(), 1U);
  EXPECT_GT(nests->front().loops.front().trips, 7);
}

}  // namespace
}  // namespace relayout::plan
