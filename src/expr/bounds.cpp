// Ranges of linear forms. Plain interval arithmetic loses the range of x%d, which the normal form writes
// x - d*(x//d). So terms over one base M, k*M + sum c_i*(M//a_i) with a_1 | a_2 | ..., are first regrouped
// into digits:
//
//   k*M + sum c_i*(M//a_i) = sum w_i * digit_i,   w_0 = k, a_0 = 1, w_i = w_(i-1) * a_i/a_(i-1) + c_i
//   digit_i = (M//a_i) mod (a_(i+1)/a_i), the last one M//a_last unreduced
//
// and each digit contributes its own interval.

#include <algorithm>

#include "src/expr/integer.hpp"
#include "src/expr/node.hpp"
#include "src/expr/workspace.hpp"
#include "src/expr/xor_range.hpp"

namespace relayout::expr {
namespace {

/// A sum of intervals, wide enough not to overflow: finite parts are below 2^126 / 2^16 terms once clamped.
class Interval {
 public:
  void add(std::int64_t coefficient, Range range) {
    if (coefficient == 0) return;
    if (coefficient < 0) std::swap(range.lower, range.upper);
    add_end(lower_, no_lower_, coefficient, range.lower);
    add_end(upper_, no_upper_, coefficient, range.upper);
  }

  void add_constant(Wide constant) {
    lower_ += constant;
    upper_ += constant;
  }

  Range range() const {
    Range result;
    if (!no_lower_ && fits_64_bits(lower_)) result.lower = static_cast<std::int64_t>(lower_);
    if (!no_upper_ && fits_64_bits(upper_)) result.upper = static_cast<std::int64_t>(upper_);
    return result;
  }

 private:
  static constexpr Wide kHuge = Wide{1} << 100;

  static void add_end(Wide& end, bool& unbounded, std::int64_t coefficient, std::int64_t value) {
    unbounded |= value == Range::kNoLower || value == Range::kNoUpper;
    end += std::clamp(Wide{coefficient} * value, -kHuge, kHuge);
  }

  Wide lower_ = 0;
  Wide upper_ = 0;
  bool no_lower_ = false;
  bool no_upper_ = false;
};

Range quotient_range(Range range, std::int64_t divisor) {
  if (range.lower != Range::kNoLower) range.lower = floor_quotient(range.lower, divisor);
  if (range.upper != Range::kNoUpper) range.upper = floor_quotient(range.upper, divisor);
  return range;
}

/// The range of (base // divisor) mod modulus.
Range digit_range(Range base, std::int64_t divisor, std::int64_t modulus) {
  const Range quotient = quotient_range(base, divisor);
  const bool one_period = quotient.bounded() &&
                          floor_quotient(quotient.lower, modulus) == floor_quotient(quotient.upper, modulus);
  if (!one_period) return {0, modulus - 1};
  return {floor_remainder(quotient.lower, modulus), floor_remainder(quotient.upper, modulus)};
}

Range product_range(Range a, Range b) {
  if (!a.bounded() || !b.bounded())
    return {a.lower >= 0 && b.lower >= 0 ? 0 : Range::kNoLower, Range::kNoUpper};
  const Wide corners[] = {Wide{a.lower} * b.lower, Wide{a.lower} * b.upper, Wide{a.upper} * b.lower,
                          Wide{a.upper} * b.upper};
  const auto [least, greatest] = std::minmax_element(std::begin(corners), std::end(corners));
  Range result;
  if (fits_64_bits(*least)) result.lower = static_cast<std::int64_t>(*least);
  if (fits_64_bits(*greatest)) result.upper = static_cast<std::int64_t>(*greatest);
  return result;
}

/// One digit position of a base: its divisor and the coefficient of base // divisor.
struct Position {
  std::int64_t divisor = 1;
  std::int64_t coefficient = 0;
};
using Positions = SmallVector<Position, 6>;

/// Takes the digits of a base out of a form.
class DigitView {
 public:
  DigitView(Workspace& workspace, const Linear& linear) : workspace_(workspace), rest_(linear) {}

  Range range() {
    const Linear whole = rest_;
    for (std::size_t i = 0; i < whole.terms.size(); ++i) {
      const Atom& atom = workspace_.atom(whole.terms[i].atom);
      if (atom.kind != AtomKind::kFloor) continue;
      const bool first_of_base = i == 0 ||
                                 workspace_.atom(whole.terms[i - 1].atom).kind != AtomKind::kFloor ||
                                 workspace_.atom(whole.terms[i - 1].atom).numerator != atom.numerator;
      if (first_of_base) regroup(atom.numerator);
    }
    interval_.add_constant(rest_.constant);
    for (const Term& term : rest_.terms) {
      interval_.add(term.coefficient, bounds_of_atom(workspace_, term.atom));
    }
    return interval_.range();
  }

