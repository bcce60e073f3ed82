#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "src/interpret/plan_memory.hpp"

namespace relayout::interpret {

/// The kernel of one nest, ready to run at many positions.
class KernelInterpreter {
 public:
  /// Simulates the network of a permute kernel once.
  KernelInterpreter(const plan::Nest& nest, PlanMemory& memory);

  /// Runs the kernel with its base at `base`. `table_entries[t]` is the current entry of table t.
  void run(BytePosition base, const std::vector<std::size_t>& table_entries);

 private:
  std::int64_t length_of(int table, const std::vector<std::size_t>& table_entries) const;
  void prepare_network(const plan::Network& network);
  void prepare_network_bits(const plan::Network& network);
  void run_gather(const plan::GatherKernel& kernel, BytePosition base, std::int64_t count);
  void run_fill(const plan::FillKernel& kernel, BytePosition base);
  void run_network(BytePosition base);
  void run_network_bits(BytePosition base);
  void run_shuffle(const plan::ShuffleKernel& kernel, BytePosition base);

  const plan::Nest& nest_;
  PlanMemory& memory_;
  /// One destination byte put together from bits.
  struct ByteOfBits {
    std::int64_t destination = 0;
    std::array<std::int64_t, 8> source{};  ///< of the byte that holds each bit
    std::array<int, 8> source_bit{};       ///< its place there, or -1 for a zero
  };

  std::vector<BytePosition> network_bytes_;  ///< where each byte of the tile comes from and goes to
  std::vector<std::int64_t> network_zeros_;  ///< where padding goes
  std::vector<ByteOfBits> network_bits_;     ///< the same for networks that move within bytes
};

}  // namespace relayout::interpret
