#include "jit/store_turns.hpp"

#include <string>

#include <gtest/gtest.h>

namespace relayout::jit {
namespace {

/// Turn by turn, as "number.part"; what frees a register in parentheses.
std::string text_of(const std::vector<StoreTurn>& turns) {
  const auto names = [](const StoredParts& parts) {
    std::string text;
    for (const StoredPart& part : parts)
      text +=
          (text.empty() ? "" : " ") + std::to_string(part.register_number) + "." + std::to_string(part.part);
    return text;
  };
  std::string text;
  for (const StoreTurn& turn : turns) {
    if (!text.empty()) text += " | ";
    if (!turn.before.empty()) text += "(" + names(turn.before) + ") ";
    text += names(turn.after);
  }
  return text;
}

/// Pairs of vectors of two parts, the second one four rows of 10 bytes further on.
std::vector<StoredParts> two_pairs() {
  return {{{0, 0, 0}, {0, 1, 40}, {1, 0, 10}, {1, 1, 50}}, {{2, 0, 20}, {2, 1, 60}, {3, 0, 30}, {3, 1, 70}}};
}

TEST(StoreTurns, stores_parts_as_they_come_unless_told_otherwise) {
  EXPECT_EQ(text_of(store_turns(two_pairs(), 2, false)), "0.0 0.1 1.0 1.1 | 2.0 2.1 3.0 3.1");
}

TEST(StoreTurns, stores_neighbours_in_memory_one_after_the_other) {
  EXPECT_EQ(text_of(store_turns(two_pairs(), 2, true)), "0.0 1.0 | 2.0 3.0 0.1 1.1 2.1 3.1");
  StoredParts all = two_pairs()[0];
  const StoredParts rest = two_pairs()[1];
  all.insert(all.end(), rest.begin(), rest.end());
  EXPECT_EQ(text_of(store_turns({all}, 1, true)), "0.0 1.0 2.0 3.0 0.1 1.1 2.1 3.1");
}

TEST(StoreTurns, frees_the_register_of_the_first_vector_where_a_turn_needs_one) {
  EXPECT_EQ(text_of(store_turns(two_pairs(), 1, true)), "0.0 1.0 | (0.1) 2.0 3.0 1.1 2.1 3.1");
  const std::vector<StoredParts> single = {{{0, 0, 0}}, {{1, 0, 10}, {1, 1, 30}}, {{2, 0, 20}, {2, 1, 40}}};
  EXPECT_EQ(text_of(store_turns(single, 1, true)), "0.0 | 1.0 | (1.1) 2.0 2.1")
      << "the first turn leaves a register, which the second one takes";
}

TEST(StoreTurns, leaves_parts_that_are_no_neighbours_as_they_come) {
  std::vector<StoredParts> made = two_pairs();
  for (StoredParts& parts : made)
    for (StoredPart& part : parts) part.offset_bytes *= 100;
  EXPECT_EQ(text_of(store_turns(made, 2, true)), "0.0 0.1 1.0 1.1 | 2.0 2.1 3.0 3.1");
}

TEST(StoreTurns, vectors_have_lanes_or_longer_pieces_as_parts) {
  const auto parts = [](std::int64_t piece_bytes, int vector_bytes) {
    plan::Side side;
    for (std::int64_t bytes = 1; bytes < vector_bytes; bytes *= 2)
      side.lane_stride_bytes.push_back(bytes < piece_bytes ? bytes : 1000 * bytes);
    return parts_of_vector(side, vector_bytes);
  };
  EXPECT_EQ(parts(4, 32), 2);
  EXPECT_EQ(parts(16, 32), 2);
  EXPECT_EQ(parts(32, 32), 1);
  EXPECT_EQ(parts(8, 64), 4);
  EXPECT_EQ(parts(32, 64), 2);
  EXPECT_EQ(parts(8, 16), 1);
}

}  // namespace
}  // namespace relayout::jit
