#include "src/plan/kernels/shuffle_candidates.hpp"

#include <algorithm>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "src/plan/cost_models/make_target.hpp"
#include "src/plan/kernels/shuffle.hpp"
#include "tests/plan/plans.hpp"

// Data between padding: what one load of a table shuffle takes with the gaps.

namespace relayout::plan {
namespace {

constexpr Isa kLevels[] = {Isa::kAvx2, Isa::kAvx512, Isa::kAvx512Vbmi};

Plan plan_of_pair(const char* source, const char* destination, Isa isa) {
  const Problem problem = problem_of(source, destination);
  Plan plan = plan_of(problem, isa, {.fill = {0, 0}});
  expect_right(problem, plan);
  return plan;
}

const ShuffleKernel* shuffle_of(const Plan& plan) {
  return plan.nests.empty() ? nullptr : std::get_if<ShuffleKernel>(&plan.nests.front().kernel);
}

TEST(ShuffleCandidates, read_one_row_of_two_or_four_between_padding) {
  for (const Isa isa : kLevels) {
    EXPECT_TRUE(shuffle_of(plan_of_pair("bf16[1,4096]{1,0:T(2,128)(2,1)}", "{1,0}", isa)));
    EXPECT_TRUE(shuffle_of(plan_of_pair("bf16[1,4096]{1,0:T(4,1)}", "{1,0}", isa)));
  }
}

TEST(ShuffleCandidates, leave_long_runs_to_networks) {
  for (const Isa isa : kLevels)
    EXPECT_FALSE(shuffle_of(plan_of_pair("bf16[4,4096]{1,0:T(8,1)}", "{1,0}", isa))) << to_string(isa);
}

bool fills_groups(const Plan& plan, std::int64_t group_bytes) {
  return std::ranges::any_of(plan.nests, [&](const Nest& nest) {
    const auto* fill = std::get_if<FillKernel>(&nest.kernel);
    return fill != nullptr && fill->bytes < group_bytes;
  });
}

TEST(ShuffleCandidates, move_groups_from_padding_to_padding_with_it) {
  for (const Isa isa : kLevels) {
    const Plan plan = plan_of_pair("bf16[3,4096]{1,0:T(4,1)}", "{1,0:T(4,128)(4,1)}", isa);
    const ShuffleKernel* shuffle = shuffle_of(plan);
    ASSERT_TRUE(shuffle) << to_string(isa);
    EXPECT_EQ(term_count(*shuffle), shuffle->destinations.size()) << "each from one piece";
    EXPECT_FALSE(fills_groups(plan, 8)) << to_string(isa);
  }
}

TEST(ShuffleCandidates, move_rows_with_a_few_bytes_of_padding_behind_each) {
  for (const Isa isa : kLevels) {
    const Plan plan = plan_of_pair("bf16[500,23]{1,0}", "{1,0:T(8)}", isa);
    EXPECT_TRUE(shuffle_of(plan)) << to_string(isa);
    EXPECT_FALSE(fills_groups(plan, 48)) << to_string(isa);
  }
}

TEST(ShuffleCandidates, have_no_pieces_for_elements_of_more_than_16_bytes) {
  for (const std::int64_t element_bytes : {12, 16, 24, 32}) {
    PaddedBox padded;
    padded.box.axes = {
        {.extent = 3, .source_stride = element_bytes, .destination_stride = element_bytes},
        {.extent = 10, .source_stride = 2 * element_bytes, .destination_stride = 3 * element_bytes}};
    padded.extent = 2;
    padded.of_any_extent = true;
    Target target;
    target.isa = Isa::kAvx512Vbmi;
    target.vector_bytes = 64;
    const auto shuffle = padded_shuffle(padded, {element_bytes, Residence::kSecondCache}, target, 10);
    EXPECT_EQ(shuffle.has_value(), element_bytes <= 16) << element_bytes;
    if (shuffle) {
      EXPECT_TRUE(is_sound(std::get<ShuffleKernel>(shuffle->kernel)));
    }
  }
}

TEST(ShuffleCandidates, have_whole_vectors_where_the_level_permutes_what_rows_begin_at) {
  // Eight elements of 4 bytes, from rows so far apart, with gaps between them.
  const auto pieces = [](std::int64_t apart_bytes, Isa isa) {
    Box box;
    box.axes = {{.extent = 8, .source_stride = apart_bytes, .destination_stride = 4},
                {.extent = 64, .source_stride = 8 * apart_bytes, .destination_stride = 32}};
    std::vector<KernelCandidate> candidates;
    PairSizes sizes{4, Residence::kSecondCache};
    sizes.source_bytes = 512 * apart_bytes;
    add_shuffles(box, sizes, make_target(isa, plan_machine()), 100, candidates);
    std::vector<int> widths;
    for (const KernelCandidate& candidate : candidates)
      widths.push_back(std::get<ShuffleKernel>(candidate.kernel).piece_bytes);
    return widths;
  };
  EXPECT_EQ(pieces(12, Isa::kAvx512), (std::vector{16, 64}));
  EXPECT_EQ(pieces(10, Isa::kAvx512), (std::vector{16, 64})) << "words";
  EXPECT_EQ(pieces(11, Isa::kAvx512), (std::vector{16})) << "bytes";
  EXPECT_EQ(pieces(11, Isa::kAvx512Vbmi), (std::vector{16, 64}));
}

TEST(ShuffleCandidates, leave_padding_alone_that_is_not_zeros) {
  const Problem problem = problem_of("bf16[500,23]{1,0}", "{1,0:T(8)}");
  const Plan plan = plan_of(problem, Isa::kAvx512Vbmi, {.fill = {1, 2}});
  EXPECT_TRUE(std::holds_alternative<CopyKernel>(plan.nests.front().kernel));
  EXPECT_TRUE(fills_groups(plan, 48));
}

}  // namespace
}  // namespace relayout::plan
