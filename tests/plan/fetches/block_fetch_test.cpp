#include "src/plan/fetches/block_fetch.hpp"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/plan/model/kernel_access.hpp"
#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

using Lines = std::set<std::int64_t>;

constexpr std::int64_t kLine = 64;

Nest nest_for(const std::string& source, Isa isa = Isa::kAvx512Vbmi, const PlanOptions& options = {}) {
  return first_nest_for("golden_cove", source, "[1, 0]", isa, options);
}

/// Where the loops from `first` on stand in turn on one side, in bytes from where they begin.
std::vector<std::int64_t> steps_of(const Nest& nest, std::size_t first, std::int64_t Loop::*step) {
  std::vector<std::int64_t> offsets = {0};
  for (std::size_t i = first; i < nest.loops.size(); ++i) {
    std::vector<std::int64_t> further;
    for (const std::int64_t offset : offsets)
      for (std::int64_t trip = 0; trip < nest.loops[i].trips; ++trip)
        further.push_back(offset + trip * nest.loops[i].*step);
    offsets = std::move(further);
  }
  return offsets;
}

/// The lines that one block touches, from where it begins.
Lines touched(const Nest& nest, const std::vector<Extent>& runs, std::int64_t Loop::*step) {
  Lines lines;
  for (const std::int64_t offset : steps_of(nest, nest.block_fetch->first_loop, step))
    for (const Extent& run : runs)
      for (std::int64_t byte = 0; byte < run.bytes; byte += kLine)
        lines.insert(offset + run.offset_bytes + byte);
  return lines;
}

/// The lines that its calls fetch, from where the next one begins.
Lines fetched(const Nest& nest, const FetchedRows& rows, std::int64_t to_next_block) {
  const auto calls = static_cast<std::int64_t>(
      steps_of(nest, nest.block_fetch->first_loop, &Loop::source_step_bytes).size());
  Lines lines;
  for (std::int64_t row = 0; row < calls * rows.rows_per_call; ++row)
    for (std::int64_t byte = 0; byte < rows.row_bytes; byte += kLine)
      lines.insert(rows.ahead_bytes - to_next_block + row * rows.stride_bytes + byte);
  return lines;
}

TEST(BlockFetch, covers_the_lines_that_the_next_block_touches_and_no_others) {
  int sides = 0;
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512, Isa::kAvx512Vbmi}) {
    for (const char* const source :
         {"u8[1024,2048]", "bf16[1024,1600]", "f32[640,2048]", "f64[512,2048]", "u8[8192,8192]",
          "f32[8192,8192]", "f64[4096,8192]", "c128[2048,4096]"}) {
      const Nest nest = nest_for(source, isa);
      if (!nest.block_fetch) continue;
      SCOPED_TRACE(std::string(source) + " at " + std::string(to_string(isa)));
      const BlockFetch& fetch = *nest.block_fetch;
      ASSERT_GT(fetch.first_loop, 0U);
      const Loop& next = nest.loops[fetch.first_loop - 1];
      const KernelAccess runs = kernel_runs(nest);
      EXPECT_EQ(fetched(nest, fetch.source, next.source_step_bytes),
                touched(nest, runs.source, &Loop::source_step_bytes));
      ++sides;
      if (fetch.destination.rows_per_call == 0) continue;
      EXPECT_EQ(fetched(nest, fetch.destination, next.destination_step_bytes),
                touched(nest, runs.destination, &Loop::destination_step_bytes));
      ++sides;
    }
  }
  EXPECT_GE(sides, 3 * 8) << "of 16 a level, those streamed left out";
}

TEST(BlockFetch, takes_the_place_of_fetches_in_the_order_of_the_kernel) {
  const Nest nest = nest_for("bf16[1000,2000]");
  ASSERT_TRUE(nest.block_fetch);
  EXPECT_EQ(nest.prefetch_source_bytes, 0);
  EXPECT_EQ(nest.prefetch_destination_bytes, 0);
  PlanChoice off;
  off.prefetch = false;
  PlanOptions options;
  options.choice = &off;
  EXPECT_FALSE(nest_for("bf16[1000,2000]", Isa::kAvx512Vbmi, options).block_fetch);
}

TEST(BlockFetch, leaves_out_what_is_streamed) {
  const Nest nest = nest_for("f32[8192,8192]");
  ASSERT_TRUE(nest.block_fetch);
  EXPECT_EQ(nest.store, StorePolicy::kStreaming);
  EXPECT_GT(nest.block_fetch->source.rows_per_call, 0);
  EXPECT_EQ(nest.block_fetch->destination.rows_per_call, 0);
}

}  // namespace
}  // namespace relayout::plan
