#include "src/plan/accesses/prefetch_choice.hpp"

#include <algorithm>
#include <iterator>

#include <gtest/gtest.h>

#include "src/plan/cost_models/make_target.hpp"
#include "src/plan/model/target.hpp"
#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

/// Trips of the first loop with this step from one place to the next, loops around that go on where it ends
/// included; 0 if there is none.
std::int64_t trips_along(const Nest& nest, std::int64_t Loop::*step, std::int64_t bytes) {
  const auto along = std::ranges::find(nest.loops, bytes, step);
  if (along == nest.loops.end()) return 0;
  std::int64_t trips = along->trips;
  for (auto loop = along; loop != nest.loops.begin() && (*std::prev(loop)).*step == bytes * trips; --loop)
    trips *= std::prev(loop)->trips;
  return trips;
}

TEST(PrefetchChoice, a_zen_5_prefetches_what_its_own_prefetch_cannot_follow) {
  const Nest in_cache = first_nest_for("zen5", "f32[1000,1008]", "[1, 0]");
  EXPECT_EQ(in_cache.prefetch_source_bytes, 0) << "16 rows are followed";
  EXPECT_EQ(in_cache.prefetch_destination_bytes, 0);
  const Nest many_rows = first_nest_for("zen5", "u8[1000,4096]", "[1, 0]");
  EXPECT_NE(many_rows.prefetch_source_bytes, 0) << "64 rows are not";
  EXPECT_EQ(many_rows.prefetch_destination_bytes, many_rows.loops.back().destination_step_bytes);
  const Nest parts = first_nest_for("zen5", "u8[2880,2880]", "[1, 0]");
  EXPECT_EQ(parts.prefetch_source_bytes, 0)
      << "64 rows of a quarter of a line, which the call before has fetched";
  const Nest streamed = first_nest_for("zen5", "u8[8192,8192]", "[1, 0]");
  EXPECT_EQ(streamed.store, StorePolicy::kStreaming);
  EXPECT_NE(streamed.prefetch_source_bytes, 0);
  EXPECT_EQ(streamed.prefetch_destination_bytes, 0) << "what is streamed is not to be in a cache";
  const PlanOptions never{KernelFamily::kAutomatic, StreamingStores::kNever};
  const Nest far = first_nest_for("zen5", "f32[4095,4097]", "[1, 0]", Isa::kAvx512, never);
  EXPECT_EQ(far.store, StorePolicy::kTemporal);
  EXPECT_NE(far.prefetch_destination_bytes, 0) << "neither streamed nor followed";
  const Nest small = first_nest_for("zen5", "u8[256,256]", "[1, 0]");
  EXPECT_EQ(small.prefetch_source_bytes, 0);
  EXPECT_EQ(small.prefetch_destination_bytes, 0);
}

TEST(PrefetchChoice,
     a_zen_4_fetches_the_rows_it_writes_where_they_are_many_and_the_last_cache_is_nearly_full) {
  const auto fetches = [](const char* shape, Isa isa) {
    const Nest nest = first_nest_for("zen4", shape, "[1, 0]", isa);
    EXPECT_EQ(nest.store, StorePolicy::kTemporal) << shape;
    return nest.prefetch_destination_bytes != 0;
  };
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512Vbmi}) {
    EXPECT_TRUE(fetches("u8[2700,2739]", isa)) << "14 MiB, 32 rows a call and more";
    EXPECT_FALSE(fetches("u8[2400,2739]", isa)) << "12.6 MiB";
    EXPECT_FALSE(fetches("f64[900,1039]", isa)) << "eight rows";
  }
}

TEST(PrefetchChoice, an_intel_fetches_what_it_writes_in_the_last_cache) {
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512}) {
    const Nest in_cache = first_nest_for("intel", "f32[1000,1008]", "[1, 0]", isa);
    EXPECT_EQ(in_cache.prefetch_source_bytes, 0);
    EXPECT_EQ(in_cache.prefetch_destination_bytes, in_cache.loops.back().destination_step_bytes);
  }
}

