#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "src/plan/rounded_tile.hpp"

namespace relayout::plan::testing {

struct TestAxis {
  std::int64_t extent = 1;
  std::int64_t source_stride = 0;
  std::int64_t destination_stride = 0;
};
Box box_of(const std::vector<TestAxis>& axes);

struct BoxWithLimits {
  Box box;
  TileRunLimits limits;
};
/// Two to four axes of 2 to 21 elements in another order on either side, sometimes with gaps.
BoxWithLimits random_rounded_box(std::mt19937_64& random, int element_bytes);

/// For a level.
Network rounded_network(const Box& box, const RoundedTile& tile, int element_bytes, Isa isa = Isa::kAvx2);

struct ByteMove {
  std::int64_t source = 0;
  std::int64_t destination = 0;
};
/// What moving the tile means, byte by byte.
std::vector<ByteMove> moves_of(const Box& box, const RoundedTile& tile, int element_bytes);
/// What the network does by its simulation: the source of every destination byte that exists.
std::map<std::int64_t, std::int64_t> moves_of(const Network& network);

}  // namespace relayout::plan::testing
