#include <algorithm>
#include <variant>

#include <gtest/gtest.h>

#include "jit/compiler.hpp"
#include "src/interpret/scalar.hpp"
#include "src/plan/cost_models/make_target.hpp"
#include "src/plan/model/scratch.hpp"
#include "src/plan/planner.hpp"
#include "src/runtime/compiled_relayout.hpp"
#include "src/runtime/proof_engine.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/segv_guard.hpp"

// Generated code on problems that no layout notation restricts, proved on every path.

namespace relayout::runtime {
namespace {

using relayout::testing::describe;
using relayout::testing::RandomProblemOptions;
using relayout::testing::RandomProblems;
using relayout::testing::SegvGuard;

/// Generated code for a problem, or null where the planner's budget is passed. The layouts are stand-ins:
/// running reads the plan and the code only.
std::shared_ptr<CompiledRelayout> generate(const plan::Problem& problem, Isa isa, StreamingStores streaming) {
  const Layout stand_in = Layout::parse("u8[1]").value();
  auto compiled = std::make_shared<CompiledRelayout>(stand_in, stand_in);
  const auto nest = plan::refine(problem);
  if (!nest) return nullptr;
  auto plan =
      plan::make_plan(problem, *nest, plan::make_target(isa, machine_info()), {.streaming = streaming});
  if (!plan) return nullptr;
  auto code = jit::compile(*plan, {.validate = true});
  EXPECT_TRUE(code) << code.error().message << "\n" << to_string(*plan);
  if (!code) return nullptr;
  compiled->plan = *std::move(plan);
  compiled->scratch_bytes = static_cast<std::size_t>(plan::scratch_bytes(compiled->plan));
  compiled->code = *std::move(code);
  return compiled;
}

ProofVariant variant_of(std::shared_ptr<CompiledRelayout> compiled, std::string name) {
  return {std::move(name),
          [compiled](const std::byte* source, std::byte* destination, std::int64_t index,
                     std::int64_t count) { compiled->run_part(source, destination, index, count, nullptr); }};
}

/// Counts in `proved` what was generated and proved.
void expect_proof(const plan::Problem& problem, Isa isa, int& proved) {
  const auto map = interpret::source_of_destination(problem);
  ASSERT_TRUE(map) << map.error().message;
  const auto temporal = generate(problem, isa, StreamingStores::kNever);
  const auto streaming = generate(problem, isa, StreamingStores::kAlways);
  if (!temporal || !streaming) return;
  SegvGuard guard(describe(problem) + "\n" + to_string(temporal->plan));
  const ProofTask task = {
      {*map, problem.element_bytes, problem.source_elements * problem.element_bytes, std::nullopt},
      {variant_of(temporal, "temporal"), variant_of(streaming, "streaming")},
      false,
      [&guard](std::string_view path) { guard.set_detail(path); }};
  const auto outcome = prove_paths(task);
  ASSERT_TRUE(outcome) << outcome.error().message;
  ASSERT_TRUE(outcome->ok) << outcome->message << "\n"
                           << describe(problem) << "\n"
                           << to_string(streaming->plan);
  ++proved;
}

/// \param tenths how many of ten problems have to be within the planner's budgets
void expect_proofs(RandomProblemOptions options, int problem_count, int tenths = 9) {
  const std::uint64_t seed = relayout::testing::test_seed();
  SCOPED_TRACE(relayout::testing::replay_hint(seed));
  RandomProblems problems(seed, options);
  int proved = 0;
  int tried = 0;
  for (int count = 0; count < problem_count; ++count) {
    const plan::Problem problem = problems.next();
    for (const Isa isa : runnable_isas()) {
      if (isa == Isa::kPortable) continue;
      ++tried;
      ASSERT_NO_FATAL_FAILURE(expect_proof(problem, isa, proved))
          << to_string(isa) << " " << describe(problem);
    }
  }
  EXPECT_GE(proved * 10, tried * tenths);  // the rest passes a budget of the planner
}

TEST(RandomPairs, generated_code_is_proved_at_every_level_that_runs_here) {
  expect_proofs({}, 200);
}

TEST(RandomPairs, generated_code_of_swizzles_is_proved) {
  RandomProblemOptions options;
  options.swizzles = true;
  expect_proofs(options, 12, 5);
}

TEST(RandomPairs, generated_code_for_larger_arrays_is_proved_too) {
  expect_proofs({.maximum_elements = 50'000, .maximum_extent = 300}, 40);
}

}  // namespace
}  // namespace relayout::runtime
