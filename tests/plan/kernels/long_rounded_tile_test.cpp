#include "src/plan/kernels/long_rounded_tile.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include <gtest/gtest.h>

#include "src/plan/cost_models/make_target.hpp"
#include "src/plan/kernels/kernel_choice.hpp"
#include "src/plan/model/kernel_access.hpp"
#include "tests/plan/kernels/rounded_boxes.hpp"
#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

using testing::box_of;

Target zen3() {
  return make_target(Isa::kAvx2, plan_machine("zen3"));
}

Target zen4(bool tries_runs_half_a_line_shorter) {
  Target target = make_target(Isa::kAvx512Vbmi, plan_machine("zen4"));
  target.tries_runs_half_a_line_shorter = tries_runs_half_a_line_shorter;
  return target;
}

/// \param network_overlap of tiles of powers of two, which move up to twice what there is
std::optional<RoundedChoice> long_choice(const Box& box, std::int64_t element_bytes,
                                         std::optional<double> network_overlap,
                                         const Target& target = zen3()) {
  const auto shorter = cheapest_rounded_tile(box, element_bytes, target);
  return cheapest_long_rounded_tile(box, element_bytes, target,
                                    {shorter ? &*shorter : nullptr, network_overlap});
}

/// The 3 x 3 of filters of f32 to pixels: runs of 36 bytes, `inputs` of which follow one another at the
/// source, to rows of `outputs` elements with `pad` places behind them.
Box filters(std::int64_t inputs, std::int64_t outputs, std::int64_t pad = 0) {
  return box_of(
      {{outputs, inputs * 36, 4}, {inputs, 36, (outputs + pad) * 4}, {9, 4, (outputs + pad) * 4 * inputs}});
}

TEST(LongRoundedTile, joins_small_axes_until_little_of_the_last_vector_is_left_over) {
  const auto found = long_choice(filters(65, 60), 4, 16.0 / 9);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rounded.source.units % 9, 0);
  EXPECT_GT(found->rounded.tile.source_run_bytes, 64);
  EXPECT_LE(found->rounded.tile.source_run_bytes, 256);
  EXPECT_LT(rounded_waste(filters(65, 60), found->rounded, zen3()), 1.2);
  EXPECT_TRUE(found->rounded.is_long);
}

TEST(LongRoundedTile, takes_an_axis_whole_that_is_longer_than_a_line) {
  // Of 2-byte elements, 49 places of 98 bytes.
  const Box box = box_of({{49, 2, 1280 * 2 + 6}, {1283, 98, 2}});
  const auto found = long_choice(box, 2, 64.0 / 49);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rounded.tile.source_run_bytes, 98);
  EXPECT_FALSE(long_choice(box_of({{130, 2, 2566}, {1283, 260, 2}}), 2, 2)) << "that is too long";
}

TEST(LongRoundedTile, is_there_only_where_its_rivals_leave_more_of_their_vectors_over) {
  const Box box = filters(65, 60);
  EXPECT_FALSE(long_choice(box, 4, 1.0));
  EXPECT_FALSE(long_choice(box, 4, 1.05));
  EXPECT_TRUE(long_choice(box, 4, 1.5));
  EXPECT_FALSE(cheapest_long_rounded_tile(box, 4, zen3(), {})) << "without a rival there is no telling";
  const RoundedChoice cheaper = {cheapest_rounded_tile(box, 4, zen3())->rounded, 0.001};
  EXPECT_FALSE(cheapest_long_rounded_tile(box, 4, zen3(), {&cheaper, 2}));
}

TEST(LongRoundedTile, has_runs_of_the_target_s_longest_or_halves_of_it_down_to_lines) {
  Target target = zen3();
  const auto runs = [&](std::int64_t longest) {
    target.longest_rounded_run_bytes = longest;
    const auto found = long_choice(filters(65, 60), 4, 16.0 / 9, target);
    return found ? std::pair(found->rounded.tile.source_run_bytes, found->rounded.tile.destination_run_bytes)
                 : std::pair<std::int64_t, std::int64_t>();
  };
  EXPECT_EQ(runs(64).first, 0) << "a line is not long";
  EXPECT_EQ(runs(96).first, 2 * 36);
  EXPECT_EQ(runs(128).first, 3 * 36);
  EXPECT_EQ(runs(192), std::pair(std::int64_t{5 * 36}, std::int64_t{64})) << "not 48 written";
  EXPECT_EQ(runs(256).first, 7 * 36);
}

TEST(LongRoundedTile, may_have_runs_half_a_line_shorter_than_others) {
  // Bytes [21,32,1451] reversed: rows of 21 bytes that follow one another 32 times, out of rows of 1451.
  const Box box = box_of({{21, 46432, 1}, {32, 1451, 21}, {1451, 1, 672}});
  EXPECT_FALSE(long_choice(box, 1, 16.0 / 11, zen4(false))) << "pieces of 11 x 21 rows to read crowd a set";
  const auto found = long_choice(box, 1, 16.0 / 11, zen4(true));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rounded.tile.destination_run_bytes, 8 * 21) << "up to 192 of 256";
  const Problem problem = problem_of("u8[21,32,1451]", "[2, 1, 0]");
  const Plan plan = plan_for("zen4", problem, Isa::kAvx512Vbmi);
  EXPECT_EQ(kernel_runs(plan.nests.front()).destination.front().bytes, 8 * 21);
  expect_right(problem, plan);
}

