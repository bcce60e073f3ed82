#include "src/plan/refinement/padding.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "src/interpret/scalar.hpp"
#include "tests/support/random_problem.hpp"

namespace relayout::plan {
namespace {

using expr::IndexExpr;
using expr::Range;

/// Adds one for each destination element of a piece.
void count_piece(const PaddingPiece& piece, std::vector<int>& counts) {
  std::vector<std::int64_t> bases = {piece.destination_base};
  for (const Iterator& iterator : piece.iterators) {
    std::vector<std::int64_t> next;
    for (std::int64_t i = 0; i < iterator.extent; ++i) {
      for (const std::int64_t base : bases) next.push_back(base + i * iterator.destination_stride);
    }
    bases = std::move(next);
  }
  for (const std::int64_t base : bases) {
    for (std::int64_t i = 0; i < piece.length; ++i) ++counts.at(static_cast<std::size_t>(base + i));
  }
}

/// Rows by columns in tiles of (8, 128), padded up.
Problem tiled(std::int64_t rows, std::int64_t columns) {
  const IndexExpr r = IndexExpr::variable(0, "d0", {0, rows - 1});
  const IndexExpr c = IndexExpr::variable(1, "d1", {0, columns - 1});
  const std::int64_t across = (columns + 127) / 128;
  Problem problem;
  problem.extents = {rows, columns};
  problem.source = r * columns + c;
  problem.destination = floor_div(r, 8) * (across * 1024) + floor_div(c, 128) * 1024 + floor_mod(r, 8) * 128 +
                        floor_mod(c, 128);
  problem.source_elements = rows * columns;
  problem.destination_elements = (rows + 7) / 8 * across * 1024;
  return problem;
}

TEST(Padding, a_dense_destination_has_none) {
  EXPECT_TRUE(padding_pieces(tiled(16, 256))->empty());
}

TEST(Padding, a_ragged_row_end_is_one_piece) {
  const auto pieces = padding_pieces(tiled(16, 200));
  ASSERT_TRUE(pieces);
  ASSERT_EQ(pieces->size(), 1U);
  EXPECT_EQ(pieces->front().length, 56);
  EXPECT_EQ(pieces->front().volume(), 16 * 56);
}

TEST(Padding, a_large_shape_is_described_by_few_pieces) {
  const auto pieces = padding_pieces(tiled(100001, 100001));
  ASSERT_TRUE(pieces);
  EXPECT_LE(pieces->size(), 6U);
  std::int64_t volume = 0;
  for (const PaddingPiece& piece : *pieces) volume += piece.volume();
  EXPECT_EQ(volume, tiled(100001, 100001).destination_elements - std::int64_t{100001} * 100001);
}

/// `rows` rows of 20 in every 32 places, of which bits 2 and 3 are xored with bits 5 and 6.
Problem swizzled(std::int64_t rows) {
  const auto swizzle = [](const IndexExpr& place) {
    return place ^ (floor_mod(floor_div(place, 32), 4) * 4);
  };
  const IndexExpr before =
      IndexExpr::variable(0, "d0", {0, rows - 1}) * 32 + IndexExpr::variable(1, "d1", {0, 19});
  Problem problem;
  problem.extents = {rows, 20};
  problem.source = problem.destination = swizzle(before);
  problem.source_elements = problem.destination_elements = rows * 32;
  problem.permuted_destination = {before, swizzle(IndexExpr::variable(0, "x", {0, Range::kNoUpper}))};
  return problem;
}

TEST(Padding, of_a_permuted_destination_is_the_permuted_padding) {
  const Problem problem = swizzled(24);
  const auto pieces = padding_pieces(problem);
  ASSERT_TRUE(pieces);
  std::vector<int> counts(static_cast<std::size_t>(problem.destination_elements), 0);
  for (const PaddingPiece& piece : *pieces) count_piece(piece, counts);
  const auto map = *interpret::source_of_destination(problem);
  for (std::size_t i = 0; i < map.size(); ++i) EXPECT_EQ(counts[i], map[i] < 0 ? 1 : 0) << i;
  EXPECT_LE(padding_pieces(swizzled(std::int64_t{1} << 40))->size(), 16U);
}

TEST(Padding, an_empty_domain_is_all_padding) {
  Problem problem;
  problem.extents = {0};
  problem.destination_elements = 10;
  const auto pieces = padding_pieces(problem);
  ASSERT_TRUE(pieces);
  ASSERT_EQ(pieces->size(), 1U);
  EXPECT_EQ(pieces->front().length, 10);
}

TEST(Padding, pieces_and_image_cover_every_element_once_on_random_problems) {
  const std::uint64_t seed = testing::test_seed(3);
  SCOPED_TRACE(testing::replay_hint(seed));
  testing::RandomProblems problems(seed);
  int padded = 0;
  for (int i = 0; i < 1000; ++i) {
    const Problem problem = problems.next();
    const auto map = interpret::source_of_destination(problem);
    ASSERT_TRUE(map);
    const auto pieces = padding_pieces(problem);
    ASSERT_TRUE(pieces) << pieces.error().message;
    padded += pieces->empty() ? 0 : 1;
    std::vector<int> counts;
    for (const std::int64_t source : *map) counts.push_back(source >= 0 ? 1 : 0);
    for (const PaddingPiece& piece : *pieces) count_piece(piece, counts);
    ASSERT_EQ(std::count(counts.begin(), counts.end(), 1), static_cast<std::ptrdiff_t>(counts.size()))
        << testing::describe(problem);
  }
  EXPECT_GT(padded, 300);
}

}  // namespace
}  // namespace relayout::plan
