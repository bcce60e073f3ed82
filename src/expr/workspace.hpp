#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "src/expr/hash_index.hpp"
#include "src/expr/index_expr.hpp"
#include "src/expr/small_vector.hpp"

namespace relayout::expr {

using AtomId = std::int32_t;
using FormId = std::int32_t;
inline constexpr std::int32_t kNone = -1;
/// More than one variable, where an AtomId would name the only one.
inline constexpr AtomId kSeveral = -2;

/// coefficient * atom
struct Term {
  AtomId atom = kNone;
  std::int64_t coefficient = 0;

  friend bool operator==(const Term&, const Term&) = default;
};
using Terms = SmallVector<Term, 6>;

/// constant + sum of terms; terms in the structural order of their atoms, no coefficient zero.
struct Linear {
  std::int64_t constant = 0;
  Terms terms;
};

enum class AtomKind : std::uint8_t {
  kVariable,
  kFloor,      ///< floor(numerator / divisor)
  kProduct,    ///< numerator * other, neither constant
  kXor,        ///< numerator ^ other
  kRemainder,  ///< numerator mod divisor; only in presentations, never in normal forms
};

struct Atom {
  AtomKind kind = AtomKind::kVariable;
  bool in_progress = false;  ///< its floor is being simplified further up the call stack
  FormId numerator = kNone;
  FormId other = kNone;
  FormId simplified = kNone;  ///< what floor_of gave for this numerator and divisor
  std::int64_t divisor = 0;
  const Node* variable = nullptr;
};

/// What printing an expression costs: first its divisions, then the number of its leaves.
struct Cost {
  std::int64_t divisions = 0;
  std::int64_t leaves = 0;

  friend auto operator<=>(const Cost&, const Cost&) = default;
};

/// An interned linear form with what has been found out about it.
struct Form {
  Linear linear;
  std::optional<Range> bounds;
  FormId presentation = kNone;          ///< the cheapest form found to print it as
  Cost cost;                            ///< of the presentation
  std::optional<AtomId> only_variable;  ///< that occurs, kNone or kSeveral
  std::optional<bool> is_polynomial;    ///< without divisions, at any depth
};

/// The forms and atoms of one simplification, interned, with memory that is reused from call to call. Ids
/// stay valid until clear. Overflow of a coefficient sets a flag instead of wrapping.
class Workspace {
 public:
  void clear();

  const Form& form(FormId id) const { return *forms_[static_cast<std::size_t>(id)]; }
  Form& form(FormId id) { return *forms_[static_cast<std::size_t>(id)]; }
  const Linear& linear(FormId id) const { return form(id).linear; }
  const Atom& atom(AtomId id) const { return atoms_[static_cast<std::size_t>(id)]; }
  Atom& atom(AtomId id) { return atoms_[static_cast<std::size_t>(id)]; }
  bool is_constant(FormId id) const { return linear(id).terms.empty(); }

  FormId intern(const Linear& linear);
  AtomId variable_atom(const Node& variable);
  AtomId floor_atom(FormId numerator, std::int64_t divisor);
  AtomId remainder_atom(FormId numerator, std::int64_t divisor);
  AtomId product_atom(FormId left, FormId right);
  AtomId xor_atom(FormId left, FormId right);

  FormId constant_form(std::int64_t value);
  /// constant + coefficient * atom
  FormId atom_form(AtomId atom, std::int64_t coefficient = 1, std::int64_t constant = 0);
  /// left + factor * right
  FormId sum(FormId left, FormId right, std::int64_t factor = 1);
  FormId scaled(FormId id, std::int64_t factor);
  FormId plus_constant(FormId id, std::int64_t constant);

  /// Adds factor * right to `left`, in place.
  void add(Linear& left, const Linear& right, std::int64_t factor);
  void add_term(Linear& left, AtomId atom, std::int64_t coefficient);
  static void remove_term(Linear& linear, AtomId atom);
  std::int64_t coefficient_of(const Linear& linear, AtomId atom) const;

  /// The structural total order of atoms, which does not depend on the order of their creation.
  int compare(AtomId a, AtomId b) const;
  int compare_forms(FormId a, FormId b) const;

  /// Arithmetic that sets the overflow flag and returns 0 where the result does not fit.
  std::int64_t plus(std::int64_t a, std::int64_t b);
  std::int64_t times(std::int64_t a, std::int64_t b);
  bool overflowed() const { return overflowed_; }
  void set_overflowed(bool overflowed) { overflowed_ = overflowed; }

  /// Takes `steps` from the budget of optional searches; false once it is used up.
  bool spend(std::int64_t steps);

 private:
  AtomId intern_atom(const Atom& atom);
  AtomId commutative_atom(AtomKind kind, FormId left, FormId right);

  std::vector<std::unique_ptr<Form>> forms_;  // boxed, so that references survive growth
  std::size_t form_count_ = 0;
  std::vector<Atom> atoms_;
  HashIndex form_index_;
  HashIndex atom_index_;
  bool overflowed_ = false;
  std::int64_t budget_ = 0;
};

/// Lets a rule try something that may overflow: restores the flag at the end of the scope. A result obtained
/// while overflowed() is meaningless and must be dropped.
class OverflowGuard {
 public:
  explicit OverflowGuard(Workspace& workspace) : workspace_(workspace), before_(workspace.overflowed()) {
    workspace_.set_overflowed(false);
  }
  ~OverflowGuard() { workspace_.set_overflowed(before_); }
  OverflowGuard(const OverflowGuard&) = delete;
  OverflowGuard& operator=(const OverflowGuard&) = delete;

  bool overflowed() const { return workspace_.overflowed(); }

 private:
  Workspace& workspace_;
  bool before_;
};

/// An inclusive range that holds every value of the form, from the digit view. See bounds.cpp.
Range bounds_of(Workspace& workspace, FormId id);
Range bounds_of(Workspace& workspace, const Linear& linear);
Range bounds_of_atom(Workspace& workspace, AtomId id);

/// k if part == k * whole on all terms of whole, counting only those terms of `part`; 0 if there is no such
/// k.
std::int64_t multiple_of(const Workspace& workspace, const Linear& part, const Linear& whole);

}  // namespace relayout::expr
