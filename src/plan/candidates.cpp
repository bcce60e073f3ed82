#include "src/plan/candidates.hpp"

#include <algorithm>

namespace relayout::plan {
namespace {

/// The plan's text without its notes.
std::string nests_text(Plan plan) {
  plan.notes.clear();
  return to_string(plan);
}

const PermuteKernel* network_of(const Plan& plan) {
  return plan.nests.empty() ? nullptr : std::get_if<PermuteKernel>(&plan.nests.front().kernel);
}

bool streams(const Plan& plan) {
  return std::ranges::any_of(plan.nests,
                             [](const Nest& nest) { return nest.store != StorePolicy::kTemporal; });
}

bool prefetches(const Plan& plan) {
  return std::ranges::any_of(plan.nests, [](const Nest& nest) {
    return nest.prefetch_source_bytes != 0 || nest.block_fetch.has_value();
  });
}

/// Of one loop there is nothing to order: asking for a walk would only stop its fetches.
bool has_loops_to_order(const Plan& plan) {
  return std::ranges::any_of(plan.nests, [](const Nest& nest) { return nest.loops.size() > 1; });
}

bool masks(const Plan& plan) {
  return std::ranges::any_of(plan.nests, &Nest::under_masks);
}

/// The choices that differ from `base`, whose plan is `plan`, in one decision.
std::vector<PlanChoice> neighbours(const PlanChoice& base, const Plan& plan,
                                   const std::vector<std::string>& kernels) {
  std::vector<PlanChoice> choices;
  const auto add = [&](auto change) {
    PlanChoice choice = base;
    change(choice);
    choices.push_back(std::move(choice));
  };
  for (const std::string& kernel : kernels) add([&](PlanChoice& choice) { choice.kernel = kernel; });
  for (const LoopWalk walk : {LoopWalk::kBlocked, LoopWalk::kSource, LoopWalk::kDestination}) {
    if (base.loops != walk && has_loops_to_order(plan)) add([&](PlanChoice& choice) { choice.loops = walk; });
  }
  if (const PermuteKernel* permute = network_of(plan)) {
    add([&](PlanChoice& choice) { choice.vector_bytes = permute->network.vector_bytes == 64 ? 32 : 64; });
  }
  add([&](PlanChoice& choice) {
    choice.stores = streams(plan) ? StorePolicy::kTemporal : StorePolicy::kStreaming;
  });
  add([&](PlanChoice& choice) { choice.prefetch = !prefetches(plan); });
  add([&](PlanChoice& choice) { choice.masks = !masks(plan); });
  return choices;
}

}  // namespace

Result<CandidateList> plan_candidates(const Problem& problem, const LoopNest& nest, const Target& target,
                                      const PlanOptions& options) {
  CandidateList list;
  std::vector<std::string> kernels;
  PlanOptions observed = options;
  observed.kernels = &kernels;
  auto plan = make_plan(problem, nest, target, observed);
  if (!plan) return plan.error();
  if (options.choice != nullptr) list.chosen.choice = *options.choice;
  list.chosen.plan = std::move(*plan);
  list.chosen.work = predict(list.chosen.plan, target);
  std::vector<std::string> seen = {nests_text(list.chosen.plan)};
  for (PlanChoice& choice : neighbours(list.chosen.choice, list.chosen.plan, kernels)) {
    PlanOptions other = options;
    other.choice = &choice;
    auto candidate = make_plan(problem, nest, target, other);
    if (!candidate) continue;  // a network that cannot be made, for one
    const std::string text = nests_text(*candidate);
    if (std::ranges::find(seen, text) != seen.end()) continue;
    seen.push_back(text);
    Work work = predict(*candidate, target);
    list.others.push_back({std::move(choice), std::move(*candidate), work});
  }
  return list;
}

}  // namespace relayout::plan
