#include "src/plan/loops/rounds.hpp"

#include <cstddef>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include "src/plan/cost_models/make_target.hpp"
#include "src/plan/model/target.hpp"
#include "src/plan/refinement/loop_nest.hpp"
#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

TEST(Rounds, data_and_padding_that_share_lines_take_turns_past_the_caches) {
  const auto padded = [](const std::string& source) {
    PlanOptions options;
    options.fill.resize(2);
    return plan_of(problem_of(source, "{1,0:T(8,128)}"), Isa::kAvx2, options);
  };
  EXPECT_EQ(padded("bf16[1000,70]").rounds, 1);
  const Plan far = padded("bf16[287369,70]");
  EXPECT_EQ(far.rounds, 141) << "70 MiB to write, half of a MiB a round";
  EXPECT_NE(notes_of(far).find("take turns"), std::string::npos);
  EXPECT_EQ(padded("bf16[287369,128]").rounds, 1) << "whole lines";
}

TEST(Rounds, data_and_padding_that_share_lines_take_turns_in_the_last_cache_where_that_was_measured) {
  const auto rounds = [](const char* model, Isa isa) {
    PlanOptions options;
    options.fill.resize(4);
    return plan_for(model, problem_of("f32[1000,1000]", "{1,0:T(8,128)}"), isa, options).rounds;
  };
  EXPECT_EQ(rounds("intel", Isa::kAvx512), 8) << "4 MiB to write, half of a MiB a round";
  EXPECT_EQ(rounds("intel", Isa::kAvx2), 8);
  EXPECT_EQ(rounds("zen5", Isa::kAvx2), 8);
  EXPECT_EQ(rounds("zen5", Isa::kAvx512), 8);
  EXPECT_EQ(rounds("zen4", Isa::kAvx512), 8);
  EXPECT_EQ(rounds("zen", Isa::kAvx2), 8);
  EXPECT_EQ(rounds("zen", Isa::kAvx512), 1);
}

Plan padded_plan_by(const Target& target, const Problem& problem) {
  PlanOptions options;
  options.fill.resize(static_cast<std::size_t>(problem.element_bytes));
  auto plan = make_plan(problem, *refine(problem), target, options);
  EXPECT_TRUE(plan) << plan.error().message;
  return *plan;
}

Plan padded_plan(const char* model, const std::string& source, const std::string& destination,
                 Isa isa = Isa::kAvx512Vbmi) {
  const Problem problem = problem_of(source, destination);
  const Plan plan = padded_plan_by(make_target(isa, plan_machine(model)), problem);
  expect_right(problem, plan);
  return plan;
}

bool begins_with_padding(const Plan& plan) {
  return std::holds_alternative<FillKernel>(plan.nests.front().kernel);
}

TEST(Rounds, of_a_golden_coves_last_cache_write_two_thirds_of_the_first_one) {
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512Vbmi}) {
    EXPECT_EQ(padded_plan("golden_cove", "f32[1000,500]", "{1,0:T(8,128)}", isa).rounds, 94)
        << "2000 KiB, 21840 bytes a round";
    EXPECT_EQ(padded_plan("golden_cove", "f32[200,200]", "{1,0:T(8,128)}", isa).rounds, 1) << "second cache";
  }
}

TEST(Rounds, are_shared_there_by_nests_that_write_whole_lines_beside_each_other) {
  const auto rounds = [](const char* model) {
    return padded_plan(model, "f64[4,512,32][1, 0, 2]", "{2,0,1:T(8,128)(2,1)}").rounds;
  };
  EXPECT_EQ(rounds("golden_cove"), 193) << "4 MiB";
  EXPECT_EQ(rounds("intel"), 1);
}

TEST(Rounds, are_not_short_along_the_rows_of_a_block) {
  const auto rounds = [](const char* model) {
    return padded_plan(model, "f32[405,4096]{1,0:T(16,1)}", "[0, 1]").rounds;
  };
  EXPECT_EQ(rounds("golden_cove"), rounds("intel"));
}

TEST(Rounds, are_not_scattered_over_many_places_on_some_processors) {
  const auto rounds = [](const char* model, const char* source, const char* destination) {
    return padded_plan(model, source, destination).rounds;
  };
  // Columns four at a time: what is written in halves of lines is the last two of them, and all others would
  // be copied a few lines at a time, in 264 places, in every round.
  EXPECT_EQ(rounds("zen4", "c128[1100,1070]{0,1:T(4,1)}", "{0,1:T(32,128)(4,1)}"), 1);
  EXPECT_GT(rounds("zen", "c128[1100,1070]{0,1:T(4,1)}", "{0,1:T(32,128)(4,1)}"), 1);
  const char* rows = "f32[20,3000,36]";  // one place after the other
  EXPECT_GT(rounds("zen4", rows, "{2,1,0:T(8,128)}"), 1);
  EXPECT_EQ(rounds("zen4", rows, "{2,1,0:T(8,128)}"), rounds("zen", rows, "{2,1,0:T(8,128)}"));
}

