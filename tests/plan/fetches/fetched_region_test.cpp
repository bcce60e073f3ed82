#include "src/plan/fetches/fetched_region.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

constexpr std::int64_t kLine = 64;

Nest nest_for(const std::string& source, const std::string& destination, const char* model = "golden_cove",
              const PlanOptions& options = {}) {
  return first_nest_for(model, source, destination, Isa::kAvx512Vbmi, options);
}

std::int64_t calls_of(const Nest& nest, std::size_t first_loop) {
  std::int64_t calls = 1;
  for (std::size_t i = first_loop; i < nest.loops.size(); ++i) calls *= nest.loops[i].trips;
  return calls;
}

TEST(FetchedRegion, is_fetched_line_by_line_while_the_one_before_it_is_moved) {
  const Nest nest = nest_for("bf16[215563,128]", "[1, 0]");
  ASSERT_TRUE(nest.staging && nest.block_fetch);
  const auto& [first_loop, source, destination, to_write, unless_staged] = *nest.block_fetch;
  ASSERT_GT(first_loop, 0U);
  EXPECT_LT(first_loop, nest.staging->first_loop) << "several blocks";
  EXPECT_EQ(source.stride_bytes, kLine);
  EXPECT_EQ(source.row_bytes, kLine);
  const std::int64_t step = nest.loops[first_loop - 1].source_step_bytes;
  const std::int64_t fetched = calls_of(nest, first_loop) * source.rows_per_call * kLine;
  EXPECT_GE(fetched, step - kLine);
  EXPECT_LT(fetched, step + calls_of(nest, first_loop) * kLine) << "no line more than calls make of it";
  EXPECT_GE(source.ahead_bytes, step) << "what the region itself reads ends there";
  EXPECT_LE(source.ahead_bytes, step + step / 4);
  EXPECT_EQ(nest.prefetch_source_bytes, 0);
  EXPECT_EQ(destination.rows_per_call, 0);
  EXPECT_LT(nest.cut_loop, first_loop) << "parts begin with a region";
}

TEST(FetchedRegion, is_none_of_long_rows_or_of_others_between) {
  EXPECT_TRUE(nest_for("bf16[215563,128]", "[1, 0]").block_fetch);
  const Nest long_rows = nest_for("bf16[21557,1001]", "[1, 0]");
  EXPECT_TRUE(long_rows.staging && !long_rows.block_fetch) << "16 blocks do not end a row";
  EXPECT_GT(long_rows.prefetch_source_bytes, 0);
  const Nest apart = nest_for("bf16[21557,10,128]{2,0,1}", "[2, 1, 0]");
  EXPECT_TRUE(apart.staging && apart.block_fetch) << "rows that follow one another";
  const Nest with_others = nest_for("bf16[21557,10,128]", "[2, 1, 0]");
  EXPECT_TRUE(with_others.staging && !with_others.block_fetch) << "nine other rows between them";
}

TEST(FetchedRegion, is_fetched_where_it_was_measured_and_prefetch_is_not_ruled_out) {
  EXPECT_FALSE(nest_for("bf16[215563,128]", "[1, 0]", "zen4").block_fetch);
  PlanChoice choice;
  choice.prefetch = false;
  PlanOptions options;
  options.choice = &choice;
  EXPECT_FALSE(nest_for("bf16[215563,128]", "[1, 0]", "golden_cove", options).block_fetch);
}

}  // namespace
}  // namespace relayout::plan
