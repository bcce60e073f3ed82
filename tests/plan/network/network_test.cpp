#include "src/plan/network/network.hpp"

#include <algorithm>
#include <utility>

#include <gtest/gtest.h>

#include "tests/plan/network/network_checks.hpp"

namespace relayout::plan {
namespace {

using testing::find_fault;
using testing::target_of;
using testing::target_that_loads_halves;
using testing::tile_of;

/// Moves in order of their number, to compare networks up to the order of stages.
std::vector<Move> moves_of(const Network& network) {
  std::vector<Move> moves;
  for (const Stage& stage : network.stages) moves.push_back(stage.move);
  std::sort(moves.begin(), moves.end());
  return moves;
}

/// Stages that are one of `kinds`. Cheapest networks differ in which unpacks they take, not in how many.
std::ptrdiff_t count_stages(const Network& network, std::initializer_list<Move> kinds) {
  return std::count_if(network.stages.begin(), network.stages.end(), [&](const Stage& stage) {
    return std::find(kinds.begin(), kinds.end(), stage.move) != kinds.end();
  });
}

constexpr auto kUnpacks = {Move::kUnpack8, Move::kUnpack16, Move::kUnpack32, Move::kUnpack64};
constexpr auto kLaneShuffles = {Move::kShuffleLanes44, Move::kShuffleLanes88};

/// Synthesizes and checks the network by simulation.
Network synthesized(Isa isa, int element_bytes, const std::vector<TileBit>& bits) {
  Result<Network> network = synthesize(target_of(isa), element_bytes, bits);
  if (!network) {
    ADD_FAILURE() << network.error().message;
    return {};
  }
  EXPECT_EQ(find_fault(*network, bits), "");
  return *network;
}

std::vector<TileBit> transpose(int element_bytes, int extent_bits) {
  const std::int64_t row = 1000;
  return tile_of(element_bytes, {{extent_bits, 1, row}, {extent_bits, row, 1}});
}

/// Rows of `group` consecutive ones interleaved element by element: (2,1) and (4,1), VNNI packs.
std::vector<TileBit> interleave(int element_bytes, int group_bits, int column_bits) {
  return tile_of(element_bytes, {{column_bits, 1, 1 << group_bits}, {group_bits, 1000, 1}});
}

TEST(Network, example) {
  const Network network = synthesized(Isa::kAvx512Vbmi, 4, transpose(4, 4));
  EXPECT_EQ(network.stages.size(), 4U);
  EXPECT_EQ(count_stages(network, kUnpacks), 2);
  EXPECT_EQ(count_stages(network, kLaneShuffles), 2);
  EXPECT_EQ(network.slots, 4);
  EXPECT_EQ(network.phases.size(), 1U);
  EXPECT_EQ(network.scratch_bytes, 0);
  EXPECT_DOUBLE_EQ(network.predicted_cycles_per_vector, 1.0);
}

TEST(Network, transposes_8_byte_elements_by_two_lane_shuffles_and_an_unpack) {
  const Network network = synthesized(Isa::kAvx512, 8, transpose(8, 3));
  EXPECT_EQ(network.stages.size(), 3U);
  EXPECT_DOUBLE_EQ(network.predicted_cycles_per_vector, 1.0);
}

TEST(Network, transposes_2_byte_elements_in_two_phases) {
  const Network network = synthesized(Isa::kAvx512, 2, transpose(2, 5));
  EXPECT_EQ(network.stages.size(), 5U);
  EXPECT_EQ(network.phases.size(), 2U);
  EXPECT_EQ(network.scratch_bytes, 32 * 64);
}

TEST(Network, transposes_bytes_in_two_phases_of_three_slots) {
  const Network network = synthesized(Isa::kAvx512, 1, transpose(1, 6));
  EXPECT_EQ(network.stages.size(), 6U);
  ASSERT_EQ(network.phases.size(), 2U);
  EXPECT_EQ(network.phases[0].slots.size(), 3U);
  EXPECT_EQ(network.phases[1].slots.size(), 3U);
  EXPECT_DOUBLE_EQ(network.predicted_cycles_per_vector, 2.0);
}

bool is_live(const Phase& phase, const Side& side, std::int64_t stride_bytes) {
  return std::ranges::any_of(phase.slots, [&](int slot) {
    return side.register_stride_bytes[static_cast<std::size_t>(slot)] == stride_bytes;
  });
}

/// Slots of neighbouring lines of one side that `phase` holds live.
int lines_together(const Phase& phase, const Side& side) {
  return static_cast<int>(is_live(phase, side, 64)) + static_cast<int>(is_live(phase, side, 128));
}

TEST(Network, reads_and_writes_neighbouring_lines_together) {
  // 64 rows of 128 bytes to 32 rows of 256.
  const Network network = synthesized(Isa::kAvx512, 4, tile_of(4, {{5, 1, 1000}, {6, 1000, 1}}));
  ASSERT_EQ(network.phases.size(), 2U);
  EXPECT_EQ(lines_together(network.phases.front(), network.source), 1);
  EXPECT_EQ(lines_together(network.phases.back(), network.destination), 2);
  // 16 rows of 64 bytes to 8 rows of 128: all vectors are live at once.
  const Network whole = synthesized(Isa::kAvx512, 8, tile_of(8, {{3, 1, 1000}, {4, 1000, 1}}));
  ASSERT_EQ(whole.phases.size(), 1U);
  EXPECT_EQ(lines_together(whole.phases.front(), whole.destination), 1);
}

TEST(Network, writes_both_halves_of_a_line_together_and_what_neighbours_fit) {
  // 128 rows of 64 bytes to 32 rows of 256: registers for one neighbour only.
  const Network words = synthesized(Isa::kAvx2, 2, tile_of(2, {{5, 1, 1000}, {7, 1000, 1}}));
  ASSERT_EQ(words.phases.size(), 2U);
  EXPECT_TRUE(is_live(words.phases.back(), words.destination, 32));
  EXPECT_EQ(lines_together(words.phases.back(), words.destination), 1);
  // 64 rows of 64 bytes: two phases in any case.
  const Network bytes = synthesized(Isa::kAvx2, 1, tile_of(1, {{6, 1, 1000}, {6, 1000, 1}}));
  ASSERT_EQ(bytes.phases.size(), 2U);
  EXPECT_TRUE(is_live(bytes.phases.back(), bytes.destination, 32));
}

TEST(Network, takes_a_scratch_to_fill_lines_only_where_it_is_told_to) {
  // 16 rows of 64 bytes: one phase without.
  const auto bits = tile_of(4, {{4, 1, 1000}, {4, 1000, 1}});
  NetworkTarget target{.isa = Isa::kAvx2, .vector_bytes = 32, .registers = 16};
  const auto plain = synthesize(target, 4, bits);
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->phases.size(), 1U);
  EXPECT_FALSE(is_live(plain->phases.back(), plain->destination, 32));
  target.line_stores = LineStores::kTogether;
  const auto filling = synthesize(target, 4, bits);
  ASSERT_TRUE(filling);
  EXPECT_EQ(filling->phases.size(), 2U);
  EXPECT_TRUE(is_live(filling->phases.back(), filling->destination, 32));
  EXPECT_EQ(filling->scratch_bytes, 1024);
}

TEST(Network, needs_no_phase_for_neighbouring_lines_that_are_copied_from_a_scratch) {
  // 128 rows of 64 bytes to 16 rows of 512.
  const auto bits = tile_of(4, {{4, 1, 1000}, {7, 1000, 1}});
  NetworkTarget target{.isa = Isa::kAvx2, .vector_bytes = 32, .registers = 16};
  target.line_stores = LineStores::kTogether;
  EXPECT_EQ(synthesize(target, 4, bits)->phases.size(), 2U);
  target.line_stores = LineStores::kFromScratch;
  EXPECT_EQ(synthesize(target, 4, bits)->phases.size(), 1U);
}

TEST(Network, interleaves_two_rows_of_2_byte_elements_by_a_table_and_an_unpack) {
  const Network network = synthesized(Isa::kAvx512, 2, interleave(2, 1, 5));
  EXPECT_EQ(moves_of(network), (std::vector{Move::kUnpack16, Move::kTablePermute16}));
  EXPECT_DOUBLE_EQ(network.predicted_cycles_per_vector, 1.0);
}

TEST(Network, interleaves_four_rows_of_bytes_by_a_table_and_two_unpacks) {
  EXPECT_EQ(synthesized(Isa::kAvx512Vbmi, 1, interleave(1, 2, 6)).stages.size(), 3U);
  const Network network = synthesized(Isa::kAvx512, 1, interleave(1, 2, 6));
  EXPECT_EQ(network.stages.size(), 3U);
  EXPECT_DOUBLE_EQ(network.predicted_cycles_per_vector, 1.0);
}

TEST(Network, splits_odd_from_even_without_two_table_permutes) {
  // Element 2 i + j of 128 bytes goes to i + 64 j.
  const auto bits = tile_of(1, {{1, 1, 64}, {6, 2, 1}});
  EXPECT_EQ(moves_of(synthesized(Isa::kAvx512Vbmi, 1, bits)),
            (std::vector{Move::kShuffleLanes44, Move::kTablePermute8}));
  EXPECT_EQ(synthesized(Isa::kAvx512, 1, bits).stages.size(), 3U);
  EXPECT_EQ(synthesized(Isa::kAvx2, 1, tile_of(1, {{1, 1, 32}, {5, 2, 1}})).stages.size(), 3U);
}

TEST(Network, splits_odd_from_even_4_byte_elements_by_two_stages) {
  EXPECT_EQ(synthesized(Isa::kAvx512, 4, tile_of(4, {{1, 1, 16}, {4, 2, 1}})).stages.size(), 2U);
  EXPECT_EQ(synthesized(Isa::kAvx2, 4, tile_of(4, {{1, 1, 8}, {3, 2, 1}})).stages.size(), 2U);
}

TEST(Network, transposes_in_the_lanes_of_avx2) {
  const Network dwords = synthesized(Isa::kAvx2, 4, transpose(4, 3));
  EXPECT_EQ(dwords.stages.size(), 3U);
  EXPECT_EQ(count_stages(dwords, kUnpacks), 2);
  EXPECT_EQ(count_stages(dwords, {Move::kPermute128}), 1);
  EXPECT_EQ(dwords.phases.size(), 1U);
  const Network words = synthesized(Isa::kAvx2, 2, transpose(2, 4));
  EXPECT_EQ(words.stages.size(), 4U);
  EXPECT_EQ(words.phases.size(), 2U);
  EXPECT_EQ(synthesized(Isa::kAvx2, 1, transpose(1, 5)).stages.size(), 5U);
}

Network synthesized_for(const NetworkTarget& target, int element_bytes, const std::vector<TileBit>& bits) {
  Result<Network> network = synthesize(target, element_bytes, bits);
  EXPECT_TRUE(network);
  EXPECT_EQ(find_fault(*network, bits), "");
  return *network;
}

TEST(Network, loads_halves_of_vectors_where_that_saves_a_pass_through_the_scratch) {
  const Network words = synthesized_for(target_that_loads_halves(), 2, transpose(2, 4));
  EXPECT_EQ(words.phases.size(), 1U);
  EXPECT_EQ(words.scratch_bytes, 0);
  EXPECT_EQ(words.source.piece_bytes(), 16);
  EXPECT_EQ(words.destination.piece_bytes(), 32);
  EXPECT_EQ(count_stages(words, {Move::kPermute128}), 0);
  const Network dwords = synthesized_for(target_that_loads_halves(), 4, transpose(4, 3));
  EXPECT_EQ(dwords.source.piece_bytes(), 32) << "one phase anyway";
  NetworkTarget filling = target_that_loads_halves();
  filling.line_stores = LineStores::kTogether;
  const Network lines = synthesized_for(filling, 4, tile_of(4, {{4, 1, 1000}, {4, 1000, 1}}));
  EXPECT_EQ(lines.source.piece_bytes(), 16) << "the halves of a line take a slot";
  EXPECT_EQ(lines.phases.size(), 1U);
}

TEST(Network, takes_twice_the_vectors_half_by_half_where_that_saves_the_pass) {
  const NetworkTarget target = target_that_loads_halves();
  const Network bytes = synthesized_for(target, 1, transpose(1, 5));
  ASSERT_EQ(bytes.phases.size(), 1U);
  EXPECT_TRUE(bytes.phases.front().half_by_half);
  EXPECT_EQ(bytes.phases.front().slots.size(), 4U);
  EXPECT_EQ(bytes.phases.front().slots.back(), bytes.stages.back().slot);
  EXPECT_EQ(bytes.scratch_bytes, 0);
  EXPECT_EQ(bytes.source.piece_bytes(), 16);
  EXPECT_FALSE(synthesized_for(target, 2, transpose(2, 4)).phases.front().half_by_half) << "eight fit";
  NetworkTarget filling = target;
  filling.line_stores = LineStores::kTogether;
  const Network lines = synthesized_for(filling, 1, transpose(1, 6));
  EXPECT_EQ(lines.phases.size(), 2U) << "the halves of a line would be a fifth slot";
  NetworkTarget whole = target;
  whole.split_vectors = SplitVectors::kNever;
  EXPECT_EQ(synthesized_for(whole, 1, transpose(1, 5)).phases.size(), 2U);
}

TEST(Network, a_zen_3_moves_whole_lanes_beside_two_other_shuffles) {
  NetworkTarget whole = target_that_loads_halves();
  whole.split_vectors = SplitVectors::kNever;
  EXPECT_DOUBLE_EQ(synthesized_for(whole, 4, transpose(4, 3)).predicted_cycles_per_vector, 1.0)
      << "two unpacks, one exchange of lanes or one store";
  EXPECT_DOUBLE_EQ(synthesized_for(whole, 2, transpose(2, 4)).predicted_cycles_per_vector, 2.0)
      << "two stores";
  EXPECT_DOUBLE_EQ(
      synthesized_for(target_that_loads_halves(), 2, transpose(2, 4)).predicted_cycles_per_vector, 1.5)
      << "three unpacks";
  EXPECT_DOUBLE_EQ(synthesized_for(whole, 1, transpose(1, 5)).predicted_cycles_per_vector, 2.5)
      << "three unpacks, then a store";
}

TEST(Network, needs_no_stage_where_nothing_crosses) {
  const Network network = synthesized(Isa::kAvx512, 4, tile_of(4, {{4, 1, 1}, {3, 100, 200}, {2, 1000, 50}}));
  EXPECT_TRUE(network.stages.empty());
  EXPECT_EQ(network.phases.size(), 1U);
}

TEST(Network, exchanges_stay_in_one_register_when_there_is_only_one) {
  const Network network = synthesized(Isa::kAvx512, 4, tile_of(4, {{2, 1, 4}, {2, 4, 1}}));
  EXPECT_EQ(network.slots, 0);
  EXPECT_EQ(moves_of(network), (std::vector{Move::kTablePermute32}));
}

TEST(Network, swapping_two_stages_is_caught) {
  const auto bits = transpose(4, 4);
  Network network = synthesized(Isa::kAvx512, 4, bits);
  int caught = 0;
  for (std::size_t i = 0; i + 1 < network.stages.size(); ++i) {
    Network broken = network;
    std::swap(broken.stages[i].move, broken.stages[i + 1].move);
    if (broken.stages[i].move == network.stages[i].move) continue;
    EXPECT_NE(find_fault(broken, bits), "");
    ++caught;
  }
  EXPECT_GT(caught, 0);
}

TEST(Network, a_wrong_table_entry_is_caught) {
  const auto bits = interleave(2, 1, 5);
  Network network = synthesized(Isa::kAvx512, 2, bits);
  for (Stage& stage : network.stages)
    if (!stage.tables.empty()) std::swap(stage.tables[0][0], stage.tables[0][2]);
  EXPECT_NE(find_fault(network, bits), "");
}

TEST(Network, a_wrong_store_address_is_caught) {
  const auto bits = transpose(4, 4);
  Network network = synthesized(Isa::kAvx512, 4, bits);
  std::swap(network.destination.register_stride_bytes[0], network.destination.register_stride_bytes[1]);
  EXPECT_NE(find_fault(network, bits), "");
}

TEST(Network, refuses_a_tile_smaller_than_a_vector) {
  const auto network = synthesize(target_of(Isa::kAvx512), 4, tile_of(4, {{1, 1, 2}, {2, 2, 1}}));
  ASSERT_FALSE(network);
  EXPECT_EQ(network.error().code, ErrorCode::kUnsupported);
}

TEST(Network, refuses_destination_strides_that_collide) {
  const auto network = synthesize(target_of(Isa::kAvx2), 4, tile_of(4, {{3, 1, 1}, {1, 8, 8}, {1, 16, 8}}));
  ASSERT_FALSE(network);
  EXPECT_EQ(network.error().code, ErrorCode::kUnsupported);
}

TEST(Network, refuses_a_scratch_past_16_KiB) {
  const auto bits = tile_of(1, {{6, 1, 1000}, {6, 1000, 1}, {4, 100000, 1000000}});
  const auto network = synthesize(target_of(Isa::kAvx512), 1, bits);
  ASSERT_FALSE(network);
  EXPECT_EQ(network.error().code, ErrorCode::kUnsupported);
}

TEST(Network, says_what_it_does_stage_by_stage) {
  const std::string text = to_string(synthesized(Isa::kAvx2, 4, transpose(4, 3)));
  EXPECT_NE(text.find("vperm2i128 20/31 on slot"), std::string::npos) << text;
  EXPECT_NE(text.find("vpunpckl/h"), std::string::npos) << text;
}

NetworkTarget zen4_of(int vector_bytes) {
  NetworkTarget target = target_of(Isa::kAvx512Vbmi);
  target.shuffle_ports = ShufflePorts::kTwoOfHalves;
  target.vector_bytes = vector_bytes;
  return target;
}

TEST(Network, on_a_zen_4_shuffles_of_64_bytes_take_twice_as_long_as_those_of_32) {
  const auto cycles = [](int vector_bytes, int element_bytes, int extent_bits) {
    return synthesize(zen4_of(vector_bytes), element_bytes, transpose(element_bytes, extent_bits))
        ->predicted_cycles_per_vector;
  };
  EXPECT_DOUBLE_EQ(cycles(32, 4, 3), 3 * 0.37) << "three shuffles, one across lanes";
  EXPECT_DOUBLE_EQ(cycles(64, 4, 4), 2 * (4 * 0.37)) << "four, two across lanes";
  EXPECT_DOUBLE_EQ(cycles(32, 8, 2), 1) << "the store takes longer than two";
}

}  // namespace
}  // namespace relayout::plan
