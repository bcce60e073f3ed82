#include <algorithm>

#include <gtest/gtest.h>

#include "src/interpret/plan_interpreter.hpp"
#include "src/interpret/scalar.hpp"
#include "src/interpret/vectorised.hpp"
#include "src/plan/cost_models/make_target.hpp"
#include "src/plan/planner.hpp"
#include "src/plan/refinement/loop_nest.hpp"
#include "tests/support/buffers.hpp"
#include "tests/support/random_problem.hpp"

// Each stage's interpreter against the scalar one, on random problems.

namespace relayout::interpret {
namespace {

using relayout::testing::describe;
using relayout::testing::RandomProblems;
using relayout::testing::scrambled_bytes;

/// The destination over 0xA5 after `run(source, destination)`.
template <class Run>
std::vector<std::byte> destination_after(const plan::Problem& problem, const Run& run) {
  const auto source = scrambled_bytes(problem.source_elements * problem.element_bytes);
  std::vector<std::byte> destination(
      static_cast<std::size_t>(problem.destination_elements * problem.element_bytes), std::byte{0xA5});
  run(source.data(), destination.data());
  return destination;
}

std::vector<std::byte> by_scalar(const plan::Problem& problem) {
  return destination_after(problem, [&](const std::byte* source, std::byte* destination) {
    EXPECT_TRUE(run_scalar(problem, source, destination, INT64_MAX));
  });
}

bool has_overlaps(const plan::Plan& plan) {
  return std::any_of(plan.nests.begin(), plan.nests.end(), [](const plan::Nest& nest) {
    return std::any_of(nest.guards.begin(), nest.guards.end(),
                       [](const plan::Guard& guard) { return guard.overlaps(); });
  });
}

/// Runs the plan; no byte is written twice unless some tail overlaps, and none outside the domain's image.
void expect_plan_as_scalar(const plan::Problem& problem, const plan::Plan& plan) {
  std::vector<std::uint8_t> counts;
  const auto destination = destination_after(problem, [&](const std::byte* source, std::byte* bytes) {
    const Status status = run_plan(plan, {source, bytes, &counts});
    ASSERT_TRUE(status) << status.error().message;
  });
  ASSERT_EQ(destination, by_scalar(problem));
  const auto most_writes = counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
  ASSERT_TRUE(most_writes <= 1 || has_overlaps(plan));
}

plan::Target target_of(Isa isa) {
  MachineInfo machine;
  machine.level1_data_bytes = 32 * 1024;
  machine.level2_bytes = 1024 * 1024;
  machine.level3_bytes = 32 * 1024 * 1024;
  machine.streaming_threshold_bytes = 24 * 1024 * 1024;
  return plan::make_target(isa, machine);
}

TEST(Pipeline, simplified_expressions_move_what_the_raw_ones_move) {
  const std::uint64_t seed = relayout::testing::test_seed();
  SCOPED_TRACE(relayout::testing::replay_hint(seed));
  RandomProblems problems(seed);
  for (int count = 0; count < 300; ++count) {
    const plan::Problem raw = problems.next();
    SCOPED_TRACE(describe(raw));
    plan::Problem simplified = raw;
    simplified.source = expr::simplify(raw.source).value();
    simplified.destination = expr::simplify(raw.destination).value();
    const auto program = VectorisedProgram::build(simplified, runnable_isas().back());
    ASSERT_TRUE(program) << program.error().message;
    const auto destination = destination_after(raw, [&](const std::byte* source, std::byte* bytes) {
      program->run(source, bytes, 0, program->element_count());
    });
    ASSERT_EQ(destination, by_scalar(raw));
  }
}

TEST(Pipeline, plans_move_what_the_expressions_say) {
  const std::uint64_t seed = relayout::testing::test_seed();
  SCOPED_TRACE(relayout::testing::replay_hint(seed));
  RandomProblems problems(seed);
  for (int count = 0; count < 300; ++count) {
    const plan::Problem problem = problems.next();
    SCOPED_TRACE(describe(problem));
    const auto nest = plan::refine(problem);
    ASSERT_TRUE(nest) << nest.error().message;
    for (const Isa isa : {Isa::kAvx2, Isa::kAvx512, Isa::kAvx512Vbmi}) {
      const auto plan = plan::make_plan(problem, *nest, target_of(isa), {});
      if (!plan && plan.error().code == ErrorCode::kUnsupported)
        continue;  // past a budget: interpreted instead
      ASSERT_TRUE(plan) << plan.error().message;
      SCOPED_TRACE(to_string(*plan));
      ASSERT_NO_FATAL_FAILURE(expect_plan_as_scalar(problem, *plan));
    }
  }
}

}  // namespace
}  // namespace relayout::interpret
