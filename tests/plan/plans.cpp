#include "tests/plan/plans.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "relayout/layout.hpp"
#include "src/interpret/plan_interpreter.hpp"
#include "src/interpret/scalar.hpp"
#include "src/plan/cost_models/make_target.hpp"
#include "src/plan/model/kernel_access.hpp"
#include "src/plan/network/network.hpp"
#include "src/runtime/pair.hpp"
#include "tests/support/buffers.hpp"

namespace relayout::plan {

MachineInfo plan_machine(const std::string& cost_model) {
  MachineInfo info;
  info.cost_model = cost_model;
  info.level1_data_bytes = 32 << 10;
  info.level2_bytes = 1 << 20;
  info.level3_bytes = 32 << 20;
  info.streaming_threshold_bytes = 24 << 20;
  return info;
}

Problem problem_of(const std::string& source, const std::string& destination) {
  const Layout from = *Layout::parse(source);
  return *runtime::raw_problem(from, *Layout::parse_destination(destination, from));
}

Plan plan_of(const Problem& problem, Isa isa, const PlanOptions& options) {
  return plan_for("zen", problem, isa, options);
}

Plan plan_for(const std::string& cost_model, const Problem& problem, Isa isa, const PlanOptions& options) {
  auto plan = make_plan(problem, *refine(problem), make_target(isa, plan_machine(cost_model)), options);
  EXPECT_TRUE(plan) << plan.error().message;
  return *plan;
}

Nest first_nest_for(const std::string& cost_model, const std::string& source, const std::string& destination,
                    Isa isa, const PlanOptions& options) {
  return plan_for(cost_model, problem_of(source, destination), isa, options).nests.at(0);
}

Nest first_nest_by(const Target& target, const std::string& source, const std::string& destination) {
  const Problem problem = problem_of(source, destination);
  return make_plan(problem, *refine(problem), target, PlanOptions())->nests.at(0);
}

Nest nest_of_copies(std::int64_t bytes, std::vector<Loop> loops) {
  Nest nest;
  nest.kernel = CopyKernel{.bytes = bytes};
  nest.loops = std::move(loops);
  return nest;
}

CallRuns runs_of_call(const Nest& nest) {
  const KernelAccess access = kernel_runs(nest);
  return {access.source.front().bytes, access.destination.front().bytes};
}

CallRuns runs_of_transpose(const std::string& cost_model, const std::string& matrix, Isa isa) {
  return runs_of_call(first_nest_for(cost_model, matrix, "[1, 0]", isa));
}

bool reads_gaps(const Plan& plan) {
  return std::ranges::any_of(plan.nests, [](const Nest& nest) {
    const auto* permute = std::get_if<PermuteKernel>(&nest.kernel);
    return permute != nullptr && !permute->network.destination.pieces.empty() &&
           !permute->network.source.pieces.empty() &&
           std::ranges::any_of(permute->network.destination.pieces,
                               [](const SidePiece& piece) { return piece.bytes == 0; });
  });
}

bool writes_padding(const Nest& nest) {
  const auto* permute = std::get_if<PermuteKernel>(&nest.kernel);
  return permute != nullptr && permute->network.fills_padding;
}

std::string notes_of(const Plan& plan) {
  std::string text;
  for (const Note& note : plan.notes) text += note.choice + ": " + note.reason + "\n";
  return text;
}

void expect_right(const Problem& problem, const Plan& plan) {
  const auto map = *interpret::source_of_destination(problem);
  const auto source = testing::scrambled_bytes(problem.source_elements * problem.element_bytes);
  std::vector<std::byte> destination(
      static_cast<std::size_t>(problem.destination_elements * problem.element_bytes));
  const Status status = interpret::run_plan(plan, source.data(), destination.data());
  ASSERT_TRUE(status) << status.error().message;
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (map[i] < 0) continue;
    const auto bytes = static_cast<std::size_t>(problem.element_bytes);
    const auto from = source.begin() + map[i] * problem.element_bytes;
    ASSERT_TRUE(std::equal(from, from + problem.element_bytes,
                           destination.begin() + static_cast<std::ptrdiff_t>(i * bytes)))
        << "element " << i << "\n"
        << to_string(plan);
  }
}

}  // namespace relayout::plan
