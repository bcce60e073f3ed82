#include "src/plan/model/streams.hpp"

#include <gtest/gtest.h>

#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

Loop loop_of(std::int64_t trips, std::int64_t step_bytes) {
  return {.trips = trips, .source_step_bytes = 1, .destination_step_bytes = step_bytes};
}

TEST(Streams, a_run_that_goes_on_is_one_place) {
  EXPECT_EQ(count_written_streams(nest_of_copies(64, {loop_of(1000, 64)})), 1);
  EXPECT_EQ(count_written_streams(nest_of_copies(64, {loop_of(1000, 128)})), 1) << "a gap of one run";
  EXPECT_EQ(count_written_streams(nest_of_copies(64, {loop_of(1000, 192)})), 1000) << "a gap of two";
  EXPECT_EQ(count_written_streams(nest_of_copies(16, {loop_of(1000, 64)})), 1)
      << "parts of neighbouring lines";
  EXPECT_EQ(count_written_streams(nest_of_copies(64, {loop_of(1000, -64)})), 1) << "backwards";
}

TEST(Streams, runs_far_apart_are_a_place_each_until_a_loop_inside_has_walked_a_stretch) {
  EXPECT_EQ(count_written_streams(nest_of_copies(64, {loop_of(1000, 4096)})), 1000);
  EXPECT_EQ(
      count_written_streams(nest_of_copies(64, {loop_of(7, 1 << 20), loop_of(4, 64), loop_of(5, 8192)})), 35);
  EXPECT_EQ(count_written_streams(nest_of_copies(64, {loop_of(7, 1 << 20), loop_of(100, 64)})), 1);
  EXPECT_EQ(count_written_streams(nest_of_copies(4096, {loop_of(7, 1 << 20)})), 1);
}

TEST(Streams, each_run_of_one_call_is_a_place) {
  const Nest nest = plan_of(problem_of("f32[4096,4096]", "[1, 0]"), Isa::kAvx2).nests.at(0);
  EXPECT_EQ(count_written_streams(nest) % 16, 0);
  EXPECT_GE(count_written_streams(nest), 16);
}

TEST(Streams, places_to_read_are_counted_like_those_to_write) {
  Nest nest = nest_of_copies(64, {loop_of(7, 1 << 20), loop_of(100, 64)});
  EXPECT_EQ(count_read_streams(nest), 1) << "a byte further on each time";
  nest.loops = {{.trips = 5, .source_step_bytes = 8192, .destination_step_bytes = 64},
                {.trips = 3, .source_step_bytes = 4096, .destination_step_bytes = 320}};
  EXPECT_EQ(count_read_streams(nest), 15);
  EXPECT_EQ(count_written_streams(nest), 3);
  const Nest tile = plan_of(problem_of("f32[4096,4096]", "[1, 0]"), Isa::kAvx2).nests.at(0);
  EXPECT_EQ(count_read_streams(tile) % 8, 0) << "each row of a call";
}

TEST(Streams, long_stretches_at_multiples_of_2_kib_are_congruent) {
  constexpr std::int64_t kMebibyte = 1 << 20;
  const auto places = [](std::int64_t count, std::int64_t distance) {
    return nest_of_copies(64, {loop_of(1000, 64), loop_of(count, distance)});
  };
  EXPECT_TRUE(walks_congruent_stretches(places(8, kMebibyte), 8));
  EXPECT_TRUE(walks_congruent_stretches(places(8, -2048), 8)) << "backwards";
  EXPECT_FALSE(walks_congruent_stretches(places(8, kMebibyte), 7)) << "more than so many";
  EXPECT_FALSE(walks_congruent_stretches(places(2, kMebibyte), 8)) << "fewer than three";
  EXPECT_FALSE(walks_congruent_stretches(places(8, kMebibyte + 64), 8)) << "one line further on each";
  EXPECT_FALSE(walks_congruent_stretches(
      nest_of_copies(64, {loop_of(9, 16 * kMebibyte), loop_of(32, 64), loop_of(4, kMebibyte)}), 8))
      << "only 2 KiB at each of four before the next four";
}

TEST(Streams, runs_of_one_call_are_congruent_places_as_well) {
  const Nest rows = plan_of(problem_of("s8[4096,4096]", "{1,0:T(8,128)(4,1)}"), Isa::kAvx2).nests.at(0);
  EXPECT_FALSE(walks_congruent_stretches(rows, 8)) << "one place";
  const Nest columns = plan_of(problem_of("s8[4096,4096]{1,0:T(4,1)}", "{1,0}"), Isa::kAvx2).nests.at(0);
  EXPECT_TRUE(walks_congruent_stretches(columns, 8)) << "four rows of 4096 bytes";
  const Nest apart = plan_of(problem_of("s8[4096,4160]{1,0:T(4,1)}", "{1,0}"), Isa::kAvx2).nests.at(0);
  EXPECT_FALSE(walks_congruent_stretches(apart, 8));
}

TEST(Streams, stretches_are_filled_from_stretches_of_the_source) {
  // 6400 bytes at a time, in pieces from anywhere.
  const auto nest = [](std::int64_t source_step, std::int64_t bytes) {
    return nest_of_copies(bytes,
                          {{.trips = 1000, .source_step_bytes = 6400, .destination_step_bytes = 6400},
                           {.trips = 100, .source_step_bytes = source_step, .destination_step_bytes = 64}});
  };
  EXPECT_TRUE(fills_stretches(nest(640, 64), 65536));
  EXPECT_FALSE(fills_stretches(nest(640, 64), 32768)) << "the source's 63 KB are too long";
  EXPECT_FALSE(fills_stretches(nest(1 << 20, 64), 65536)) << "the source is far apart";
  EXPECT_FALSE(fills_stretches(nest(640, 48), 65536)) << "a quarter is left out";
}

}  // namespace
}  // namespace relayout::plan
