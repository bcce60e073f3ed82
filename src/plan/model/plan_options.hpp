#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "relayout/compile.hpp"
#include "src/plan/model/packed_spacing.hpp"
#include "src/plan/model/plan_choice.hpp"

namespace relayout::plan {

/// What the caller asks of a plan.
struct PlanOptions {
  KernelFamily kernel = KernelFamily::kAutomatic;
  StreamingStores streaming = StreamingStores::kAuto;
  /// One element's bytes for the destination's padding; empty: padding is left as it is.
  std::vector<std::uint8_t> fill = {};
  /// Elements narrower than a byte; `fill` is one byte of padding then. \pre the problem's elements are bytes
  PackedSpacing packed = {};
  const PlanChoice* choice = nullptr;  ///< null: the planner's own
  std::vector<std::string>* kernels =
      nullptr;          ///< if not null, receives the kernels that fit the largest box
  bool reasons = true;  ///< texts for people in the plan: notes, and why each nest's kernel was chosen

  // Decisions that `choice` may have taken already.
  /// `streaming`, unless the choice says which stores.
  StreamingStores wanted_streaming() const;
  /// Streaming or plain stores are asked for.
  bool are_stores_forced() const { return wanted_streaming() != StreamingStores::kAuto; }
  std::optional<LoopWalk> wanted_loops() const;
  std::optional<int> wanted_vector_bytes() const;
  bool may_prefetch() const;
  /// A family or a kernel is asked for by name.
  bool is_kernel_forced() const;
};

}  // namespace relayout::plan
