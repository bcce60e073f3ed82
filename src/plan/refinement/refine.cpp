// From a problem to a loop nest:
//   1. both offsets as linear forms over floors, residues left alone;
//   2. variables that count down in every floor over several variables are flipped (x := n - 1 - x);
//   3. fusion: variables that only occur as an exact mixed radix, c x + (c n_x) y + ..., become one variable
//   u, its
//      members (u // P) % n. This has to come before residues are reduced: (11 a + b) // 6 -> 2 a + (b - a)
//      // 6 is a correct rule that hides the radix (the shape of apache/tvm#19825);
//   4. residues reduced; a variable along which the destination falls is flipped;
//   5. variables that share a floor or an exclusive or form a factor; each factor is split on its own
//   (split.cpp).
// The idea of a common refinement of digits: CuTe's coalesce, TVM's IterMap, Triton's basis view each hold a
// part.

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include "src/plan/refinement/loop_nest.hpp"
#include "src/plan/refinement/split.hpp"

namespace relayout::plan {
namespace {

class Refiner {
 public:
  explicit Refiner(const RefinementBudget& budget) : budget_(budget) {}

  Result<LoopNest> run(const Problem& problem) {
    if (auto status = build(problem); !status) return status.error();
    flip_descending_sums();
    fuse();
    forms_.reduce_residues(true);
    if (!forms_.is_affine(source_) || !forms_.is_affine(destination_)) substitute({});
    flip_descending_destination();
    return split_factors();
  }

 private:
  Status build(const Problem& problem) {
    AtomIds variables;
    variables_.reserve(problem.extents.size());
    for (const std::int64_t extent : problem.extents) {
      variables.push_back(forms_.add_variable(extent));
      if (extent > 1) variables_.push_back(variables.back());
    }
    const auto source = forms_.from_expression(problem.source, variables);
    const auto destination = forms_.from_expression(problem.destination, variables);
    if (!source || !destination) {
      return Error{ErrorCode::kUnsupported,
                   "an offset that multiplies two indices, or xors negative ones, has no loop nest"};
    }
    source_ = *source;
    destination_ = *destination;
    return {};
  }

  void substitute(const Forms::Replacements& replacements) {
    source_ = forms_.substitute(source_, replacements);
    destination_ = forms_.substitute(destination_, replacements);
  }

  Form flipped(AtomId variable) { return forms_.variable(variable, -1, forms_.extent(variable) - 1); }

  /// Numerators of all innermost floors over several variables, terms by rising magnitude of the coefficient.
  std::vector<std::vector<Term>> affine_sums() const {
    AtomIds floors;
    forms_.collect_floors(source_, floors);
    forms_.collect_floors(destination_, floors);
    std::vector<std::vector<Term>> sums;
    for (const AtomId floor : floors) {
      const Form& numerator = forms_.atom(floor).numerator;
      if (numerator.terms.size() < 2 || !forms_.is_affine(numerator)) continue;
      sums.emplace_back(numerator.terms.begin(), numerator.terms.end());
      std::sort(sums.back().begin(), sums.back().end(), [](const Term& a, const Term& b) {
        return std::abs(a.coefficient) < std::abs(b.coefficient);
      });
    }
    return sums;
  }

  void flip_descending_sums() {
    std::map<AtomId, std::pair<bool, bool>> directions;  // rises, falls, against the largest term
    for (const std::vector<Term>& sum : affine_sums()) {
      const bool largest_rises = sum.back().coefficient > 0;
      for (const Term& term : sum) {
        const bool rises = (term.coefficient > 0) == largest_rises;
        (rises ? directions[term.atom].first : directions[term.atom].second) = true;
      }
    }
    Forms::Replacements replacements;
    for (const auto& [variable, direction] : directions) {
      if (direction.second && !direction.first) replacements[variable] = flipped(variable);
    }
    if (!replacements.empty()) substitute(replacements);
  }

  /// Which variable exactly follows which: c_next == c * extent in every floor. Empty if two follow the same
  /// one.
  std::map<AtomId, AtomId> exact_successors() const {
    std::map<AtomId, AtomId> next;
    for (const std::vector<Term>& sum : affine_sums()) {
      for (std::size_t i = 0; i + 1 < sum.size(); ++i) {
        std::int64_t expected = 0;
        if (__builtin_mul_overflow(sum[i].coefficient, forms_.extent(sum[i].atom), &expected)) continue;
        if (sum[i + 1].coefficient == expected) next.emplace(sum[i].atom, sum[i + 1].atom);
      }
    }
    std::map<AtomId, int> predecessors;
    for (const auto& link : next) ++predecessors[link.second];
    const bool is_set_of_chains = std::all_of(predecessors.begin(), predecessors.end(),
                                              [](const auto& entry) { return entry.second == 1; });
    return is_set_of_chains ? next : std::map<AtomId, AtomId>{};
  }

