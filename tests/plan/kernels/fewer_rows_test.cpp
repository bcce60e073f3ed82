#include "src/plan/kernels/fewer_rows.hpp"

#include <cstdint>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include "src/plan/cost_models/make_target.hpp"
#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

constexpr Isa kLevels[] = {Isa::kAvx2, Isa::kAvx512, Isa::kAvx512Vbmi};

Nest nest_of(const std::string& matrix, Isa isa, bool with = true) {
  Target target = make_target(isa, plan_machine("golden_cove"));
  if (!with) target.widest_stored_at_pace_bytes = 0;
  return first_nest_by(target, matrix, "{1,0}");
}

/// Rows that one call writes.
std::int64_t rows_of(const std::string& matrix, Isa isa, bool with = true) {
  const Nest nest = nest_of(matrix, isa, with);
  return std::get<PermuteKernel>(nest.kernel).network.tile_bytes() / runs_of_call(nest).destination_bytes;
}

TEST(FewerRows, are_written_in_turn_where_the_first_cache_would_not_keep_pace) {
  for (const Isa isa : kLevels) {
    EXPECT_EQ(rows_of("u8[64,4097][1, 0]", isa), 8) << to_string(isa);
    EXPECT_EQ(rows_of("bf16[32,2049][1, 0]", isa), 8);
    EXPECT_EQ(rows_of("f32[64,1030][1, 0]", isa), 8);
    EXPECT_EQ(rows_of("u8[64,1366][1, 0]", isa), 16) << "a third of 4098 bytes apart";
    EXPECT_EQ(nest_of("u8[64,4097][1, 0]", isa).chosen_for, ChosenFor::kStoresAtPace);
  }
}

TEST(FewerRows, go_on_for_lines) {
  for (const Isa isa : kLevels) {
    EXPECT_EQ(runs_of_call(nest_of("u8[64,4097][1, 0]", isa)).destination_bytes, 64) << to_string(isa);
    EXPECT_EQ(runs_of_call(nest_of("f32[64,1030][1, 0]", isa)).destination_bytes, 64);
  }
}

TEST(FewerRows, are_written_instead_of_those_of_rounded_tiles) {
  const Isa isa = Isa::kAvx512Vbmi;
  EXPECT_EQ(runs_of_call(nest_of("u8[52,4097][1, 0]", isa, false)).destination_bytes, 16) << "to 52 rows";
  EXPECT_EQ(rows_of("u8[52,4097][1, 0]", isa), 8);
}

TEST(FewerRows, are_for_the_second_cache_and_for_rows_that_lie_together) {
  const auto chosen_for = [](const char* matrix, Isa isa) { return nest_of(matrix, isa).chosen_for; };
  for (const Isa isa : kLevels) {
    EXPECT_NE(chosen_for("u8[64,4300][1, 0]", isa), ChosenFor::kStoresAtPace) << to_string(isa);
    EXPECT_NE(chosen_for("u8[640,4097][1, 0]", isa), ChosenFor::kStoresAtPace) << "the last one has";
  }
}

TEST(FewerRows, are_not_needed_where_the_first_cache_holds_half_of_the_buffers) {
  Target target = make_target(Isa::kAvx512Vbmi, plan_machine("golden_cove"));
  target.level1_data_bytes = 512 * 1024;
  EXPECT_NE(first_nest_by(target, "u8[64,4097][1, 0]", "{1,0}").chosen_for, ChosenFor::kStoresAtPace);
}

TEST(FewerRows, are_a_granite_rapids_rule_and_a_zen_4s_for_narrow_elements_in_vectors_of_64_bytes) {
  const auto widest = [](const char* model, Isa isa) {
    return make_target(isa, plan_machine(model)).widest_stored_at_pace_bytes;
  };
  for (const Isa isa : kLevels) EXPECT_EQ(widest("golden_cove", isa), 16);
  for (const char* model : {"zen3", "zen5", "intel"}) EXPECT_EQ(widest(model, Isa::kAvx512Vbmi), 0) << model;
  EXPECT_EQ(widest("zen4", Isa::kAvx2), 0);
  const auto chosen_for = [](const char* source, const char* destination) {
    return first_nest_for("zen4", source, destination, Isa::kAvx512Vbmi).chosen_for;
  };
  EXPECT_EQ(chosen_for("u8[14,4097][1, 0]", "[0, 1]"), ChosenFor::kStoresAtPace);
  EXPECT_EQ(chosen_for("bf16[16,178,13]{2,0,1}", "{1,0,2:T(32,128)(4,1)}"), ChosenFor::kStoresAtPace);
  EXPECT_NE(chosen_for("f32[30,64,5,9][2, 1, 0, 3]", "{1,2,0,3:T(4,1)}"), ChosenFor::kStoresAtPace);
  Target target = make_target(Isa::kAvx512Vbmi, plan_machine("zen4"));
  target.widest_stored_at_pace_bytes = 4;
  EXPECT_EQ(first_nest_by(target, "f32[30,64,5,9][2, 1, 0, 3]", "{1,2,0,3:T(4,1)}").chosen_for,
            ChosenFor::kStoresAtPace)
      << "but for its width";
}

TEST(FewerRows, are_moved_to_their_places) {
  for (const char* matrix :
       {"u8[52,4097][1, 0]", "u8[64,818][1, 0]", "bf16[29,3073][1, 0]", "f32[43,1030][1, 0]"}) {
    const Problem problem = problem_of(matrix, "{1,0}");
    for (const Isa isa : kLevels) {
      const Plan plan = plan_for("golden_cove", problem, isa);
      EXPECT_EQ(plan.nests.front().chosen_for, ChosenFor::kStoresAtPace) << matrix << to_string(isa);
      expect_right(problem, plan);
    }
  }
}

TEST(FewerRows, are_told_of) {
  const Problem problem = problem_of("u8[64,4097][1, 0]", "{1,0}");
  const std::string notes = notes_of(plan_for("golden_cove", problem, Isa::kAvx512Vbmi));
  EXPECT_NE(notes.find("of so few rows that the first cache keeps pace"), std::string::npos) << notes;
}

}  // namespace
}  // namespace relayout::plan