TEST(LongRoundedTile, has_to_leave_over_as_little_as_the_target_asks_for) {
  Target target = zen3();
  target.worthwhile_long_waste = 0.8;
  EXPECT_TRUE(long_choice(filters(65, 60), 4, 1.5, target));
  target.worthwhile_long_waste = 0.6;
  EXPECT_FALSE(long_choice(filters(65, 60), 4, 1.5, target));
}

TEST(LongRoundedTile, does_not_have_pieces_of_more_lines_than_ways_in_a_set_of_the_first_cache) {
  const Box halves_of_lines = filters(64, 8, 56);  // 9 rows 16 KiB apart
  EXPECT_FALSE(long_choice(halves_of_lines, 4, 16.0 / 9));
  Target wider = zen3();
  wider.level1_data_ways = 9;
  EXPECT_TRUE(long_choice(halves_of_lines, 4, 16.0 / 9, wider));
  const auto lines = long_choice(filters(64, 64), 4, 16.0 / 9);
  ASSERT_TRUE(lines);
  EXPECT_EQ(lines->rounded.tile.destination_run_bytes, 64) << "whole lines are not written again";
  EXPECT_FALSE(long_choice(box_of({{2047, 86, 2}, {43, 2, 4094}}), 2, 64.0 / 43)) << "but parts of two are";
  EXPECT_TRUE(long_choice(box_of({{2079, 86, 2}, {43, 2, 4158}}), 2, 64.0 / 43)) << "rows in other sets";
}

TEST(LongRoundedTile, may_read_whole_lines_of_any_rows) {
  const Box box = box_of({{68, 16384, 1}, {16384, 1, 68}});
  const auto found = long_choice(box, 1, 128.0 / 68);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rounded.tile.source_run_bytes, 64);
  EXPECT_EQ(found->rounded.tile.destination_run_bytes, 68);
  const Box short_rows = box_of({{68, 16384, 1}, {32, 1, 68}, {256, 40, 68 * 32}});
  EXPECT_FALSE(long_choice(short_rows, 1, 128.0 / 68)) << "32 bytes of each";
}

/// Bytes of the same filters back, of which 9 of 16 bytes are stored otherwise: 64 outputs to rows of 576.
Box filters_back(std::int64_t plane_bytes, std::int64_t input_bytes) {
  return box_of({{9, plane_bytes, 1}, {64, input_bytes, 9}, {64, 1, 576}});
}

TEST(LongRoundedTile, may_read_more_rows_of_a_set_where_the_shorter_one_takes_twice_the_cycles) {
  const auto cheaper = [](const Box& box) {
    const auto shorter = cheapest_rounded_tile(box, 1, zen3());
    const auto found = cheapest_long_rounded_tile(box, 1, zen3(), {&*shorter, 16.0 / 9});
    return found ? found->cycles_per_byte / shorter->cycles_per_byte : 1;
  };
  EXPECT_LT(cheaper(filters_back(4096, 64)), 0.55) << "9 rows a set";
  EXPECT_EQ(cheaper(filters_back(1 << 18, 4096)), 1) << "all of them in one";
}

TEST(LongRoundedTile, reads_no_such_pieces_in_the_second_cache_where_the_shorter_one_reads_whole_lines) {
  const auto is_found = [](std::int64_t outputs, bool in_second_cache, bool reads_crowded_lines_once) {
    const Box box = box_of({{9, 4096, 1}, {64, 64, 9}, {outputs, 1, 576}});
    Target target = zen3();
    target.reads_crowded_lines_once = reads_crowded_lines_once;
    const auto shorter = cheapest_rounded_tile(box, 1, target);
    if (!shorter) return false;
    EXPECT_EQ(shorter->rounded.tile.source_run_bytes, outputs) << "of a line";
    return cheapest_long_rounded_tile(box, 1, target, {&*shorter, 16.0 / 9, in_second_cache}).has_value();
  };
  EXPECT_FALSE(is_found(64, true, true));
  EXPECT_TRUE(is_found(64, false, true)) << "in the last cache they are faster";
  EXPECT_TRUE(is_found(32, true, true)) << "pieces either way";
  EXPECT_TRUE(is_found(64, true, false)) << "the target does not ask for it";
}

TEST(LongRoundedTile, reads_such_pieces_of_staged_blocks_whose_lines_come_from_farther_away) {
  const auto is_long = [](bool of_staged_block) {
    PairSizes sizes{1, Residence::kSecondCache};
    sizes.of_staged_block = of_staged_block;
    const Target target = make_target(Isa::kAvx512Vbmi, plan_machine("golden_cove"));
    const auto candidates = kernel_candidates(filters_back(4096, 64), sizes, target, KernelFamily::kPermute);
    return std::ranges::any_of(candidates, [](const KernelCandidate& candidate) {
      return candidate.rounded && candidate.rounded->is_long;
    });
  };
  EXPECT_FALSE(is_long(false));
  EXPECT_TRUE(is_long(true));
}

TEST(LongRoundedTile, is_not_looked_for_where_it_was_not_measured) {
  EXPECT_FALSE(long_choice(filters(65, 60), 4, 16.0 / 9, make_target(Isa::kAvx2, plan_machine("zen"))));
}

}  // namespace
}  // namespace relayout::plan