  void fuse() {
    const std::map<AtomId, AtomId> next = exact_successors();
    Forms::Replacements replacements;
    for (const auto& link : next) {
      const bool is_head = std::none_of(next.begin(), next.end(),
                                        [&](const auto& other) { return other.second == link.first; });
      if (is_head) fuse_chain(link.first, next, replacements);
    }
    if (!replacements.empty()) substitute(replacements);
  }

  /// Replaces the chain from `head` on by one variable u; members are (u // P) % extent.
  void fuse_chain(AtomId head, const std::map<AtomId, AtomId>& next, Forms::Replacements& replacements) {
    std::vector<AtomId> chain = {head};
    std::int64_t product = forms_.extent(head);
    for (auto link = next.find(head); link != next.end(); link = next.find(link->second)) {
      chain.push_back(link->second);
      if (__builtin_mul_overflow(product, forms_.extent(link->second), &product)) return;
    }
    const AtomId fused = forms_.add_variable(product);
    std::int64_t place = 1;
    for (const AtomId member : chain) {
      const Form quotient = forms_.floor(forms_.variable(fused), place);
      const bool last = member == chain.back();
      replacements[member] = last ? quotient : forms_.remainder(quotient, forms_.extent(member));
      place *= forms_.extent(member);
      std::erase(variables_, member);
    }
    variables_.push_back(fused);
  }

  /// Variables by factor: those that share a floor or an exclusive or belong together.
  std::vector<std::vector<AtomId>> components() const {
    std::vector<AtomId> parent(forms_.atom_count());
    std::iota(parent.begin(), parent.end(), 0);
    const auto parent_of = [&](AtomId atom) -> AtomId& { return parent[static_cast<std::size_t>(atom)]; };
    const auto root = [&](AtomId variable) {
      while (parent_of(variable) != variable) variable = parent_of(variable);
      return variable;
    };
    AtomIds shared;
    for (const Form* side : {&source_, &destination_}) {
      forms_.collect_floors(*side, shared);
      forms_.collect_xors(*side, shared);
    }
    for (const AtomId atom : shared) {
      const Term term{atom, 1};
      AtomIds members;
      forms_.collect_variables({0, {&term, 1}}, members);
      for (const AtomId member : members) parent_of(root(member)) = root(members.front());
    }
    std::vector<AtomId> roots;
    roots.reserve(variables_.size());
    for (const AtomId variable : variables_) {
      const AtomId found = root(variable);
      const auto place = std::ranges::lower_bound(roots, found);
      if (place == roots.end() || *place != found) roots.insert(place, found);
    }
    std::vector<std::vector<AtomId>> result(roots.size());
    for (const AtomId variable : variables_) {
      const auto place = std::ranges::lower_bound(roots, root(variable)) - roots.begin();
      result[static_cast<std::size_t>(place)].push_back(variable);
    }
    return result;
  }

  void flip_descending_destination() {
    const auto falls = [this](AtomId variable) {
      const std::int64_t first = forms_.evaluate(destination_, variable, 0);
      return forms_.evaluate(destination_, variable, forms_.extent(variable) - 1) < first;
    };
    if (std::ranges::none_of(variables_, falls)) return;
    Forms::Replacements replacements;
    for (const auto& component : components()) {
      const AtomId variable = component.front();
      if (component.size() == 1 && falls(variable)) replacements[variable] = flipped(variable);
    }
    if (!replacements.empty()) substitute(replacements);
  }

  /// The terms of `form` over the given variables, without the constant.
  Form part_of(const Form& form, const std::vector<AtomId>& component) {
    return forms_.part(form, [&](const Term& term) {
      return std::find(component.begin(), component.end(), forms_.any_variable(term.atom)) != component.end();
    });
  }

  LoopNest split_factors() {
    LoopNest nest;
    nest.source_base = source_.constant;
    nest.destination_base = destination_.constant;
    auto parts = components();
    nest.factors.reserve(parts.size());
    for (auto& component : parts) {
      const Form source = part_of(source_, component);
      const Form destination = part_of(destination_, component);
      nest.factors.push_back(split_factor({std::move(component), source, destination}, nest));
    }
    return nest;
  }

  bool has_xors(const FactorForms& factor) const {
    AtomIds xors;
    forms_.collect_xors(factor.source, xors);
    forms_.collect_xors(factor.destination, xors);
    return !xors.empty();
  }

  RefinementBudget budget_of(const Factor& factor) const {
    RefinementBudget budget = budget_;
    if (factor.interleaved) {
      budget.pieces = std::min(budget.pieces, budget.interleaved_pieces);
      budget.terms = std::min(budget.terms, budget.interleaved_terms);
    }
    return budget;
  }

