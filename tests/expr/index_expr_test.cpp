#include "src/expr/index_expr.hpp"

#include <array>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "src/expr/node.hpp"

namespace relayout::expr {
namespace {

constexpr std::int64_t kGreatest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

IndexExpr x() {
  return IndexExpr::variable(0, "x", {0, 99});
}
IndexExpr y() {
  return IndexExpr::variable(1, "y", {});
}

TEST(IndexExpr, example) {
  const IndexExpr offset = floor_div(x(), 8) * 64 + floor_mod(x(), 8);
  const std::array<std::int64_t, 1> values = {19};
  EXPECT_EQ(evaluate(offset, values).value(), 2 * 64 + 3);
  EXPECT_EQ(to_string(offset), "x//8*64 + x%8");
}

TEST(IndexExpr, default_is_zero) {
  EXPECT_EQ(IndexExpr(), IndexExpr::constant(0));
}

TEST(IndexExpr, equal_structure_is_the_same_node) {
  EXPECT_EQ(x() + y() * 3, x() + y() * 3);
  EXPECT_FALSE(x() + y() == y() + x());
  EXPECT_FALSE(floor_div(x(), 3) == floor_mod(x(), 3));
  EXPECT_FALSE(x() == IndexExpr::variable(0, "x", {0, 98}));
  EXPECT_FALSE(x() == IndexExpr::variable(1, "x", {0, 99}));
}

TEST(IndexExpr, operands_are_accessible) {
  const IndexExpr e = floor_div(x() + y(), 7);
  EXPECT_EQ(e.kind(), Kind::kFloorDiv);
  EXPECT_EQ(e.value(), 7);
  EXPECT_EQ(e.left().kind(), Kind::kAdd);
  EXPECT_EQ(e.left().right(), y());
  EXPECT_EQ(e.left().left().variable_name(), "x");
  EXPECT_EQ(e.left().left().variable_index(), 0);
  EXPECT_EQ(e.left().left().variable_range(), (Range{0, 99}));
}

TEST(IndexExpr, table_forgets_nodes_without_handles) {
  const std::size_t before = interned_node_count();
  {
    const IndexExpr e = (x() + y() * 12345) * 99991;
    EXPECT_GT(interned_node_count(), before);
  }
  EXPECT_EQ(interned_node_count(), before);
}

TEST(IndexExpr, very_deep_trees_are_destroyed_without_recursion) {
  IndexExpr e = x();
  for (int i = 0; i < 200'000; ++i) e = floor_div(e, 2);
  EXPECT_EQ(e.kind(), Kind::kFloorDiv);
}

TEST(IndexExpr, several_threads_building_the_same_expressions_get_the_same_nodes) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 2000;
  std::array<IndexExpr, kThreads> kept;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&kept, thread] {
      for (int round = 0; round < kRounds; ++round) {
        const IndexExpr temporary = floor_div(x() * (round % 10) + y(), 1 + round % 7);
        if (round % 100 == 0) kept[static_cast<std::size_t>(thread)] = *simplify(temporary);
      }
      kept[static_cast<std::size_t>(thread)] = floor_mod(x() + y(), 5);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const IndexExpr& e : kept) EXPECT_EQ(e, kept[0]);
}

TEST(Evaluate, division_rounds_down_and_remainder_is_never_negative) {
  const std::array<std::int64_t, 1> values = {-7};
  EXPECT_EQ(*evaluate(floor_div(x(), 4), values), -2);
  EXPECT_EQ(*evaluate(floor_mod(x(), 4), values), 1);
  EXPECT_EQ(evaluate_unchecked(floor_div(x(), 4) * 10 + floor_mod(x(), 4), values), -19);
}

TEST(Evaluate, exclusive_or_is_that_of_twos_complement) {
  const std::array<std::int64_t, 2> values = {12, -7};
  EXPECT_EQ(*evaluate(x() ^ IndexExpr::constant(10), values), 6);
  EXPECT_EQ(*evaluate(x() ^ y(), values), -11);
  EXPECT_EQ(evaluate_unchecked(x() ^ y(), values), -11);
  EXPECT_EQ((x() ^ y()).kind(), Kind::kXor);
  EXPECT_EQ((x() ^ y()).right(), y());
}

TEST(Evaluate, overflow_is_an_error) {
  const std::array<std::int64_t, 2> values = {kGreatest, 2};
  EXPECT_EQ(evaluate(x() + y(), values).error().code, ErrorCode::kOverflow);
  EXPECT_EQ(evaluate(x() * y(), values).error().code, ErrorCode::kOverflow);
  EXPECT_EQ(*evaluate(x() - y(), values), kGreatest - 2);
  const std::array<std::int64_t, 2> least = {kLeast, kLeast};
  EXPECT_EQ(evaluate(x() - y(), least).error().code, ErrorCode::kOverflow);
  EXPECT_EQ(*evaluate(floor_div(x(), 1), least), kLeast);
}

TEST(Evaluate, missing_value_is_an_error) {
  const std::array<std::int64_t, 1> values = {1};
  EXPECT_EQ(evaluate(y(), values).error().code, ErrorCode::kBadArgument);
}

TEST(DivisionCount, counts_shared_subtrees_each_time) {
  const IndexExpr shared = floor_div(x(), 3);
  EXPECT_EQ(division_count(shared + floor_mod(shared, 5)), 3);
  EXPECT_EQ(division_count(x() * 3 + y()), 0);
}

TEST(DivisionCount, ends_on_trees_that_share_exponentially_often) {
  IndexExpr e = floor_div(x(), 3);
  for (int i = 0; i < 100; ++i) e = e + floor_div(e, 3);
  EXPECT_GT(division_count(e), 1'000'000);
}

}  // namespace
}  // namespace relayout::expr
