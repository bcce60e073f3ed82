#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory_resource>
#include <optional>
#include <span>
#include <vector>

#include "src/expr/index_expr.hpp"
#include "src/expr/small_vector.hpp"

namespace relayout::plan {

using AtomId = int;
using AtomIds = expr::SmallVector<AtomId, 16>;

/// One summand of a form: coefficient * atom.
struct Term {
  AtomId atom = 0;
  std::int64_t coefficient = 0;
  friend bool operator==(const Term&, const Term&) = default;
};

/// A linear form over atoms: constant + sum of terms, terms sorted by atom. Immutable; terms live in their
/// Forms.
struct Form {
  std::int64_t constant = 0;
  std::span<const Term> terms;

  bool is_constant() const noexcept { return terms.empty(); }
};

enum class AtomKind : std::uint8_t {
  kVariable,  ///< with range [0, extent)
  kFloor,     ///< floor(numerator / divisor)
  kXor,       ///< numerator ^ other, both 0 or 1
};

struct Atom {
  AtomKind kind = AtomKind::kVariable;
  std::int64_t extent = 0;   ///< of a variable
  Form numerator;            ///< of a floor, or an exclusive or's first operand
  std::int64_t divisor = 1;  ///< of a floor
  Form other;                ///< of an exclusive or
  AtomId next = -1;          ///< an older one with the same hash

  bool is_variable() const noexcept { return kind == AtomKind::kVariable; }
};

struct Interval {
  std::int64_t lower = 0;
  std::int64_t upper = 0;
};

/// The algebra of linear forms that refinement works in: every form and atom of one refinement lives here.
/// Unlike expr's simplifier it can leave residues alone (a fused exact mixed radix, 11a + b, must stay
/// visible until it has been looked for), and it substitutes. Not thread safe.
class Forms {
 public:
  Forms();
  Forms(const Forms&) = delete;
  Forms& operator=(const Forms&) = delete;

  /// A new variable over [0, extent).
  AtomId add_variable(std::int64_t extent);
  const Atom& atom(AtomId id) const { return atoms_[static_cast<std::size_t>(id)]; }
  std::int64_t extent(AtomId variable) const { return atom(variable).extent; }

  std::size_t atom_count() const { return atoms_.size(); }
  /// Forgets the atoms made since there were `count`: looking one up stays quick.
  /// \pre no form with any of them is used again
  void forget_atoms_past(std::size_t count);
  /// Terms of all forms made so far: a measure of the work and memory that they took.
  std::size_t terms_made() const { return terms_made_; }

  static Form constant(std::int64_t value) { return {value, {}}; }
  Form variable(AtomId id, std::int64_t coefficient = 1, std::int64_t constant = 0);
  /// a + factor * b
  Form add(const Form& a, const Form& b, std::int64_t factor = 1);
  Form scale(const Form& a, std::int64_t factor);
  /// The terms for which `wanted` is true, without the constant.
  template <class Wanted>
  Form part(const Form& form, const Wanted& wanted) {
    expr::SmallVector<Term, 8> kept;
    for (const Term& term : form.terms)
      if (wanted(term)) kept.push_back(term);
    return make(0, kept);
  }
  /// floor(numerator / divisor), simplified. With residue reduction on, coefficients become signed residues.
  Form floor(const Form& numerator, std::int64_t divisor);
  /// numerator - divisor * floor(numerator / divisor)
  Form remainder(const Form& numerator, std::int64_t divisor);
  /// One side of an exclusive or, with what is known of its values.
  struct Operand {
    Form form;
    expr::Range range;
  };
  /// a ^ b, as the bits that only one side has plus an atom for each of the others. With one operand constant
  /// no atom is left: x ^ 6 counts the bits 1 and 2 of x down. Nothing if both may be negative.
  std::optional<Form> exclusive_or(const Operand& a, const Operand& b);
  void reduce_residues(bool on) { reduce_residues_ = on; }

  /// Replaces variables. `replacements[atom]` is set for those that go.
  using Replacements = std::map<AtomId, Form>;
  Form substitute(const Form& form, const Replacements& replacements);

  Interval range(const Form& form) const;
  /// The value with every variable 0 but `variable`, which is `value`.
  std::int64_t evaluate(const Form& form, AtomId variable, std::int64_t value) const;

  /// All floors in `form`, nested ones and those under an exclusive or included, each once.
  void collect_floors(const Form& form, AtomIds& floors) const;
  /// All exclusive ors in `form`, inner ones before those around them, each once.
  void collect_xors(const Form& form, AtomIds& xors) const;
  /// All variables in `form`, each once.
  void collect_variables(const Form& form, AtomIds& variables) const;
  /// The first of these.
  AtomId any_variable(AtomId id) const;
  bool is_affine(const Form& form) const;

  /// An expression as a form; variable i becomes `variables[i]`. x % d becomes x - d * (x // d).
  /// Nothing if the expression multiplies two variables, or has an exclusive or of two negative values.
  std::optional<Form> from_expression(const expr::IndexExpr& expression, std::span<const AtomId> variables);

 private:
  /// Room for the atoms and terms of nearly all refinements.
  static constexpr std::size_t kFirstAtoms = 64;
  static constexpr std::size_t kFirstBytes = kFirstAtoms * sizeof(Atom) + 4096;
  /// Atoms are found by hash; each is first in its chain until a later one is.
  static constexpr std::size_t kChains = 256;
  static std::size_t chain_of(const Atom& atom);
  /// The atom, made if there is none like it.
  Form interned(const Atom& atom);

  Form make(std::int64_t constant, std::span<const Term> terms);
  Form floor_atom(const Form& numerator, std::int64_t divisor);
  Form xor_below(const Form& a, const Form& b, std::int64_t limit);
  Form xor_of_bits(const Form& a, const Form& b);
  Form flipped_bits(const Form& form, std::int64_t bits);
  Form floor_reduced(const Form& numerator, std::int64_t divisor);
  std::optional<Form> drop_small_part(const Form& form, std::int64_t divisor);
  std::optional<Form> merge_nested(const Form& form, std::int64_t divisor);
  std::optional<Form> orient(const Form& form, std::int64_t divisor);

  alignas(std::max_align_t) std::array<std::byte, kFirstBytes> first_bytes_;
  std::pmr::monotonic_buffer_resource memory_;
  std::size_t terms_made_ = 0;
  std::pmr::vector<Atom> atoms_;
  std::array<AtomId, kChains> chains_;
  bool reduce_residues_ = false;
};

}  // namespace relayout::plan
