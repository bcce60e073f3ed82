// Splitting one factor. The innermost floors (those with affine numerators) go first, all those of one
// variable y together. floor((c y + k) / a) has period m = a / gcd(a, c) in y and a phase (where its steps
// fall):
//   - the periods have a common multiple T below y's extent: y = T w + v, the rest a tail of its own or a
//   guard;
//   - otherwise (a knot): take out the largest block that every remaining period is a multiple of, or cut at
//   all steps;
//   - only floors over several variables are left (inexact fusion): split or enumerate one of those.
//   - only exclusive ors are left: one operand is enumerated, which makes the other count up or down (12 ^
//   x).
// With p | a | q and y = low + p v + q w, y // a == v // (a / p) + w (q / a), so substitution makes floors
// vanish.

#include "src/plan/refinement/split.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>

namespace relayout::plan {
namespace {

struct GuardForm {
  Form sum;
  std::int64_t limit = 0;
};

/// A part of the factor's domain under splitting.
struct Domain {
  std::vector<AtomId> variables;
  Form source;
  Form destination;
  std::vector<GuardForm> guards;
  std::size_t atom_count = 0;  ///< when the domain was made: none of its forms has later ones
};

/// A floor of one variable: coefficient and constant of its numerator, period and phase.
struct Step {
  std::int64_t coefficient = 0;
  std::int64_t constant = 0;
  std::int64_t divisor = 1;
  std::int64_t period = 1;
  std::optional<std::int64_t> phase;  ///< first step modulo the period; unknown for coefficients but 1 and -1

  std::int64_t value(std::int64_t y) const {
    const std::int64_t numerator = coefficient * y + constant;
    const std::int64_t quotient = numerator / divisor;
    return quotient - (numerator % divisor < 0 ? 1 : 0);
  }
};

std::int64_t positive_residue(std::int64_t a, std::int64_t b) {
  return ((a % b) + b) % b;
}

/// lcm, or INT64_MAX past 64 bits (which is beyond every extent).
std::int64_t saturated_lcm(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a / std::gcd(a, b), b, &product)) return INT64_MAX;
  return product;
}

class Splitter {
 public:
  Splitter(Forms& forms, Tails tails, const RefinementBudget& budget)
      : forms_(forms), tails_(tails), budget_(budget), terms_before_(forms.terms_made()) {}

  std::optional<std::vector<Piece>> run(const FactorForms& factor) {
    process({factor.variables, factor.source, factor.destination, {}, forms_.atom_count()});
    while (!is_over_budget()) {
      if (pending_.empty()) return std::move(pieces_);
      const Domain domain = std::move(pending_.back());
      pending_.pop_back();
      forms_.forget_atoms_past(domain.atom_count);  // the domains left are older
      process(domain);
    }
    return std::nullopt;
  }

 private:
  void process(const Domain& domain) {
    AtomIds every_floor;
    forms_.collect_floors(domain.source, every_floor);
    forms_.collect_floors(domain.destination, every_floor);
    AtomIds xors;
    forms_.collect_xors(domain.source, xors);
    forms_.collect_xors(domain.destination, xors);
    if (every_floor.empty() && xors.empty()) return emit(domain);
    AtomIds floors;
    for (const AtomId floor : every_floor) {
      if (forms_.is_affine(forms_.atom(floor).numerator)) floors.push_back(floor);
    }
    if (floors.empty()) return enumerate_operand(domain, forms_.atom(xors.front()));
    AtomId variable = -1;
    for (const AtomId floor : floors) {
      const auto terms = forms_.atom(floor).numerator.terms;
      if (terms.size() == 1 && (variable < 0 || terms[0].atom < variable)) variable = terms[0].atom;
    }
    if (variable < 0) return split_mixed(domain, floors.front());
    split_variable(domain, variable, steps_of(variable, floors));
  }

  std::vector<Step> steps_of(AtomId variable, const AtomIds& floors) const {
    std::vector<Step> steps;
    for (const AtomId floor : floors) {
      const Atom& atom = forms_.atom(floor);
      if (atom.numerator.terms.size() != 1 || atom.numerator.terms[0].atom != variable) continue;
      Step step{atom.numerator.terms[0].coefficient, atom.numerator.constant, atom.divisor, 1, {}};
      step.period = atom.divisor / std::gcd(atom.divisor, step.coefficient);
      if (step.coefficient == 1) step.phase = positive_residue(-step.constant, atom.divisor);
      if (step.coefficient == -1) step.phase = positive_residue(step.constant + 1, atom.divisor);
      steps.push_back(step);
    }
    return steps;
  }

