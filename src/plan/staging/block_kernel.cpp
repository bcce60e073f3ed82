#include "src/plan/staging/block_kernel.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "src/plan/kernels/complete_network.hpp"
#include "src/plan/machine/line.hpp"
#include "src/plan/tiles/row_sets.hpp"

namespace relayout::plan {
namespace {

// Of Target::stages_more_blocks, from the same pairs. Shorter pieces were not tried: four of 16 bytes fill a
// line of the scratch in two cycles, which memory takes longer for.
constexpr std::int64_t kShortestPieceBytes = 16;
/// Predicted, of the kernels in such blocks: u8[32,435781,3]{0,2,1:T(16,1)} to {1,2,0}, runs of 2 bytes to
/// read (1.1), 0.43 and 0.33, u8[3,77,8,536,128] 0.25 and 0.20; 0.35 u8[256,20,61,3,141] 0.24 and 0.34. Of
/// other kernels than networks, up to 0.6: one faster, three slower (u8[68,8,5,8,3332] 0.34 and 0.66,
/// u8[27,38,508,5,72] 0.45 and 0.38).
constexpr double kMostCyclesPerByte = 0.4;

/// Rounded tiles replace networks of powers of two where they are predicted to take less, of elements of up
/// to 2 bytes or out of rows that share cache sets, which they read fewer times; else where they take less
/// than half. Of 139 pairs of wider elements between that and all of it 54 were faster and 42 slower (Zen 4).
constexpr double kWorthwhileShare = 0.5;

/// Networks without a stage copy pieces. They replace no table shuffles: f64[599,166,19,6]{3,0,2,1} to
/// row-major, rows of 48 bytes, ran at 0.24 of memcpy staged and at 0.53 not; four others 0.88 and 0.68. No
/// network replaces copies.
bool may_replace(const Kernel& plain, const Network& network) {
  if (std::holds_alternative<PermuteKernel>(plain)) return true;
  return !std::holds_alternative<CopyKernel>(plain) && !network.stages.empty();
}

/// What a network writes at once, at least (whole vectors where these are shorter), and what it may take.
struct PieceGoals {
  std::int64_t bytes = 0;
  double most_cycles_per_byte = std::numeric_limits<double>::infinity();
};

class BlockKernelChoice {
 public:
  BlockKernelChoice(const StagedBlock& staged, const PaddedBox* padded, const Kernel* plain,
                    const PlanInputs& inputs, PlanNotes& notes)
      : staged_(staged), padded_(padded), plain_(plain), inputs_(inputs), notes_(notes) {
    const PairSizes near = sizes_of_block(inputs);
    candidates_ = padded != nullptr
                      ? padded_candidates(*padded, near, inputs.target)
                      : kernel_candidates(staged.block, near, inputs.target, KernelFamily::kAutomatic);
  }

  std::optional<BlockKernel> run() {
    if (auto network = network_of_long_pieces()) {
      if (auto rounded = rounded_tile_faster_than(network->cycles_per_byte))
        return BlockKernel{std::move(*rounded), ChosenFor::kRoundedBlock};
      return chosen(std::move(*network));
    }
    auto other = inputs_.target.stages_more_blocks ? first_other() : std::nullopt;
    if (!other) return std::nullopt;
    return chosen(std::move(*other));
  }

 private:
  static BlockKernel chosen(KernelCandidate candidate) {
    const ChosenFor chosen_for = candidate.is_preferred ? ChosenFor::kPreferredRuns : ChosenFor::kBlockOfRuns;
    return {std::move(candidate), chosen_for};
  }

  /// Taken out of the candidates, of which later searches only ask for other kernels.
  std::optional<KernelCandidate> network_of_long_pieces() {
    const Target& target = inputs_.target;
    const double most_cycles =
        staged_.staging.groups > 1 ? kMostCyclesPerByte : PieceGoals{}.most_cycles_per_byte;
    if (auto* found = first_network({target.vector_bytes, most_cycles}, target)) {
      if (!may_split_vectors(*found)) return std::move(*found);
      KernelCandidate whole = *found;  // the next search may complete it otherwise
      auto* split = first_in_halves(most_cycles);
      return split != nullptr && may_split_vectors(*split) ? std::move(*split) : std::move(whole);
    }
    if (target.stages_half_vectors && may_halve_vectors()) {
      if (auto* half = first_in_halves(most_cycles)) return std::move(*half);
    }
    if (!target.stages_more_blocks) return std::nullopt;
    if (auto* pieces = first_network({kShortestPieceBytes, kMostCyclesPerByte}, target))
      return std::move(*pieces);
    return std::nullopt;
  }

  bool walks(const KernelCandidate& candidate) const {
    return staged_.backwards_stride_bytes == 0 || walks_backwards(staged_, candidate.takes);
  }

  bool complete(KernelCandidate& candidate, const Target& target) {
    return complete_network({staged_.block, padded_}, candidate, LineStores::kTogetherIfFree,
                            {inputs_.sizes, target, inputs_.options}, notes_);
  }

