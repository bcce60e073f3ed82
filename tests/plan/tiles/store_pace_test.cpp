#include "src/plan/tiles/store_pace.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/plan/kernels/rounded_boxes.hpp"

namespace relayout::plan {
namespace {

/// So many rows, each as far behind the one before.
std::vector<std::int64_t> rows(std::int64_t count, std::int64_t apart_bytes) {
  std::vector<std::int64_t> offsets;
  for (std::int64_t row = 0; row < count; ++row) offsets.push_back(row * apart_bytes);
  return offsets;
}

TEST(StorePace, is_kept_with_ten_rows_wherever_they_lie) {
  for (const std::int64_t apart : {4096, 4097, 8200}) {
    EXPECT_TRUE(stores_keep_pace(rows(10, apart), 64)) << apart;
    EXPECT_FALSE(stores_keep_pace(rows(16, apart), 64)) << apart;
  }
}

TEST(StorePace, is_kept_with_rows_far_enough_from_a_multiple_of_a_page) {
  EXPECT_FALSE(stores_keep_pace(rows(16, 4096 + 56), 64));
  EXPECT_TRUE(stores_keep_pace(rows(16, 4096 + 96), 64));
  EXPECT_FALSE(stores_keep_pace(rows(16, 4096 - 56), 64)) << "less";
  EXPECT_TRUE(stores_keep_pace(rows(16, 4096 - 96), 64));
}

TEST(StorePace, is_kept_with_more_rows_at_smaller_distances_and_with_shorter_runs) {
  EXPECT_FALSE(stores_keep_pace(rows(32, 4096 + 24), 64));
  EXPECT_TRUE(stores_keep_pace(rows(32, 4096 + 40), 64));
  EXPECT_FALSE(stores_keep_pace(rows(16, 4096 + 24), 32));
  EXPECT_TRUE(stores_keep_pace(rows(16, 4096 + 40), 32));
  EXPECT_FALSE(stores_keep_pace(rows(16, 4096 + 56), 256)) << "long runs end with a line";
}

TEST(StorePace, is_that_of_the_rows_that_lie_together) {
  EXPECT_FALSE(stores_keep_pace(rows(64, 818), 32)) << "13 of 64, five rows from each other";
  EXPECT_TRUE(stores_keep_pace(rows(32, 818), 32)) << "seven of 32";
  EXPECT_TRUE(stores_keep_pace(rows(64, 900), 32));
}

TEST(StorePace, does_not_depend_on_where_rows_begin_or_their_order) {
  for (const std::int64_t first : {-4096, -100, 4000, 1 << 30}) {
    std::vector<std::int64_t> near = rows(16, -(4096 + 56));
    std::vector<std::int64_t> far = rows(16, -(4096 + 96));
    for (std::int64_t& row : near) row += first;
    for (std::int64_t& row : far) row += first;
    EXPECT_FALSE(stores_keep_pace(near, 64)) << first;
    EXPECT_TRUE(stores_keep_pace(far, 64)) << first;
  }
}

TEST(StorePace, of_tiles_is_that_of_all_rows_they_write) {
  const Box box = testing::box_of({{64, 4, 64 * 4100}, {16, 64 * 4, 4100}, {1000, 16 * 64 * 4, 4}});
  const auto keeps = [&](std::vector<std::int64_t> extents) {
    return stores_keep_pace(box, MicroTile{std::move(extents), 4, 64});
  };
  EXPECT_FALSE(keeps({1, 16, 16})) << "16 rows 4100 bytes apart";
  EXPECT_TRUE(keeps({1, 8, 16}));
  EXPECT_FALSE(keeps({2, 8, 16})) << "twice eight";
}

}  // namespace
}  // namespace relayout::plan
