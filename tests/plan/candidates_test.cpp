#include "src/plan/candidates.hpp"

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "src/plan/cost_models/make_target.hpp"
#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

Target target() {
  MachineInfo info = plan_machine();
  info.level1_data_bytes = 48 << 10;
  return make_target(Isa::kAvx512Vbmi, info);
}

CandidateList candidates_of(const Problem& problem, const PlanOptions& options = {}) {
  auto list = plan_candidates(problem, *refine(problem), target(), options);
  EXPECT_TRUE(list) << list.error().message;
  return std::move(*list);
}

std::vector<std::string> choices_of(const CandidateList& list) {
  std::vector<std::string> choices;
  for (const Candidate& candidate : list.others) choices.push_back(to_string(candidate.choice));
  return choices;
}

TEST(Candidates, a_transpose_has_other_kernels_walks_vectors_and_stores) {
  const auto choices = choices_of(candidates_of(problem_of("f32[1024,1024]", "[1, 0]")));
  for (const std::string expected : {"kernel=scalar", "kernel=copy", "loops=source", "loops=destination",
                                     "vectors=32", "stores=streaming", "prefetch=off"}) {
    EXPECT_NE(std::ranges::find(choices, expected), choices.end()) << expected;
  }
}

TEST(Candidates, rgb_has_shuffles_of_both_widths) {
  const CandidateList list = candidates_of(problem_of("u8[3,64,64]", "[1, 2, 0]"));
  const auto choices = choices_of(list);
  EXPECT_TRUE(std::ranges::any_of(
      choices, [](const std::string& choice) { return choice.starts_with("kernel=shuffle16-"); }));
}

TEST(Candidates, none_is_the_plan_itself_and_none_comes_twice) {
  const CandidateList list = candidates_of(problem_of("f32[100,60]", "[1, 0, 1 p(4)]"));
  std::set<std::string> texts;
  const auto add = [&](Plan plan) {
    plan.notes.clear();
    EXPECT_TRUE(texts.insert(to_string(plan)).second) << to_string(plan);
  };
  add(list.chosen.plan);
  for (const Candidate& candidate : list.others) add(candidate.plan);
  EXPECT_GE(texts.size(), 4U);
}

TEST(Candidates, all_move_every_element_to_its_place) {
  for (const auto& [source, destination] :
       {std::pair("f32[100,60]", "[1, 0, 1 p(4)]"), std::pair("u8[3,37,41]", "[1, 2, 0]"),
        std::pair("bf16[70,33]", "[1, 0]"), std::pair("f32[2,48,5,7]", "[0, 1, 2, 3, 1 p(16)]")}) {
    const Problem problem = problem_of(source, destination);
    for (const Candidate& candidate : candidates_of(problem).others) {
      SCOPED_TRACE(std::string(source) + " " + to_string(candidate.choice));
      expect_right(problem, candidate.plan);
    }
  }
}

TEST(Candidates, the_same_question_has_the_same_answer) {
  const Problem problem = problem_of("f32[300,200]", "[1, 0]");
  const CandidateList once = candidates_of(problem);
  const CandidateList again = candidates_of(problem);
  EXPECT_EQ(choices_of(once), choices_of(again));
  for (std::size_t i = 0; i < once.others.size(); ++i)
    EXPECT_EQ(once.others[i].work.cycles, again.others[i].work.cycles);
}

TEST(Candidates, a_choice_makes_the_plan_that_was_listed) {
  const Problem problem = problem_of("f32[300,200]", "[1, 0]");
  const LoopNest nest = *refine(problem);
  for (const Candidate& candidate : candidates_of(problem).others) {
    const PlanChoice choice = *parse_choice(to_string(candidate.choice));
    PlanOptions options;
    options.choice = &choice;
    const auto plan = make_plan(problem, nest, target(), options);
    ASSERT_TRUE(plan) << to_string(choice);
    EXPECT_EQ(to_string(*plan), to_string(candidate.plan));
  }
}

TEST(Candidates, a_kernel_that_does_not_fit_is_named) {
  const Problem problem = problem_of("f32[64,64]", "[1, 0]");
  const PlanChoice choice = *parse_choice("kernel=magic");
  PlanOptions options;
  options.choice = &choice;
  const auto plan = make_plan(problem, *refine(problem), target(), options);
  ASSERT_FALSE(plan);
  EXPECT_NE(plan.error().message.find("'magic'"), std::string::npos);
}

}  // namespace
}  // namespace relayout::plan
