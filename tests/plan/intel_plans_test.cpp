#include <algorithm>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "src/plan/cost_models/make_target.hpp"
#include "src/plan/plan_text.hpp"
#include "tests/plan/plans.hpp"

// Plans for processors that execute all shuffles on one port.

namespace relayout::plan {
namespace {

Target intel(Isa isa) {
  return make_target(isa, plan_machine("intel"));
}

Nest intel_nest_of(const std::string& source, const std::string& destination, Isa isa) {
  const Problem problem = problem_of(source, destination);
  const Plan plan = plan_for("intel", problem, isa);
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

TEST(IntelPlans, elements_of_16_bytes_are_moved_in_wide_vectors_though_tiles_overlap) {
  const Nest nest = intel_nest_of("c128[9,13,6,11,5]{4,0,3,1,2}", "[3, 2, 4, 0, 1]", Isa::kAvx512);
  EXPECT_TRUE(std::holds_alternative<PermuteKernel>(nest.kernel));
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
  const PlanOptions always{KernelFamily::kAutomatic, StreamingStores::kAlways};
  EXPECT_EQ(shape_of(first_nest_for("intel", "f32[32,32]", "[1, 0]", Isa::kAvx512, always)),
            (Shape{32, 64, 3}))
      << "halves of lines cannot be streamed";
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

TEST(IntelPlans, far_pairs_keep_the_sources_order_and_are_cut_further_in) {
  const Nest nest = first_nest_for("intel", "f32[863,8,32,31][2, 1, 3, 0, 1 p(4)]", "[3, 2, 0, 1, 2 p(8)]");
  EXPECT_LT(nest.loops.front().trips, 8);
  EXPECT_GT(nest.loops.at(nest.cut_loop).trips, 30);
  Plan plan;
  plan.nests.push_back(nest);
  const std::string text = to_string(plan);
  const std::size_t marked = text.find("cut into parts");
  ASSERT_NE(marked, std::string::npos);
  EXPECT_NE(text.substr(0, marked).rfind("for " + std::to_string(nest.loops.at(nest.cut_loop).trips)),
            std::string::npos);
}

TEST(IntelPlans, the_longest_loop_goes_around_far_pairs_where_that_spares_lines) {
  const Nest nest = first_nest_for("intel", "u8[130,5,100,10,21]{0,1,2,4,3:T(8,128)}", "{4,3,2,1,0}");
  EXPECT_EQ(nest.loops.front().trips, 100);
  EXPECT_EQ(nest.cut_loop, 0U);
}

TEST(IntelPlans, far_pairs_are_written_in_order_where_few_places_are_read) {
  const auto are_written_in_order = [](const std::string& source, const std::string& destination) {
    const std::vector<Loop> loops = first_nest_for("intel", source, destination).loops;
    return std::ranges::is_sorted(loops, std::greater<>(), &Loop::destination_step_bytes);
  };
  EXPECT_TRUE(are_written_in_order("u8[21,5926,162]{2,1,0}", "{2,0,1}")) << "copies from 21 places";
  EXPECT_TRUE(are_written_in_order("f32[639,26,16,8][1, 2, 0, 3]", "[1, 0, 2, 3, 2 p(4)]")) << "permuted";
  EXPECT_FALSE(are_written_in_order("u8[61,2000,162]{2,1,0}", "{2,0,1}")) << "from 61";
}

TEST(IntelPlans, destinations_are_staged_where_lines_would_be_fetched_again) {
  EXPECT_TRUE(first_nest_for("intel", "bf16[5965,3443]{0,1}", "[0, 1]").staging);
  EXPECT_FALSE(first_nest_for("intel", "u8[77409,185]{1,0:T(16,1)}", "{0,1:T(4,1)}").staging);
}

}  // namespace
}  // namespace relayout::plan
