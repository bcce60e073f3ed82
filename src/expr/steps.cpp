#include "src/expr/steps.hpp"

#include "src/expr/integer.hpp"

namespace relayout::expr {
namespace {

constexpr std::size_t kMaximumTerms = 64;

/// -w / k if that is an integer other than 0 and fits, else 0.
std::int64_t cancelling(std::int64_t outside, std::int64_t coefficient) {
  if (outside == INT64_MIN || coefficient == INT64_MIN || outside % coefficient != 0) return 0;
  return -(outside / coefficient);
}

}  // namespace

const SmallVector<FormId, 16>& Steps::all() {
  if (linear_.terms.size() > kMaximumTerms) return found_;
  for (const Term& term : linear_.terms) {
    if (!workspace_.spend(1)) break;
    if (term.coefficient == INT64_MIN) continue;
    const AtomKind kind = workspace_.atom(term.atom).kind;
    if (kind == AtomKind::kFloor) of_floor(term);
    if (kind == AtomKind::kProduct) of_product(term);
  }
  return found_;
}

Linear Steps::without(Term term) {
  Linear result = linear_;
  Workspace::remove_term(result, term.atom);
  return result;
}

void Steps::offer(const Linear& linear, const OverflowGuard& guard) {
  if (!guard.overflowed()) found_.push_back(workspace_.intern(linear));
}

void Steps::of_floor(Term term) {
  const Atom floor = workspace_.atom(term.atom);
  if (term.coefficient % floor.divisor == 0) remainder(term, floor);
  digit(term, floor);
  if (floor.divisor == 2) round_up(term, floor);
  if (term.coefficient < 0) mirror(term, floor);
  shifts(term, floor);
}

void Steps::remainder(Term term, const Atom& floor) {
  const OverflowGuard guard(workspace_);
  const std::int64_t multiple = -(term.coefficient / floor.divisor);
  Linear result = without(term);
  workspace_.add(result, workspace_.linear(floor.numerator), -multiple);
  workspace_.add_term(result, workspace_.remainder_atom(floor.numerator, floor.divisor), multiple);
  offer(result, guard);
}

void Steps::digit(Term term, const Atom& floor) {
  for (const Term& lower : linear_.terms) {
    const Atom place = workspace_.atom(lower.atom);
    const bool below = place.kind == AtomKind::kFloor && place.numerator == floor.numerator &&
                       place.divisor < floor.divisor && floor.divisor % place.divisor == 0;
    if (!below) continue;
    const std::int64_t modulus = floor.divisor / place.divisor;
    if (-Wide{modulus} * lower.coefficient != term.coefficient) continue;
    const OverflowGuard guard(workspace_);
    Linear result = without(term);
    Workspace::remove_term(result, lower.atom);
    const AtomId remainder_atom = workspace_.remainder_atom(workspace_.atom_form(lower.atom), modulus);
    workspace_.add_term(result, remainder_atom, lower.coefficient);
    offer(result, guard);
  }
}

void Steps::round_up(Term term, const Atom& floor) {
  const OverflowGuard guard(workspace_);
  Linear result = without(term);
  workspace_.add(result, workspace_.linear(floor.numerator), term.coefficient);
  const FormId increased = workspace_.plus_constant(floor.numerator, 1);
  workspace_.add_term(result, workspace_.floor_atom(increased, 2), -term.coefficient);
  offer(result, guard);
}

void Steps::mirror(Term term, const Atom& floor) {
  replace_mirrored(without(term), floor.numerator, floor.divisor, term.coefficient);
}

void Steps::replace_mirrored(Linear rest, FormId numerator, std::int64_t divisor, std::int64_t coefficient) {
  const OverflowGuard guard(workspace_);
  const FormId mirrored = workspace_.plus_constant(workspace_.scaled(numerator, -1), divisor - 1);
  workspace_.add_term(rest, workspace_.floor_atom(mirrored, divisor), -coefficient);
  offer(rest, guard);
}

void Steps::shift(Term term, const Atom& floor, const Linear& moved) {
  const OverflowGuard guard(workspace_);
  Linear numerator = workspace_.linear(floor.numerator);
  workspace_.add(numerator, moved, workspace_.times(floor.divisor, -1));
  if (numerator.terms.empty()) return;
  Linear rest = without(term);
  workspace_.add(rest, moved, term.coefficient);
  if (guard.overflowed()) return;
  const FormId shifted = workspace_.intern(numerator);
  if (term.coefficient < 0) replace_mirrored(rest, shifted, floor.divisor, term.coefficient);
  workspace_.add_term(rest, workspace_.floor_atom(shifted, floor.divisor), term.coefficient);
  offer(rest, guard);
}

void Steps::shifts(Term term, const Atom& floor) {
  const Linear numerator = workspace_.linear(floor.numerator);
  Linear all_cancelling;
  all_cancelling.constant = cancelling(linear_.constant, term.coefficient);
  for (const Term& inner : numerator.terms) {
    Linear moved;
    const std::int64_t outside = workspace_.coefficient_of(linear_, inner.atom);
    if (const std::int64_t count = cancelling(outside, term.coefficient)) {
      moved.terms.push_back({inner.atom, count});
      all_cancelling.terms.push_back({inner.atom, count});
      shift(term, floor, moved);
    }
    const Atom atom = workspace_.atom(inner.atom);
    if (atom.kind != AtomKind::kFloor) continue;
    const std::int64_t multiple = multiple_of(workspace_, numerator, workspace_.linear(atom.numerator));
    const Wide change = inner.coefficient + Wide{atom.divisor} * multiple;
    if (multiple == 0 || change == 0 || change % floor.divisor != 0 || !fits_64_bits(change / floor.divisor))
      continue;
    moved = {};
    moved.terms.push_back({inner.atom, static_cast<std::int64_t>(change / floor.divisor)});
    shift(term, floor, moved);
  }
  if (all_cancelling.terms.size() + (all_cancelling.constant != 0 ? 1U : 0U) > 1)
    shift(term, floor, all_cancelling);
}

void Steps::of_product(Term term) {
  const Atom product = workspace_.atom(term.atom);
  factor(term, product.numerator, product.other);
  factor(term, product.other, product.numerator);
}

void Steps::factor(Term product, FormId taken_out, FormId other) {
  const Linear factor_linear = workspace_.linear(taken_out);
  const std::int64_t multiple = multiple_of(workspace_, linear_, factor_linear);
  if (multiple == 0) return;
  const OverflowGuard guard(workspace_);
  Linear result = without(product);
  workspace_.add(result, factor_linear, -multiple);
  Linear sum;
  workspace_.add(sum, workspace_.linear(other), product.coefficient);
  sum.constant = workspace_.plus(sum.constant, multiple);
  workspace_.add_term(result, workspace_.product_atom(workspace_.intern(sum), taken_out), 1);
  offer(result, guard);
}

}  // namespace relayout::expr
