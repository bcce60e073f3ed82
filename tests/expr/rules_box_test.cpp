// Every rule on an exhaustive small box: constants 1..8 (c from -4 to 4), variables from -20 to 20.

#include "tests/expr/expression_support.hpp"
#include "tests/expr/rule_table.hpp"

namespace relayout::expr {
namespace {

using testing::Constants;
using testing::RuleCase;
using testing::RuleInstance;

constexpr Range kBox = {-20, 20};
constexpr Range kThirdBox = {-4, 4};

template <class Visit>
void for_each_instance(const RuleCase& rule, const Visit& visit) {
  for (std::int64_t a = 1; a <= 8; ++a) {
    for (std::int64_t b = 1; b <= 8; ++b) {
      for (std::int64_t c = -4; c <= 4; ++c) {
        if (const auto instance = rule.instance(Constants{a, b, c})) visit(*instance);
      }
    }
  }
}

/// x, y, and z where the instance uses them; others take one value only.
std::vector<Variable> box_of(const RuleInstance& instance) {
  const std::string text = instance.left + instance.right;
  std::vector<Variable> variables = {{"x", kBox}, {"y", kBox}, {"z", kThirdBox}};
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (text.find(variables[i].name) == std::string::npos) variables[i].range = {0, 0};
    if (instance.ranges[i].bounded()) variables[i].range = instance.ranges[i];
  }
  return variables;
}

bool holds(const IndexExpr& left, const IndexExpr& right, const std::vector<Variable>& variables) {
  bool equal = true;
  testing::for_each_point(variables, [&](const std::vector<std::int64_t>& values) {
    equal = equal && evaluate_unchecked(left, values) == evaluate_unchecked(right, values);
  });
  return equal;
}

TEST(Rules, hold_on_the_whole_box) {
  for (const RuleCase& rule : testing::rule_cases()) {
    for_each_instance(rule, [&](const RuleInstance& instance) {
      const std::vector<Variable> variables = box_of(instance);
      EXPECT_TRUE(holds(testing::expression(instance.left, variables),
                        testing::expression(instance.right, variables), variables))
          << rule.name << ": " << instance.left << " = " << instance.right;
    });
  }
}

TEST(Rules, without_their_side_condition_are_refuted_on_the_box) {
  for (const RuleCase& rule : testing::wrong_rule_cases()) {
    int refuted = 0;
    for_each_instance(rule, [&](const RuleInstance& instance) {
      const std::vector<Variable> variables = box_of(instance);
      refuted += holds(testing::expression(instance.left, variables),
                       testing::expression(instance.right, variables), variables)
                     ? 0
                     : 1;
    });
    EXPECT_GT(refuted, 0) << rule.name;
  }
}

// The box narrows the ranges, so that rules which need them take part.
TEST(Rules, both_sides_simplify_to_something_equal_and_not_longer) {
  for (const auto* rules : {&testing::rule_cases(), &testing::wrong_rule_cases()}) {
    for (const RuleCase& rule : *rules) {
      for_each_instance(rule, [&](const RuleInstance& instance) {
        const std::vector<Variable> variables = box_of(instance);
        for (const std::string& side : {instance.left, instance.right}) {
          const IndexExpr before = testing::expression(side, variables);
          const IndexExpr after = simplify(before).value();
          EXPECT_TRUE(holds(before, after, variables)) << side << " became " << to_string(after);
          EXPECT_LE(division_count(after), division_count(before)) << side;
        }
      });
    }
  }
}

}  // namespace
}  // namespace relayout::expr