TEST(Rounds, may_be_scattered_over_many_places_where_they_are_short) {
  const auto rounds = [](const char* source, const char* destination, bool avoids) {
    Target target = make_target(Isa::kAvx512Vbmi, plan_machine("golden_cove"));
    target.avoids_scattered_rounds = avoids;
    return padded_plan_by(target, problem_of(source, destination)).rounds;
  };
  const char* const past_last_cache = "f32[32,4,89,85,9][4, 1, 3, 0, 2]";
  EXPECT_EQ(rounds(past_last_cache, "{4,3,2,1,0:T(4,1)}", true), 1);
  EXPECT_EQ(rounds(past_last_cache, "{4,3,2,1,0:T(4,1)}", false), 32);
  const char* const in_it = "u8[32,1054,7]{2,1,0:T(32,128)(4,1)}";
  EXPECT_EQ(rounds(in_it, "{2,0,1:T(8,128)}", true), 198) << "which the first cache holds";
  EXPECT_EQ(rounds(in_it, "{2,0,1:T(8,128)}", false), 198);
  const char* const no_short_ones = "f64[1006,275]{0,1:T(32,128)(4,1)}";
  EXPECT_EQ(rounds(no_short_ones, "[1, 0]", true), 1) << "in the last cache, too";
  EXPECT_EQ(rounds(no_short_ones, "[1, 0]", false), 5);
}

TEST(Rounds, begin_with_the_padding_where_it_is_a_third_of_the_destination) {
  const auto is_first = [](const char* model, const char* source) {
    return begins_with_padding(padded_plan(model, source, "{1,0:T(8,128)}"));
  };
  EXPECT_TRUE(is_first("golden_cove", "f32[4000,85]")) << "43 of 128 columns";
  EXPECT_FALSE(is_first("golden_cove", "f32[4000,86]"));
  EXPECT_FALSE(is_first("golden_cove", "f32[400,85]")) << "no rounds";
  EXPECT_FALSE(is_first("intel", "f32[4000,85]"));
}

TEST(Rounds, are_found_in_the_destinations_order_where_most_of_it_is_padding) {
  const auto rounds = [](const char* model, const char* source, const char* destination) {
    return padded_plan(model, source, destination).rounds;
  };
  const char* const mostly_padding = "u8[5,93,18,2,32]{2,4,0,3,1}";
  EXPECT_EQ(rounds("golden_cove", mostly_padding, "{2,1,3,0,4:T(8,128)(2,1)}"), 8)
      << "tiles take 4 of the 32 outermost";
  EXPECT_EQ(rounds("intel", mostly_padding, "{2,1,3,0,4:T(8,128)(2,1)}"), 1);
  EXPECT_EQ(rounds("golden_cove", "f32[2,3,4491,5][2, 3, 0, 1]", "{1,2,0,3:T(8,128)}"), 1)
      << "ten of 2.3 MiB would leave the second cache";
  const char* const half_padding = "f64[9,43,64,8]{0,2,1,3}";
  EXPECT_EQ(rounds("zen5", half_padding, "{1,3,0,2:T(8,128)}"), 10) << "4.5 MiB, half of a MiB a round";
  EXPECT_EQ(rounds("golden_cove", half_padding, "{1,3,0,2:T(8,128)}"), 72) << "at most a MiB a round";
  EXPECT_EQ(rounds("golden_cove", "f64[9,100,64,8]{0,2,1,3}", "{1,3,0,2:T(8,128)}"), 1)
      << "a quarter more than the source";
}

Plan plan_with(const char* source, const char* destination, void (*change)(Target&)) {
  Target target = make_target(Isa::kAvx512Vbmi, plan_machine("golden_cove"));
  change(target);
  const Problem problem = problem_of(source, destination);
  const Plan plan = padded_plan_by(target, problem);
  expect_right(problem, plan);
  return plan;
}

constexpr auto kAsIs = [](Target&) {};