 private:
  void regroup(FormId base) {
    const Linear base_linear = workspace_.linear(base);
    const std::int64_t multiple = multiple_of(workspace_, rest_, base_linear);
    Positions positions;
    if (multiple != 0) positions.push_back({1, multiple});
    Linear without = rest_;
    if (multiple != 0) workspace_.add(without, base_linear, -multiple);
    for (const Term& term : rest_.terms) {
      const Atom& atom = workspace_.atom(term.atom);
      if (atom.kind != AtomKind::kFloor || atom.numerator != base) continue;
      const bool chains = positions.empty() || atom.divisor % positions[positions.size() - 1].divisor == 0;
      if (!chains) continue;
      positions.push_back({atom.divisor, term.coefficient});
      Workspace::remove_term(without, term.atom);
    }
    if (positions.size() > 1 && add_digits(positions, bounds_of(workspace_, base))) rest_ = without;
  }

  bool add_digits(const Positions& positions, Range base) {
    Interval sum = interval_;
    Wide weight = 0;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const std::int64_t divisor = positions[i].divisor;
      weight = weight * (i == 0 ? 1 : divisor / positions[i - 1].divisor) + positions[i].coefficient;
      if (!fits_64_bits(weight)) return false;
      const bool top = i + 1 == positions.size();
      sum.add(static_cast<std::int64_t>(weight),
              top ? quotient_range(base, divisor)
                  : digit_range(base, divisor, positions[i + 1].divisor / divisor));
    }
    interval_ = sum;
    return true;
  }

  Workspace& workspace_;
  Linear rest_;
  Interval interval_;
};

bool has_floor(const Workspace& workspace, const Linear& linear) {
  return std::any_of(linear.terms.begin(), linear.terms.end(),
                     [&](const Term& term) { return workspace.atom(term.atom).kind == AtomKind::kFloor; });
}

Range plain_range(Workspace& workspace, const Linear& linear) {
  Interval interval;
  interval.add_constant(linear.constant);
  for (const Term& term : linear.terms) {
    interval.add(term.coefficient, bounds_of_atom(workspace, term.atom));
  }
  return interval.range();
}

}  // namespace

std::int64_t multiple_of(const Workspace& workspace, const Linear& part, const Linear& whole) {
  if (whole.terms.empty()) return 0;
  const Term& first = whole.terms[0];
  const std::int64_t coefficient = workspace.coefficient_of(part, first.atom);
  if (coefficient == 0 || coefficient == INT64_MIN || coefficient % first.coefficient != 0) return 0;
  const std::int64_t multiple = coefficient / first.coefficient;
  for (const Term& term : whole.terms) {
    if (Wide{multiple} * term.coefficient != workspace.coefficient_of(part, term.atom)) return 0;
  }
  return multiple;
}

Range bounds_of_atom(Workspace& workspace, AtomId id) {
  const Atom atom = workspace.atom(id);
  switch (atom.kind) {
    case AtomKind::kVariable: {
      const Range range = atom.variable->key.range;
      return range.lower <= range.upper ? range : Range{};
    }
    case AtomKind::kFloor:
      return quotient_range(bounds_of(workspace, atom.numerator), atom.divisor);
    case AtomKind::kRemainder:
      return digit_range(bounds_of(workspace, atom.numerator), 1, atom.divisor);
    case AtomKind::kProduct:
      return product_range(bounds_of(workspace, atom.numerator), bounds_of(workspace, atom.other));
    case AtomKind::kXor:
      return xor_range(bounds_of(workspace, atom.numerator), bounds_of(workspace, atom.other));
  }
  return {};
}

Range bounds_of(Workspace& workspace, const Linear& linear) {
  const Range plain = plain_range(workspace, linear);
  if (linear.terms.size() < 2 || !has_floor(workspace, linear)) return plain;
  const OverflowGuard guard(workspace);
  const Range digits = DigitView(workspace, linear).range();
  return guard.overflowed() ? plain : intersection(plain, digits);
}

Range bounds_of(Workspace& workspace, FormId id) {
  if (const auto& known = workspace.form(id).bounds) return *known;
  const Range range = bounds_of(workspace, workspace.linear(id));
  workspace.form(id).bounds = range;
  return range;
}

}  // namespace relayout::expr
