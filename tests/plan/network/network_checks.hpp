#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "src/plan/network/network.hpp"

namespace relayout::plan::testing {

/// A target with its customary vector width: 32 bytes for avx2, 64 otherwise.
NetworkTarget target_of(Isa isa);

/// A Zen 3's: loads vectors in halves where that saves a pass through the scratch.
NetworkTarget target_that_loads_halves();
/// Those of the levels with their customary vectors, with half of those of 64 bytes, and a Zen 3's.
std::vector<NetworkTarget> targets_of_all_widths();
inline constexpr Isa kVectorIsas[] = {Isa::kAvx2, Isa::kAvx512, Isa::kAvx512Vbmi};

/// Runs the network on labelled bytes; empty if every byte of the tile goes from its source address to its
/// destination address, else what went wrong first. Addresses come from the tile alone. \pre distinct source
/// strides
std::string find_fault(const Network& network, std::span<const TileBit> bits);

/// Where every byte of a destination's tile comes from, by its offset; nowhere: padding.
using ByteOrigins = std::map<std::int64_t, std::optional<std::int64_t>>;

/// That of a network whose sides say what exists of their pieces; fails where a byte is written twice.
ByteOrigins origins_of(const Network& network);

/// Lengths of the contiguous runs, as log2 of bytes; the other bits get strides with gaps.
struct RunBits {
  int source = 0;
  int destination = 0;
};

/// A tile of `count` bits whose bits above the element's are in random order on both sides.
std::vector<TileBit> random_tile(std::mt19937_64& random, int element_bits, int count, RunBits runs);

/// A dimension of a tile: power-of-two extent and strides in elements.
struct Dimension {
  int extent_bits = 0;
  std::int64_t source_stride = 0;
  std::int64_t destination_stride = 0;
};

/// A tile of the given dimensions over elements of `element_bytes`.
std::vector<TileBit> tile_of(int element_bytes, std::initializer_list<Dimension> dimensions);

/// From RELAYOUT_TEST_SEED, or a fixed one; printed with a failure.
std::uint64_t test_seed();

}  // namespace relayout::plan::testing