TEST(PrefetchChoice, an_intel_fetches_what_it_writes_in_the_second_cache_in_part_or_a_few_lines_at_a_time) {
  const auto fetched = [](const char* shape, const char* model) {
    return first_nest_for(model, shape, "[1, 0]").prefetch_destination_bytes != 0;
  };
  EXPECT_TRUE(fetched("f64[75,294]", "intel")) << "rows that do not begin on lines";
  EXPECT_TRUE(fetched("u16[250,264]", "intel"));
  EXPECT_TRUE(fetched("f32[256,256]", "intel")) << "16 whole lines";
  EXPECT_FALSE(fetched("u16[256,256]", "intel")) << "32 whole lines";
  EXPECT_FALSE(fetched("f64[31,33]", "intel")) << "in the first cache";
  EXPECT_FALSE(fetched("f64[75,294]", "zen5"));
}

TEST(PrefetchChoice, an_intel_fetches_what_it_reads_past_its_share_of_the_last_cache) {
  const Nest shared = first_nest_for("intel", "f32[1000,3008]", "[1, 0]");
  EXPECT_NE(shared.prefetch_source_bytes, 0);
  EXPECT_NE(shared.prefetch_destination_bytes, 0);
  EXPECT_EQ(shared.store, StorePolicy::kTemporal);
  EXPECT_EQ(first_nest_for("zen5", "f32[1000,2008]", "[1, 0]").prefetch_source_bytes, 0);
}

TEST(PrefetchChoice, an_intel_fetches_where_shuffles_go_in_the_last_cache) {
  const Nest shuffle = first_nest_for("intel", "bf16[1024,26,104]{1,2,0}", "[2, 0, 1]");
  ASSERT_TRUE(std::holds_alternative<ShuffleKernel>(shuffle.kernel));
  EXPECT_NE(shuffle.prefetch_destination_bytes, 0);
  EXPECT_EQ(first_nest_for("intel", "bf16[2,26,104]{1,2,0}", "[2, 0, 1]").prefetch_destination_bytes, 0)
      << "in the first cache";
}

TEST(PrefetchChoice, an_intel_fetches_where_short_copies_go) {
  const Nest copies = first_nest_for("intel", "f64[200,300,12]", "{2,0,1}");
  ASSERT_TRUE(std::holds_alternative<CopyKernel>(copies.kernel));
  EXPECT_NE(copies.prefetch_destination_bytes, 0);
  EXPECT_NE(first_nest_for("intel", "f64[20,30,12]", "{2,0,1}").prefetch_destination_bytes, 0)
      << "from the second cache";
  EXPECT_EQ(first_nest_for("intel", "u8[1000,900,16]", "{2,0,1}").prefetch_destination_bytes, 0)
      << "16 bytes";
  EXPECT_EQ(first_nest_for("zen5", "f64[200,300,12]", "{2,0,1}").prefetch_destination_bytes, 0);
}

TEST(PrefetchChoice, calls_that_write_a_few_bytes_further_on_have_their_lines) {
  Target target = make_target(Isa::kAvx512Vbmi, plan_machine("golden_cove"));
  target.lane_insert_factor = 1;  // for a tile that writes rows of 11 bytes
  const Problem problem = problem_of("u8[3,32,11,64,459]{3,4,2,1,0:T(8)}", "{2,4,3,0,1}");
  const Nest nest =
      make_plan(problem, *refine(problem), target, {.streaming = StreamingStores::kNever})->nests.at(0);
  EXPECT_EQ(nest.loops.at(nest.loops.size() - 2).destination_step_bytes, 11);
  EXPECT_EQ(nest.prefetch_destination_bytes, 0);
}

TEST(PrefetchChoice, few_places_written_are_fetched_several_calls_ahead) {
  const Nest few_places = first_nest_for("intel", "f64[3850,128]", "[1, 0, 1 p(16)]");
  ASSERT_EQ(few_places.loops.back().destination_step_bytes, 128);
  EXPECT_EQ(few_places.prefetch_destination_bytes, 4 * 128);
  const Nest near = first_nest_for("intel", "f64[50,128]", "[1, 0, 1 p(16)]");
  EXPECT_EQ(near.prefetch_destination_bytes, 128) << "from the second cache";
  const Nest rows = first_nest_for("intel", "f32[1000,1008]", "[1, 0]");
  EXPECT_EQ(rows.prefetch_destination_bytes, rows.loops.back().destination_step_bytes) << "16 places";
}