TEST(Rounds, are_shares_of_an_inner_loop_where_the_outermost_has_too_few_trips) {
  const char* const source = "f64[4,146,5,4]{3,0,1,2}";
  const char* const destination = "{3,2,1,0:T(8,128)}";
  const Plan in_places = plan_with(source, destination, kAsIs);
  EXPECT_EQ(in_places.rounds, 146);
  EXPECT_EQ(in_places.first_in_rounds, 0U);
  ASSERT_GT(in_places.nests.size(), 1U);
  for (const Nest& nest : in_places.nests) {
    EXPECT_EQ(nest.cut_loop, 1U);
    EXPECT_EQ(nest.loops[0].trips, 4) << "places";
  }
  const auto three = [](Target& target) {
    target.most_places_of_turns = 3;
    target.padding_takes_turns = false;
  };
  EXPECT_EQ(plan_with(source, destination, three).rounds, 1);
}

TEST(Rounds, are_of_padding_alone_where_data_walk_in_another_order) {
  const char* const source = "u8[7,64,13,16,4]{4,3,2,1,0}";
  const char* const destination = "{0,2,1,3,4:T(8,128)}";
  const Plan alone = plan_with(source, destination, kAsIs);
  EXPECT_EQ(alone.rounds, 385) << "8 MiB, 21840 bytes a round";
  ASSERT_LT(alone.first_in_rounds, alone.nests.size());
  for (std::size_t i = 0; i < alone.nests.size(); ++i)
    EXPECT_EQ(std::holds_alternative<FillKernel>(alone.nests[i].kernel), i >= alone.first_in_rounds) << i;
  EXPECT_NE(notes_of(alone).find("pieces of padding take turns"), std::string::npos);
  const Plan without =
      plan_with(source, destination, [](Target& target) { target.padding_takes_turns = false; });
  EXPECT_EQ(without.rounds, 1);
  EXPECT_EQ(without.first_in_rounds, 0U);
}

TEST(Rounds, of_padding_alone_are_for_destinations_that_the_last_cache_holds_and_the_first_does_not) {
  const auto rounds = [](const char* source) {
    return padded_plan("golden_cove", source, "{0,2,1,3,4:T(8,128)}").rounds;
  };
  EXPECT_GT(rounds("u8[7,3,13,16,4]{4,3,2,1,0}"), 1) << "in the second cache";
  EXPECT_EQ(rounds("u8[7,1,5,16,4]{4,3,2,1,0}"), 1) << "80 KiB";
  EXPECT_EQ(rounds("u8[7,600,13,16,4]{4,3,2,1,0}"), 1) << "past the last cache";
}

TEST(Rounds, are_not_found_so_where_many_more_lines_of_the_source_are_fetched_on_some_processors) {
  const auto turns_with = [](double most) {
    const Problem problem = problem_of("u8[200,20,256]{1,2,0}", "{0,1,2:T(16,1)}");
    Target target = make_target(Isa::kAvx512Vbmi, plan_machine("zen4"));
    target.most_source_lines_added_by_turns = most;
    const Plan plan = padded_plan_by(target, problem);
    expect_right(problem, plan);
    return notes_of(plan).find("so that nests can take turns") != std::string::npos;
  };
  EXPECT_FALSE(turns_with(0.2)) << "each line of the source 7 times";
  EXPECT_TRUE(turns_with(10));
  EXPECT_TRUE(turns_with(0)) << "however many";
}

// 32 KiB of first-level cache, 1 MiB of second-level cache.
TEST(Rounds, nests_that_lie_between_one_another_take_turns_where_a_cache_would_lose_their_lines) {
  const auto swizzled = [](const std::string& source, int row_blocks, int column_blocks) {
    const std::string rows = std::to_string(row_blocks);
    const std::string columns = std::to_string(column_blocks);
    return plan_of(problem_of(source, "Sw<3,2,3> o 0 o ((8," + rows + "),(32," + columns +
                                          ")):((32,256),(1," + std::to_string(256 * row_blocks) + "))"));
  };
  const Plan small = swizzled("f32[64,64][1, 0]", 8, 2);
  EXPECT_EQ(small.nests.size(), 8U);
  EXPECT_EQ(small.rounds, 1);  // 32 KiB
  const Plan parts_of_lines = swizzled("f32[128,128][1, 0]", 16, 4);
  EXPECT_EQ(parts_of_lines.rounds, 5);  // 128 KiB
  EXPECT_NE(notes_of(parts_of_lines).find("stay in the first cache"), std::string::npos);
  EXPECT_EQ(swizzled("f32[128,128]", 16, 4).rounds, 1);  // whole lines
  const Plan large = swizzled("f32[1024,1024]", 128, 32);
  EXPECT_EQ(large.rounds, 33);  // 8 MiB
  EXPECT_NE(notes_of(large).find("stay in the second cache"), std::string::npos);
}

}  // namespace
}  // namespace relayout::plan
