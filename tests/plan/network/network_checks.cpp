#include "tests/plan/network/network_checks.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

namespace relayout::plan::testing {
namespace {

using Strides = std::vector<std::int64_t>;

std::int64_t address(const Strides& strides, std::size_t index) {
  std::int64_t sum = 0;
  for (std::size_t bit = 0; bit < strides.size(); ++bit)
    if ((index >> bit & 1) != 0) sum += strides[bit];
  return sum;
}

/// Destination address by source address.
std::map<std::int64_t, std::int64_t> definition(std::span<const TileBit> bits) {
  Strides source;
  Strides destination;
  for (const TileBit& bit : bits) {
    source.push_back(bit.source_stride_bytes);
    destination.push_back(bit.destination_stride_bytes);
  }
  std::map<std::int64_t, std::int64_t> moved;
  for (std::size_t i = 0; i < std::size_t{1} << bits.size(); ++i)
    moved[address(source, i)] = address(destination, i);
  return moved;
}

std::int64_t address(const Side& side, std::size_t reg, std::size_t byte) {
  return address(side.register_stride_bytes, reg) + address(side.lane_stride_bytes, byte);
}

/// Strides of `count` positions of which the first `run` are contiguous, each bit of the tile at its
/// position.
Strides strides_with_run(const std::vector<int>& position_of_bit, int run) {
  Strides strides;
  for (const int position : position_of_bit)
    strides.push_back((std::int64_t{1} << position) * (position < run ? 1 : 3));
  return strides;
}

std::vector<int> random_positions(std::mt19937_64& random, int element_bits, int count) {
  std::vector<int> positions(static_cast<std::size_t>(count));
  std::iota(positions.begin(), positions.end(), 0);
  std::shuffle(positions.begin() + element_bits, positions.end(), random);
  return positions;
}

}  // namespace

NetworkTarget target_of(Isa isa) {
  if (isa == Isa::kAvx2) return {.isa = isa, .vector_bytes = 32, .registers = 16};
  return {.isa = isa, .vector_bytes = 64, .registers = 32};
}

std::vector<NetworkTarget> targets_of_all_widths() {
  std::vector<NetworkTarget> targets = {target_that_loads_halves()};
  for (const Isa isa : kVectorIsas) {
    targets.push_back(target_of(isa));
    if (targets.back().vector_bytes == 32) continue;
    targets.push_back(targets.back());
    targets.back().vector_bytes = 32;
  }
  return targets;
}

NetworkTarget target_that_loads_halves() {
  NetworkTarget target = target_of(Isa::kAvx2);
  target.shuffle_ports = ShufflePorts::kOneForLanes;
  target.split_vectors = SplitVectors::kLoadedToSavePass;
  return target;
}

std::string find_fault(const Network& network, std::span<const TileBit> bits) {
  const auto moved = definition(bits);
  const auto vector_bytes = static_cast<std::size_t>(network.vector_bytes);
  const std::vector<std::vector<int>> registers = simulate(network);
  std::set<std::int64_t> written;
  for (std::size_t reg = 0; reg < registers.size(); ++reg) {
    for (std::size_t byte = 0; byte < vector_bytes; ++byte) {
      const auto label = static_cast<std::size_t>(registers[reg][byte]);
      const auto origin = moved.find(address(network.source, label / vector_bytes, label % vector_bytes));
      const std::int64_t target = address(network.destination, reg, byte);
      if (origin == moved.end()) return "reads outside the tile";
      if (origin->second != target)
        return "source byte " + std::to_string(origin->first) + " goes to " + std::to_string(target) +
               " instead of " + std::to_string(origin->second) + "\n" + to_string(network);
      written.insert(target);
    }
  }
  return written.size() == moved.size() ? "" : "does not write the whole tile";
}

std::vector<TileBit> random_tile(std::mt19937_64& random, int element_bits, int count, RunBits runs) {
  const Strides source = strides_with_run(random_positions(random, element_bits, count), runs.source);
  const Strides destination =
      strides_with_run(random_positions(random, element_bits, count), runs.destination);
  std::vector<TileBit> bits;
  for (std::size_t i = 0; i < source.size(); ++i) bits.push_back({source[i], destination[i]});
  return bits;
}

std::vector<TileBit> tile_of(int element_bytes, std::initializer_list<Dimension> dimensions) {
  std::vector<TileBit> bits;
  for (std::int64_t byte = 1; byte < element_bytes; byte *= 2) bits.push_back({byte, byte});
  for (const Dimension& dimension : dimensions)
    for (int bit = 0; bit < dimension.extent_bits; ++bit)
      bits.push_back({(dimension.source_stride * element_bytes) << bit,
                      (dimension.destination_stride * element_bytes) << bit});
  return bits;
}

std::uint64_t test_seed() {
  const char* text = std::getenv("RELAYOUT_TEST_SEED");
  return text == nullptr ? 20240607 : std::strtoull(text, nullptr, 10);
}

ByteOrigins origins_of(const Network& network) {
  const auto at = [&](const Side& side, int number, int byte) -> std::optional<std::int64_t> {
    const int place = byte % std::min(side.piece_bytes(), network.vector_bytes);
    const SidePiece piece = side.piece(number, byte - place);
    if (place >= piece.bytes) return std::nullopt;
    return piece.offset_bytes + place;
  };
  ByteOrigins origins;
  const auto moved = simulate(network);
  for (int number = 0; number < static_cast<int>(moved.size()); ++number) {
    for (int byte = 0; byte < network.vector_bytes; ++byte) {
      const auto to = at(network.destination, number, byte);
      if (!to) continue;
      const int from = moved[static_cast<std::size_t>(number)][static_cast<std::size_t>(byte)];
      EXPECT_FALSE(origins.contains(*to)) << "a byte is written twice";
      origins[*to] = at(network.source, from / network.vector_bytes, from % network.vector_bytes);
    }
  }
  return origins;
}

}  // namespace relayout::plan::testing
