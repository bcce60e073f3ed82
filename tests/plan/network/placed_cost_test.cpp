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
  // Two loads a cycle, two stores, two shuffles: one cycle each, a fifth of two of which is not hidden.
  EXPECT_DOUBLE_EQ(cycles(placed({{0, 32}, {64, 32}}, {{0, 32}, {64, 32}}, {0}, 1)), 1.4);
}

TEST(PlacedCost, leaves_out_stages_of_registers_that_nothing_is_stored_of) {
  // Loads 1, shuffles and stores 0.5.
  EXPECT_DOUBLE_EQ(cycles(placed({{0, 32}, {64, 32}}, {{0, 32}, {0, 0}}, {0}, 1)), 1.2);
}

TEST(PlacedCost, counts_what_ends_within_a_vector_in_powers_of_two) {
  // 16 bytes and 4, which are inserted with their lane: loads 1, shuffles 1, stores 0.5.
  EXPECT_DOUBLE_EQ(cycles(placed({{0, 20}}, {{0, 32}}, {}, 0)), 1.3);
  // 16, 8 and 4 are stored, the last two of an extracted lane, of which the 4 are extracted again: loads 0.5,
  // shuffles 2, stores 1.5.
  EXPECT_DOUBLE_EQ(cycles(placed({{0, 32}}, {{0, 28}}, {}, 0)), 2.4);
}

TEST(PlacedCost, counts_what_another_piece_follows_as_stored_whole) {
  // The first 28 bytes are stored as 32, the last ones as 16, 8 and 4: loads 1, shuffles 2, stores 2.
  EXPECT_DOUBLE_EQ(cycles(placed({{0, 32}, {64, 32}}, {{0, 28}, {28, 28}}, {}, 1)), 2.6);
}

/// Of pieces of so many bytes, which follow one another nowhere.
std::vector<std::int64_t> strides_of_pieces(int vector_bytes, int piece_bytes) {
  std::vector<std::int64_t> strides;
  for (int bytes = 1; bytes < vector_bytes; bytes *= 2)
    strides.push_back(bytes < piece_bytes ? bytes : 64 * bytes);
  return strides;
}

/// One vector, read in pieces of so many bytes, and written whole.
Network read_in_pieces(int vector_bytes, int piece_bytes, std::vector<SidePiece> pieces) {
  Network network = placed(std::move(pieces), {{0, vector_bytes}}, {}, 0);
  network.vector_bytes = vector_bytes;
  network.source.lane_stride_bytes = strides_of_pieces(vector_bytes, piece_bytes);
  network.destination.lane_stride_bytes = strides_of_pieces(vector_bytes, vector_bytes);
  return network;
}

Network turned(Network network) {
  std::swap(network.source, network.destination);
  return network;
}

TEST(PlacedCost, moves_a_lane_that_is_put_together_once) {
  // Pieces of 4 bytes in the second lane: three are inserted, then the lane: loads 2, shuffles 4, stores 0.5.
  std::vector<SidePiece> pieces(8, SidePiece{0, 0});
  for (std::size_t i = 4; i < 8; ++i) pieces[i] = {static_cast<std::int64_t>(i) * 256, 4};
  const Network network = read_in_pieces(32, 4, pieces);
  EXPECT_DOUBLE_EQ(cycles(network), 4.5);
  // The same are extracted: loads 0.5, shuffles 4, stores 2.
  EXPECT_DOUBLE_EQ(cycles(turned(network)), 4.5);
}

TEST(PlacedCost, stores_the_upper_half_of_a_lane_without_a_shuffle_but_inserts_it) {
  std::vector<SidePiece> pieces = {{0, 8}, {512, 8}, {0, 0}, {0, 0}};
  const Network network = read_in_pieces(32, 8, pieces);
  EXPECT_DOUBLE_EQ(cycles(network), 1.3) << "loads 1, shuffles 1, stores 0.5";
  EXPECT_DOUBLE_EQ(cycles(turned(network)), 1.1) << "loads 0.5, stores 1";
}

TEST(PlacedCost, moves_one_and_two_bytes_at_a_lane_s_front_by_shuffles_too) {
  std::vector<SidePiece> pieces(16, SidePiece{0, 0});
  pieces[0] = {0, 2};
  const Network network = read_in_pieces(32, 2, pieces);
  EXPECT_DOUBLE_EQ(cycles(network), 1.2) << "loads 0.5, shuffles 1, stores 0.5";
  EXPECT_DOUBLE_EQ(cycles(turned(network)), 1.2);
}

TEST(PlacedCost, stores_one_vector_of_64_bytes_a_cycle_and_moves_halves_and_lanes_of_them) {
  // Loads 1, stores 2, of whole vectors.
  const auto twice = [](Network network) {
    network.slots = 1;
    network.source.pieces.insert(network.source.pieces.end(), network.source.pieces.begin(),
                                 network.source.pieces.end());
    network.destination.pieces.push_back({0, 64});
    return network;
  };
  EXPECT_DOUBLE_EQ(cycles(twice(read_in_pieces(64, 64, {{0, 64}}))), 2.2);
  // A half and a lane, which is inserted from memory: loads 1, shuffles 0.25, stores 1.
  EXPECT_DOUBLE_EQ(cycles(read_in_pieces(64, 64, {{0, 48}})), 1 + 0.2 * 1.25);
  // Both halves: the second is inserted from memory.
  EXPECT_DOUBLE_EQ(cycles(read_in_pieces(64, 32, {{0, 32}, {2048, 32}})), 1 + 0.2 * 1.25);
}

TEST(PlacedCost, counts_what_passes_through_a_scratch_as_loaded_and_stored_again) {
  Network network = placed({{0, 32}, {64, 32}}, {{0, 32}, {64, 32}}, {0, -1}, 1);
  EXPECT_DOUBLE_EQ(cycles(network), 2 + 0.2 * 2) << "two stages of two shuffles, two a cycle";
  network.phases = {{{}, 0, 1, false}, {{}, 1, 2, false}};
  EXPECT_DOUBLE_EQ(cycles(network), 2 + 0.2 * 4) << "loads 2, stores 2";
}

TEST(PlacedCost, counts_zeros_of_padding_as_held) {
  Network network = placed({{0, 32}, {0, 0}}, {{0, 32}, {64, 32}}, {-1}, 1);
  EXPECT_DOUBLE_EQ(cycles(network), 1 + 0.2 * 1) << "loads 0.5, shuffles 0.5 for one register, stores 1";
  network.fills_padding = true;
  EXPECT_DOUBLE_EQ(cycles(network), 1 + 0.2 * 1.5) << "shuffles 1 for both";
}

}  // namespace
}  // namespace relayout::plan