  void split_variable(const Domain& domain, AtomId variable, const std::vector<Step>& steps) {
    const std::int64_t extent = forms_.extent(variable);
    std::int64_t common = 1;
    for (const Step& step : steps) common = saturated_lcm(common, step.period);
    const std::int64_t phase = common_phase(steps);
    if (phase > 0 && phase < extent && tails_ == Tails::kPeeled) {
      range(domain, variable, 0, phase);
      range(domain, variable, phase, extent);
    } else if (common < extent) {
      block(domain, variable, common);
    } else if (const std::int64_t granule = knot_granule(steps); granule > 1 && granule < extent) {
      block(domain, variable, granule);
    } else {
      cut(domain, variable, steps);
    }
  }

  /// The phase that all steps share, or 0.
  static std::int64_t common_phase(const std::vector<Step>& steps) {
    const auto largest = std::max_element(steps.begin(), steps.end(),
                                          [](const Step& a, const Step& b) { return a.period < b.period; });
    if (!largest->phase) return 0;
    const std::int64_t phase = *largest->phase;
    const bool shared = std::all_of(steps.begin(), steps.end(), [&](const Step& step) {
      return step.phase && (*step.phase - phase) % step.period == 0;
    });
    return shared ? phase : 0;
  }

  /// The largest block that divides every period that is not itself a common divisor of the larger ones; 1 if
  /// the phases forbid it.
  static std::int64_t knot_granule(const std::vector<Step>& steps) {
    std::set<std::int64_t> periods;
    for (const Step& step : steps) {
      if (!step.phase) return 1;
      periods.insert(step.period);
    }
    std::set<std::int64_t> knotted = periods;
    for (const std::int64_t period : periods) {
      if (!std::all_of(knotted.begin(), knotted.end(),
                       [&](std::int64_t other) { return other % period == 0; }))
        break;
      knotted.erase(period);
    }
    if (knotted.empty()) knotted = periods;
    std::int64_t granule = 0;
    for (const std::int64_t period : knotted) granule = std::gcd(granule, period);
    for (const Step& step : steps) {
      if (*step.phase % std::min(granule, step.period) != 0) return 1;
    }
    return granule;
  }

  /// variable = size * w + v
  void block(const Domain& domain, AtomId variable, std::int64_t size) {
    const std::int64_t extent = forms_.extent(variable);
    std::int64_t blocks = extent / size;
    const std::int64_t tail = extent % size;
    const bool guarded = tail != 0 && tails_ == Tails::kGuarded;
    if (guarded) ++blocks;
    const AtomId outer = forms_.add_variable(blocks);
    const AtomId inner = forms_.add_variable(size);
    const Form value = forms_.add(forms_.variable(outer, size), forms_.variable(inner));
    const std::optional<GuardForm> guard = guarded ? std::optional(GuardForm{value, extent}) : std::nullopt;
    replace(domain, variable, value, {outer, inner}, guard);
    if (tail != 0 && !guarded) range(domain, variable, blocks * size, extent);
  }

  /// variable = lower + v, for the values [lower, upper)
  void range(const Domain& domain, AtomId variable, std::int64_t lower, std::int64_t upper) {
    const AtomId rest = forms_.add_variable(upper - lower);
    replace(domain, variable, forms_.variable(rest, 1, lower), {rest}, std::nullopt);
  }

  /// Segments between all steps: equal slopes within each.
  void cut(const Domain& domain, AtomId variable, const std::vector<Step>& steps) {
    const std::int64_t extent = forms_.extent(variable);
    std::set<std::int64_t> cuts = {0, extent};
    for (const Step& step : steps) {
      if (!step.phase) {
        if (!cut_by_enumeration(step, extent, cuts)) return;
        continue;
      }
      if (extent / step.period > static_cast<std::int64_t>(budget_.pieces)) return give_up();
      for (std::int64_t at = *step.phase % step.period; at < extent; at += step.period) cuts.insert(at);
    }
    if (cuts.size() > budget_.pieces) return give_up();
    for (auto lower = cuts.begin(), upper = std::next(lower); upper != cuts.end(); ++lower, ++upper) {
      range(domain, variable, *lower, *upper);
    }
  }

  bool cut_by_enumeration(const Step& step, std::int64_t extent, std::set<std::int64_t>& cuts) {
    if (extent > static_cast<std::int64_t>(budget_.pieces)) {
      give_up();
      return false;
    }
    for (std::int64_t y = 1; y < extent; ++y) {
      if (step.value(y) != step.value(y - 1)) cuts.insert(y);
    }
    return true;
  }

  /// A floor over several variables: split the one with the largest coefficient at its period, or enumerate
  /// the smallest.
  void split_mixed(const Domain& domain, AtomId floor) {
    const Atom atom = forms_.atom(floor);
    std::vector<Term> terms(atom.numerator.terms.begin(), atom.numerator.terms.end());
    const auto magnitude = [](const Term& term) {
      return term.coefficient < 0 ? -term.coefficient : term.coefficient;
    };
    std::sort(terms.begin(), terms.end(),
              [&](const Term& a, const Term& b) { return magnitude(a) > magnitude(b); });
    for (const Term& term : terms) {
      const std::int64_t period = atom.divisor / std::gcd(atom.divisor, term.coefficient);
      if (period < forms_.extent(term.atom)) return block(domain, term.atom, period);
    }
    terms.pop_back();
    const auto smallest = std::min_element(terms.begin(), terms.end(), [this](const Term& a, const Term& b) {
      return forms_.extent(a.atom) < forms_.extent(b.atom);
    });
    enumerate(domain, smallest->atom);
  }

