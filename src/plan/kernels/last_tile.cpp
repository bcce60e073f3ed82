// 38 rows of bytes are moved in tiles of 32, the second time back by 26: two thirds more than there is. With
// a nest of its own for the six rows that are left everything is moved once. Of 8000 random pairs of bytes
// and 16-bit elements that the second cache holds 266 change, 0.45 and 0.49 of memcpy, 147 faster by a
// twentieth and 44 slower (u8[4096,33][1, 0] to [0, 1] 0.16 and 0.26, u8[19,8192] 0.28 and 0.42,
// bf16[4,28,7,50][1, 3, 2, 0] to row-major 0.58 and 0.47). Of 6000 in the last cache, up to 4 MiB, 51, 0.42
// and 0.47, 35 and seven, and of 168 from there to 14 MiB 150, 0.52 and 0.56, 84 and 22; where the parts were
// to take nine tenths of the cycles instead of eight 228, 0.47 and 0.49, 107 and 47, or 330, 1.02 times as
// fast, 119 and 99. Of 144 pairs of 4 and 8 bytes in the second cache as many gain as lose. Tiles of whole
// lines on both sides gain and lose alike. Parts that were cut again gained nothing more, and took a quarter
// longer to compile; such plans take 1.3 times as long as others (all on a Zen 3). Pairs of 14 to 22 MiB,
// which were streamed when this was measured, are cut alike.

#include "src/plan/kernels/last_tile.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>
#include <variant>

#include "src/plan/kernels/box_kernel.hpp"
#include "src/plan/kernels/kernel_choice.hpp"
#include "src/plan/machine/line.hpp"

namespace relayout::plan {
namespace {

/// An axis is looked at where tiles move so much more of it than there is.
constexpr double kLeastOverlap = 1.1;

/// What share of the whole box's cycles both parts may take, as predicted without waiting for memory.
constexpr double kShareInSecondCache = 0.9;
constexpr double kShareInLastCache = 0.8;

/// Wider elements move as fast as the caches let them, whatever is moved twice.
constexpr std::int64_t kWidestInLastTile = 2;

/// What share the parts of the boxes of a pair may take; 0: none is cut.
double share_of_cycles(const PlanInputs& inputs) {
  if (inputs.sizes.element_bytes > kWidestInLastTile) return 0;
  switch (inputs.sizes.residence) {
    case Residence::kSecondCache:
      return kShareInSecondCache;
    case Residence::kLastCache:
      return inputs.nearly_fill_last_cache() ? 0 : kShareInLastCache;
    case Residence::kMemory:
      return 0;
  }
  return 0;
}

/// Such tiles keep the caches as busy as the ports: not faster for less that is moved twice.
bool moves_whole_lines(const KernelCandidate& tile) {
  return std::min(tile.source_run_bytes, tile.destination_run_bytes) >= kLineBytes;
}

/// Whether tiles may overlap, which powers of two don't along an axis that is one.
bool may_be_cut(const Box& box) {
  const auto may_overlap = [](const Axis& axis) {
    return !std::has_single_bit(static_cast<std::uint64_t>(axis.extent));
  };
  return box.has_plain_axes() && std::ranges::any_of(box.axes, may_overlap);
}

/// Chooses by what the best kernel of the rest is predicted to take, and the tile without its last overlap.
class LastTile {
 public:
  LastTile(const Box& box, const PlanInputs& inputs) : box_(box), inputs_(inputs) {}

  std::optional<CutBox> cut() {
    const auto tile = best_kernel(box_, inputs_);
    if (!tile || !std::holds_alternative<PermuteKernel>(tile->kernel) || moves_whole_lines(*tile))
      return std::nullopt;
    cycles_ = cycles(box_, *tile);
    least_cycles_ = share_of_cycles(inputs_) * cycles_;
    for (std::size_t i = 0; i < box_.axes.size(); ++i) try_axis(i, tile->takes[i]);
    return std::move(best_);
  }

 private:
  /// What is left is moved exactly, or in a tile of the next power of two that overlaps the last whole one.
  void try_axis(std::size_t index, std::int64_t tile) {
    const std::int64_t extent = box_.axes[index].extent;
    if (tile <= 1 || extent <= tile || extent % tile == 0) return;
    const std::int64_t whole = extent / tile * tile;
    if (static_cast<double>(whole + tile) < kLeastOverlap * static_cast<double>(extent)) return;
    const double of_whole = cycles_ * static_cast<double>(whole) / static_cast<double>(whole + tile);
    const std::int64_t rest = extent - whole;
    try_cut(cut_axis(box_, index, whole, rest), of_whole);
    const auto power = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(rest)));
    if (power > rest && power < tile) try_cut(cut_axis(box_, index, whole, power), of_whole);
  }

  void try_cut(CutBox cut, double of_whole) {
    if (of_whole >= least_cycles_) return;
    const auto kernel = best_kernel(cut.rest, inputs_);
    if (!kernel) return;
    const double taken = of_whole + cycles(cut.rest, *kernel);
    if (taken >= least_cycles_) return;
    least_cycles_ = taken;
    best_ = std::move(cut);
  }

  double cycles(const Box& box, const KernelCandidate& kernel) const {
    return kernel.cycles_for(box, inputs_.sizes.element_bytes);
  }

  const Box& box_;
  const PlanInputs& inputs_;
  double cycles_ = 0;        ///< of the box as it is
  double least_cycles_ = 0;  ///< of the best cut so far, or what that has to stay below
  std::optional<CutBox> best_;
};

}  // namespace

std::optional<CutBox> cut_last_tile(const Box& box, const std::vector<PaddingPiece>& padding,
                                    const PlanInputs& inputs) {
  if (!inputs.target.cuts_last_tiles || share_of_cycles(inputs) == 0 || !may_be_cut(box)) return std::nullopt;
  if (box_with_zeros(box, padding, inputs.options.kernel, inputs)) return std::nullopt;
  if (box_with_gaps(box, inputs.options.kernel, inputs)) return std::nullopt;
  return LastTile(box, inputs).cut();
}

}  // namespace relayout::plan
