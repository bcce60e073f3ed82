#include "src/plan/rounds.hpp"

#include <gtest/gtest.h>

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

TEST(Rounds, data_and_padding_that_share_lines_take_turns_in_an_intels_last_cache_at_every_level) {
  const auto rounds = [](const char* model, Isa isa) {
    PlanOptions options;
    options.fill.resize(4);
    return plan_for(model, problem_of("f32[1000,1000]", "{1,0:T(8,128)}"), isa, options).rounds;
  };
  EXPECT_EQ(rounds("intel", Isa::kAvx512), 8) << "4 MiB to write, half of a MiB a round";
  EXPECT_EQ(rounds("intel", Isa::kAvx2), 8);
  EXPECT_EQ(rounds("zen5", Isa::kAvx2), 8);
  EXPECT_EQ(rounds("zen5", Isa::kAvx512), 1);
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
