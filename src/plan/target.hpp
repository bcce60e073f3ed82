#pragma once

#include <cstdint>

#include "relayout/isa.hpp"
#include "relayout/machine.hpp"
#include "src/plan/network.hpp"

namespace relayout::plan {

/// What plans are made for: a value, filled from the machine or by hand. Costs in cycles.
struct Target {
  Isa isa = Isa::kAvx2;
  int vector_bytes = 32;
  int registers = 16;
  std::int64_t line_bytes = 64;
  std::int64_t level1_data_bytes = 32 * 1024;
  std::int64_t level2_bytes = 1024 * 1024;
  std::int64_t streaming_threshold_bytes = 24 * 1024 * 1024;
  /// Pairs whose buffers together are at most this large are not prefetched by software.
  std::int64_t no_prefetch_up_to_bytes = 1024 * 1024;
  /// Networks of pairs whose buffers together are at most this large use half of a vector.
  std::int64_t half_vectors_up_to_bytes = 0;
  bool fast_gather = false;    ///< hardware gathers beat scalar loads with inserts
  bool slow_crossing = false;  ///< every shuffle on one port (Intel)

  NetworkTarget network_target(int bytes) const { return {isa, bytes, registers, slow_crossing}; }
};

/// \pre isa != kPortable
Target make_target(Isa isa, const MachineInfo& machine);

}  // namespace relayout::plan
