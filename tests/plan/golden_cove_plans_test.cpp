#include <string>

#include <gtest/gtest.h>

#include "src/plan/target.hpp"
#include "tests/plan/plans.hpp"

// What was measured on a Granite Rapids (src/plan/target.cpp), and nothing else changes.

namespace relayout::plan {
namespace {

Nest nest_for(const char* model, const std::string& source, const std::string& destination) {
  return first_nest_for(model, source, destination, Isa::kAvx512Vbmi);
}

TEST(GoldenCovePlans, past_the_last_cache_few_places_are_streamed_as_many_are) {
  const auto store = [](const char* model) {
    return nest_for(model, "f64[1000,5,4000]{2,1,0}", "{2,0,1}").store;
  };
  EXPECT_EQ(store("intel"), StorePolicy::kTemporal);
  EXPECT_EQ(store("golden_cove"), StorePolicy::kStreaming);
}

TEST(GoldenCovePlans, all_of_the_share_of_the_last_cache_is_followed) {
  const auto prefetch = [](const char* model) {
    return nest_for(model, "f32[1600,1616][0, 1]", "[1, 0]").prefetch_source_bytes;
  };
  EXPECT_NE(prefetch("intel"), 0) << "20 of 24 MiB";
  EXPECT_EQ(prefetch("golden_cove"), 0);
}

TEST(GoldenCovePlans, far_blocks_have_longer_runs) {
  const auto loops = [](const char* model) {
    return nest_for(model, "f32[128,49,4096][2, 1, 0]", "[1, 0, 2, 0 p(4)]").loops.size();
  };
  EXPECT_GT(loops("golden_cove"), loops("intel"));
}

TEST(GoldenCovePlans, rows_off_the_lines_are_staged_even_if_little_is_fetched_again) {
  const auto is_staged = [](const char* model) {
    return nest_for(model, "f64[71,223182]{1,0}", "{0,1}").staging.has_value();
  };
  EXPECT_FALSE(is_staged("intel"));
  EXPECT_TRUE(is_staged("golden_cove"));
}

TEST(GoldenCovePlans, second_cache_is_used_as_by_other_processors_of_the_maker) {
  const auto plan_of = [](const char* model) {
    return first_nest_for(model, "f32[80,160][1, 0]", "[0, 1]", Isa::kAvx512Vbmi);
  };
  EXPECT_EQ(plan_of("intel").prefetch_destination_bytes, plan_of("golden_cove").prefetch_destination_bytes);
  EXPECT_NE(plan_of("golden_cove").prefetch_destination_bytes, 0);
}

}  // namespace
}  // namespace relayout::plan
