#pragma once

#include <optional>
#include <vector>

#include "src/plan/refinement/forms.hpp"
#include "src/plan/refinement/loop_nest.hpp"

namespace relayout::plan {

/// The variables of one factor and both offsets over them.
struct FactorForms {
  std::vector<AtomId> variables;
  Form source;
  Form destination;
};

enum class Tails { kPeeled, kGuarded };

/// Splits a factor's variables until no floor is left; nothing if the budget is passed. Ragged ends become
/// pieces of their own or guards. Not thread safe (it adds variables to `forms`).
std::optional<std::vector<Piece>> split(Forms& forms, const FactorForms& factor, Tails tails,
                                        const RefinementBudget& budget);

/// Merges pieces that continue one another in one iterator, then groups equal pieces in arithmetic
/// progression.
void merge_pieces(std::vector<Piece>& pieces);

/// Only the first half of merge_pieces.
void merge_adjacent(std::vector<Piece>& pieces);

}  // namespace relayout::plan