  void enumerate(const Domain& domain, AtomId variable) {
    const std::int64_t extent = forms_.extent(variable);
    if (extent > budget_.enumerated_values) return give_up();
    for (std::int64_t value = 0; value < extent; ++value) {
      replace(domain, variable, Forms::constant(value), {}, std::nullopt);
    }
  }

  /// Of the operand that takes longer strides: the other's may then be part of a run. \pre both are affine
  void enumerate_operand(const Domain& domain, const Atom& both) {
    const Form& longer = shortest_stride(domain, both.numerator) >= shortest_stride(domain, both.other)
                             ? both.numerator
                             : both.other;
    enumerate(domain, longer.terms.front().atom);
  }

  /// Of the operand's variables, on either side.
  std::int64_t shortest_stride(const Domain& domain, const Form& operand) const {
    std::int64_t shortest = INT64_MAX;
    for (const Term& term : operand.terms) {
      for (const Form* side : {&domain.source, &domain.destination}) {
        const std::int64_t stride = std::abs(stride_along(*side, term.atom));
        if (stride != 0) shortest = std::min(shortest, stride);
      }
    }
    return shortest;
  }

  /// What a step of the variable adds while no bit is carried.
  std::int64_t stride_along(const Form& form, AtomId variable) const {
    std::int64_t stride = 0;
    for (const Term& term : form.terms) {
      const Atom& atom = forms_.atom(term.atom);
      if (term.atom == variable) stride += term.coefficient;
      if (atom.kind != AtomKind::kXor) continue;
      stride +=
          term.coefficient * (stride_along(atom.numerator, variable) + stride_along(atom.other, variable));
    }
    return stride;
  }

  void replace(const Domain& domain, AtomId variable, const Form& value, const std::vector<AtomId>& added,
               const std::optional<GuardForm>& guard) {
    if (over_budget_) return;
    Domain next;
    for (const AtomId kept : domain.variables) {
      if (kept != variable) next.variables.push_back(kept);
    }
    for (const AtomId fresh : added) {
      if (forms_.extent(fresh) > 1) next.variables.push_back(fresh);
    }
    const Forms::Replacements replacements = {{variable, value}};
    next.source = forms_.substitute(domain.source, replacements);
    next.destination = forms_.substitute(domain.destination, replacements);
    for (const GuardForm& old : domain.guards)
      next.guards.push_back({forms_.substitute(old.sum, replacements), old.limit});
    if (guard) next.guards.push_back(*guard);
    next.atom_count = forms_.atom_count();
    const bool affordable = pieces_.size() + pending_.size() < budget_.pieces &&
                            next.variables.size() <= budget_.iterators &&
                            forms_.terms_made() - terms_before_ <= budget_.terms;
    if (!affordable) return give_up();
    pending_.push_back(std::move(next));
  }

  static std::int64_t coefficient_of(const Form& form, AtomId variable) {
    for (const Term& term : form.terms) {
      if (term.atom == variable) return term.coefficient;
    }
    return 0;
  }

  void emit(const Domain& domain) {
    Piece piece{domain.source.constant, domain.destination.constant, {}, {}};
    std::vector<GuardForm> needed;
    for (const GuardForm& guard : domain.guards) {
      if (forms_.range(guard.sum).upper >= guard.limit) needed.push_back(guard);
    }
    for (const AtomId variable : domain.variables) {
      Iterator iterator{forms_.extent(variable),
                        coefficient_of(domain.source, variable),
                        coefficient_of(domain.destination, variable),
                        {}};
      for (const GuardForm& guard : needed)
        iterator.guard_steps.push_back(coefficient_of(guard.sum, variable));
      piece.iterators.push_back(std::move(iterator));
    }
    for (const GuardForm& guard : needed) piece.guard_limits.push_back(guard.limit - guard.sum.constant);
    canonicalize(piece);
    pieces_.push_back(std::move(piece));
  }

  void give_up() { over_budget_ = true; }
  bool is_over_budget() const { return over_budget_ || pieces_.size() + pending_.size() > budget_.pieces; }

  Forms& forms_;
  Tails tails_;
  const RefinementBudget& budget_;
  std::size_t terms_before_;
  std::vector<Domain> pending_;
  std::vector<Piece> pieces_;
  bool over_budget_ = false;
};

}  // namespace

std::optional<std::vector<Piece>> split(Forms& forms, const FactorForms& factor, Tails tails,
                                        const RefinementBudget& budget) {
  return Splitter(forms, tails, budget).run(factor);
}

}  // namespace relayout::plan