  Factor split_factor(const FactorForms& factor, LoopNest& nest) {
    Factor result;
    result.interleaved = has_xors(factor);
    if (auto pieces = split(forms_, factor, Tails::kPeeled, budget_of(result))) {
      merge_pieces(*pieces);
      result.pieces = std::move(*pieces);
    } else {
      nest.notes.push_back("a factor of " + std::to_string(factor.variables.size()) +
                           " variables takes more pieces, iterators or work than the budget allows");
    }
    // A swizzle's guarded pieces would be several, and only single ones are used.
    if (budget_.guarded && result.pieces.size() != 1 && !result.interleaved) {
      if (auto guarded = split(forms_, factor, Tails::kGuarded, budget_))
        result.guarded = std::move(*guarded);
    }
    if (result.pieces.empty() && result.guarded.empty()) nest.within_budget = false;
    return result;
  }

  RefinementBudget budget_;
  Forms forms_;
  std::vector<AtomId> variables_;
  Form source_;
  Form destination_;
};

}  // namespace

Result<LoopNest> refine(const Problem& problem, const RefinementBudget& budget) {
  return Refiner(budget).run(problem);
}

std::int64_t expanded_pieces(const LoopNest& nest) {
  std::int64_t product = 1;
  for (const Factor& factor : nest.factors) {
    if (__builtin_mul_overflow(product, static_cast<std::int64_t>(factor.pieces.size()), &product))
      return INT64_MAX;
  }
  return product;
}

namespace {

void append(Piece& combined, const Piece& piece) {
  combined.source_base += piece.source_base;
  combined.destination_base += piece.destination_base;
  combined.iterators.insert(combined.iterators.end(), piece.iterators.begin(), piece.iterators.end());
}

/// Every piece of `expanded` with every one of the factor.
void multiply(std::vector<Piece>& expanded, const Factor& factor) {
  if (factor.pieces.size() == 1) {
    for (Piece& piece : expanded) append(piece, factor.pieces.front());
    return;
  }
  std::vector<Piece> product;
  product.reserve(expanded.size() * factor.pieces.size());
  for (const Piece& partial : expanded) {
    for (const Piece& piece : factor.pieces) {
      product.push_back(partial);
      append(product.back(), piece);
    }
  }
  expanded = std::move(product);
}

}  // namespace

std::vector<Piece> expand(const LoopNest& nest, const std::vector<bool>& chosen) {
  std::vector<Piece> expanded(1);
  expanded.front().source_base = nest.source_base;
  expanded.front().destination_base = nest.destination_base;
  expanded.front().iterators.reserve(2 * nest.factors.size());
  for (std::size_t i = 0; i < nest.factors.size(); ++i) {
    if (chosen.empty() || chosen[i]) multiply(expanded, nest.factors[i]);
  }
  for (Piece& piece : expanded) canonicalize(piece);
  merge_adjacent(expanded);
  return expanded;
}

std::string to_string(const LoopNest& nest) {
  std::string text = "source base " + std::to_string(nest.source_base) + ", destination base " +
                     std::to_string(nest.destination_base) + " (elements)\n";
  const auto append_piece = [&text](const Piece& piece, std::string_view title) {
    text += "  " + std::string(title) + " at source " + std::to_string(piece.source_base) + ", destination " +
            std::to_string(piece.destination_base) + "\n";
    for (const Iterator& iterator : piece.iterators) {
      text += "    for " + std::to_string(iterator.extent) + ": source " +
              std::to_string(iterator.source_stride) + ", destination " +
              std::to_string(iterator.destination_stride);
      for (std::size_t i = 0; i < iterator.guard_steps.size(); ++i) {
        if (iterator.guard_steps[i] == 0) continue;
        text += ", guard " + std::to_string(i) + " step " + std::to_string(iterator.guard_steps[i]) +
                " below " + std::to_string(piece.guard_limits[i]);
      }
      text += "\n";
    }
  };
  for (std::size_t i = 0; i < nest.factors.size(); ++i) {
    const Factor& factor = nest.factors[i];
    text += "factor " + std::to_string(i) + ": " + std::to_string(factor.pieces.size()) + " piece" +
            (factor.pieces.size() == 1 ? "" : "s") + "\n";
    constexpr std::size_t kShown = 16;
    for (std::size_t k = 0; k < std::min(factor.pieces.size(), kShown); ++k)
      append_piece(factor.pieces[k], "piece");
    if (factor.pieces.size() > kShown)
      text += "  ... and " + std::to_string(factor.pieces.size() - kShown) + " more\n";
    for (const Piece& piece : factor.guarded) append_piece(piece, "guarded piece (the same points)");
  }
  for (const std::string& note : nest.notes) text += "note: " + note + "\n";
  return text;
}

}  // namespace relayout::plan
