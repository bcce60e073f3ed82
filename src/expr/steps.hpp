#pragma once

#include "src/expr/workspace.hpp"

namespace relayout::expr {

/// The forms that one presentation step makes of a form; see present.cpp for the steps. All are equal to it.
class Steps {
 public:
  Steps(Workspace& workspace, FormId form)
      : workspace_(workspace), form_(form), linear_(workspace.linear(form)) {}

  const SmallVector<FormId, 16>& all();

 private:
  void of_floor(Term term);
  void of_product(Term term);
  void remainder(Term term, const Atom& floor);
  void digit(Term term, const Atom& floor);
  void round_up(Term term, const Atom& floor);
  void mirror(Term term, const Atom& floor);
  void shifts(Term term, const Atom& floor);
  void factor(Term product, FormId taken_out, FormId other);

  /// Replaces the floor of `term` by that of numerator - divisor * moved, and adds coefficient * moved.
  void shift(Term term, const Atom& floor, const Linear& moved);
  /// Offers rest + coefficient * (numerator // divisor) with the floor mirrored.
  void replace_mirrored(Linear rest, FormId numerator, std::int64_t divisor, std::int64_t coefficient);
  /// Adds a candidate, unless computing it overflowed.
  void offer(const Linear& linear, const OverflowGuard& guard);
  /// The form without `term`.
  Linear without(Term term);

  Workspace& workspace_;
  FormId form_;
  Linear linear_;
  SmallVector<FormId, 16> found_;
};

}  // namespace relayout::expr
