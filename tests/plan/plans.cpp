#include "tests/plan/plans.hpp"

#include <gtest/gtest.h>

#include "relayout/layout.hpp"
#include "src/runtime/pair.hpp"

namespace relayout::plan {

MachineInfo plan_machine() {
  MachineInfo info;
  info.cost_model = "zen";
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

Plan plan_of(const Problem& problem, Isa isa, PlanOptions options) {
  auto plan = make_plan(problem, *refine(problem), make_target(isa, plan_machine()), options);
  EXPECT_TRUE(plan) << plan.error().message;
  return *plan;
}

std::string notes_of(const Plan& plan) {
  std::string text;
  for (const Note& note : plan.notes) text += note.choice + ": " + note.reason + "\n";
  return text;
}

}  // namespace relayout::plan
