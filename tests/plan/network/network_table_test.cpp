#include "src/plan/network/network_table.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <thread>

#include <gtest/gtest.h>

#include "tests/plan/network/network_checks.hpp"

namespace relayout::plan::network {
namespace {

using plan::testing::kVectorIsas;
using plan::testing::target_of;

/// A state with the label in the slot of a move.
struct Pair {
  Labels lanes{};
  std::int8_t slot = kInRegister;
};

/// Every arrangement of the labels of the bits that `action` may move; one for moves without a table.
void for_each_result(const MoveAction& action, const Pair& before,
                     const std::function<void(const Pair&)>& visit) {
  const auto at = [&](int p) { return p == kSlot ? before.slot : before.lanes[static_cast<std::size_t>(p)]; };
  Pair after = before;
  if (!action.has_table) {
    for (std::size_t p = 0; p < kMaxLanePositions; ++p) after.lanes[p] = at(action.from[p]);
    if (action.takes_slot) after.slot = at(action.from[kSlot]);
    return visit(after);
  }
  std::vector<std::int8_t> moved(before.lanes.begin() + action.low, before.lanes.begin() + action.high);
  if (action.takes_slot) moved.push_back(before.slot);
  std::sort(moved.begin(), moved.end());
  do {
    std::copy_n(moved.begin(), action.high - action.low, after.lanes.begin() + action.low);
    if (action.takes_slot) after.slot = moved.back();
    visit(after);
  } while (std::next_permutation(moved.begin(), moved.end()));
}

/// All states of lanes [first, lanes): every partial permutation.
void for_each_state(Labels& labels, int position, int first, int lanes, const std::function<void()>& visit) {
  if (position == lanes) return visit();
  for (int label = first; label <= lanes; ++label) {
    const auto value = label == lanes ? kInRegister : static_cast<std::int8_t>(label);
    const auto end = labels.begin() + position;
    if (value != kInRegister && std::find(labels.begin() + first, end, value) != end) continue;
    *end = value;
    for_each_state(labels, position + 1, first, lanes, visit);
  }
}

/// Labels that a slot may hold: those in no lane, and "in a register" (a spare slot).
std::vector<std::int8_t> slot_labels(const Labels& labels, int first, int lanes) {
  std::vector<std::int8_t> result = {kInRegister};
  for (int label = first; label < lanes; ++label)
    if (std::find(labels.begin() + first, labels.begin() + lanes, label) == labels.begin() + lanes)
      result.push_back(static_cast<std::int8_t>(label));
  return result;
}

/// A spare slot saves at most what weights differ by to break ties, and only where crossing moves weigh
/// double: two unpacks against one table permute. The cheapest move weighs 16 there.
constexpr int kTieBreak = 3;

/// Bellman's condition over all states: no move leads to a state that is closer by more than its weight, and
/// the recorded step keeps its promise.
void expect_shortest(const NetworkTarget& target, int element_bits, Weighting weighting) {
  const ShortestPaths& paths = shortest_paths(target, element_bits, weighting);
  const auto moves = available_moves(target, element_bits);
  const int lanes = lane_positions(target);
  Labels labels{};
  for (int p = 0; p < lanes; ++p) labels[static_cast<std::size_t>(p)] = static_cast<std::int8_t>(p);
  std::int64_t states = 0;
  std::int64_t faults = 0;
  for_each_state(labels, element_bits, element_bits, lanes, [&] {
    ++states;
    const int distance = paths.distance(labels);
    const auto step = paths.step(labels);
    if (distance < 0) ++faults;
    if (step.action != nullptr)
      faults += distance != weight(step.action->move, target, weighting) + paths.distance(step.next);
    for (const MoveAction& action : moves) {
      for (const std::int8_t slot : slot_labels(labels, element_bits, lanes)) {
        for_each_result(action, {labels, slot}, [&](const Pair& after) {
          const int saved = distance - weight(action.move, target, weighting) - paths.distance(after.lanes);
          const bool needs_spare = action.takes_slot && slot == kInRegister;
          faults += saved > (needs_spare ? kTieBreak : 0);
        });
        if (!action.takes_slot) break;
      }
    }
  });
  EXPECT_EQ(states, paths.states());
  EXPECT_EQ(faults, 0) << to_string(target.isa) << ", elements of " << (1 << element_bits)
                       << ", shuffle ports " << static_cast<int>(target.shuffle_ports);
}

TEST(ShortestPaths, example) {
  const NetworkTarget target = target_of(Isa::kAvx2);
  const ShortestPaths& paths = shortest_paths(target, 3, Weighting::kBalanced);
  EXPECT_EQ(paths.states(), 7);
  EXPECT_EQ(paths.distance({0, 1, 2, 3, 4}), 0);
  // The upper position waits for a bit that is in the register number: one exchange of lanes.
  EXPECT_EQ(paths.step({0, 1, 2, 3, kInRegister}).action->move, Move::kPermute128);
}

TEST(ShortestPaths, counts_the_states_of_the_theory) {
  EXPECT_EQ(shortest_paths(target_of(Isa::kAvx512Vbmi), 0, Weighting::kBalanced).states(), 13327);
  EXPECT_EQ(shortest_paths(target_of(Isa::kAvx512), 1, Weighting::kBalanced).states(), 1546);
  EXPECT_EQ(shortest_paths(target_of(Isa::kAvx512), 2, Weighting::kBalanced).states(), 209);
}

TEST(ShortestPaths, no_path_is_shorter_and_a_spare_slot_gains_nothing) {
  for (const Isa isa : kVectorIsas) {
    std::vector<ShufflePorts> all = {ShufflePorts::kSeveral, ShufflePorts::kOne, ShufflePorts::kOneForWide,
                                     ShufflePorts::kTwoOfHalves};
    if (isa == Isa::kAvx2) all.push_back(ShufflePorts::kOneForLanes);  // no such processor has AVX-512
    for (const ShufflePorts ports : all) {
      NetworkTarget target = target_of(isa);
      target.shuffle_ports = ports;
      // Bytes in 64-byte vectors would take minutes here.
      for (int element_bits = isa == Isa::kAvx2 ? 0 : 1; element_bits < 5; ++element_bits)
        for (const Weighting weighting : {Weighting::kBalanced, Weighting::kScarceCrossing})
          expect_shortest(target, element_bits, weighting);
    }
  }
}

TEST(ShortestPaths, are_built_once_however_many_threads_ask) {
  NetworkTarget target = target_of(Isa::kAvx512);
  target.vector_bytes = 32;
  std::array<const ShortestPaths*, 8> found{};
  std::vector<std::thread> threads;
  for (auto& paths : found)
    threads.emplace_back([&paths, &target] { paths = &shortest_paths(target, 1, Weighting::kBalanced); });
  for (std::thread& thread : threads) thread.join();
  for (const ShortestPaths* paths : found) EXPECT_EQ(paths, found[0]);
}

}  // namespace
}  // namespace relayout::plan::network
