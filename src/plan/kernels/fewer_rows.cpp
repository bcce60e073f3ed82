// Transposes whose rows to write are nearly a multiple of 4096 bytes apart, or of a part of that (2048, 1366,
// 819 bytes), ran at a third of the rate of their neighbours: the first cache does not keep pace with stores
// to so many rows that lie so close to each other within a page (store_pace.cpp), however their tiles are
// chosen. Of 3000 such transposes in the second cache of a Granite Rapids 224 change, with their loops
// (loops_by_lines.cpp), 0.30 and 0.49 of memcpy, 197 faster by a twentieth and nine slower (u8[42,6147] 0.11
// and 0.48, u8[64,818] 0.34 and 0.50, bf16[29,3073] 0.18 and 0.62, f32[32,1025] 0.26 and 0.59); at AVX2 248,
// 0.27 and 0.45, 204 and 20. Of 60000 random pairs 623 change, 0.75 and 0.80, 193 and 78. In the last cache,
// whose lines come late whatever the tile, 282 transposes would be 1.02 times as fast, at AVX2 slower.

#include "src/plan/kernels/fewer_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "src/plan/kernels/tile_candidates.hpp"
#include "src/plan/machine/line.hpp"
#include "src/plan/tiles/store_pace.hpp"

namespace relayout::plan {
namespace {

/// Networks that write few rows read as little of a line: ten transposes of bytes to rows a few bytes more
/// than 4096 apart 0.18 and 0.36 with eight rows, 0.23 with 16, 0.26 with 16 in longer runs.
constexpr std::int64_t kShortestRead = 8;

/// What it may be predicted to take: of 12 random pairs that would change else nine run 0.7 times as fast.
constexpr double kMostTimesCycles = 4;

/// Of smaller buffers, in times the first cache, that keeps most lines; only nearly adjacent rows lie so
/// close in them, and two of 60000 random pairs would be slower.
constexpr std::int64_t kTimesFirstCache = 2;

MicroTile tile_of(const KernelCandidate& candidate) {
  return {candidate.takes, candidate.source_run_bytes, candidate.destination_run_bytes};
}

/// Long runs end with whole lines, mostly: of 110 transposes and 80 random pairs as many would gain as lose.
bool writes_long_runs(const KernelCandidate& candidate) {
  return candidate.destination_run_bytes >= 2 * kLineBytes;
}

bool waits_for_stores(const Box& box, const PairSizes& sizes, const Target& target,
                      const KernelCandidate& candidate) {
  if (sizes.residence != Residence::kSecondCache || sizes.of_staged_block ||
      sizes.footprint_bytes() < kTimesFirstCache * target.level1_data_bytes)
    return false;
  return std::holds_alternative<PermuteKernel>(candidate.kernel) && box.sub_byte_bits.empty() &&
         !writes_long_runs(candidate) && !stores_keep_pace(box, tile_of(candidate));
}

/// The network over the most rows that the first cache keeps pace with; nothing if there is none.
std::optional<KernelCandidate> network_that_keeps_pace(const Box& box, const PairSizes& sizes,
                                                       const Target& target) {
  std::vector<KernelCandidate> networks;
  for (std::int64_t read = kLineBytes / 2; read >= kShortestRead; read /= 2) {
    networks.clear();
    add_network(box, {read, kLineBytes}, sizes, target, networks);
    if (networks.empty()) return std::nullopt;
    if (stores_keep_pace(box, tile_of(networks.front()))) return std::move(networks.front());
  }
  return std::nullopt;
}

/// Whether it writes fewer rows than `other`, in runs as long or of a line, and takes not far more cycles.
bool suits_instead_of(const KernelCandidate& fewer, const KernelCandidate& other) {
  const auto rows = [](const KernelCandidate& of) {
    return static_cast<double>(tile_of(of).elements()) / static_cast<double>(of.destination_run_bytes);
  };
  return fewer.destination_run_bytes >= std::min(other.destination_run_bytes, kLineBytes) &&
         rows(fewer) < rows(other) && fewer.cycles_per_byte <= kMostTimesCycles * other.cycles_per_byte;
}

}  // namespace

void prefer_fewer_rows(const Box& box, const PairSizes& sizes, const Target& target,
                       std::vector<KernelCandidate>& candidates) {
  if (sizes.element_bytes > target.widest_stored_at_pace_bytes || candidates.empty()) return;
  const KernelCandidate& first = candidates.front();
  if (!waits_for_stores(box, sizes, target, first)) return;
  auto fewer = network_that_keeps_pace(box, sizes, target);
  if (!fewer || !suits_instead_of(*fewer, first)) return;
  fewer->chosen_for = ChosenFor::kStoresAtPace;
  fewer->cycles_per_byte = first.cycles_per_byte;
  const auto is_it = [&](const KernelCandidate& other) { return kernel_name(other) == kernel_name(*fewer); };
  std::erase_if(candidates, is_it);
  candidates.insert(candidates.begin(), std::move(*fewer));
}

}  // namespace relayout::plan
