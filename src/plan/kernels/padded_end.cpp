// Rows of 130 elements in T(8) tiles have 6 places of padding behind them. Tiles of powers of two overlap at
// a row's end, and another nest comes back to its last line to fill the padding. Cut there, nothing is moved
// twice and the padding comes with the end of the row, in one tile. On a Granite Rapids, of 60000 random
// pairs in the caches 93 change, 0.82 and 0.86 of memcpy, 40 faster by a twentieth and three slower
// (bf16[2,16,147,130][0, 2, 3, 1] to {3,2,1,0:T(8)} 0.93 and 1.04); at AVX2 78, 0.80 and 0.84, 32 and two.
//
// Ends that fill their line together with the padding are left alone: 258 others would change, 0.94 and 0.95,
// 53 and 25 (bf16[4,100,5,64,7][3, 1, 2, 0, 4, 3 p(16)] into {1,3,2,4,0:T(8,128)} 0.91 and 0.63).

#include "src/plan/kernels/padded_end.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "src/plan/kernels/box_kernel.hpp"
#include "src/plan/kernels/kernel_choice.hpp"
#include "src/plan/machine/kernel_cycles.hpp"
#include "src/plan/machine/line.hpp"

namespace relayout::plan {
namespace {

/// Bytes that tiles move, over those that exist, from which on a box is cut: from 1.02 on 24 others of these
/// pairs would change, 1.02 times as fast, at AVX2 36, six faster and three slower.
constexpr double kLeastOverlapOfRows = 1.05;

/// Wider ones fill a line with four.
constexpr std::int64_t kWidestCutElementBytes = 8;

class PaddedEnd {
 public:
  PaddedEnd(const Box& box, const std::vector<PaddingPiece>& padding, const PlanInputs& inputs)
      : box_(box), padding_(padding), inputs_(inputs), element_bytes_(inputs.sizes.element_bytes) {}

  std::optional<CutBox> cut() const {
    const auto row = std::ranges::find(box_.axes, element_bytes_, &Axis::destination_stride);
    if (row == box_.axes.end() || row->source_stride == element_bytes_) return std::nullopt;
    const std::int64_t of_line = kLineBytes / element_bytes_;
    const std::int64_t rest = row->extent % of_line;
    if (rest == 0 || row->extent < of_line) return std::nullopt;
    const auto index = static_cast<std::size_t>(row - box_.axes.begin());
    CutBox parts = cut_axis(box_, index, row->extent - rest, rest);
    const auto end = with_padding(parts.rest);
    if (!end || end->places >= of_line) return std::nullopt;
    // Shorter rows are moved whole with their padding (rounded_padded_candidate).
    const std::int64_t row_bytes = (row->extent - rest + end->places) * element_bytes_;
    if (row_bytes <= inputs_.target.longest_rounded_run_bytes) return std::nullopt;
    const auto alone = best_kernel(box_, inputs_);
    if (!alone || MicroTile{alone->takes}.overlap_waste(box_) < kLeastOverlapOfRows) return std::nullopt;
    const auto lines = best_kernel(parts.whole, inputs_);
    if (!lines) return std::nullopt;
    const double of_parts = lines->cycles_for(parts.whole, element_bytes_) + end->cycles;
    const double filling = box_.elements() / static_cast<double>(row->extent) * (kCall + kStore);
    if (of_parts >= alone->cycles_for(box_, element_bytes_) + filling) return std::nullopt;
    return parts;
  }

 private:
  /// The rest of a box's rows and the padding behind it.
  struct End {
    std::int64_t places = 0;
    double cycles = 0;
  };

  std::optional<End> with_padding(const Box& rest) const {
    for (const PaddedBy by : {PaddedBy::kNetworks, PaddedBy::kTilesOfAnyExtent}) {
      const auto padded = box_with_zeros(rest, padding_, inputs_.options.kernel, inputs_, by);
      const auto kernel = padded ? kernel_of(*padded) : std::nullopt;
      if (!kernel) continue;
      return End{padded->box.axes[padded->axis].extent, kernel->cycles_for(padded->box, element_bytes_)};
    }
    return std::nullopt;
  }

  std::optional<KernelCandidate> kernel_of(const PaddedBox& padded) const {
    if (padded.of_any_extent) return rounded_padded_candidate(padded, inputs_.sizes, inputs_.target);
    auto candidates = padded_candidates(padded, inputs_.sizes, inputs_.target);
    if (candidates.empty()) return std::nullopt;
    return std::move(candidates.front());
  }

  const Box& box_;
  const std::vector<PaddingPiece>& padding_;
  const PlanInputs& inputs_;
  std::int64_t element_bytes_;
};

}  // namespace

std::optional<CutBox> cut_padded_end(const Box& box, const std::vector<PaddingPiece>& padding,
                                     const PlanInputs& inputs) {
  const bool may_cut = inputs.target.cuts_before_padding && !inputs.is_past_last_cache() &&
                       inputs.sizes.element_bytes <= kWidestCutElementBytes;
  if (!may_cut || !box.has_plain_axes() || padding.empty()) return std::nullopt;
  return PaddedEnd(box, padding, inputs).cut();
}

}  // namespace relayout::plan
