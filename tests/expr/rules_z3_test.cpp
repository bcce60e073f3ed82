// Every rule on literal instances, proved by Z3 for all integers; those with an exclusive or for all words.
// With symbolic divisors Z3 gives up on most.

#ifdef RELAYOUT_HAVE_Z3

#include <z3++.h>

#include "tests/expr/expression_support.hpp"
#include "tests/expr/rule_table.hpp"

namespace relayout::expr {
namespace {

using testing::Constants;
using testing::RuleCase;
using testing::RuleInstance;

/// Of wall time, on a machine that may be busy; the slowest instance takes under a second alone.
constexpr unsigned kTimeoutMilliseconds = 60'000;
/// Larger literals are left to the box: Z3 4.8.12 takes 20 s for Hermite's identity with six parts.
constexpr std::int64_t kLiterals[] = {1, 2, 3};
constexpr std::int64_t kShifts[] = {-3, 4};

/// Of integers Z3 knows no bits. Longer words would add bits of the same kind: no bit of a sum, a product or
/// an exclusive or depends on those above it, and no rule divides what may overflow.
constexpr unsigned kWordBits = 12;

/// Terms of Z3 for expressions: integers, of which division by a positive literal rounds down, or words.
class Prover {
 public:
  Prover(std::span<const Variable> variables, bool words) : solver_(context_), words_(words) {
    z3::params parameters(context_);
    parameters.set("timeout", kTimeoutMilliseconds);
    solver_.set(parameters);
    for (const Variable& variable : variables) {
      const char* name = variable.name.c_str();
      terms_.push_back(words_ ? context_.bv_const(name, kWordBits) : context_.int_const(name));
      if (variable.range.lower != Range::kNoLower) solver_.add(terms_.back() >= number(variable.range.lower));
      if (variable.range.upper != Range::kNoUpper) solver_.add(terms_.back() <= number(variable.range.upper));
    }
  }

  /// unsat: equal everywhere.
  z3::check_result check_difference(const IndexExpr& a, const IndexExpr& b) {
    solver_.add(term(a) != term(b));
    return solver_.check();
  }

 private:
  z3::expr number(std::int64_t value) {
    return words_ ? context_.bv_val(value, kWordBits) : context_.int_val(value);
  }

  /// A word's quotient rounds towards 0; with its remainder taken off, it is exact.
  z3::expr remainder(const z3::expr& a, const z3::expr& b) { return words_ ? z3::smod(a, b) : z3::mod(a, b); }
  z3::expr quotient(const z3::expr& a, const z3::expr& b) { return (words_ ? a - z3::smod(a, b) : a) / b; }

  z3::expr term(const IndexExpr& e) {
    switch (e.kind()) {
      case Kind::kConstant:
        return number(e.value());
      case Kind::kVariable:
        return terms_[static_cast<std::size_t>(e.variable_index())];
      case Kind::kAdd:
        return term(e.left()) + term(e.right());
      case Kind::kMultiply:
        return term(e.left()) * term(e.right());
      case Kind::kFloorDiv:
        return quotient(term(e.left()), number(e.value()));
      case Kind::kFloorMod:
        return remainder(term(e.left()), number(e.value()));
      case Kind::kXor:
        return term(e.left()) ^ term(e.right());
    }
    return number(0);
  }

  z3::context context_;
  z3::solver solver_;
  bool words_;
  std::vector<z3::expr> terms_;
};

z3::check_result check(const RuleInstance& instance) {
  const std::vector<Variable> variables = {
      {"x", instance.ranges[0]}, {"y", instance.ranges[1]}, {"z", instance.ranges[2]}};
  const bool words = instance.left.find('^') != std::string::npos;
  return Prover(variables, words)
      .check_difference(testing::expression(instance.left, variables),
                        testing::expression(instance.right, variables));
}

template <class Visit>
void for_each_instance(const RuleCase& rule, const Visit& visit) {
  std::string last;  // rules without c give the same instance again
  for (const std::int64_t a : kLiterals) {
    for (const std::int64_t b : kLiterals) {
      for (const std::int64_t c : kShifts) {
        const auto instance = rule.instance(Constants{a, b, c});
        if (instance && instance->left != last) visit(*instance);
        if (instance) last = instance->left;
      }
    }
  }
}

TEST(RulesByZ3, every_literal_instance_is_proved) {
  for (const RuleCase& rule : testing::rule_cases()) {
    for_each_instance(rule, [&](const RuleInstance& instance) {
      EXPECT_EQ(check(instance), z3::unsat) << rule.name << ": " << instance.left << " = " << instance.right;
    });
  }
}

TEST(RulesByZ3, wrong_rules_are_refuted) {
  for (const RuleCase& rule : testing::wrong_rule_cases()) {
    int refuted = 0;
    for_each_instance(rule,
                      [&](const RuleInstance& instance) { refuted += check(instance) == z3::sat ? 1 : 0; });
    EXPECT_GT(refuted, 0) << rule.name;
  }
}

}  // namespace
}  // namespace relayout::expr

#endif  // RELAYOUT_HAVE_Z3
