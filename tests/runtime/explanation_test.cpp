#include "relayout/explanation.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "relayout/proof.hpp"
#include "src/runtime/compiled_relayout.hpp"

namespace relayout {
namespace {

class ExplanationTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (default_isa() == Isa::kPortable) GTEST_SKIP() << "nothing is generated here";
  }

  static Result<Relayout> compiled(const std::string& source, const std::string& destination,
                                   const CompileOptions& options = {}) {
    const Layout from = *Layout::parse(source);
    return compile(from, *Layout::parse_destination(destination, from), options);
  }

  static Explanation explained(const std::string& source, const std::string& destination,
                               const CompileOptions& options = {}) {
    const auto convert = compiled(source, destination, options);
    EXPECT_TRUE(convert) << convert.error().message;
    auto result = explanation(*convert);
    EXPECT_TRUE(result) << result.error().message;
    return std::move(*result);
  }
};

TEST_F(ExplanationTest, every_decision_has_its_reason) {
  const Explanation explanation = explained("f32[64,64]", "[1, 0]");
  ASSERT_EQ(explanation.kernels.size(), 1U);
  std::vector<std::string> decided;
  for (const Decision& decision : explanation.kernels.front().decisions) {
    decided.push_back(decision.what);
    EXPECT_FALSE(decision.choice.empty()) << decision.what;
    EXPECT_FALSE(decision.reason.empty()) << decision.what;
  }
  EXPECT_EQ(decided, (std::vector<std::string>{"kernel", "vectors", "loops", "stores", "prefetch", "masks"}));
}

TEST_F(ExplanationTest, the_plan_explained_is_the_one_that_runs) {
  for (const auto& [source, destination] :
       {std::pair("f32[1024,1024]", "[1, 0]"), {"f32[8,60,56,56]{3,2,1,0}", "{3,2,1,0:T(16,1,1)}"}}) {
    const auto convert = compiled(source, destination);
    ASSERT_TRUE(convert);
    auto explained = runtime::with_reasons(convert->compiled());
    ASSERT_TRUE(explained);
    EXPECT_FALSE(explained->plan.notes.empty());
    explained->plan.notes.clear();
    EXPECT_EQ(plan::to_string(explained->plan), plan::to_string(convert->compiled().plan));
  }
}

TEST_F(ExplanationTest, predictions_are_of_what_is_moved) {
  const Explanation explanation = explained("f32[64,64]", "[1, 0]");
  EXPECT_EQ(explanation.predicted.bytes, 2 * 64 * 64 * 4);
  EXPECT_EQ(explanation.predicted.lines, 2 * 64 * 64 * 4 / 64);
  EXPECT_EQ(explanation.predicted.memory_lines, 0);
  EXPECT_GT(explanation.predicted.instructions_per_element, 0);
  EXPECT_EQ(explanation.kernels.front().elements, 64 * 64);
}

TEST_F(ExplanationTest, rejected_plans_rise_in_cost_and_say_why) {
  const Explanation explanation = explained("f32[1024,1024]", "[1, 0]");
  ASSERT_GE(explanation.rejected.size(), 4U);
  EXPECT_TRUE(std::ranges::is_sorted(
      explanation.rejected, {}, [](const RejectedPlan& plan) { return plan.predicted.cycles_per_element; }));
  for (const RejectedPlan& plan : explanation.rejected) EXPECT_FALSE(plan.reason.empty()) << plan.choice;
  EXPECT_EQ(explanation.rejected.back().choice.substr(0, 7), "kernel=");
}

TEST_F(ExplanationTest, rejected_plans_compile_to_what_was_explained_and_are_right) {
  const Layout source = *Layout::parse("f32[60,100]");
  const Layout destination = *Layout::parse_destination("[1, 0, 1 p(4)]", source);
  for (const RejectedPlan& plan : explained("f32[60,100]", "[1, 0, 1 p(4)]").rejected) {
    CompileOptions options;
    options.choice = plan.choice;
    const auto proof = prove(source, destination, options);
    ASSERT_TRUE(proof) << plan.choice << ": " << proof.error().message;
    EXPECT_TRUE(proof->ok) << plan.choice << ": " << proof->message;
    const Explanation other = explained("f32[60,100]", "[1, 0, 1 p(4)]", options);
    EXPECT_EQ(other.choice, plan.choice);
    EXPECT_EQ(other.predicted.cycles_per_element, plan.predicted.cycles_per_element) << plan.choice;
  }
}

TEST_F(ExplanationTest, steps_of_a_network_lead_every_element_to_its_place) {
  const Explanation explanation = explained("f32[16,16]", "[1, 0]");
  const Wiring& wiring = explanation.kernels.front().wiring;
  ASSERT_FALSE(wiring.steps.empty());
  EXPECT_EQ(wiring.cell_bytes, 4);
  for (const Wiring::Step& step : wiring.steps) {
    std::vector<std::int64_t> from = step.from;
    std::ranges::sort(from);
    for (std::size_t i = 0; i < from.size(); ++i) ASSERT_EQ(from[i], static_cast<std::int64_t>(i));
    EXPECT_GT(step.instructions, 0);
  }
}

