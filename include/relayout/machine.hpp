#pragma once

#include <cstdint>
#include <string>

#include "relayout/isa.hpp"

namespace relayout {

/// What the cost model knows of the machine. Sizes in bytes, from sysfs first, then CPUID.
struct MachineInfo {
  std::string processor;   ///< brand string
  std::string cost_model;  ///< name of the family of constants in use
  Isa best_isa = Isa::kPortable;
  Isa default_isa = Isa::kPortable;
  std::int64_t level1_data_bytes = 0;
  std::int64_t level2_bytes = 0;
  std::int64_t level3_bytes = 0;
  int level1_data_ways = 8;  ///< lines per set, from CPUID
  int level2_ways = 16;
  std::int64_t line_bytes = 64;
  std::int64_t page_bytes = 4096;
  /// Footprint past which streaming stores are used: three quarters of the last cache, and of one that was
  /// detected no more than 64 MiB.
  std::int64_t streaming_threshold_bytes = 0;
};

/// Detected once. Cache sizes can be overridden by `RELAYOUT_CACHE_BYTES=l1,l2,l3`.
const MachineInfo& machine_info();

}  // namespace relayout
