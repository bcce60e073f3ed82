#include "src/expr/workspace.hpp"

#include "src/expr/node.hpp"

namespace relayout::expr {
namespace {

/// Enough for every case of the reference vectors; past it the optional searches stop.
constexpr std::int64_t kSearchSteps = 20'000;
/// Forms kept from call to call; more are given back to the allocator.
constexpr std::size_t kFormsKept = 1024;

std::size_t mixed(std::size_t seed, std::int64_t value) {
  seed = (seed ^ static_cast<std::size_t>(value)) * 0x9e3779b97f4a7c15U;
  return seed ^ (seed >> 29);
}

std::size_t hash_of(const Linear& linear) {
  std::size_t hash = mixed(linear.terms.size(), linear.constant);
  for (const Term& term : linear.terms) hash = mixed(mixed(hash, term.atom), term.coefficient);
  return hash;
}

std::size_t hash_of(const Atom& atom) {
  const std::size_t hash = mixed(mixed(static_cast<std::size_t>(atom.kind), atom.numerator), atom.other);
  return mixed(mixed(hash, atom.divisor), reinterpret_cast<std::intptr_t>(atom.variable));
}

bool same(const Linear& a, const Linear& b) {
  return a.constant == b.constant &&
         std::equal(a.terms.begin(), a.terms.end(), b.terms.begin(), b.terms.end());
}

bool same(const Atom& a, const Atom& b) {
  return a.kind == b.kind && a.numerator == b.numerator && a.other == b.other && a.divisor == b.divisor &&
         a.variable == b.variable;
}

template <class T>
int three_way(const T& a, const T& b) {
  return a < b ? -1 : (b < a ? 1 : 0);
}

int compare_variables(const NodeKey& a, const NodeKey& b) {
  if (const int order = three_way(a.value, b.value)) return order;
  if (const int order = three_way(a.name, b.name)) return order;
  if (const int order = three_way(a.range.lower, b.range.lower)) return order;
  return three_way(a.range.upper, b.range.upper);
}

}  // namespace

void Workspace::clear() {
  if (forms_.size() > kFormsKept) forms_.resize(kFormsKept);
  form_count_ = 0;
  atoms_.clear();
  form_index_.clear();
  atom_index_.clear();
  overflowed_ = false;
  budget_ = kSearchSteps;
}

FormId Workspace::intern(const Linear& linear) {
  const std::size_t hash = hash_of(linear);
  const FormId found = form_index_.find(hash, [&](FormId id) { return same(form(id).linear, linear); });
  if (found != kNone) return found;
  if (form_count_ == forms_.size()) forms_.push_back(std::make_unique<Form>());
  const auto id = static_cast<FormId>(form_count_++);
  Form& created = form(id);
  created.linear = linear;
  created.bounds.reset();
  created.presentation = kNone;
  created.only_variable.reset();
  created.is_polynomial.reset();
  form_index_.insert(hash, id);
  return id;
}

AtomId Workspace::intern_atom(const Atom& atom_to_find) {
  const std::size_t hash = hash_of(atom_to_find);
  const AtomId found = atom_index_.find(hash, [&](AtomId id) { return same(atom(id), atom_to_find); });
  if (found != kNone) return found;
  atoms_.push_back(atom_to_find);
  const auto id = static_cast<AtomId>(atoms_.size() - 1);
  atom_index_.insert(hash, id);
  return id;
}

AtomId Workspace::variable_atom(const Node& variable) {
  Atom created;
  created.variable = &variable;
  return intern_atom(created);
}

AtomId Workspace::floor_atom(FormId numerator, std::int64_t divisor) {
  Atom created;
  created.kind = AtomKind::kFloor;
  created.numerator = numerator;
  created.divisor = divisor;
  return intern_atom(created);
}

AtomId Workspace::remainder_atom(FormId numerator, std::int64_t divisor) {
  Atom created;
  created.kind = AtomKind::kRemainder;
  created.numerator = numerator;
  created.divisor = divisor;
  return intern_atom(created);
}

AtomId Workspace::product_atom(FormId left, FormId right) {
  return commutative_atom(AtomKind::kProduct, left, right);
}

AtomId Workspace::xor_atom(FormId left, FormId right) {
  return commutative_atom(AtomKind::kXor, left, right);
}

AtomId Workspace::commutative_atom(AtomKind kind, FormId left, FormId right) {
  const bool swapped = compare_forms(left, right) > 0;
  Atom created;
  created.kind = kind;
  created.numerator = swapped ? right : left;
  created.other = swapped ? left : right;
  return intern_atom(created);
}

FormId Workspace::constant_form(std::int64_t value) {
  Linear linear;
  linear.constant = value;
  return intern(linear);
}

FormId Workspace::atom_form(AtomId atom_id, std::int64_t coefficient, std::int64_t constant) {
  Linear linear;
  linear.constant = constant;
  if (coefficient != 0) linear.terms.push_back({atom_id, coefficient});
  return intern(linear);
}

FormId Workspace::sum(FormId left, FormId right, std::int64_t factor) {
  Linear result = linear(left);
  add(result, linear(right), factor);
  return intern(result);
}

FormId Workspace::scaled(FormId id, std::int64_t factor) {
  Linear result;
  add(result, linear(id), factor);
  return intern(result);
}

FormId Workspace::plus_constant(FormId id, std::int64_t constant) {
  Linear result = linear(id);
  result.constant = plus(result.constant, constant);
  return intern(result);
}

void Workspace::add(Linear& left, const Linear& right, std::int64_t factor) {
  if (factor == 0) return;
  Terms merged;
  const Term* a = left.terms.begin();
  for (const Term& b : right.terms) {
    while (a != left.terms.end() && a->atom != b.atom && compare(a->atom, b.atom) < 0) merged.push_back(*a++);
    std::int64_t coefficient = times(b.coefficient, factor);
    if (a != left.terms.end() && a->atom == b.atom) coefficient = plus(coefficient, (a++)->coefficient);
    if (coefficient != 0) merged.push_back({b.atom, coefficient});
  }
  while (a != left.terms.end()) merged.push_back(*a++);
  left.terms = merged;
  left.constant = plus(left.constant, times(right.constant, factor));
}

void Workspace::add_term(Linear& left, AtomId atom_id, std::int64_t coefficient) {
  Linear single;
  single.terms.push_back({atom_id, coefficient});
  add(left, single, 1);
}

void Workspace::remove_term(Linear& linear, AtomId atom_id) {
  Terms kept;
  for (const Term& term : linear.terms) {
    if (term.atom != atom_id) kept.push_back(term);
  }
  linear.terms = kept;
}

std::int64_t Workspace::coefficient_of(const Linear& linear, AtomId atom_id) const {
  for (const Term& term : linear.terms) {
    if (term.atom == atom_id) return term.coefficient;
  }
  return 0;
}

int Workspace::compare(AtomId a, AtomId b) const {
  if (a == b) return 0;
  const Atom& left = atom(a);
  const Atom& right = atom(b);
  if (const int order = three_way(left.kind, right.kind)) return order;
  if (left.kind == AtomKind::kVariable) return compare_variables(left.variable->key, right.variable->key);
  if (const int order = compare_forms(left.numerator, right.numerator)) return order;
  if (left.other != kNone) return compare_forms(left.other, right.other);
  return three_way(left.divisor, right.divisor);
}

int Workspace::compare_forms(FormId a, FormId b) const {
  if (a == b) return 0;
  const Linear& left = linear(a);
  const Linear& right = linear(b);
  if (const int order = three_way(left.terms.size(), right.terms.size())) return order;
  for (std::size_t i = 0; i < left.terms.size(); ++i) {
    if (const int order = compare(left.terms[i].atom, right.terms[i].atom)) return order;
    if (const int order = three_way(left.terms[i].coefficient, right.terms[i].coefficient)) return order;
  }
  return three_way(left.constant, right.constant);
}

std::int64_t Workspace::plus(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (!__builtin_add_overflow(a, b, &result)) return result;
  overflowed_ = true;
  return 0;
}

std::int64_t Workspace::times(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (!__builtin_mul_overflow(a, b, &result)) return result;
  overflowed_ = true;
  return 0;
}

bool Workspace::spend(std::int64_t steps) {
  budget_ -= steps;
  return budget_ >= 0;
}

}  // namespace relayout::expr
