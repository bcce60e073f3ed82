#include <algorithm>
#include <functional>
#include <numeric>

#include "src/expr/rules.hpp"

namespace relayout::expr {
namespace {

constexpr std::size_t kMaximumFlippedTerms = 5;

/// Common factors of the divisor and of one or two coefficients, largest first.
SmallVector<std::int64_t, 8> candidate_factors(const Linear& numerator, std::int64_t divisor) {
  SmallVector<std::int64_t, 8> single;
  SmallVector<std::int64_t, 8> factors;
  for (const Term& term : numerator.terms) {
    const std::int64_t factor = std::gcd(term.coefficient, divisor);
    if (std::find(single.begin(), single.end(), factor) == single.end()) single.push_back(factor);
  }
  for (std::size_t i = 0; i < single.size(); ++i) {
    for (std::size_t j = i; j < single.size(); ++j) {
      const std::int64_t factor = std::gcd(single[i], single[j]);
      const bool known = std::find(factors.begin(), factors.end(), factor) != factors.end();
      if (factor > 1 && !known) factors.push_back(factor);
    }
  }
  std::sort(factors.begin(), factors.end(), std::greater<>());
  return factors;
}

/// One way to write the numerator as factor * multiple + small.
struct Split {
  Linear multiple;
  Linear small;
};

Split split_by(const Linear& numerator, std::int64_t factor, unsigned flipped) {
  Split split;
  split.small.constant = numerator.constant;
  std::size_t position = 0;
  for (const Term& term : numerator.terms) {
    std::int64_t residue = term.coefficient % factor;
    if (residue < 0) residue += factor;
    if (residue != 0 && position < kMaximumFlippedTerms && (flipped >> position++ & 1U) != 0)
      residue -= factor;
    const std::int64_t multiple = (term.coefficient - residue) / factor;
    if (multiple != 0) split.multiple.terms.push_back({term.atom, multiple});
    if (residue != 0) split.small.terms.push_back({term.atom, residue});
  }
  return split;
}

FormId with_factor(Workspace& workspace, const Linear& numerator, std::int64_t divisor, std::int64_t factor) {
  const std::size_t small_terms = split_by(numerator, factor, 0).small.terms.size();
  const unsigned choices = 1U << std::min(small_terms, kMaximumFlippedTerms);
  for (unsigned flipped = 0; flipped < choices && (flipped == 0 || workspace.spend(1)); ++flipped) {
    Split split = split_by(numerator, factor, flipped);
    const auto period = single_period(bounds_of(workspace, split.small), factor);
    if (!period) continue;
    split.multiple.constant = *period;
    return floor_of(workspace, workspace.intern(split.multiple), divisor / factor);
  }
  return kNone;
}

}  // namespace

FormId common_factor_rule(Workspace& workspace, FormId numerator, std::int64_t divisor) {
  const Linear whole = workspace.linear(numerator);
  for (const std::int64_t factor : candidate_factors(whole, divisor)) {
    const FormId result = with_factor(workspace, whole, divisor, factor);
    if (result != kNone) return result;
  }
  return kNone;
}

}  // namespace relayout::expr
