#include "src/plan/fetches/fetched_sets.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace relayout::plan {
namespace {

constexpr std::int64_t kPage = 4096;

/// So many runs of `bytes` bytes, `apart` bytes from one to the next.
std::vector<Extent> runs(std::int64_t count, std::int64_t apart, std::int64_t bytes = 64) {
  std::vector<Extent> found;
  for (std::int64_t i = 0; i < count; ++i) found.push_back({i * apart, bytes});
  return found;
}

bool fills(const std::vector<Extent>& lines, std::int64_t ahead, int ways = 8) {
  Target target;
  target.level1_data_ways = ways;
  return fetches_into_full_sets(lines, ahead, target);
}

TEST(FetchedSets, are_full_where_half_their_lines_are_of_the_call_and_as_many_are_fetched) {
  EXPECT_TRUE(fills(runs(4, kPage), 16 * kPage));
  EXPECT_FALSE(fills(runs(3, kPage), 16 * kPage));
  EXPECT_TRUE(fills(runs(4, -kPage), -16 * kPage)) << "backwards";
  EXPECT_FALSE(fills({{-2 * kPage, 64}, {-kPage, 64}, {64, 64}, {kPage + 64, 64}}, kPage)) << "two sets";
  EXPECT_TRUE(fills(runs(32, 512), 4 * kPage)) << "four in each of eight sets";
  EXPECT_FALSE(fills(runs(31, 576), 4 * kPage)) << "rows that are spread";
}

TEST(FetchedSets, are_others_where_what_is_fetched_is_no_pages_further_on) {
  EXPECT_FALSE(fills(runs(64, kPage), 256));
  EXPECT_FALSE(fills(runs(64, kPage), 16 * kPage + 64));
}

TEST(FetchedSets, count_every_line_of_a_run) {
  EXPECT_TRUE(fills(runs(1, 0, 4 * kPage), 16 * kPage));
  EXPECT_FALSE(fills(runs(1, 0, 3 * kPage), 16 * kPage));
  EXPECT_FALSE(fills(runs(4, kPage + 64, 128), 16 * kPage)) << "two at most in a set";
  EXPECT_TRUE(fills({{60, 8}, {kPage + 64, 64}, {2 * kPage + 64, 64}, {3 * kPage + 64, 64}}, kPage))
      << "across two lines";
}

TEST(FetchedSets, have_as_many_lines_as_the_first_cache_has_ways) {
  EXPECT_FALSE(fills(runs(5, kPage), kPage, 12));
  EXPECT_TRUE(fills(runs(6, kPage), kPage, 12));
}

}  // namespace
}  // namespace relayout::plan
