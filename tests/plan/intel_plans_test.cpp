#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "tests/plan/plans.hpp"

// Plans for processors that execute all shuffles on one port.

namespace relayout::plan {
namespace {

Target intel(Isa isa) {
  return make_target(isa, plan_machine("intel"));
}

Nest intel_nest_of(const std::string& source, const std::string& destination, Isa isa) {
  const Problem problem = problem_of(source, destination);
  const Plan plan = *make_plan(problem, *refine(problem), intel(isa), PlanOptions());
  expect_right(problem, plan);
  return plan.nests.at(0);
}

TEST(IntelPlans, elements_are_gathered_by_scalar_moves) {
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512}) {
    std::vector<std::string> kernels;
    PlanOptions options;
    options.kernels = &kernels;
    const Problem problem = problem_of("f64[64,64]", "[1, 0]");
    ASSERT_TRUE(make_plan(problem, *refine(problem), intel(isa), options));
    EXPECT_EQ(std::ranges::count(kernels, "scalar"), 1);
    EXPECT_EQ(std::ranges::count(kernels, "gather"), 0);
  }
}

TEST(IntelPlans, wide_elements_take_a_network_though_a_line_has_several_vectors) {
  for (const char* const source : {"f64[64,64]", "c128[32,32]"}) {
    const Nest nest = intel_nest_of(source, "[1, 0]", Isa::kAvx2);
    EXPECT_TRUE(std::holds_alternative<PermuteKernel>(nest.kernel)) << source;
  }
}

/// Of a network: bytes of the pieces of its vectors, and stages.
struct Shape {
  int read_bytes = 0;
  int written_bytes = 0;
  std::size_t stages = 0;
  bool operator==(const Shape&) const = default;
};

Shape shape_of(const Nest& nest) {
  const auto& network = std::get<PermuteKernel>(nest.kernel).network;
  return {network.source.piece_bytes(), network.destination.piece_bytes(), network.stages.size()};
}

TEST(IntelPlans, vectors_are_loaded_in_halves_where_that_spares_shuffles) {
  EXPECT_EQ(shape_of(intel_nest_of("f32[128,128]", "[1, 0]", Isa::kAvx512)), (Shape{32, 64, 3}));
  EXPECT_EQ(shape_of(intel_nest_of("f32[128,128]", "[1, 0]", Isa::kAvx2)), (Shape{16, 32, 2}));
  EXPECT_EQ(shape_of(plan_of(problem_of("f32[128,128]", "[1, 0]")).nests.at(0)), (Shape{64, 64, 4}))
      << "other makers' ports are not short of shuffles";
}

TEST(IntelPlans, vectors_are_stored_in_halves_where_half_of_the_first_cache_holds_both_buffers) {
  EXPECT_EQ(shape_of(intel_nest_of("f32[32,32]", "[1, 0]", Isa::kAvx512)), (Shape{32, 32, 2}));
  EXPECT_EQ(shape_of(intel_nest_of("f32[48,48]", "[1, 0]", Isa::kAvx512)), (Shape{32, 64, 3}));
}

TEST(IntelPlans, rows_that_share_cache_sets_are_loaded_whole) {
  const Shape whole = {64, 64, 4};
  EXPECT_EQ(shape_of(intel_nest_of("f32[64,1024]", "[1, 0]", Isa::kAvx512)), whole);
  EXPECT_EQ(shape_of(intel_nest_of("f32[1024,64]", "[1, 0]", Isa::kAvx512)), whole);
}

TEST(IntelPlans, pairs_past_the_second_cache_are_loaded_whole) {
  EXPECT_EQ(shape_of(intel_nest_of("f32[496,496]", "[1, 0]", Isa::kAvx512)).read_bytes, 64);
}

TEST(IntelPlans, the_shortest_runs_are_written_by_table_shuffles_and_others_by_rounded_tiles) {
  const Nest shuffled = intel_nest_of("f32[5,1024]", "[1, 0]", Isa::kAvx512);
  EXPECT_TRUE(std::holds_alternative<ShuffleKernel>(shuffled.kernel));
  const Nest written = intel_nest_of("f32[7,1024]", "[1, 0]", Isa::kAvx512);
  EXPECT_TRUE(std::holds_alternative<PermuteKernel>(written.kernel));
  const Nest read = intel_nest_of("f32[1024,7]", "[1, 0]", Isa::kAvx512);
  EXPECT_TRUE(std::holds_alternative<PermuteKernel>(read.kernel));
}

TEST(IntelPlans, rounded_tiles_win_where_others_overlap_unless_their_rows_share_cache_sets) {
  const auto is_rounded = [](const Nest& nest) {
    const auto& network = std::get<PermuteKernel>(nest.kernel).network;
    return !network.source.pieces.empty() || !network.destination.pieces.empty();
  };
  EXPECT_TRUE(is_rounded(intel_nest_of("u8[19946,24]", "[1, 0]", Isa::kAvx512)));
  EXPECT_FALSE(is_rounded(intel_nest_of("u8[42,16,12,2,8][4, 2, 1, 3, 0]", "{1,2,4,3,0}", Isa::kAvx512)))
      << "42 rows of 3 KiB";
}

}  // namespace
}  // namespace relayout::plan