  bool suits(const PieceGoals& goals, KernelCandidate& candidate, const Target& target) {
    const auto* permute = std::get_if<PermuteKernel>(&candidate.kernel);
    if (permute == nullptr || candidate.rounded || candidate.cycles_per_byte > goals.most_cycles_per_byte ||
        !walks(candidate) || !complete(candidate, target))
      return false;
    const Network& network = permute->network;
    return network.destination.piece_bytes() >= std::min<std::int64_t>(goals.bytes, network.vector_bytes) &&
           (plain_ == nullptr || may_replace(*plain_, network));
  }

  /// The first that writes such pieces, as completed for them until the next search.
  KernelCandidate* first_network(const PieceGoals& goals, const Target& target) {
    for (KernelCandidate& candidate : candidates_)
      if (suits(goals, candidate, target)) return &candidate;
    return nullptr;
  }

  KernelCandidate* first_in_halves(double most_cycles_per_byte) {
    Target halves = inputs_.target;
    halves.vector_bytes /= 2;
    return first_network({halves.vector_bytes, most_cycles_per_byte}, halves);
  }

  bool may_halve_vectors() const { return !inputs_.options.wanted_vector_bytes(); }

  /// Target::splits_vectors_of_blocks, where halves of lines stay in the first cache until the others are
  /// read. On a Zen 4 126 random pairs ran at 0.91 of memcpy in whole vectors and at 0.97 so, in tiles of
  /// their own, 69 of them faster by a twentieth and five slower (f32[256,45500] out of (8,128)(2,1) tiles
  /// 0.66 and 0.81; f64[239,1000,12] out of (32,128)(4,1) 4.2 and 3.7), 31 of them with elements of 8 and 16
  /// bytes, 23 and one. Not where no network writes whole vectors (u8[3649,41,128,3] to [2, 0, 3, 1], a
  /// rounded tile, 0.49 and 0.20), nor of rows to read that share sets (40 pairs 0.84 and 0.85, ten and ten).
  bool may_split_vectors(const KernelCandidate& candidate) const {
    return inputs_.target.splits_vectors_of_blocks && may_halve_vectors() &&
           !read_rows_share_sets(staged_.block, MicroTile{candidate.takes});
  }

  /// Of other kernels than networks of powers of two those that gain by a scratch, in place of their like:
  /// copies, rounded tiles, and table shuffles that write whole lines. Of nine pairs by shuffles of 16-byte
  /// pieces two gain and five lose (f32[19,512,73,9,5][2, 0, 3, 1, 4] to row-major 0.44 and 0.27; AVX2).
  bool gains(const KernelCandidate& candidate) const {
    if (plain_ != nullptr && plain_->index() != candidate.kernel.index()) return false;
    if (const auto* shuffle = std::get_if<ShuffleKernel>(&candidate.kernel))
      return shuffle->piece_bytes == kLineBytes;
    if (const auto* copy = std::get_if<CopyKernel>(&candidate.kernel))
      return copy->bytes >= kShortestPieceBytes;
    return candidate.rounded.has_value();
  }

  bool may_take(KernelCandidate& candidate) {
    return gains(candidate) && walks(candidate) && complete(candidate, inputs_.target);
  }

  /// Of Target::rounds_tiles_of_blocks.
  std::optional<KernelCandidate> rounded_tile_faster_than(double cycles_per_byte) {
    if (!inputs_.target.rounds_tiles_of_blocks) return std::nullopt;
    const auto is_faster = [&](const KernelCandidate& candidate) {
      const bool by_any_margin = inputs_.sizes.element_bytes <= kNarrowElementBytes ||
                                 read_rows_share_sets(staged_.block, MicroTile{candidate.takes});
      return candidate.cycles_per_byte < (by_any_margin ? 1 : kWorthwhileShare) * cycles_per_byte;
    };
    for (KernelCandidate& candidate : candidates_)
      if (candidate.rounded && is_faster(candidate) && may_take(candidate)) return std::move(candidate);
    return std::nullopt;
  }

  std::optional<KernelCandidate> first_other() {
    for (KernelCandidate& candidate : candidates_)
      if (candidate.cycles_per_byte <= kMostCyclesPerByte && may_take(candidate)) return std::move(candidate);
    return std::nullopt;
  }

  const StagedBlock& staged_;
  const PaddedBox* padded_;
  const Kernel* plain_;
  const PlanInputs& inputs_;
  PlanNotes& notes_;
  std::vector<KernelCandidate> candidates_;
};

}  // namespace

PairSizes sizes_of_block(const PlanInputs& inputs) {
  PairSizes sizes{inputs.sizes.element_bytes, Residence::kSecondCache};
  sizes.of_staged_block = true;
  return sizes;
}

std::optional<BlockKernel> choose_block_kernel(const StagedBlock& staged, const PaddedBox* padded,
                                               const Kernel* plain, const PlanInputs& inputs,
                                               PlanNotes& notes) {
  return BlockKernelChoice(staged, padded, plain, inputs, notes).run();
}

}  // namespace relayout::plan
