#include "src/plan/written_sets.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace relayout::plan {
namespace {

Nest copies(std::int64_t bytes, std::vector<Loop> loops) {
  Nest nest;
  nest.kernel = CopyKernel{.bytes = bytes};
  nest.loops = std::move(loops);
  return nest;
}

TEST(WrittenSets, have_one_line_each_where_a_nest_writes_on) {
  EXPECT_EQ(lines_written_per_set(copies(64, {{100, 640, 64}})), 1);
  EXPECT_EQ(lines_written_per_set(copies(64, {{100, 640, -64}})), 1) << "backwards";
  EXPECT_EQ(lines_written_per_set(copies(16, {{400, 640, 16}})), 1) << "each line four times";
}

TEST(WrittenSets, have_as_many_as_rows_are_written_in_turn_that_share_them) {
  EXPECT_EQ(lines_written_per_set(copies(64, {{100, 640, 64}, {16, 64, 4096}})), 16);
  EXPECT_EQ(lines_written_per_set(copies(64, {{100, 640, 64}, {16, 64, -8192}})), 16);
  EXPECT_EQ(lines_written_per_set(copies(256, {{100, 640, 256}, {16, 64, 4096}})), 16) << "in longer runs";
  EXPECT_EQ(lines_written_per_set(copies(64, {{100, 640, 64}, {16, 64, 2048}})), 8) << "two sets for 16 rows";
  EXPECT_EQ(lines_written_per_set(copies(64, {{100, 640, 64}, {16, 64, 4096 + 256}})), 1);
}

TEST(WrittenSets, are_those_of_64_lines) {
  EXPECT_EQ(lines_written_per_set(copies(64, {{1000, 64, 4096}})), 64);
  EXPECT_EQ(lines_written_per_set(copies(64, {{1000, 4096, 4096}, {64, 64, 64}})), 1);
  EXPECT_EQ(lines_written_per_set(copies(64, {{5, 64, 4096}})), 5) << "or fewer, if there are no more";
}

TEST(WrittenSets, of_lines_that_begin_anywhere_have_both_that_a_run_touches) {
  Nest nest = copies(64, {{100, 64, 4096}});
  nest.destination_base_bytes = 32;
  EXPECT_EQ(lines_written_per_set(nest), 32);
}

TEST(WrittenSets, are_unknown_of_loops_over_tables) {
  Nest nest = copies(64, {{100, 64, 4096}, {.table = 0}});
  nest.tables = {{{1, 0, 0}, {1, 64, 64}}};
  EXPECT_EQ(lines_written_per_set(nest), 0);
}

}  // namespace
}  // namespace relayout::plan
