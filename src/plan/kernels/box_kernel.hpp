#pragma once

#include <optional>
#include <string>
#include <vector>

#include "relayout/result.hpp"
#include "src/plan/boxes/boxes.hpp"
#include "src/plan/kernels/kernel_choice.hpp"
#include "src/plan/model/plan_inputs.hpp"
#include "src/plan/model/plan_notes.hpp"

namespace relayout::plan {

/// A complete kernel for a box.
struct BoxKernel {
  KernelCandidate candidate;
  std::optional<PaddedBox> padded;  ///< what the kernel moves instead of the box alone
  std::optional<GappedBox> gapped;  ///< what it moves instead, where there is no padding
  std::string reason;               ///< why it was chosen, where reasons are wanted

  /// \param alone the box
  const Box& moved(const Box& alone) const { return padded ? padded->box : gapped ? gapped->box : alone; }
};

/// The box together with the padding behind its runs that nothing fills yet, where that is zeros and `by` may
/// move it.
std::optional<PaddedBox> box_with_zeros(const Box& box, const std::vector<PaddingPiece>& padding,
                                        KernelFamily family, const PlanInputs& inputs,
                                        PaddedBy by = PaddedBy::kNetworks);

/// The box together with the gaps of its source, where the target reads these. Past the last cache the lines
/// of other kernels are streamed.
std::optional<GappedBox> box_with_gaps(const Box& box, KernelFamily family, const PlanInputs& inputs);

/// The best kernel of a box alone, before its network is made; none if nothing fits a forced family. No
/// kernel that was asked for by name has a say, so that boxes are cut alike whatever is chosen for them.
std::optional<KernelCandidate> best_kernel(const Box& box, const PlanInputs& inputs);

/// The best kernel for a box, or the one that was asked for.
/// \param padding of the destination, that nothing fills yet and the kernel may
/// \param largest the first box: what is asked for has to fit it, while others take it where they can, and
/// its kernels are those that PlanOptions::kernels lists
/// \param name what notes are about
/// \error kUnsupported if what was asked for does not fit
Result<BoxKernel> choose_box_kernel(const Box& box, const std::vector<PaddingPiece>& padding, bool largest,
                                    const std::string& name, const PlanInputs& inputs, PlanNotes& notes);

}  // namespace relayout::plan