TEST(PrefetchChoice, an_intel_fetches_along_long_runs_that_it_writes_past_the_second_cache) {
  const auto ahead = [](const char* source, const char* destination, const char* model = "intel") {
    const Nest nest = first_nest_for(model, source, destination);
    EXPECT_TRUE(std::holds_alternative<CopyKernel>(nest.kernel));
    EXPECT_EQ(nest.store, StorePolicy::kTemporal);
    return nest.prefetch_destination_bytes;
  };
  EXPECT_EQ(ahead("f32[1000,1001]", "[0, 1]"), 1024) << "one run";
  EXPECT_EQ(ahead("f32[40,50,500]{2,1,0:T(1,512)}", "{2,1,0}"), 512) << "the next run goes on where one ends";
  EXPECT_EQ(ahead("f32[40,50,500]", "{2,1,0:T(1,512)}"), 2048) << "the next run";
  EXPECT_EQ(ahead("f32[40,50,500]", "{2,0,1}"), 192) << "which is far; an eighth of 2000 bytes in lines";
  EXPECT_EQ(ahead("f32[60,80,200]", "{2,0,1}"), 128) << "two lines at least";
  EXPECT_EQ(ahead("f32[4,5,500]{2,0,1}", "{2,1,0}"), 0) << "in the second cache";
  EXPECT_EQ(ahead("f32[1000,1001]", "[0, 1]", "zen4"), 0);
}

TEST(PrefetchChoice, past_the_last_cache_an_intel_fetches_along_runs_of_2_KiB_and_more) {
  const auto ahead = [](const char* source, const char* destination) {
    const Nest nest = first_nest_for("intel", source, destination);
    EXPECT_EQ(nest.store, StorePolicy::kTemporal);
    return nest.prefetch_destination_bytes;
  };
  EXPECT_EQ(ahead("f32[30,1000,1000]", "{2,0,1}"), 448) << "an eighth of 4000 bytes in lines";
  EXPECT_EQ(ahead("f32[30,2000,300]{2,0,1}", "{2,1,0}"), 0);
  EXPECT_EQ(ahead("f32[100,400,500]{2,1,0:T(1,512)}", "{2,1,0}"), 512)
      << "the next run goes on where one ends";
}

TEST(PrefetchChoice, an_intel_fetches_the_padding_that_it_fills) {
  PlanOptions options;
  options.fill.resize(4);
  const Plan plan = plan_for("intel", problem_of("f32[500,1000]", "{1,0:T(8,2048)}"), Isa::kAvx512, options);
  const auto fill = std::ranges::find_if(
      plan.nests, [](const Nest& nest) { return std::holds_alternative<FillKernel>(nest.kernel); });
  ASSERT_NE(fill, plan.nests.end());
  EXPECT_EQ(fill->prefetch_destination_bytes, 512) << "an eighth of 4192 bytes in lines";
}

TEST(PrefetchChoice, rows_are_fetched_where_they_go_on) {
  const Nest narrow = first_nest_for("intel", "u8[7017,264][0, 1]", "[1, 0]");
  EXPECT_EQ(narrow.prefetch_destination_bytes, 64);
  EXPECT_NE(narrow.loops.back().destination_step_bytes, 64) << "other rows are written first";
}

TEST(PrefetchChoice, few_trips_are_too_few_to_fetch_what_is_written_along) {
  const Nest nest = first_nest_for("intel", "bf16[25,4096,26][1, 2, 0]", "{2,1,0}");
  ASSERT_EQ(nest.loops.back().trips, 2);
  EXPECT_GT(trips_along(nest, &Loop::destination_step_bytes, nest.prefetch_destination_bytes), 3);
}

TEST(PrefetchChoice, an_intel_fetches_along_no_loop_of_two_trips) {
  const Nest nest = first_nest_for("intel", "u8[352,24637]{1,0:T(8,128)}", "[1, 0]");
  ASSERT_NE(nest.prefetch_source_bytes, 0);
  EXPECT_GT(trips_along(nest, &Loop::source_step_bytes, nest.prefetch_source_bytes), 2);
}

TEST(PrefetchChoice, two_trips_are_too_few_to_fetch_along_past_the_last_cache) {
  const Problem problem = problem_of("f32[20,2048,2,76][2, 0, 1, 3]", "{1,0,3,2:T(8,128)}");
  const Nest nest = plan_of(problem, Isa::kAvx2).nests.at(0);
  ASSERT_NE(nest.prefetch_source_bytes, 0);
  EXPECT_GT(trips_along(nest, &Loop::source_step_bytes, nest.prefetch_source_bytes), 2);
}

}  // namespace
}  // namespace relayout::plan
