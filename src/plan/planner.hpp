#pragma once

#include "relayout/compile.hpp"
#include "src/plan/loop_nest.hpp"
#include "src/plan/packed_boxes.hpp"
#include "src/plan/plan.hpp"
#include "src/plan/plan_choice.hpp"
#include "src/plan/problem.hpp"
#include "src/plan/target.hpp"

namespace relayout::plan {

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
};

/// Chooses boxes, kernels, micro-tiles, loop order, blocking and store policy. Every choice leaves its reason
/// in the plan, if those are wanted. \error kUnsupported if the nest is past every budget, or a forced family
/// or kernel does not fit
Result<Plan> make_plan(const Problem& problem, const LoopNest& nest, const Target& target,
                       const PlanOptions& options);

/// `copy`, `permute`, `gather`, by falling share of the elements, joined by `+`; `none` for an empty plan.
std::string kernel_names(const Plan& plan);

}  // namespace relayout::plan
