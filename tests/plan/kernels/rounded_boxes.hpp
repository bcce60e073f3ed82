#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "src/plan/kernels/rounded_tile.hpp"
#include "tests/plan/network/network_checks.hpp"

namespace relayout::plan::testing {

struct TestAxis {
  std::int64_t extent = 1;
  std::int64_t source_stride = 0;
  std::int64_t destination_stride = 0;
  std::int64_t guard_step = 0;  ///< of the only guard; 0: not under it
};
Box box_of(const std::vector<TestAxis>& axes);
/// The same, with a guard of this limit.
Box guarded_box_of(const std::vector<TestAxis>& axes, std::int64_t limit);

struct BoxWithLimits {
  Box box;
  TileRunLimits limits;
};
/// Two to four axes of 2 to 21 elements in another order on either side, sometimes with gaps.
BoxWithLimits random_rounded_box(std::mt19937_64& random, int element_bytes);

/// The same for runs of which one may be longer than a line, or both.
BoxWithLimits random_long_box(std::mt19937_64& random, int element_bytes);

/// A box one of whose runs is cut off by a guard: in tiles on the other side, with pairs or quadruples of
/// elements that follow one another there, too, or without, and another axis along that side's run.
BoxWithLimits random_trimmed_box(std::mt19937_64& random, int element_bytes);

/// The tile of a box whose runs may be longer than lines, as long_rounded_tile.cpp has it; nothing if none
/// is.
std::optional<RoundedTile> long_tile_of(const BoxWithLimits& box, int element_bytes);

Network rounded_network(const Box& box, const RoundedTile& tile,
                        NetworkTarget target = target_of(Isa::kAvx2));

/// A unit of 3 to 15 bytes that both sides have in common, no power of two, under one to three axes in
/// another order on either side, sometimes with gaps; and a tile of it, if there is one.
struct BoxOfUnits {
  Box box;
  int element_bytes = 1;
  std::optional<RoundedTile> tile;
};
BoxOfUnits random_units(std::mt19937_64& random);

/// As rounded_network; nothing if the level cannot spread the tile's units.
std::optional<Network> spread_network(const Box& box, const RoundedTile& tile, const NetworkTarget& target);

struct ByteMove {
  std::int64_t source = 0;
  std::int64_t destination = 0;
};
/// What moving the tile means, byte by byte, without what the guard cuts off.
std::vector<ByteMove> moves_of(const Box& box, const RoundedTile& tile, int element_bytes);
/// What the network does by its simulation: the source of every destination byte that exists.
std::map<std::int64_t, std::int64_t> moves_of(const Network& network);

}  // namespace relayout::plan::testing
