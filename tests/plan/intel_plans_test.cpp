#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "tests/plan/plans.hpp"

// Plans for processors that execute all shuffles on one port.

namespace relayout::plan {
namespace {

Target intel(Isa isa) {
  MachineInfo machine = plan_machine();
  machine.cost_model = "intel";
  return make_target(isa, machine);
}

Nest intel_nest_of(const std::string& source, const std::string& destination, Isa isa) {
  const Problem problem = problem_of(source, destination);
  const Plan plan = *make_plan(problem, *refine(problem), intel(isa), PlanOptions());
  expect_right(problem, plan);
  return plan.nests.at(0);
}

TEST(IntelPlans, elements_are_gathered_by_scalar_moves) {
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512}) {
    std::vector<std::string> kernels;
    PlanOptions options;
    options.kernels = &kernels;
    const Problem problem = problem_of("f64[64,64]", "[1, 0]");
    ASSERT_TRUE(make_plan(problem, *refine(problem), intel(isa), options));
    EXPECT_EQ(std::ranges::count(kernels, "scalar"), 1);
    EXPECT_EQ(std::ranges::count(kernels, "gather"), 0);
  }
}

TEST(IntelPlans, wide_elements_take_a_network_though_a_line_has_several_vectors) {
  for (const char* const source : {"f64[64,64]", "c128[32,32]"}) {
    const Nest nest = intel_nest_of(source, "[1, 0]", Isa::kAvx2);
    EXPECT_TRUE(std::holds_alternative<PermuteKernel>(nest.kernel)) << source;
  }
}

}  // namespace
}  // namespace relayout::plan
