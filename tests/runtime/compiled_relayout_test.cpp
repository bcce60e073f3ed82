// Plans whose nests take turns, run as a compiled relayout runs them: whole, and in parts.

#include "src/runtime/compiled_relayout.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/interpret/scalar.hpp"
#include "src/plan/cost_models/make_target.hpp"
#include "src/plan/model/scratch.hpp"
#include "src/plan/planner.hpp"
#include "src/plan/refinement/loop_nest.hpp"
#include "src/runtime/pair.hpp"
#include "src/runtime/proof_engine.hpp"
#include "tests/support/segv_guard.hpp"

namespace relayout::runtime {
namespace {

std::vector<Isa> levels_of_code() {
  std::vector<Isa> levels = runnable_isas();
  std::erase(levels, Isa::kPortable);
  return levels;
}

/// A Golden Cove of 8 KiB and 64 KiB of cache, so that short pairs have many rounds.
plan::Target target_of_short_rounds(Isa isa) {
  MachineInfo machine = machine_info();
  machine.cost_model = "golden_cove";
  machine.level1_data_bytes = 8 << 10;
  machine.level2_bytes = 64 << 10;
  machine.streaming_threshold_bytes = 64 << 20;
  return plan::make_target(isa, machine);
}

CompiledRelayout compiled_for(const plan::Target& target, const std::string& from, const std::string& to) {
  const Layout source = *Layout::parse(from);
  CompiledRelayout compiled(source, *Layout::parse_destination(to, source));
  compiled.isa = target.isa;
  compiled.problem = *raw_problem(source, compiled.destination);
  compiled.loop_nest = *plan::refine(compiled.problem);
  plan::PlanOptions options;
  options.fill.resize(static_cast<std::size_t>(compiled.problem.element_bytes));
  compiled.plan = *plan::make_plan(compiled.problem, compiled.loop_nest, target, options);
  compiled.scratch_bytes = static_cast<std::size_t>(plan::scratch_bytes(compiled.plan));
  compiled.code = *jit::compile(compiled.plan, {.validate = true});
  return compiled;
}

void expect_proved(const CompiledRelayout& compiled) {
  const plan::Problem& problem = compiled.problem;
  const auto map = interpret::source_of_destination(problem);
  ASSERT_TRUE(map) << map.error().message;
  ProofTask task;
  task.map = {*map, problem.element_bytes, problem.source_elements * problem.element_bytes};
  task.variants = {{"as planned", [&](const std::byte* source, std::byte* destination, std::int64_t index,
                                      std::int64_t count) {
                      compiled.run_unobserved(source, destination, {index, count}, nullptr);
                    }}};
  const auto outcome = prove_paths(task);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_TRUE(outcome->ok) << outcome->message;
}

/// Proves a pair at each level and has `check` look at its plan.
void prove_turns(const std::string& from, const std::string& to,
                 const std::function<void(const plan::Plan&)>& check) {
  SCOPED_TRACE(from);
  for (const Isa isa : levels_of_code()) {
    SCOPED_TRACE(to_string(isa));
    const CompiledRelayout compiled = compiled_for(target_of_short_rounds(isa), from, to);
    EXPECT_GT(compiled.plan.rounds, 1);
    check(compiled.plan);
    expect_proved(compiled);
  }
}

TEST(CompiledRelayout, nests_before_the_rounds_run_once_however_many_parts_there_are) {
  testing::SegvGuard guard("padding that takes turns alone");
  const auto data_come_first = [](const plan::Plan& plan) { EXPECT_EQ(plan.first_in_rounds, 1U); };
  prove_turns("u8[7,8,5,16,4]{4,3,2,1,0}", "{0,2,1,3,4:T(8,128)}", data_come_first);
}

TEST(CompiledRelayout, nests_take_turns_in_several_places) {
  testing::SegvGuard guard("turns in several places");
  const auto writes_in_places = [](const plan::Plan& plan) {
    EXPECT_EQ(plan.first_in_rounds, 0U);
    for (const plan::Nest& nest : plan.nests) EXPECT_EQ(nest.cut_loop, 1U);
  };
  prove_turns("f64[4,15,5,4]{3,0,1,2}", "{3,2,1,0:T(8,128)}", writes_in_places);
  prove_turns("u8[7,40,5,5][0, 2, 1, 3, 1 p(4)]", "{3,2,1,0:T(8,128)(2,1)}", [](const plan::Plan&) {});
}

}  // namespace
}  // namespace relayout::runtime
