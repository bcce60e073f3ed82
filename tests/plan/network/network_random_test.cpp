#include <bit>

#include <gtest/gtest.h>

#include "tests/plan/network/network_checks.hpp"

namespace relayout::plan {
namespace {

using namespace testing;

constexpr int kElementBytes[] = {1, 2, 4, 8, 16};

int vector_bits(const NetworkTarget& target) {
  return std::countr_zero(static_cast<unsigned>(target.vector_bytes));
}

/// Checks `count` random tiles of one target and element width.
void check_random_tiles(const NetworkTarget& target, int element_bytes, int count, bool short_runs) {
  std::mt19937_64 random(test_seed());
  const int element_bits = std::countr_zero(static_cast<unsigned>(element_bytes));
  const int lanes = vector_bits(target);
  const auto any = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
  for (int i = 0; i < count; ++i) {
    RunBits runs = {lanes, lanes};
    if (short_runs) runs = {any(element_bits, lanes), any(element_bits, lanes)};
    const auto bits = random_tile(random, element_bits, lanes + any(short_runs ? 0 : 4, 4), runs);
    const auto network = synthesize(target, element_bytes, bits);
    ASSERT_TRUE(network) << network.error().message;
    ASSERT_EQ(find_fault(*network, bits), "") << to_string(target.isa) << ", elements of " << element_bytes
                                              << ", tile " << i << ", seed " << test_seed();
    if (target.split_vectors != SplitVectors::kNever) continue;
    EXPECT_EQ(network->source.piece_bytes(), 1 << std::min(lanes, runs.source));
    EXPECT_EQ(network->destination.piece_bytes(), 1 << std::min(lanes, runs.destination));
  }
}

TEST(NetworkRandom, any_permutation_of_bits_is_moved) {
  for (const Isa isa : kVectorIsas)
    for (const int element_bytes : kElementBytes)
      check_random_tiles(target_of(isa), element_bytes, 150, false);
}

TEST(NetworkRandom, short_runs_are_moved_in_pieces) {
  for (const Isa isa : kVectorIsas)
    for (const int element_bytes : kElementBytes)
      check_random_tiles(target_of(isa), element_bytes, 150, true);
}

TEST(NetworkRandom, narrow_vectors_of_a_wide_target_work) {
  for (const Isa isa : kVectorIsas) {
    for (const int vector_bytes : {16, 32}) {
      NetworkTarget target = target_of(isa);
      target.vector_bytes = vector_bytes;
      for (const int element_bytes : kElementBytes) check_random_tiles(target, element_bytes, 60, true);
    }
  }
}

TEST(NetworkRandom, costs_of_other_makers_change_the_network_only) {
  for (const Isa isa : kVectorIsas) {
    for (const ShufflePorts ports : {ShufflePorts::kOne, ShufflePorts::kOneForWide,
                                     ShufflePorts::kOneForLanes, ShufflePorts::kTwoOfHalves}) {
      NetworkTarget target = target_of(isa);
      target.shuffle_ports = ports;
      for (const int element_bytes : kElementBytes) check_random_tiles(target, element_bytes, 100, false);
    }
  }
}

TEST(NetworkRandom, vectors_in_halves_move_the_same_bytes) {
  for (const Isa isa : kVectorIsas) {
    for (const SplitVectors split : {SplitVectors::kLoaded, SplitVectors::kLoadedAndStored}) {
      NetworkTarget target = target_of(isa);
      target.shuffle_ports = ShufflePorts::kOne;
      target.split_vectors = split;
      for (const int element_bytes : kElementBytes) {
        check_random_tiles(target, element_bytes, 60, false);
        check_random_tiles(target, element_bytes, 60, true);
      }
    }
  }
}

TEST(NetworkRandom, vectors_are_loaded_in_halves_only_to_save_a_pass) {
  std::mt19937_64 random(test_seed());
  const NetworkTarget halves = target_that_loads_halves();
  NetworkTarget whole = halves;
  whole.split_vectors = SplitVectors::kNever;
  int saved = 0;
  for (const int element_bytes : kElementBytes) {
    for (int i = 0; i < 100; ++i) {
      const auto bits =
          random_tile(random, std::countr_zero(static_cast<unsigned>(element_bytes)), 9, {5, 5});
      const auto found = synthesize(halves, element_bytes, bits);
      const auto usual = synthesize(whole, element_bytes, bits);
      ASSERT_TRUE(found && usual);
      ASSERT_EQ(find_fault(*found, bits), "") << "tile " << i << ", seed " << test_seed();
      const bool in_halves = found->source.piece_bytes() < usual->source.piece_bytes();
      EXPECT_EQ(in_halves, found->phases.size() < usual->phases.size()) << "tile " << i;
      saved += static_cast<int>(in_halves);
    }
  }
  EXPECT_GT(saved, 0);
}

TEST(NetworkRandom, a_phase_keeps_within_the_registers) {
  std::mt19937_64 random(test_seed());
  for (const Isa isa : kVectorIsas) {
    const NetworkTarget target = target_of(isa);
    for (int i = 0; i < 200; ++i) {
      const int lanes = vector_bits(target);
      const auto network = synthesize(target, 1, random_tile(random, 0, lanes + 6, {lanes, lanes}));
      ASSERT_TRUE(network) << network.error().message;
      int stage = 0;
      for (const Phase& phase : network->phases) {
        EXPECT_LE(phase.slots.size(), isa == Isa::kAvx2 ? 3U : 4U);
        EXPECT_EQ(phase.first_stage, stage);
        stage = phase.last_stage;
      }
      EXPECT_EQ(stage, static_cast<int>(network->stages.size()));
      EXPECT_EQ(network->scratch_bytes > 0, network->phases.size() > 1);
    }
  }
}

}  // namespace
}  // namespace relayout::plan
