#include "src/plan/network/placed_cost.hpp"

#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "src/plan/network/live_registers.hpp"
#include "src/plan/network/placed_pieces.hpp"

namespace relayout::plan {
namespace {

/// Vectors of 32 bytes, each one piece at most, moved by stages within lanes.
Network placed(std::vector<SidePiece> source, std::vector<SidePiece> destination,
               const std::vector<int>& stage_slots, int slots) {
  Network network;
  network.vector_bytes = 32;
  network.element_bytes = 4;
  network.slots = slots;
  network.source.lane_stride_bytes = {1, 2, 4, 8, 16};
  network.destination.lane_stride_bytes = {1, 2, 4, 8, 16};
  network.source.pieces = std::move(source);
  network.destination.pieces = std::move(destination);
  for (const int slot : stage_slots) network.stages.push_back({Move::kUnpack32, slot, {}, 0});
  network.phases.push_back({{}, 0, static_cast<int>(stage_slots.size()), false});
  return network;
}

/// One port shuffles, two where vectors of 32 bytes are shuffled within lanes.
double cycles(const Network& network) {
  return network::placed_cycles(network, {Isa::kAvx512Vbmi, 64, 32, ShufflePorts::kOneForWide});
}

TEST(LiveRegisters, hold_what_stages_spread_and_are_wanted_for_what_is_stored) {
  const std::vector<SidePiece> first = {{0, 32}, {0, 0}, {0, 0}, {0, 0}};
  const std::vector<SidePiece> last = {{0, 0}, {0, 0}, {0, 0}, {0, 32}};
  const LiveRegisters live = live_registers(placed(first, last, {0, 1}, 2));
  EXPECT_EQ(live.held, (std::vector<RegisterFlags>{{1, 0, 0, 0}, {1, 1, 0, 0}, {1, 1, 1, 1}}));
  EXPECT_EQ(live.wanted, (std::vector<RegisterFlags>{{1, 1, 1, 1}, {0, 1, 0, 1}, {0, 0, 0, 1}}));
}

TEST(PlacedPieces, are_read_past_their_end_where_the_tile_goes_on) {
  const Network network = placed({{0, 20}, {20, 20}, {40, 0}, {60, 32}}, {}, {}, 2);
  EXPECT_EQ(touched_at_source(network), (std::vector<int>{32, 32, 0, 32}));
  EXPECT_EQ(touched_at_source(placed({{0, 20}, {20, 20}}, {}, {}, 1)), (std::vector<int>{32, 20}));
}

TEST(PlacedCost, counts_whole_vectors_as_one_access_each) {
  // Two loads a cycle, two stores, two shuffles: one cycle each, a tenth of two of which is not hidden.
  EXPECT_DOUBLE_EQ(cycles(placed({{0, 32}, {64, 32}}, {{0, 32}, {64, 32}}, {0}, 1)), 1.2);
}

TEST(PlacedCost, leaves_out_stages_of_registers_that_nothing_is_stored_of) {
  // Loads 1, shuffles and stores 0.5.
  EXPECT_DOUBLE_EQ(cycles(placed({{0, 32}, {64, 32}}, {{0, 32}, {0, 0}}, {0}, 1)), 1.1);
}

TEST(PlacedCost, counts_what_ends_within_a_vector_in_powers_of_two) {
  // 16 bytes and 4, which are inserted with their lane: loads 1, shuffles 1, stores 0.5.
  EXPECT_DOUBLE_EQ(cycles(placed({{0, 20}}, {{0, 32}}, {}, 0)), 1.15);
  // 16, 8 and 4 are stored, the last two of an extracted lane, of which the 4 are extracted again: loads 0.5,
  // shuffles 2, stores 1.5.
  EXPECT_DOUBLE_EQ(cycles(placed({{0, 32}}, {{0, 28}}, {}, 0)), 2.2);
}

TEST(PlacedCost, counts_what_another_piece_follows_as_stored_whole) {
  // The first 28 bytes are stored as 32, the last ones as 16, 8 and 4: loads 1, shuffles 2, stores 2.
  EXPECT_DOUBLE_EQ(cycles(placed({{0, 32}, {64, 32}}, {{0, 28}, {28, 28}}, {}, 1)), 2.3);
}

}  // namespace
}  // namespace relayout::plan
