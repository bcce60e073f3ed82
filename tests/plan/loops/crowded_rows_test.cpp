#include "src/plan/loops/crowded_rows.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "src/plan/cost_models/make_target.hpp"
#include "src/plan/model/target.hpp"
#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

/// The sets of a second cache of 1 MiB in 16 ways repeat after so many bytes.
constexpr std::int64_t kSpan = 64 << 10;

Loop loop_of(std::int64_t trips, std::int64_t destination_step) {
  return {.trips = trips, .source_step_bytes = 64, .destination_step_bytes = destination_step};
}

bool crowds(std::vector<Loop> loops, std::int64_t run_bytes = 64, std::int64_t filled_bytes = 0) {
  const Nest nest = nest_of_copies(run_bytes, std::move(loops));
  const Target target = make_target(Isa::kAvx512, plan_machine());
  const PlanOptions options;
  PlanInputs inputs{{}, target, options};
  inputs.sizes.destination_bytes = 10 << 20;
  inputs.sizes.filled_bytes = filled_bytes;
  return writes_crowded_rows(nest, inputs);
}

TEST(CrowdedRows, have_more_lines_in_a_set_of_the_second_cache_than_it_holds_beside_others) {
  EXPECT_TRUE(crowds({loop_of(100, 64), loop_of(8, 4096), loop_of(16, kSpan)})) << "16 in each of eight sets";
  EXPECT_FALSE(crowds({loop_of(100, 64), loop_of(9, 4096), loop_of(15, kSpan)}));
  EXPECT_TRUE(crowds({loop_of(100, 64), loop_of(8, 4096), loop_of(16, -kSpan)})) << "backwards";
  EXPECT_TRUE(crowds({loop_of(100, 64), loop_of(4, 4096), loop_of(32, kSpan / 2)})) << "in two sets each";
  EXPECT_FALSE(crowds({loop_of(100, 64), loop_of(5, 4096), loop_of(30, kSpan / 2)}));
  EXPECT_FALSE(crowds({loop_of(100, 64), loop_of(1000, kSpan + 64)})) << "rows that are spread";
}

TEST(CrowdedRows, are_many) {
  EXPECT_TRUE(crowds({loop_of(100, 64), loop_of(128, kSpan)}));
  EXPECT_FALSE(crowds({loop_of(100, 64), loop_of(127, kSpan)}));
}

TEST(CrowdedRows, are_counted_until_one_of_them_is_walked_for_a_stretch) {
  EXPECT_TRUE(crowds({loop_of(32, 4 * kSpan), loop_of(8, 64), loop_of(4, kSpan)}))
      << "512 bytes of each of four";
  EXPECT_FALSE(crowds({loop_of(32, 4 * kSpan), loop_of(16, 64), loop_of(4, kSpan)})) << "1 KiB";
  EXPECT_FALSE(crowds({loop_of(200, kSpan)}, 1024)) << "runs so long";
}

TEST(CrowdedRows, are_those_that_the_innermost_loop_goes_to_one_after_the_other) {
  EXPECT_FALSE(crowds({loop_of(200, kSpan), loop_of(2, 64)}));
  EXPECT_FALSE(crowds({loop_of(1000, kSpan / 4)})) << "less than half of what the sets repeat after";
  EXPECT_FALSE(crowds({}));
}

TEST(CrowdedRows, have_little_padding_to_fill) {
  const std::vector<Loop> loops = {loop_of(100, 64), loop_of(128, kSpan)};
  EXPECT_TRUE(crowds(loops, 64, 512 << 10)) << "a twentieth";
  EXPECT_FALSE(crowds(loops, 64, (512 << 10) + 64));
}

}  // namespace
}  // namespace relayout::plan
