#include "src/cli/statistics.hpp"

#include <gtest/gtest.h>

namespace relayout::cli {
namespace {

TEST(Statistics, median_is_the_middle) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_EQ(median({7}), 7);
}

// Expected values: numpy.percentile([15, 20, 35, 40, 50], [0, 25, 50, 75, 100]) and of [1, 2, 3, 4].
TEST(Statistics, quartiles_interpolate_as_numpy_does) {
  const Statistics five = statistics_of({40, 15, 50, 20, 35});
  EXPECT_EQ(five.samples, 5);
  EXPECT_EQ(five.minimum, 15);
  EXPECT_EQ(five.lower_quartile, 20);
  EXPECT_EQ(five.median, 35);
  EXPECT_EQ(five.upper_quartile, 40);
  EXPECT_EQ(five.maximum, 50);
  const Statistics four = statistics_of({4, 3, 2, 1});
  EXPECT_EQ(four.lower_quartile, 1.75);
  EXPECT_EQ(four.upper_quartile, 3.25);
}

TEST(Statistics, spread_is_the_interquartile_range_over_the_median) {
  EXPECT_NEAR(*statistics_of({40, 15, 50, 20, 35}).spread(), 20.0 / 35, 1e-12);
  EXPECT_EQ(statistics_of({2, 2, 2}).spread(), 0);
  EXPECT_FALSE(statistics_of({2, 3}).spread());
  EXPECT_FALSE(statistics_of({0, 0, 0}).spread());
}

TEST(Statistics, more_than_a_tenth_of_spread_is_unstable) {
  EXPECT_FALSE(statistics_of({100, 104, 108}).is_unstable());
  EXPECT_TRUE(statistics_of({100, 110, 130}).is_unstable());
  EXPECT_FALSE(statistics_of({1, 100}).is_unstable()) << "two samples have no spread";
}

}  // namespace
}  // namespace relayout::cli
