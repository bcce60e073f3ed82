// Networks of rounded tiles: no byte outside the tile is read or written, gaps between runs included.

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "jit/rounded_access.hpp"
#include "tests/jit/check_network.hpp"
#include "tests/plan/kernels/rounded_boxes.hpp"
#include "tests/plan/network/network_checks.hpp"

namespace relayout::jit {
namespace {

using plan::testing::box_of;
using plan::testing::ByteMove;
using plan::testing::ByteOrigins;
using plan::testing::long_tile_of;
using plan::testing::moves_of;
using plan::testing::random_long_box;
using plan::testing::random_rounded_box;
using plan::testing::random_trimmed_box;
using plan::testing::rounded_network;
using plan::testing::spread_network;
using plan::testing::target_of;
using plan::testing::target_that_loads_halves;
using plan::testing::test_seed;
using relayout::testing::check_network;

/// Of the moves' source, up to the last byte.
std::int64_t source_bytes_of(const std::vector<ByteMove>& moves) {
  std::int64_t last = 0;
  for (const ByteMove& move : moves) last = std::max(last, move.source);
  return last + 1;
}

ByteOrigins origins_of(const std::vector<ByteMove>& moves) {
  ByteOrigins origins;
  for (const ByteMove& move : moves) origins[move.destination] = move.source;
  return origins;
}

/// Of the last unit of a run that is cut off, what may be read although it does not exist.
std::int64_t rest_of_unit(const plan::RoundedTile& tile) {
  const std::int64_t bytes = tile.tile.destination_run_bytes % tile.unit_bytes;
  return bytes == 0 ? 0 : tile.unit_bytes - bytes;
}

/// With vectors of 32 bytes, in halves where that saves a pass, and of 64, whose parts are stored as they
/// come and by their addresses, also under masks, which take a register.
void check_tile(const plan::Box& box, int element_bytes, const plan::RoundedTile& tile) {
  const auto moves = moves_of(box, tile, element_bytes);
  const ByteOrigins origins = origins_of(moves);
  const std::int64_t source_bytes = source_bytes_of(moves) + rest_of_unit(tile);
  for (const plan::NetworkTarget& target :
       {target_of(Isa::kAvx2), target_that_loads_halves(), target_of(Isa::kAvx512)}) {
    plan::Network network = rounded_network(box, tile, target);
    for (const bool by_address : {false, true}) {
      network.stores_by_address = by_address;
      for (const bool under_masks : {false, true})
        check_network(network, target.isa, origins, source_bytes, under_masks);
    }
  }
}

void check(const plan::Box& box, int element_bytes, plan::TileRunLimits limits) {
  const auto tile = plan::rounded_tile(box, element_bytes, {limits, 2 * plan::kMostRoundedBytes});
  if (tile) check_tile(box, element_bytes, *tile);
}

TEST(EmitRounded, example_packs_five_of_each_row) {
  check(box_of({{5, 64, 1}, {64, 1, 5}}), 1, {64, 16});
}

TEST(EmitRounded, moves_runs_of_every_length) {
  for (const int element_bytes : {1, 2, 4, 8}) {
    for (std::int64_t extent = 3; extent < 64 / element_bytes; ++extent) {
      SCOPED_TRACE(::testing::Message() << extent << " elements of " << element_bytes);
      for (const std::int64_t gap : {0, 1, 7}) {  // rows of the destination that do and don't touch
        const std::int64_t row = (extent + gap) * element_bytes;
        check(box_of({{extent, 1024, element_bytes}, {16, element_bytes, row}}), element_bytes, {16, 64});
        check(box_of({{16, row, element_bytes}, {extent, element_bytes, 1024}}), element_bytes, {64, 16});
      }
      if (HasFailure()) return;
    }
  }
}

/// Returns how many networks there were.
int check_units(const plan::testing::BoxOfUnits& units) {
  const auto moves = moves_of(units.box, *units.tile, units.element_bytes);
  const ByteOrigins origins = origins_of(moves);
  int networks = 0;
  for (const plan::NetworkTarget& target : plan::testing::targets_of_all_widths()) {
    auto network = spread_network(units.box, *units.tile, target);
    if (!network) continue;
    ++networks;
    for (const bool by_address : {false, true}) {
      network->stores_by_address = by_address;
      for (const bool under_masks : {false, true})
        check_network(*network, target.isa, origins, source_bytes_of(moves), under_masks);
    }
  }
  return networks;
}

TEST(EmitRounded, spreads_units_that_fill_no_power_of_two) {
  std::mt19937_64 random(test_seed());
  int found = 0;
  for (int i = 0; i < 200; ++i) {
    const auto units = plan::testing::random_units(random);
    if (!units.tile) continue;
    found += check_units(units);
    if (HasFailure()) {
      ADD_FAILURE() << "seed " << test_seed();
      return;
    }
  }
  EXPECT_GT(found, 300);
}

TEST(EmitRounded, loads_halves_the_second_of_which_does_not_exist) {
  for (std::int64_t rows = 9; rows < 16; ++rows) {
    const plan::Box box = box_of({{rows, 64, 2}, {16, 2, 2 * rows}});
    const auto tile = plan::rounded_tile(box, 2, {32, 32});
    ASSERT_TRUE(tile) << rows;
    const plan::Network network = rounded_network(box, *tile, target_that_loads_halves());
    EXPECT_EQ(network.source.piece_bytes(), 16) << rows;
    EXPECT_EQ(network.phases.size(), 1U) << rows;
    check(box, 2, {32, 32});
  }
}

TEST(EmitRounded, moves_bytes_half_by_half) {
  for (std::int64_t rows = 17; rows < 32; ++rows) {
    for (const std::int64_t gap : {0, 1}) {
      const plan::Box box = box_of({{rows, 64, 1}, {32, 1, rows + gap}});
      const auto tile = plan::rounded_tile(box, 1, {32, 32});
      ASSERT_TRUE(tile) << rows;
      const plan::Network network = rounded_network(box, *tile, target_that_loads_halves());
      EXPECT_TRUE(network.phases.front().half_by_half) << rows;
      check(box, 1, {32, 32});
    }
  }
}

TEST(EmitRounded, moves_more_vectors_than_there_are_registers) {
  check(box_of({{29, 4096, 1}, {64, 1, 29}}), 1, {64, 64});
  check(box_of({{28, 4096, 2}, {32, 2, 8192}}), 2, {64, 64});
}

template <class RandomBox>
void check_random(RandomBox random_box) {
  std::mt19937_64 random(test_seed());
  for (const int element_bytes : {1, 2, 4, 8}) {
    for (int i = 0; i < 100; ++i) {
      const auto [box, limits] = random_box(random, element_bytes);
      SCOPED_TRACE(::testing::Message() << "tile " << i << ", seed " << test_seed());
      check(box, element_bytes, limits);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(EmitRounded, moves_random_tiles) {
  check_random(random_rounded_box);
}

TEST(EmitRounded, moves_random_tiles_of_runs_longer_than_lines) {
  std::mt19937_64 random(test_seed());
  for (const int element_bytes : {1, 2, 4, 8}) {
    for (int found = 0; found < 12;) {
      const auto box = random_long_box(random, element_bytes);
      const auto tile = long_tile_of(box, element_bytes);
      if (!tile) continue;
      SCOPED_TRACE(::testing::Message() << "tile " << found << ", seed " << test_seed());
      check_tile(box.box, element_bytes, *tile);
      if (::testing::Test::HasFailure()) return;
      ++found;
    }
  }
}

TEST(EmitRounded, moves_random_tiles_of_runs_that_are_cut_off) {
  check_random(random_trimmed_box);
}

TEST(RoundedAccess, writes_past_a_run_only_what_a_later_store_puts_right) {
  const plan::Box box = box_of({{15, 1024, 1}, {16, 1, 15}});
  const auto tile = plan::rounded_tile(box, 1, {16, 16});
  ASSERT_TRUE(tile);
  const plan::Network network = rounded_network(box, *tile);
  std::vector<StoredPart> order;
  for (unsigned number = 0; number < 1U << network.slots; ++number)
    for (int part = 0; part < parts_of_vector(network.destination, network.vector_bytes); ++part)
      order.push_back({number, part});
  const RoundedAccess access(network, order);
  const std::size_t per_register = network.destination.pieces.size() >> network.slots;
  const std::size_t per_part = per_register * (std::size_t{1} << network.slots) / order.size();
  std::vector<bool> written(16 * 15, false);
  for (const StoredPart& part : order) {
    const auto touched = access.touched(false, part.register_number);
    for (std::size_t i = 0; i < per_part; ++i) {
      const std::size_t of_register = static_cast<std::size_t>(part.part) * per_part + i;
      const plan::SidePiece& piece =
          network.destination.pieces[part.register_number * per_register + of_register];
      const int bytes = touched[of_register];
      ASSERT_LE(piece.offset_bytes + bytes, 16 * 15);
      for (int byte = piece.bytes; byte < bytes; ++byte)
        EXPECT_FALSE(written[static_cast<std::size_t>(piece.offset_bytes + byte)]) << "right already";
      for (int byte = 0; byte < piece.bytes; ++byte)
        written[static_cast<std::size_t>(piece.offset_bytes + byte)] = true;
    }
  }
}

}  // namespace
}  // namespace relayout::jit
