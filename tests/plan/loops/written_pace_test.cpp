#include "src/plan/loops/written_pace.hpp"

#include <cstdint>
#include <cstdlib>

#include <gtest/gtest.h>

#include "src/plan/cost_models/make_target.hpp"
#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

/// Of copies to so many rows in turn, which lie so far apart, and go on for so many runs.
bool keep_pace(std::int64_t bytes, std::int64_t rows, std::int64_t apart, std::int64_t runs = 50) {
  return stores_keep_pace(nest_of_copies(bytes, {{runs, 640, bytes}, {rows, 64, apart}}));
}

TEST(WrittenPace, is_not_kept_with_many_rows_nearly_a_page_apart) {
  EXPECT_FALSE(keep_pace(64, 16, 4096 + 8));
  EXPECT_TRUE(keep_pace(64, 16, 4096 + 200));
  EXPECT_TRUE(keep_pace(64, 10, 4096 + 8));
}

TEST(WrittenPace, is_not_kept_in_long_runs_or_on_lines_either) {
  EXPECT_FALSE(keep_pace(64, 16, 4096));
  EXPECT_FALSE(keep_pace(128, 16, 4096 + 8));
  EXPECT_FALSE(keep_pace(32, 16, 4096));
}

TEST(WrittenPace, is_told_from_whole_lines) {
  Nest nest = nest_of_copies(64, {{50, 640, 64}, {16, 64, 4096}});
  EXPECT_TRUE(calls_write_whole_lines(nest));
  nest.destination_base_bytes = 32;
  EXPECT_FALSE(calls_write_whole_lines(nest));
  EXPECT_TRUE(calls_write_whole_lines(nest_of_copies(128, {{50, 640, 128}})));
  EXPECT_FALSE(calls_write_whole_lines(nest_of_copies(32, {{50, 640, 64}}))) << "a half of each";
  EXPECT_FALSE(calls_write_whole_lines(nest_of_copies(64, {{50, 640, 4100}})));
}

TEST(WrittenPace, is_kept_where_rows_end_soon_or_each_before_the_next_one) {
  EXPECT_TRUE(keep_pace(64, 16, 4096 + 8, 2));
  EXPECT_FALSE(keep_pace(64, 16, 4096 + 8, 3));
  EXPECT_TRUE(stores_keep_pace(nest_of_copies(64, {{16, 64, 4096 + 8}, {50, 640, 64}})));
  EXPECT_TRUE(stores_keep_pace(nest_of_copies(64, {{16, 64, 4096 + 8}}))) << "none goes on";
}

TEST(WrittenPace, counts_the_rows_of_all_loops_before_one_goes_on) {
  EXPECT_FALSE(stores_keep_pace(nest_of_copies(64, {{50, 640, 64}, {4, 64, 4 * 4104}, {4, 64, 4104}})));
  EXPECT_TRUE(stores_keep_pace(nest_of_copies(64, {{4, 64, 4 * 4104}, {50, 640, 64}, {4, 64, 4104}})))
      << "four at a time";
}

TEST(WrittenPace, makes_loops_go_on_in_rows_sooner) {
  const auto inner_step = [](const Target& target, const char* matrix) {
    return first_nest_by(target, matrix, "{1,0}").loops.back().destination_step_bytes;
  };
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512, Isa::kAvx512Vbmi}) {
    const Target target = make_target(isa, plan_machine("golden_cove"));
    Target without = target;
    without.orders_loops_by_pace = false;
    EXPECT_EQ(inner_step(target, "f64[20,2045][1, 0]"), 64) << to_string(isa);
    EXPECT_EQ(inner_step(without, "f64[20,2045][1, 0]"), std::int64_t{4} * 2045 * 8) << "to the next rows";
    EXPECT_EQ(inner_step(target, "f64[20,2100][1, 0]"), inner_step(without, "f64[20,2100][1, 0]"))
        << "rows that lie anywhere";
  }
}

TEST(WrittenPace, makes_loops_go_on_in_rows_sooner_in_the_last_cache) {
  const auto inner_step = [](const Target& target, const char* matrix) {
    return std::abs(first_nest_by(target, matrix, "{1,0}").loops.back().destination_step_bytes);
  };
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512, Isa::kAvx512Vbmi}) {
    const Target target = make_target(isa, plan_machine("golden_cove"));
    Target without = target;
    without.orders_loops_by_pace = false;
    EXPECT_EQ(inner_step(target, "f32[1427,514][1, 0]"), 64) << to_string(isa);
    EXPECT_GT(inner_step(without, "f32[1427,514][1, 0]"), 514 * 4);
    EXPECT_GT(inner_step(target, "f32[2048,514][1, 0]"), 514 * 4) << "rows to read in few sets";
  }
}

}  // namespace
}  // namespace relayout::plan
