#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include "src/interpret/nest_interpreter.hpp"
#include "src/interpret/scalar.hpp"
#include "src/plan/refinement/forms.hpp"
#include "src/plan/refinement/loop_nest.hpp"
#include "tests/support/random_problem.hpp"

namespace relayout::plan {
namespace {

using expr::IndexExpr;

IndexExpr index(int dimension, std::int64_t extent) {
  return IndexExpr::variable(dimension, "d" + std::to_string(dimension), {0, extent - 1});
}

/// One dimension of `extent`, tiled by `source_tile` on one side and by `destination_tile` on the other, with
/// a gap between tiles so that nothing recombines.
Problem two_tilings(std::int64_t source_tile, std::int64_t destination_tile, std::int64_t extent) {
  constexpr std::int64_t kGap = 7;
  const IndexExpr x = index(0, extent);
  const auto tiled = [&](std::int64_t tile) {
    return floor_div(x, tile) * (tile * kGap) + floor_mod(x, tile);
  };
  Problem problem;
  problem.extents = {extent};
  problem.source = tiled(source_tile);
  problem.destination = tiled(destination_tile);
  problem.source_elements = (extent / source_tile + 1) * source_tile * kGap;
  problem.destination_elements = (extent / destination_tile + 1) * destination_tile * kGap;
  return problem;
}

std::int64_t points_of(const LoopNest& nest) {
  std::int64_t product = 1;
  for (const Factor& factor : nest.factors) {
    std::int64_t sum = 0;
    for (const Piece& piece : factor.pieces) sum += piece.volume();
    product *= sum;
  }
  return product;
}

void expect_equivalent(const Problem& problem) {
  const auto nest = refine(problem);
  ASSERT_TRUE(nest) << nest.error().message;
  const auto expected = interpret::source_of_destination(problem);
  ASSERT_TRUE(expected) << expected.error().message;
  for (const auto form : {interpret::NestForm::kPieces, interpret::NestForm::kGuarded}) {
    const auto actual = interpret::source_of_destination(*nest, problem.destination_elements, form);
    ASSERT_TRUE(actual) << actual.error().message << "\n" << to_string(*nest);
    EXPECT_EQ(*actual, *expected) << to_string(*nest);
  }
}

TEST(Forms, a_range_past_64_bits_is_no_bound) {
  Forms forms;
  const AtomId index = forms.add_variable(std::int64_t{1} << 60);
  const Interval range = forms.range(forms.variable(index, 16));
  EXPECT_EQ(range.lower, INT64_MIN);
  EXPECT_EQ(range.upper, INT64_MAX);
}

TEST(Refine, example) {
  Problem problem;
  problem.extents = {6, 8};
  problem.source = index(0, 6) * 8 + index(1, 8);
  problem.destination = floor_div(index(1, 8), 4) * 24 + index(0, 6) * 4 + floor_mod(index(1, 8), 4);
  problem.source_elements = problem.destination_elements = 48;
  const auto nest = refine(problem);
  ASSERT_TRUE(nest);
  const auto pieces = expand(*nest);
  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_EQ(pieces[0].iterators, (std::vector<Iterator>{{4, 1, 1, {}}, {6, 8, 4, {}}, {2, 4, 24, {}}}));
  expect_equivalent(problem);
}

struct KnotCase {
  std::int64_t source_tile;
  std::int64_t destination_tile;
  std::int64_t extent;
  std::size_t pieces;
};

// Piece counts measured independently on a prototype in another language (docs/design.md, refinement).
TEST(Refine, tiles_that_do_not_divide_each_other_give_the_known_number_of_pieces) {
  for (const KnotCase& c :
       {KnotCase{4, 6, 60, 2}, {4, 6, 1000, 3},      {4, 6, 3000, 2},        {8, 12, 3000, 2},
        {12, 16, 9600, 3},     {12, 16, 1000, 5},    {12, 16, 3000, 6},      {48, 64, 1000, 4},
        {48, 64, 3000, 7},     {96, 128, 1000, 7},   {96, 128, 3000, 5},     {5, 7, 175, 5},
        {5, 7, 1000, 10},      {5, 7, 3000, 8},      {3, 128, 384, 3},       {3, 128, 1000, 9},
        {3, 128, 3000, 5},     {100, 128, 9600, 25}, {100, 128, 1000, 16},   {100, 128, 3000, 26},
        {300, 128, 9600, 40},  {300, 128, 1000, 8},  {300, 128, 3000, 23},   {127, 128, 9600, 127},
        {127, 128, 1000, 15},  {127, 128, 3000, 47}, {1000, 1024, 9600, 19}, {1000, 1024, 3000, 5}}) {
    const auto nest = refine(two_tilings(c.source_tile, c.destination_tile, c.extent));
    ASSERT_TRUE(nest);
    ASSERT_EQ(nest->factors.size(), 1U);
    EXPECT_EQ(nest->factors[0].pieces.size(), c.pieces)
        << c.source_tile << "/" << c.destination_tile << " over " << c.extent;
  }
}

TEST(Refine, tiles_that_do_not_divide_each_other_keep_every_point_in_place) {
  for (const auto& [a, b] : {std::pair{4, 6}, {12, 16}, {5, 7}, {3, 128}, {100, 128}, {127, 128}}) {
    for (const std::int64_t extent : {7, 60, 257, 1000}) expect_equivalent(two_tilings(a, b, extent));
  }
}

TEST(Refine, swapping_the_sides_gives_as_many_pieces) {
  for (const std::int64_t extent : {1000, 3000, 9600}) {
    const auto there = refine(two_tilings(300, 128, extent));
    const auto back = refine(two_tilings(128, 300, extent));
    EXPECT_EQ(there->factors[0].pieces.size(), back->factors[0].pieces.size());
  }
}

TEST(Refine, rank_20_with_extents_of_2_is_one_piece) {
  Problem problem;
  for (int i = 0; i < 20; ++i) {
    problem.extents.push_back(2);
    problem.source = problem.source + index(i, 2) * (std::int64_t{1} << i);
    problem.destination = problem.destination + index(i, 2) * (std::int64_t{1} << (19 - i));
  }
  const auto nest = refine(problem);
  ASSERT_TRUE(nest);
  EXPECT_EQ(expanded_pieces(*nest), 1);
  EXPECT_EQ(expand(*nest)[0].iterators.size(), 20U);
}

TEST(Refine, rank_20_of_the_identity_is_one_iterator) {
  Problem problem;
  for (int i = 0; i < 20; ++i) {
    problem.extents.push_back(2);
    problem.source = problem.source + index(i, 2) * (std::int64_t{1} << i);
  }
  problem.destination = problem.source;
  const auto nest = refine(problem);
  ASSERT_TRUE(nest);
  EXPECT_EQ(expand(*nest)[0].iterators, (std::vector<Iterator>{{1 << 20, 1, 1, {}}}));
}

/// Rank `rank`, every extent 5, tiled by 2 on one side and by 3 on the other.
Problem five_by_two_and_three(int rank) {
  Problem problem;
  std::int64_t source_stride = 1;
  std::int64_t destination_stride = 1;
  for (int i = 0; i < rank; ++i) {
    const IndexExpr x = index(i, 5);
    problem.extents.push_back(5);
    problem.source = problem.source + floor_div(x, 2) * source_stride + floor_mod(x, 2) * (source_stride * 3);
    problem.destination = problem.destination + floor_div(x, 3) * destination_stride +
                          floor_mod(x, 3) * (destination_stride * 2);
    source_stride *= 6;
    destination_stride *= 6;
  }
  problem.source_elements = source_stride;
  problem.destination_elements = destination_stride;
  return problem;
}

TEST(Refine, pieces_grow_with_the_sum_over_dimensions_not_the_product) {
  const auto nest = refine(five_by_two_and_three(12));
  ASSERT_TRUE(nest);
  ASSERT_EQ(nest->factors.size(), 12U);
  for (const Factor& factor : nest->factors) EXPECT_LE(factor.pieces.size(), 4U);
  EXPECT_EQ(points_of(*nest), 244140625);  // 5^12
  expect_equivalent(five_by_two_and_three(4));
}

/// `levels` of tiles on every dimension of `extents`, each level splitting the one before.
Problem tiled(const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& source_tiles,
              const std::vector<std::int64_t>& destination_tiles) {
  Problem problem;
  problem.extents = extents;
  const auto side = [&](const std::vector<std::int64_t>& tiles, std::int64_t& size) {
    IndexExpr sum;
    size = 1;
    for (std::size_t d = extents.size(); d-- > 0;) {
      IndexExpr rest = index(static_cast<int>(d), extents[d]);
      std::int64_t rest_extent = extents[d];
      std::vector<std::pair<IndexExpr, std::int64_t>> digits;
      for (const std::int64_t tile : tiles) {
        digits.emplace_back(floor_div(rest, tile), (rest_extent + tile - 1) / tile);
        rest = floor_mod(rest, tile);
        rest_extent = tile;
      }
      digits.emplace_back(rest, rest_extent);
      // The outermost digit gets the smallest stride, so that tiles do not recombine.
      for (const auto& [digit, extent] : digits) {
        sum = sum + digit * size;
        size *= extent;
      }
    }
    return sum;
  };
  problem.source = side(source_tiles, problem.source_elements);
  problem.destination = side(destination_tiles, problem.destination_elements);
  return problem;
}

TEST(Refine, ragged_tiles_are_one_guarded_piece_with_few_guards) {
  const auto nest = refine(tiled(std::vector<std::int64_t>(8, 31), {16}, {4}));
  ASSERT_TRUE(nest);
  for (const Factor& factor : nest->factors) {
    ASSERT_EQ(factor.guarded.size(), 1U) << to_string(*nest);
    EXPECT_LE(factor.guarded[0].guard_limits.size(), 4U);
  }
}

TEST(Refine, nested_tiles_that_do_not_divide_need_a_guard_per_ragged_split) {
  const Problem problem = tiled({29}, {6, 4}, {});
  const auto nest = refine(problem);
  ASSERT_TRUE(nest);
  for (const Piece& piece : nest->factors[0].guarded) EXPECT_LE(piece.guard_limits.size(), 4U);
  expect_equivalent(problem);
  expect_equivalent(tiled({96}, {3, 2}, {}));
  expect_equivalent(tiled({257}, {128, 3}, {8}));
}

TEST(Refine, a_fused_reshape_stays_one_piece_where_the_radices_divide) {
  // [12,512,64] -> [768,512] read as columns: u = 512 * 64 * a + 64 * b + c.
  Problem problem;
  problem.extents = {12, 512, 64};
  const IndexExpr u = index(0, 12) * (512 * 64) + index(1, 512) * 64 + index(2, 64);
  problem.source = u;
  problem.destination = floor_mod(u, 512) * 768 + floor_div(u, 512);
  problem.source_elements = problem.destination_elements = 12 * 512 * 64;
  const auto nest = refine(problem);
  ASSERT_TRUE(nest);
  EXPECT_EQ(expanded_pieces(*nest), 1);
  expect_equivalent(problem);
}

TEST(Refine, a_fused_reshape_of_coprime_extents_is_a_list_of_runs) {
  const std::int64_t p = 97;
  const std::int64_t q = 89;
  Problem problem;
  problem.extents = {p, q};
  const IndexExpr u = index(0, p) * q + index(1, q);
  problem.source = floor_mod(u, p) * q + floor_div(u, p);
  problem.destination = floor_mod(u, q) * p + floor_div(u, q);
  problem.source_elements = problem.destination_elements = p * q;
  const auto nest = refine(problem);
  ASSERT_TRUE(nest);
  EXPECT_LE(nest->factors[0].pieces.size(), 2U * q);
  expect_equivalent(problem);
}

TEST(Refine, reversed_broadcast_and_strided_sources_are_affine) {
  Problem problem;
  problem.extents = {10, 12, 5};
  problem.source = (IndexExpr::constant(9) - index(0, 10)) * 24 + index(1, 12) * 2;
  problem.destination = index(0, 10) * 60 + index(2, 5) * 12 + index(1, 12);
  problem.source_elements = 240;
  problem.destination_elements = 600;
  const auto nest = refine(problem);
  ASSERT_TRUE(nest);
  EXPECT_EQ(expanded_pieces(*nest), 1);
  expect_equivalent(problem);
}

/// 64 rows of 64 elements, bits 3 to 5 of the offset xored with bits 6 to 8: CuTe's Sw<3,3,3>.
IndexExpr swizzled(const IndexExpr& offset) {
  return offset ^ (floor_mod(floor_div(offset, 64), 8) * 8);
}

Problem swizzle(const IndexExpr& source) {
  Problem problem;
  problem.extents = {64, 64};
  problem.source = source;
  problem.destination = swizzled(index(0, 64) * 64 + index(1, 64));
  problem.source_elements = problem.destination_elements = 4096;
  return problem;
}

TEST(Refine, a_swizzle_has_a_piece_for_every_value_of_the_bits_read) {
  const Problem problem = swizzle(index(0, 64) * 64 + index(1, 64));
  const auto nest = refine(problem);
  ASSERT_TRUE(nest);
  ASSERT_EQ(nest->factors.size(), 1U);
  EXPECT_EQ(nest->factors[0].pieces.size(), 8U);
  EXPECT_TRUE(nest->factors[0].interleaved);
  expect_equivalent(problem);
}

TEST(Refine, where_the_other_side_runs_along_the_bits_read_those_changed_are_enumerated) {
  const Problem problem = swizzle(index(1, 64) * 64 + index(0, 64));
  const auto nest = refine(problem);
  ASSERT_TRUE(nest);
  ASSERT_EQ(nest->factors[0].pieces.size(), 8U);
  for (const Piece& piece : nest->factors[0].pieces) {
    const bool has_source_run =
        std::any_of(piece.iterators.begin(), piece.iterators.end(),
                    [](const Iterator& it) { return std::abs(it.source_stride) == 1; });
    EXPECT_TRUE(has_source_run) << to_string(*nest);
  }
  expect_equivalent(problem);
}

TEST(Refine, equal_swizzles_on_both_sides_are_one_piece) {
  const Problem problem = swizzle(swizzled(index(0, 64) * 64 + index(1, 64)));
  const auto nest = refine(problem);
  ASSERT_TRUE(nest);
  const auto pieces = expand(*nest);
  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_EQ(pieces[0].iterators, (std::vector<Iterator>{{4096, 1, 1, {}}}));
}

// Mixed radices share no bits with the swizzle's fields, so that almost every element is a piece of its own.
TEST(Refine, a_swizzle_that_is_cut_to_pieces_passes_a_budget_and_is_left) {
  Problem problem;
  problem.extents = {11, 28, 13};
  const IndexExpr mixed =
      floor_div(index(1, 28), 7) * 182 + floor_mod(index(1, 28), 7) * 26 + index(2, 13) * 2;
  problem.source = mixed ^ floor_mod(floor_div(mixed, 8), 8);
  problem.destination = swizzled(index(2, 13) * 308 + index(0, 11) * 28 + index(1, 28));
  problem.source_elements = 728;
  problem.destination_elements = 4096;
  const auto nest = refine(problem);
  ASSERT_TRUE(nest);
  EXPECT_FALSE(nest->within_budget);
  EXPECT_EQ(nest->notes.size(), 1U);
}

TEST(Refine, exclusive_ors_have_budgets_of_their_own) {
  const Problem problem = swizzle(index(0, 64) * 64 + index(1, 64));
  const auto within = [&](const RefinementBudget& budget) { return refine(problem, budget)->within_budget; };
  RefinementBudget few_terms;
  few_terms.interleaved_terms = 500;
  RefinementBudget few_pieces;
  few_pieces.interleaved_pieces = 7;
  EXPECT_TRUE(within({}));
  EXPECT_FALSE(within(few_terms));
  EXPECT_FALSE(within(few_pieces));
}

TEST(Refine, a_piece_has_at_most_as_many_iterators_as_the_budget) {
  RefinementBudget budget;
  budget.iterators = 1;
  EXPECT_FALSE(refine(two_tilings(4, 8, 64), budget)->within_budget);
  EXPECT_TRUE(refine(two_tilings(4, 8, 64))->within_budget);
}

TEST(Refine, random_swizzles_keep_every_point_in_place) {
  const std::uint64_t seed = relayout::testing::test_seed();
  SCOPED_TRACE(relayout::testing::replay_hint(seed));
  relayout::testing::RandomProblemOptions options;
  options.swizzles = true;
  options.irregular_sources = false;
  relayout::testing::RandomProblems problems(seed, options);
  int refined = 0;
  constexpr int kProblems = 60;
  for (int count = 0; count < kProblems; ++count) {
    const Problem problem = problems.next();
    const auto nest = refine(problem);
    ASSERT_TRUE(nest) << nest.error().message;
    const bool complete = std::all_of(nest->factors.begin(), nest->factors.end(),
                                      [](const Factor& factor) { return !factor.pieces.empty(); });
    if (!complete) continue;
    ++refined;
    const auto expected = interpret::source_of_destination(problem);
    const auto actual = interpret::source_of_destination(*nest, problem.destination_elements);
    ASSERT_TRUE(expected) << expected.error().message;
    ASSERT_TRUE(actual) << actual.error().message << relayout::testing::describe(problem);
    ASSERT_EQ(*actual, *expected) << relayout::testing::describe(problem) << to_string(*nest);
  }
  EXPECT_GE(refined * 10, kProblems * 8);  // the rest passes a budget
}

TEST(Refine, rewriting_a_problem_gives_the_same_pieces) {
  Problem plain;
  plain.extents = {24, 40};
  plain.source = index(0, 24) * 40 + index(1, 40);
  plain.destination = floor_div(index(1, 40), 8) * 192 + index(0, 24) * 8 + floor_mod(index(1, 40), 8);
  plain.source_elements = plain.destination_elements = 960;

  Problem split = plain;  // d1 = 4 * d1 + d2, a unit dimension, and d0 counted down on both sides
  split.extents = {24, 10, 4, 1};
  const IndexExpr row = IndexExpr::constant(23) - index(0, 24);
  const IndexExpr column = index(1, 10) * 4 + index(2, 4);
  split.source = row * 40 + column + index(3, 1) * 77;
  split.destination = floor_div(column, 8) * 192 + row * 8 + floor_mod(column, 8) + index(3, 1) * 5;

  EXPECT_EQ(expand(*refine(split)), expand(*refine(plain)));
}

TEST(Refine, passing_the_budget_is_reported_not_fatal) {
  RefinementBudget budget;
  budget.pieces = 4;
  const auto nest = refine(two_tilings(127, 128, 9600), budget);
  ASSERT_TRUE(nest);
  EXPECT_FALSE(nest->within_budget);
  EXPECT_FALSE(nest->notes.empty());
}

TEST(Canonicalize, iterators_that_chain_on_both_sides_become_one) {
  Piece piece{0, 0, {{4, 8, 8, {}}, {8, 1, 1, {}}, {3, 100, 32, {}}, {1, 5, 5, {}}}, {}};
  canonicalize(piece);
  EXPECT_EQ(piece.iterators, (std::vector<Iterator>{{32, 1, 1, {}}, {3, 100, 32, {}}}));
}

TEST(Canonicalize, falling_destinations_are_turned_round) {
  Piece piece{0, 9, {{10, 2, -1, {}}}, {}};
  canonicalize(piece);
  EXPECT_EQ(piece, (Piece{18, 0, {{10, -2, 1, {}}}, {}}));
}

}  // namespace
}  // namespace relayout::plan