TEST_F(ExplanationTest, code_is_that_which_runs_and_names_lines_of_the_plan) {
  const auto convert = compiled("f32[64,64]", "[1, 0]");
  ASSERT_TRUE(convert);
  const auto explained = explanation(*convert);
  ASSERT_TRUE(explained);
  ASSERT_FALSE(explained->functions.empty());
  const CodeFunction& function = explained->functions.front();
  const auto running = convert->compiled().code->bytes();
  const auto& nest = convert->compiled().code->nests().front();
  EXPECT_TRUE(std::equal(function.code.begin(), function.code.end(), running.begin() + nest.temporal_offset));
  ASSERT_FALSE(function.lines.empty());
  for (const CodeLine& line : function.lines) {
    EXPECT_LT(line.offset, function.code.size());
    ASSERT_GE(line.line, 1);
    ASSERT_LE(static_cast<std::size_t>(line.line), explained->plan.size());
  }
}

TEST_F(ExplanationTest, interpreted_pairs_say_why) {
  CompileOptions options;
  options.isa = Isa::kPortable;
  const Explanation explanation = explained("f32[8,8]", "[1, 0]", options);
  EXPECT_EQ(explanation.portable_reason, "the portable level was asked for");
  EXPECT_TRUE(explanation.kernels.empty());
  EXPECT_TRUE(explanation.rejected.empty());
}

TEST_F(ExplanationTest, empty_and_single_element_pairs_have_explanations) {
  EXPECT_TRUE(explained("f32[0,8]", "[1, 0]").rejected.empty());
  EXPECT_EQ(explained("f32[1]", "[0]").kernels.size(), 1U);
}

TEST_F(ExplanationTest, strict_compilation_refuses_single_elements_and_interpretation) {
  CompileOptions options;
  options.strict = true;
  EXPECT_TRUE(compiled("f32[64,64]", "[1, 0]", options));
  options.kernel = KernelFamily::kGather;
  const auto gathered = compiled("f32[64,64]", "[1, 0]", options);
  ASSERT_FALSE(gathered);
  EXPECT_EQ(gathered.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(gathered.error().message.find("single elements"), std::string::npos);
  options.kernel = KernelFamily::kAutomatic;
  options.isa = Isa::kPortable;
  const auto interpreted = compiled("f32[64,64]", "[1, 0]", options);
  ASSERT_FALSE(interpreted);
  EXPECT_NE(interpreted.error().message.find("interpreted"), std::string::npos);
}

TEST_F(ExplanationTest, strict_is_not_answered_from_the_cache_of_the_lenient) {
  CompileOptions options;
  options.kernel = KernelFamily::kGather;
  ASSERT_TRUE(compiled("f32[96,64]", "[1, 0]", options));
  options.strict = true;
  EXPECT_FALSE(compiled("f32[96,64]", "[1, 0]", options));
}

TEST_F(ExplanationTest, choices_are_kept_apart_in_the_cache) {
  CompileOptions options;
  options.choice = "kernel=scalar";
  const auto scalar = compiled("f32[80,64]", "[1, 0]", options);
  const auto plain = compiled("f32[80,64]", "[1, 0]");
  ASSERT_TRUE(scalar && plain);
  EXPECT_EQ(scalar->kernel(), "gather");
  EXPECT_EQ(plain->kernel(), "permute");
  EXPECT_EQ(&compiled("f32[80,64]", "[1, 0]", options)->compiled(), &scalar->compiled());
}

TEST_F(ExplanationTest, choices_that_do_not_fit_are_refused) {
  CompileOptions options;
  options.choice = "kernel=magic";
  const auto unknown = compiled("f32[64,64]", "[1, 0]", options);
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code, ErrorCode::kUnsupported);
  for (const char* part : {"no kernel 'magic' fits this pair: it has ", "scalar", "copy"})
    EXPECT_NE(unknown.error().message.find(part), std::string::npos) << unknown.error().message;
  options.choice = "loops=sideways";
  EXPECT_EQ(compiled("f32[64,64]", "[1, 0]", options).error().code, ErrorCode::kBadArgument);
}

/// Whether `choice` is among the plans rejected, or those rejected where one of them is chosen, and so on.
bool is_listed(const std::string& source, const std::string& destination, const std::string& choice) {
  std::vector<std::string> reached = {""};
  for (std::size_t i = 0; i < reached.size() && reached[i] != choice; ++i) {
    const Layout from = *Layout::parse(source);
    CompileOptions options;
    options.choice = reached[i];
    const auto convert = compile(from, *Layout::parse_destination(destination, from), options);
    if (!convert) return false;
    const auto others = explanation(*convert);
    if (!others) return false;
    for (const RejectedPlan& plan : others->rejected) {
      if (std::ranges::find(reached, plan.choice) == reached.end()) reached.push_back(plan.choice);
    }
  }
  return std::ranges::find(reached, choice) != reached.end();
}

TEST_F(ExplanationTest, tuning_keeps_a_candidate_and_the_answer) {
  CompileOptions options;
  options.tune = Tuning::kMeasure;
  options.prove = true;
  for (const auto& [source, destination] :
       {std::pair("f32[200,300]", "[1, 0]"), std::pair("u8[3,64,50]", "[1, 2, 0]"),
        std::pair("f32[0,8]", "[1, 0]"), std::pair("f32[64,64]", "[0, 1]")}) {
    const auto tuned = compiled(source, destination, options);
    ASSERT_TRUE(tuned) << tuned.error().message;
    EXPECT_TRUE(is_listed(source, destination, tuned->compiled().options.choice))
        << tuned->compiled().options.choice;
  }
}

}  // namespace
}  // namespace relayout
