#pragma once

#include <string>

#include "relayout/result.hpp"
#include "src/plan/model/plan.hpp"
#include "src/plan/model/plan_options.hpp"
#include "src/plan/model/target.hpp"
#include "src/plan/refinement/loop_nest.hpp"
#include "src/plan/refinement/problem.hpp"

namespace relayout::plan {

/// Chooses boxes, kernels, micro-tiles, loop order, blocking and store policy. Every choice leaves its reason
/// in the plan, if those are wanted. \error kUnsupported if the nest is past every budget, or a forced family
/// or kernel does not fit
Result<Plan> make_plan(const Problem& problem, const LoopNest& nest, const Target& target,
                       const PlanOptions& options);

/// `copy`, `permute`, `gather`, by falling share of the elements, joined by `+`; `none` for an empty plan.
std::string kernel_names(const Plan& plan);

}  // namespace relayout::plan
