#pragma once

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
  void run_gather(const plan::GatherKernel& kernel, BytePosition base, std::int64_t count);
  void run_fill(const plan::FillKernel& kernel, BytePosition base);
  void run_network(BytePosition base);
  void run_shuffle(const plan::ShuffleKernel& kernel, BytePosition base);

  const plan::Nest& nest_;
  PlanMemory& memory_;
  std::vector<BytePosition> network_bytes_;  ///< where each byte of the tile comes from and goes to
};

}  // namespace relayout::interpret
