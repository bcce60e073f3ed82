#include "src/plan/accesses/masked_access.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

bool is_masked(const char* model, const char* source, const char* destination, Isa isa = Isa::kAvx512Vbmi,
               const PlanOptions& options = {}) {
  return first_nest_for(model, source, destination, isa, options).under_masks;
}

TEST(MaskedAccess, is_for_the_caches_of_a_zen_5_past_the_first) {
  EXPECT_FALSE(is_masked("zen5", "f32[64,60]", "[1, 0]")) << "in the first cache";
  EXPECT_TRUE(is_masked("zen5", "f32[256,256]", "[1, 0]"));
  EXPECT_TRUE(is_masked("zen5", "f32[1000,1000]", "[1, 0]"));
  EXPECT_TRUE(is_masked("zen5", "u8[3000,3000]", "[1, 0]")) << "17 MiB";
  EXPECT_FALSE(is_masked("zen5", "u8[3300,3300]", "[1, 0]")) << "21 MiB";
  EXPECT_FALSE(is_masked("zen5", "f32[4096,4096]", "[1, 0]")) << "past the last cache";
  for (const char* other : {"zen", "zen3", "zen4", "intel", "golden_cove", "generic"})
    EXPECT_FALSE(is_masked(other, "f32[256,256]", "[1, 0]")) << other;
}

TEST(MaskedAccess, is_for_copies_permutations_and_padding) {
  EXPECT_TRUE(is_masked("zen5", "f32[256,256]", "{1,0:T(8,128)}")) << "a copy";
  const Plan padded = plan_for("zen5", problem_of("f32[250,250]", "{1,0:T(8,128)}"), Isa::kAvx512Vbmi,
                               {.fill = {0, 0, 0, 0}});
  ASSERT_TRUE(std::holds_alternative<FillKernel>(padded.nests.back().kernel));
  EXPECT_TRUE(std::ranges::all_of(padded.nests, &Nest::under_masks));
  const Nest tables = first_nest_for("zen5", "f32[3,50000]", "[1, 0]", Isa::kAvx512Vbmi);
  ASSERT_TRUE(std::holds_alternative<ShuffleKernel>(tables.kernel));
  EXPECT_FALSE(tables.under_masks);
}

TEST(MaskedAccess, of_avx2_is_for_the_second_cache_and_not_for_narrow_elements_in_several_phases) {
  EXPECT_TRUE(is_masked("zen5", "f32[256,256]", "[1, 0]", Isa::kAvx2));
  EXPECT_TRUE(is_masked("zen5", "c128[128,128]", "[1, 0]", Isa::kAvx2));
  EXPECT_TRUE(is_masked("zen5", "u8[256,1024]", "{1,0:T(8,128)}", Isa::kAvx2)) << "a copy";
  EXPECT_FALSE(is_masked("zen5", "u8[256,256]", "[1, 0]", Isa::kAvx2));
  EXPECT_FALSE(is_masked("zen5", "f32[1000,1000]", "[1, 0]", Isa::kAvx2)) << "in the last cache";
}

TEST(MaskedAccess, is_not_for_what_is_streamed) {
  const PlanOptions streamed{.streaming = StreamingStores::kAlways};
  const Nest nest = first_nest_for("zen5", "f32[256,256]", "[1, 0]", Isa::kAvx512Vbmi, streamed);
  EXPECT_EQ(nest.store, StorePolicy::kStreaming);
  EXPECT_FALSE(nest.under_masks);
}

TEST(MaskedAccess, is_for_rows_that_are_read_to_be_staged) {
  const Nest rows = first_nest_for("zen5", "f32[4095,4097]", "[1, 0]", Isa::kAvx512Vbmi);
  ASSERT_TRUE(rows.staging);
  EXPECT_TRUE(rows.under_masks);
  EXPECT_FALSE(is_masked("zen5", "f32[4095,4097]", "[1, 0]", Isa::kAvx2));
  EXPECT_FALSE(is_masked("zen4", "f32[4095,4097]", "[1, 0]"));
  const Nest few = first_nest_for("zen5", "f32[2,11418267]{0,1:T(4,1)}", "[0, 1]", Isa::kAvx512Vbmi);
  ASSERT_TRUE(few.staging);
  EXPECT_FALSE(few.under_masks) << "two rows";
}

TEST(MaskedAccess, can_be_chosen) {
  PlanChoice choice;
  const PlanOptions options{.choice = &choice};
  choice.masks = true;
  EXPECT_TRUE(is_masked("zen4", "f32[64,64]", "[1, 0]", Isa::kAvx2, options));
  EXPECT_FALSE(is_masked("zen4", "f32[3,50000]", "[1, 0]", Isa::kAvx512Vbmi, options)) << "table shuffles";
  choice.masks = false;
  EXPECT_FALSE(is_masked("zen5", "f32[256,256]", "[1, 0]", Isa::kAvx512Vbmi, options));
}

TEST(MaskedAccess, is_told) {
  const Plan plan = plan_for("zen5", problem_of("f32[256,256]", "[1, 0]"), Isa::kAvx512Vbmi);
  EXPECT_NE(notes_of(plan).find("loads and stores are masked"), std::string::npos);
  EXPECT_NE(to_string(plan).find("under masks"), std::string::npos);
}

}  // namespace
}  // namespace relayout::plan
