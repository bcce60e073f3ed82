#include "src/plan/kernels/kernel_candidate.hpp"

#include <cstdio>
#include <variant>

#include "src/plan/kernels/shuffle.hpp"

namespace relayout::plan {
namespace {

std::string fixed(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

std::string takes_text(const std::vector<std::int64_t>& takes) {
  std::string text;
  for (const std::int64_t take : takes) {
    if (take > 1) text += (text.empty() ? '-' : 'x') + std::to_string(take);
  }
  return text;
}

std::string extents_text(const Box& box, const std::vector<std::int64_t>& takes) {
  std::string text;
  for (std::size_t i = 0; i < takes.size(); ++i) {
    if (takes[i] == 1) continue;
    if (!text.empty()) text += " x ";
    text += std::to_string(takes[i]) + " of " + std::to_string(box.axes[i].extent);
  }
  return text;
}

std::string units_text(const RoundedTile& rounded) {
  if (!rounded.spreads_units()) return {};
  return ", units of " + std::to_string(rounded.unit_data_bytes) + " bytes spread to " +
         std::to_string(rounded.unit_bytes);
}

std::string padding_text(const KernelCandidate& candidate) {
  const auto& padded = candidate.padded;
  if (!padded) return {};
  return ", of every " + std::to_string(padded->places) + " elements " + std::to_string(padded->data) +
         " data, the others padding";
}

std::string gaps_text(const KernelCandidate& candidate) {
  const auto& gapped = candidate.gapped;
  if (!gapped) return {};
  return ", of every " + std::to_string(gapped->places) + " elements read " + std::to_string(gapped->data) +
         " written";
}

struct CandidateText {
  const Box& box;
  const KernelCandidate& candidate;

  std::string operator()(const CopyKernel& kernel) const {
    return "copy of " + std::to_string(kernel.bytes) + "-byte runs, contiguous on both sides";
  }
  std::string operator()(const PermuteKernel&) const {
    std::string text = "permutation network over a tile of " + extents_text(box, candidate.takes);
    if (const auto& rounded = candidate.rounded)
      text += ", rounded up to " + std::to_string(rounded->source.rounded()) + " x " +
              std::to_string(rounded->destination.rounded()) + units_text(*rounded);
    text += ", runs of " + std::to_string(candidate.source_run_bytes) + " bytes read and " +
            std::to_string(candidate.destination_run_bytes) + " written";
    text += padding_text(candidate) + gaps_text(candidate);
    if (candidate.chosen_for == ChosenFor::kStoresAtPace)
      text += ", of so few rows that the first cache keeps pace";
    if (!candidate.is_preferred) return text;
    return text.append(", runs of this length because ").append(candidate.preferred_because);
  }
  std::string operator()(const ShuffleKernel& kernel) const {
    return "table shuffles of " + std::to_string(kernel.piece_bytes) + "-byte pieces over a tile of " +
           extents_text(box, candidate.takes) + ", " + std::to_string(term_count(kernel)) + " shuffles" +
           padding_text(candidate) +
           (candidate.chosen_for == ChosenFor::kStreamedLines ? ", whose whole lines are streamed" : "");
  }
  std::string operator()(const GatherKernel& kernel) const {
    return std::string(kernel.hardware ? "gather instructions" : "scalar moves") + " over rows of " +
           std::to_string(kernel.count) + " elements, source stride " +
           std::to_string(kernel.source_stride_bytes) + " bytes";
  }
  std::string operator()(const FillKernel&) const { return {}; }
};

}  // namespace

void KernelCandidate::set_tile(const MicroTile& tile) {
  family = KernelFamily::kPermute;
  takes = tile.extents;
  source_run_bytes = tile.source_run_bytes;
  destination_run_bytes = tile.destination_run_bytes;
}

ChosenFor chosen_for_of(const KernelCandidate& candidate) {
  if (candidate.chosen_for != ChosenFor::kFewestCycles) return candidate.chosen_for;
  return candidate.is_preferred ? ChosenFor::kPreferredRuns : ChosenFor::kFewestCycles;
}

std::string description_of(const Box& box, const KernelCandidate& candidate) {
  return std::visit(CandidateText{box, candidate}, candidate.kernel) + " (" +
         fixed(candidate.cycles_per_byte) + " cycles per byte predicted)";
}

std::string kernel_name(const KernelCandidate& candidate) {
  if (std::holds_alternative<CopyKernel>(candidate.kernel)) return "copy";
  if (const auto* gather = std::get_if<GatherKernel>(&candidate.kernel))
    return gather->hardware ? "gather" : "scalar";
  if (const auto* shuffle = std::get_if<ShuffleKernel>(&candidate.kernel))
    return (candidate.padded ? "padded-shuffle" : "shuffle") + std::to_string(shuffle->piece_bytes) +
           takes_text(candidate.takes);
  const char* const network = candidate.padded    ? "padded"
                              : candidate.gapped  ? "gapped"
                              : candidate.rounded ? "rounded"
                                                  : "network";
  return network + takes_text(candidate.takes);
}

}  // namespace relayout::plan
