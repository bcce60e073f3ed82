// Cache sizes from sysfs first (sysconf said 384 MiB on a guest where sysfs said 32), then CPUID's
// deterministic cache leaves, then a guess; RELAYOUT_CACHE_BYTES overrides all.

#include "relayout/machine.hpp"

#include <algorithm>
#include <array>
#include <cpuid.h>
#include <cstdlib>
#include <fstream>
#include <string>
#include <unistd.h>

#include "src/notation/text/cursor.hpp"
#include "src/runtime/fork_gate.hpp"
#include "src/runtime/log.hpp"

namespace relayout {
namespace {

struct CacheSizes {
  std::int64_t level1_data = 0;
  std::int64_t level2 = 0;
  std::int64_t level3 = 0;
};

/// Lines per set; 0 if unknown.
struct CacheWays {
  int level1_data = 0;
  int level2 = 0;
};

std::string read_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// `32K`, `1024K`, `32M`.
std::int64_t parse_size(const std::string& text) {
  if (text.empty()) return 0;
  const std::int64_t value = std::strtoll(text.c_str(), nullptr, 10);
  const std::int64_t unit = text.back() == 'K' ? 1024 : text.back() == 'M' ? 1024 * 1024 : 1;
  return value * unit;
}

void store(CacheSizes& sizes, int level, std::int64_t bytes) {
  if (level == 1) sizes.level1_data = bytes;
  if (level == 2) sizes.level2 = bytes;
  if (level == 3) sizes.level3 = bytes;
}

CacheSizes from_sysfs() {
  CacheSizes sizes;
  for (int index = 0; index < 8; ++index) {
    const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    const std::string level = read_line(folder + "level");
    if (level.empty()) break;
    if (read_line(folder + "type") == "Instruction") continue;
    store(sizes, std::atoi(level.c_str()), parse_size(read_line(folder + "size")));
  }
  return sizes;
}

std::string vendor() {
  std::array<unsigned, 4> r{};
  __get_cpuid(0, &r[0], &r[1], &r[2], &r[3]);
  std::string name;
  for (const unsigned word : {r[1], r[3], r[2]}) {
    for (int byte = 0; byte < 4; ++byte) name += static_cast<char>(word >> (8 * byte) & 0xFF);
  }
  return name;
}

CacheSizes from_cpuid(bool amd, CacheWays& ways) {
  CacheSizes sizes;
  const unsigned leaf = amd ? 0x8000001DU : 4U;
  for (unsigned index = 0; index < 8; ++index) {
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    if (__get_cpuid_count(leaf, index, &a, &b, &c, &d) == 0 || (a & 31U) == 0) break;
    if ((a & 31U) == 2) continue;  // instructions only
    const int lines_per_set = static_cast<int>(b >> 22 & 0x3FFU) + 1;
    const std::int64_t bytes =
        std::int64_t{lines_per_set} * (static_cast<std::int64_t>(b >> 12 & 0x3FFU) + 1) *
        (static_cast<std::int64_t>(b & 0xFFFU) + 1) * (static_cast<std::int64_t>(c) + 1);
    const int level = static_cast<int>(a >> 5 & 7U);
    store(sizes, level, bytes);
    if (level == 1) ways.level1_data = lines_per_set;
    if (level == 2) ways.level2 = lines_per_set;
  }
  return sizes;
}

/// `l1,l2,l3` in bytes; all zero if it does not parse.
CacheSizes from_environment() {
  const char* text = std::getenv("RELAYOUT_CACHE_BYTES");
  if (text == nullptr) return {};
  notation::Cursor cursor(text);
  std::array<std::int64_t, 3> values{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool separated = i == 0 || cursor.take(',');
    const auto value = cursor.integer("a size");
    if (!separated || !value) {
      runtime::log(LogLevel::kWarning, "RELAYOUT_CACHE_BYTES is not 'l1,l2,l3' in bytes; ignored");
      return {};
    }
    values[i] = *value;
  }
  return {values[0], values[1], values[2]};
}

std::int64_t first_known(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t fallback) {
  return a > 0 ? a : b > 0 ? b : c > 0 ? c : fallback;
}

std::string processor_name() {
  std::string name;
  for (unsigned leaf = 0x80000002U; leaf <= 0x80000004U; ++leaf) {
    std::array<unsigned, 4> r{};
    if (__get_cpuid(leaf, &r[0], &r[1], &r[2], &r[3]) == 0) return "unknown";
    for (const unsigned word : r) {
      for (int byte = 0; byte < 4; ++byte) {
        const char c = static_cast<char>(word >> (8 * byte) & 0xFF);
        if (c != '\0') name += c;
      }
    }
  }
  const std::size_t first = name.find_first_not_of(' ');
  const std::size_t last = name.find_last_not_of(' ');
  return first == std::string::npos ? "unknown" : name.substr(first, last - first + 1);
}

/// Family 0x1A is Zen 5, 0x19 Zen 3 and Zen 4, which its models tell apart where a virtual machine hides
/// AVX-512.
std::string zen_model() {
  std::array<unsigned, 4> r{};
  if (__get_cpuid(1, &r[0], &r[1], &r[2], &r[3]) == 0) return "zen";
  const unsigned family = (r[0] >> 8 & 0xFU) + (r[0] >> 20 & 0xFFU);
  const unsigned model = (r[0] >> 4 & 0xFU) | (r[0] >> 12 & 0xF0U);
  if (family == 0x1AU) return "zen5";
  if (family != 0x19U) return "zen";
  const bool is_zen4 = (model >= 0x10U && model < 0x20U) || model >= 0x60U;
  return is_zen4 ? "zen4" : "zen3";
}

/// Server processors from Sapphire Rapids on, whose cores are Golden Cove or its successors, have tiles and
/// half-precision vectors; a virtual machine may report any model and hide one of the two.
std::string intel_model() {
  constexpr unsigned kHalfPrecisionVectors = 1U << 23;
  constexpr unsigned kTiles = 1U << 24;
  std::array<unsigned, 4> r{};
  if (__get_cpuid_count(7, 0, &r[0], &r[1], &r[2], &r[3]) == 0) return "intel";
  return (r[3] & (kHalfPrecisionVectors | kTiles)) != 0 ? "golden_cove" : "intel";
}

std::string cost_model_of(const std::string& maker, bool amd) {
  if (amd) return zen_model();
  return maker == "GenuineIntel" ? intel_model() : "generic";
}

/// What one process has of a last cache that many cores share: on a Granite Rapids (480 MiB for 120 cores)
/// stores began to miss from 64 to 80 MiB of both buffers on, and 16 random pairs of 80 to 110 MiB ran at
/// 1.24 of memcpy through it, at 1.56 streamed; 20 of 32 to 40 at 0.94 and 0.92, 13 of 56 to 72 at 1.02 and
/// 1.02.
constexpr std::int64_t kLargestShareBytes = 64 << 20;

MachineInfo detect() {
  const std::string maker = vendor();
  const bool amd = maker == "AuthenticAMD" || maker == "HygonGenuine";
  const CacheSizes override_sizes = from_environment();
  const CacheSizes sysfs = from_sysfs();
  CacheWays ways;
  const CacheSizes cpuid = from_cpuid(amd, ways);
  MachineInfo info;
  info.processor = processor_name();
  info.best_isa = machine_isa();
  info.cost_model = cost_model_of(maker, amd);
  info.default_isa = default_isa();
  info.level1_data_bytes =
      first_known(override_sizes.level1_data, sysfs.level1_data, cpuid.level1_data, 32 << 10);
  info.level2_bytes = first_known(override_sizes.level2, sysfs.level2, cpuid.level2, 1 << 20);
  info.level3_bytes = first_known(override_sizes.level3, sysfs.level3, cpuid.level3, 8 << 20);
  if (ways.level1_data > 0) info.level1_data_ways = ways.level1_data;
  if (ways.level2 > 0) info.level2_ways = ways.level2;
  info.page_bytes = sysconf(_SC_PAGESIZE);
  // Streaming wins once source and destination together no longer fit in the last cache; it is shared, so
  // three quarters of it count at most, unless somebody knows better.
  const std::int64_t share = info.level3_bytes / 4 * 3;
  info.streaming_threshold_bytes = override_sizes.level3 > 0 ? share : std::min(share, kLargestShareBytes);
  return info;
}

}  // namespace

const MachineInfo& machine_info() {
  const runtime::ForkPass pass;  // a fork meanwhile would leave the child with a half-run initialiser
  static const MachineInfo info = detect();
  return info;
}

}  // namespace relayout
