#include "src/plan/refinement/forms.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "src/expr/xor_range.hpp"

namespace relayout::plan {
namespace {

std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return quotient - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

std::int64_t floor_residue(std::int64_t a, std::int64_t b) {
  return a - b * floor_quotient(a, b);
}

/// Whether the whole interval lies in one period of `divisor`.
bool in_one_period(const Interval& interval, std::int64_t divisor) {
  return floor_quotient(interval.lower, divisor) == floor_quotient(interval.upper, divisor);
}

bool same_form(const Form& a, const Form& b) {
  return a.constant == b.constant &&
         std::equal(a.terms.begin(), a.terms.end(), b.terms.begin(), b.terms.end());
}

/// sum += a * b. False past 64 bits.
bool add_product(std::int64_t& sum, std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return !__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(sum, product, &sum);
}

/// Fields past this leave no room for what stands above them.
constexpr int kMaximumFieldBits = 61;

/// Terms under construction.
using Terms = expr::SmallVector<Term, 8>;

void append(Terms& terms, AtomId atom, std::int64_t coefficient) {
  if (coefficient != 0) terms.push_back({atom, coefficient});
}

}  // namespace

Forms::Forms() : memory_(first_bytes_.data(), first_bytes_.size()), atoms_(&memory_) {
  atoms_.reserve(kFirstAtoms);
  chains_.fill(-1);
}

std::size_t Forms::chain_of(const Atom& atom) {
  const auto mixed = [](std::uint64_t hash, std::int64_t value) {
    return (std::rotl(hash, 7) ^ static_cast<std::uint64_t>(value)) * 0x9E3779B97F4A7C15;
  };
  const auto hash_of = [&](const Form& form) {
    std::uint64_t hash = mixed(0, form.constant);
    for (const Term& term : form.terms) hash = mixed(mixed(hash, term.atom), term.coefficient);
    return hash;
  };
  // The operands of an exclusive or may change places.
  const std::uint64_t hash = hash_of(atom.numerator) + hash_of(atom.other);
  return mixed(hash, atom.divisor) >> 32 & (kChains - 1);
}

Form Forms::interned(const Atom& atom) {
  AtomId& first = chains_[chain_of(atom)];
  for (AtomId id = first; id >= 0; id = atoms_[static_cast<std::size_t>(id)].next) {
    const Atom& known = atoms_[static_cast<std::size_t>(id)];
    if (known.kind != atom.kind || known.divisor != atom.divisor) continue;
    const bool same = same_form(known.numerator, atom.numerator) && same_form(known.other, atom.other);
    const bool swapped = atom.kind == AtomKind::kXor && same_form(known.numerator, atom.other) &&
                         same_form(known.other, atom.numerator);
    if (same || swapped) return variable(id);
  }
  atoms_.push_back(atom);
  atoms_.back().next = first;
  first = static_cast<AtomId>(atoms_.size()) - 1;
  return variable(first);
}

void Forms::forget_atoms_past(std::size_t count) {
  for (; atoms_.size() > count; atoms_.pop_back()) {
    if (!atoms_.back().is_variable()) chains_[chain_of(atoms_.back())] = atoms_.back().next;
  }
}

AtomId Forms::add_variable(std::int64_t extent) {
  Atom created;
  created.extent = extent;
  atoms_.push_back(created);
  return static_cast<AtomId>(atoms_.size()) - 1;
}

Form Forms::make(std::int64_t constant, std::span<const Term> terms) {
  if (terms.empty()) return {constant, {}};
  auto* stored = static_cast<Term*>(memory_.allocate(terms.size_bytes(), alignof(Term)));
  std::copy(terms.begin(), terms.end(), stored);
  terms_made_ += terms.size();
  return {constant, {stored, terms.size()}};
}

Form Forms::variable(AtomId id, std::int64_t coefficient, std::int64_t constant) {
  const bool unit = atom(id).is_variable() && atom(id).extent == 1;  // only ever 0
  if (coefficient == 0 || unit) return {constant, {}};
  const Term term{id, coefficient};
  return make(constant, {&term, 1});
}

Form Forms::add(const Form& a, const Form& b, std::int64_t factor) {
  if (factor == 0) return a;
  Terms sum;
  auto left = a.terms.begin();
  auto right = b.terms.begin();
  while (left != a.terms.end() || right != b.terms.end()) {
    if (right == b.terms.end() || (left != a.terms.end() && left->atom < right->atom)) {
      sum.push_back(*left++);
    } else if (left == a.terms.end() || right->atom < left->atom) {
      append(sum, right->atom, factor * right->coefficient);
      ++right;
    } else {
      append(sum, left->atom, left->coefficient + factor * right->coefficient);
      ++left;
      ++right;
    }
  }
  return make(a.constant + factor * b.constant, sum);
}

Form Forms::scale(const Form& a, std::int64_t factor) {
  return factor == 1 ? a : add({}, a, factor);
}

Form Forms::remainder(const Form& numerator, std::int64_t divisor) {
  return add(numerator, floor(numerator, divisor), -divisor);
}

Form Forms::floor_atom(const Form& numerator, std::int64_t divisor) {
  Atom created;
  created.kind = AtomKind::kFloor;
  created.numerator = numerator;
  created.divisor = divisor;
  return interned(created);
}

// A group of w bits at place 2^p, all of them set in `bits`, counts down: (x // 2^p) % 2^w becomes 2^w - 1 -
// that.
Form Forms::flipped_bits(const Form& form, std::int64_t bits) {
  Form result = form;
  for (auto left = static_cast<std::uint64_t>(bits); left != 0;) {
    const int place = std::countr_zero(left);
    const int width = std::countr_one(left >> place);
    const std::int64_t ones = (std::int64_t{1} << width) - 1;
    const Form field = remainder(floor(form, std::int64_t{1} << place), ones + 1);
    result = add(result, add(constant(ones), field, -2), std::int64_t{1} << place);
    left &= ~(static_cast<std::uint64_t>(ones) << place);
  }
  return result;
}

// With field = 2^p v in [0, 2^q), only the bits p to q of the base are changed: with t these bits of the
// base, base ^ field == base + 2^p ((t ^ v) - t).
std::optional<Form> Forms::exclusive_or(const Operand& a, const Operand& b) {
  if (a.form.is_constant() && b.form.is_constant()) return constant(a.form.constant ^ b.form.constant);
  const int bits_of_a = expr::bits_of(a.range);
  const int bits_of_b = expr::bits_of(b.range);
  const bool changes_a = bits_of_a < 0 || (bits_of_b >= 0 && bits_of_b <= bits_of_a);
  const Form& base = changes_a ? a.form : b.form;
  const Form& field = changes_a ? b.form : a.form;
  const int top = changes_a ? bits_of_b : bits_of_a;
  if (top < 0 || top > kMaximumFieldBits) return std::nullopt;
  if (field.is_constant()) return flipped_bits(base, field.constant);
  auto all = static_cast<std::uint64_t>(field.constant);
  for (const Term& term : field.terms) all |= static_cast<std::uint64_t>(term.coefficient);
  const int low = std::countr_zero(all);
  if (low >= top) return base;  // the field is always 0
  const std::int64_t limit = std::int64_t{1} << (top - low);
  const Form changed = remainder(floor(base, std::int64_t{1} << low), limit);
  const Form both = xor_below(changed, floor(field, std::int64_t{1} << low), limit);
  return add(base, add(both, changed, -1), std::int64_t{1} << low);
}

Form Forms::xor_below(const Form& a, const Form& b, std::int64_t limit) {
  if (a.is_constant()) return flipped_bits(b, a.constant);
  if (b.is_constant()) return flipped_bits(a, b.constant);
  Form sum;
  for (std::int64_t place = 1; place < limit; place *= 2) {
    sum = add(sum, xor_of_bits(remainder(floor(a, place), 2), remainder(floor(b, place), 2)), place);
  }
  return sum;
}

// Past a guard's limit, where no point is, an operand may be neither 0 nor 1.
Form Forms::xor_of_bits(const Form& a, const Form& b) {
  const auto with_constant = [this](const Form& bit, std::int64_t constant_bit) {
    return constant_bit % 2 == 0 ? bit : add(constant(1), bit, -1);
  };
  if (a.is_constant()) return with_constant(b, a.constant);
  if (b.is_constant()) return with_constant(a, b.constant);
  if (same_form(a, b)) return {};
  Atom created;
  created.kind = AtomKind::kXor;
  created.numerator = a;
  created.other = b;
  return interned(created);
}

Form Forms::floor(const Form& numerator, std::int64_t divisor) {
  if (divisor == 1) return numerator;
  // (c x + y) // d == q x + (r x + y) // d with c == q d + r: multiples of d leave.
  Terms outside;
  Terms inside;
  for (const Term& term : numerator.terms) {
    std::int64_t residue = floor_residue(term.coefficient, divisor);
    if (residue != 0 && !reduce_residues_) {
      residue = term.coefficient;
    } else if (residue > divisor / 2 && 2 * residue > divisor) {
      residue -= divisor;
    }
    append(outside, term.atom, (term.coefficient - residue) / divisor);
    append(inside, term.atom, residue);
  }
  const Form whole = make(floor_quotient(numerator.constant, divisor), outside);
  return add(whole, floor_reduced(make(floor_residue(numerator.constant, divisor), inside), divisor));
}

Form Forms::floor_reduced(const Form& form, std::int64_t divisor) {
  const Interval interval = range(form);
  if (in_one_period(interval, divisor)) return constant(floor_quotient(interval.lower, divisor));
  // (g x + c) // (g d) == (x + c // g) // d
  std::int64_t common = divisor;
  for (const Term& term : form.terms) common = std::gcd(common, term.coefficient);
  if (common > 1) {
    Terms divided(form.terms.begin(), form.terms.end());
    for (Term& term : divided) term.coefficient /= common;
    return floor(make(floor_quotient(form.constant, common), divided), divisor / common);
  }
  if (auto result = drop_small_part(form, divisor)) return *result;
  if (reduce_residues_) {
    if (auto result = orient(form, divisor)) return *result;
  }
  if (auto result = merge_nested(form, divisor)) return *result;
  return floor_atom(form, divisor);
}

// (g x + y) // (g d) == (x + k) // d if k g <= y < (k + 1) g
std::optional<Form> Forms::drop_small_part(const Form& form, std::int64_t divisor) {
  Terms candidates(form.terms.begin(), form.terms.end());
  for (Term& term : candidates) term.coefficient = std::gcd(term.coefficient, divisor);
  std::sort(candidates.begin(), candidates.end(),
            [](const Term& a, const Term& b) { return a.coefficient > b.coefficient; });
  std::int64_t previous = 1;
  for (const Term& candidate : candidates) {
    const std::int64_t granule = candidate.coefficient;
    if (granule == previous || granule == 1) continue;
    previous = granule;
    Terms large;
    Terms small;
    for (const Term& term : form.terms) {
      if (term.coefficient % granule == 0) {
        append(large, term.atom, term.coefficient / granule);
      } else {
        small.push_back(term);
      }
    }
    const Interval interval = range({form.constant, small});
    if (!in_one_period(interval, granule)) continue;
    return floor(make(floor_quotient(interval.lower, granule), large), divisor / granule);
  }
  return std::nullopt;
}

// One orientation for reversed and half-way numerators, so that equal maps get equal atoms:
//   (u + 1) // 2 == u - u // 2      and      (-u) // d == -((u + d - 1) // d)
std::optional<Form> Forms::orient(const Form& form, std::int64_t divisor) {
  if (form.terms.empty()) return std::nullopt;
  const auto unit = [](const Term& term) { return term.coefficient == 1 || term.coefficient == -1; };
  if (divisor == 2 && form.constant == 1 && std::all_of(form.terms.begin(), form.terms.end(), unit)) {
    Terms positive;
    Terms shift;
    for (const Term& term : form.terms) {
      append(positive, term.atom, 1);
      append(shift, term.atom, (term.coefficient - 1) / 2);  // -x == x - 2 x
    }
    const Form sum = make(0, positive);
    const auto nested = merge_nested(sum, 2);
    return add(add(sum, make(0, shift)), nested ? *nested : floor_atom(sum, 2), -1);
  }
  if (form.terms.front().coefficient > 0) return std::nullopt;
  const Form turned = add(constant(divisor - 1), form, -1);
  const std::int64_t whole = floor_quotient(turned.constant, divisor);
  const Form rest{turned.constant - whole * divisor, turned.terms};
  const auto nested = merge_nested(rest, divisor);
  return add(constant(-whole), nested ? *nested : floor_atom(rest, divisor), -1);
}

// (x // a + c) // b == (x + a c) // (a b)
std::optional<Form> Forms::merge_nested(const Form& form, std::int64_t divisor) {
  if (form.terms.size() != 1 || form.terms.front().coefficient != 1) return std::nullopt;
  const Atom inner = atom(form.terms.front().atom);
  std::int64_t product = 0;
  if (inner.kind != AtomKind::kFloor || __builtin_mul_overflow(inner.divisor, divisor, &product))
    return std::nullopt;
  return floor(add(inner.numerator, constant(form.constant), inner.divisor), product);
}

Form Forms::substitute(const Form& form, const Replacements& replacements) {
  Form result = constant(form.constant);
  for (const Term& term : form.terms) {
    const Atom current = atom(term.atom);
    if (current.kind == AtomKind::kFloor) {
      result =
          add(result, floor(substitute(current.numerator, replacements), current.divisor), term.coefficient);
    } else if (current.kind == AtomKind::kXor) {
      const Form first = substitute(current.numerator, replacements);
      const Form second = substitute(current.other, replacements);
      result = add(result, xor_of_bits(first, second), term.coefficient);
    } else if (const auto found = replacements.find(term.atom); found != replacements.end()) {
      result = add(result, found->second, term.coefficient);
    } else {
      result = add(result, variable(term.atom), term.coefficient);
    }
  }
  return result;
}

Interval Forms::range(const Form& form) const {
  Interval total{form.constant, form.constant};
  for (const Term& term : form.terms) {
    const Atom& current = atom(term.atom);
    Interval values{0, current.extent - 1};
    if (current.kind == AtomKind::kXor) {
      values = {0, 1};
    } else if (current.kind == AtomKind::kFloor) {
      const Interval numerator = range(current.numerator);
      values = {floor_quotient(numerator.lower, current.divisor),
                floor_quotient(numerator.upper, current.divisor)};
    }
    const bool rising = term.coefficient > 0;
    const bool fits = add_product(total.lower, term.coefficient, rising ? values.lower : values.upper) &&
                      add_product(total.upper, term.coefficient, rising ? values.upper : values.lower);
    if (!fits) return {INT64_MIN, INT64_MAX};
  }
  return total;
}

std::int64_t Forms::evaluate(const Form& form, AtomId variable, std::int64_t value) const {
  // Partial sums may wrap (half x - 2 half (x // 2) for huge odd-even strips); the whole is right again.
  auto sum = static_cast<std::uint64_t>(form.constant);
  for (const Term& term : form.terms) {
    const Atom& current = atom(term.atom);
    const auto coefficient = static_cast<std::uint64_t>(term.coefficient);
    if (current.kind == AtomKind::kXor) {
      const std::int64_t both =
          evaluate(current.numerator, variable, value) ^ evaluate(current.other, variable, value);
      sum += coefficient * static_cast<std::uint64_t>(both);
    } else if (current.kind == AtomKind::kFloor) {
      const std::int64_t numerator = evaluate(current.numerator, variable, value);
      sum += coefficient * static_cast<std::uint64_t>(floor_quotient(numerator, current.divisor));
    } else if (term.atom == variable) {
      sum += coefficient * static_cast<std::uint64_t>(value);
    }
  }
  return static_cast<std::int64_t>(sum);
}

void Forms::collect_floors(const Form& form, AtomIds& floors) const {
  for (const Term& term : form.terms) {
    const Atom& current = atom(term.atom);
    if (current.is_variable() || std::find(floors.begin(), floors.end(), term.atom) != floors.end()) continue;
    if (current.kind == AtomKind::kFloor) floors.push_back(term.atom);
    collect_floors(current.numerator, floors);
    collect_floors(current.other, floors);
  }
}

void Forms::collect_xors(const Form& form, AtomIds& xors) const {
  for (const Term& term : form.terms) {
    const Atom& current = atom(term.atom);
    if (current.is_variable() || std::find(xors.begin(), xors.end(), term.atom) != xors.end()) continue;
    collect_xors(current.numerator, xors);
    collect_xors(current.other, xors);
    if (current.kind == AtomKind::kXor) xors.push_back(term.atom);
  }
}

void Forms::collect_variables(const Form& form, AtomIds& variables) const {
  for (const Term& term : form.terms) {
    if (!atom(term.atom).is_variable()) {
      collect_variables(atom(term.atom).numerator, variables);
      collect_variables(atom(term.atom).other, variables);
    } else if (std::find(variables.begin(), variables.end(), term.atom) == variables.end()) {
      variables.push_back(term.atom);
    }
  }
}

AtomId Forms::any_variable(AtomId id) const {
  while (!atom(id).is_variable()) {
    const Atom& current = atom(id);
    id = (current.numerator.is_constant() ? current.other : current.numerator).terms.front().atom;
  }
  return id;
}

bool Forms::is_affine(const Form& form) const {
  return std::all_of(form.terms.begin(), form.terms.end(),
                     [this](const Term& term) { return atom(term.atom).is_variable(); });
}

std::optional<Form> Forms::from_expression(const expr::IndexExpr& expression,
                                           std::span<const AtomId> variables) {
  const auto operand = [&](const expr::IndexExpr& child) { return from_expression(child, variables); };
  switch (expression.kind()) {
    case expr::Kind::kConstant:
      return constant(expression.value());
    case expr::Kind::kVariable:
      return variable(variables[static_cast<std::size_t>(expression.variable_index())]);
    case expr::Kind::kAdd: {
      const auto left = operand(expression.left());
      const auto right = operand(expression.right());
      if (!left || !right) return std::nullopt;
      return add(*left, *right);
    }
    case expr::Kind::kMultiply: {
      const auto left = operand(expression.left());
      const auto right = operand(expression.right());
      if (!left || !right || (!left->is_constant() && !right->is_constant())) return std::nullopt;
      return left->is_constant() ? scale(*right, left->constant) : scale(*left, right->constant);
    }
    case expr::Kind::kFloorDiv:
    case expr::Kind::kFloorMod: {
      const auto left = operand(expression.left());
      if (!left) return std::nullopt;
      const bool quotient = expression.kind() == expr::Kind::kFloorDiv;
      return quotient ? floor(*left, expression.value()) : remainder(*left, expression.value());
    }
    case expr::Kind::kXor: {
      const auto left = operand(expression.left());
      const auto right = operand(expression.right());
      const auto range_of_left = expr::range_of(expression.left());
      const auto range_of_right = expr::range_of(expression.right());
      if (!left || !right || !range_of_left || !range_of_right) return std::nullopt;
      return exclusive_or({*left, *range_of_left}, {*right, *range_of_right});
    }
  }
  return std::nullopt;
}

}  // namespace relayout::plan
