#include "src/plan/model/kernel_access.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <ranges>
#include <utility>

namespace relayout::plan {
namespace {

double mean_length(const RunTable& table) {
  double total = 0;
  for (const Run& run : table) total += static_cast<double>(run.length);
  return table.empty() ? 0 : total / static_cast<double>(table.size());
}

std::int64_t length_of(const Nest& nest, int table, std::int64_t otherwise) {
  return table < 0 ? otherwise : std::llround(mean_length(nest.tables[static_cast<std::size_t>(table)]));
}

/// Doubles `extents` along an index bit; a stride of 0 stays in place.
void add_bit(std::vector<Extent>& extents, std::int64_t stride_bytes) {
  if (stride_bytes == 0) return;
  const std::size_t count = extents.size();
  for (std::size_t i = 0; i < count; ++i) {
    extents.push_back({extents[i].offset_bytes + stride_bytes, extents[i].bytes});
  }
}

std::vector<Extent> side_extents(const Side& side) {
  if (!side.pieces.empty()) {
    std::vector<Extent> existing;
    for (const SidePiece& piece : side.pieces)
      if (piece.bytes > 0) existing.push_back({piece.offset_bytes, piece.bytes});
    return existing;
  }
  std::vector<Extent> extents = {{0, side.piece_bytes()}};
  std::int64_t covered = 1;
  for (const std::int64_t stride : side.lane_stride_bytes) {
    if (covered >= side.piece_bytes()) add_bit(extents, stride);
    covered *= 2;
  }
  for (const std::int64_t stride : side.register_stride_bytes) add_bit(extents, stride);
  return extents;
}

/// Strides of the index bits by which a side's pieces lie apart, rising. \pre no pieces of unequal length
std::vector<std::int64_t> rising_strides(const Side& side) {
  std::vector<std::int64_t> strides;
  strides.reserve(side.lane_stride_bytes.size() + side.register_stride_bytes.size());
  const auto in_piece = std::bit_width(static_cast<unsigned>(side.piece_bytes())) - 1;
  const auto further = [](std::int64_t stride) { return stride != 0; };
  std::ranges::copy_if(side.lane_stride_bytes | std::views::drop(in_piece), std::back_inserter(strides),
                       further);
  std::ranges::copy_if(side.register_stride_bytes, std::back_inserter(strides), further);
  std::ranges::sort(strides);
  return strides;
}

/// As merged_runs(side_extents(side)), without the pieces where that is possible.
std::vector<Extent> side_runs(const Side& side) {
  if (!side.pieces.empty()) return merged_runs(side_extents(side));
  const std::vector<std::int64_t> strides = rising_strides(side);
  std::int64_t run_bytes = side.piece_bytes();
  std::size_t next = 0;
  while (next < strides.size() && strides[next] == run_bytes) {
    run_bytes *= 2;
    ++next;
  }
  std::vector<Extent> runs;
  runs.reserve(std::size_t{1} << (strides.size() - next));
  runs.push_back({0, run_bytes});
  for (; next < strides.size(); ++next) {
    if (strides[next] <= runs.back().offset_bytes + run_bytes) return merged_runs(side_extents(side));
    add_bit(runs, strides[next]);
  }
  return runs;
}

std::vector<Extent> strided(std::int64_t count, std::int64_t stride_bytes, std::int64_t element_bytes) {
  if (stride_bytes == element_bytes) return {{0, count * element_bytes}};
  std::vector<Extent> extents;
  for (std::int64_t i = 0; i < count; ++i) extents.push_back({i * stride_bytes, element_bytes});
  return extents;
}

std::vector<Extent> piece_extents(const std::vector<ShuffleKernel::Piece>& pieces) {
  std::vector<Extent> extents;
  for (const auto& piece : pieces) extents.push_back({piece.offset_bytes, piece.bytes});
  return extents;
}

struct AccessOf {
  const Nest& nest;

  KernelAccess operator()(const CopyKernel& kernel) const {
    const std::int64_t bytes = kernel.bytes_from_table < 0
                                   ? kernel.bytes
                                   : length_of(nest, kernel.bytes_from_table, 0) * kernel.element_bytes;
    return {{{0, bytes}}, {{0, bytes}}};
  }
  KernelAccess operator()(const PermuteKernel& kernel) const {
    return {side_extents(kernel.network.source), side_extents(kernel.network.destination)};
  }
  KernelAccess operator()(const GatherKernel& kernel) const {
    const std::int64_t count = length_of(nest, kernel.count_from_table, kernel.count);
    return {strided(count, kernel.source_stride_bytes, kernel.element_bytes),
            strided(count, kernel.destination_stride_bytes, kernel.element_bytes)};
  }
  KernelAccess operator()(const ShuffleKernel& kernel) const {
    return {piece_extents(kernel.sources), piece_extents(kernel.destinations)};
  }
  KernelAccess operator()(const FillKernel& kernel) const { return {{}, {{0, kernel.bytes}}}; }
};

}  // namespace

KernelAccess kernel_access(const Nest& nest) {
  return std::visit(AccessOf{nest}, nest.kernel);
}

KernelAccess kernel_runs(const Nest& nest) {
  if (const auto* permute = std::get_if<PermuteKernel>(&nest.kernel))
    return {side_runs(permute->network.source), side_runs(permute->network.destination)};
  KernelAccess access = kernel_access(nest);
  return {merged_runs(std::move(access.source)), merged_runs(std::move(access.destination))};
}

std::vector<Extent> merged_runs(std::vector<Extent> extents) {
  if (!std::ranges::is_sorted(extents, {}, &Extent::offset_bytes))
    std::ranges::sort(extents, {}, &Extent::offset_bytes);
  std::size_t runs = 0;
  for (const Extent& extent : extents) {
    Extent* last = runs == 0 ? nullptr : &extents[runs - 1];
    if (last != nullptr && extent.offset_bytes <= last->offset_bytes + last->bytes) {
      const std::int64_t end = extent.offset_bytes + extent.bytes;
      last->bytes = std::max(last->bytes, end - last->offset_bytes);
    } else {
      extents[runs++] = extent;
    }
  }
  extents.resize(runs);
  return extents;
}

std::int64_t total_bytes(const std::vector<Extent>& extents) {
  std::int64_t bytes = 0;
  for (const Extent& extent : extents) bytes += extent.bytes;
  return bytes;
}

std::vector<double> mean_trips(const Nest& nest) {
  std::vector<double> trips;
  for (const Loop& loop : nest.loops) {
    const int table = loop.trips_from_table;
    trips.push_back(table < 0 ? static_cast<double>(loop.trips)
                              : mean_length(nest.tables[static_cast<std::size_t>(table)]));
  }
  for (std::size_t guard = 0; guard < nest.guards.size(); ++guard) {
    double all = 1;
    std::int64_t finest = nest.guards[guard].limit;
    std::size_t outermost = trips.size();
    for (std::size_t i = trips.size(); i-- > 0;) {
      if (nest.loops[i].guard != static_cast<int>(guard)) continue;
      all *= trips[i];
      finest = std::min(finest, nest.loops[i].guard_step);
      outermost = i;
    }
    if (outermost == trips.size() || finest <= 0) continue;
    const double allowed =
        std::ceil(static_cast<double>(nest.guards[guard].limit) / static_cast<double>(finest));
    if (allowed < all) trips[outermost] *= allowed / all;
  }
  return trips;
}

double written_bytes(const Nest& nest) {
  auto bytes = static_cast<double>(total_bytes(kernel_access(nest).destination));
  for (const double trips : mean_trips(nest)) bytes *= trips;
  return bytes;
}

}  // namespace relayout::plan
