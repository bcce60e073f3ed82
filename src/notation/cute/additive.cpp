// When is A(sum of i_j * e_j) = sum of i_j * A(e_j) for all 0 <= i_j < u_j?
//
// With g the greatest common divisor of the steps e_j = g * t_j, A(g * n) = n * A(g) + sum over r of
// c_r * floor(b_r * n / q_r), where no c_r is 0 and no two fractions b_r / q_r are equal. For steps of one
// sign,
//   floor(b_r * (sum i_j t_j) / q_r) = sum i_j floor(b_r t_j / q_r) + K_r
// with K_r = floor(sum i_j (b_r t_j mod q_r) / q_r) >= 0,
// so the question is whether sum c_r K_r = 0 everywhere. It is if no K_r ever leaves 0, which the greatest
// indices tell. If one alone does, it is not. If several do, they may cancel; then the box of indices is cut
// in two again and again, until in each part no K_r moves. What a step of one variable changes depends on the
// others only through sum i_j (b_r t_j mod q_r) mod q_r, so no variable needs more than one period.
//
// Steps of both signs are additive if no floor ever moves; otherwise the coordinates are tried.

#include <algorithm>
#include <numeric>
#include <string>

#include "src/notation/cute/arithmetic.hpp"
#include "src/notation/cute/composition.hpp"

namespace relayout::cute {
namespace {

using expr::Wide;

/// Coordinates, or parts of the box, that are tried at most.
constexpr std::int64_t kMaximumTried = std::int64_t{1} << 20;

bool one_sign(const std::vector<Variable>& variables) {
  const auto negative = [](const Variable& v) { return v.step < 0; };
  const auto positive = [](const Variable& v) { return v.step > 0; };
  return std::none_of(variables.begin(), variables.end(), negative) ||
         std::none_of(variables.begin(), variables.end(), positive);
}

std::int64_t remainder_of_product(std::uint64_t a, std::int64_t b, std::int64_t modulus) {
  return static_cast<std::int64_t>(Wide(a) * b % modulus);
}

/// The variables as multiples of their greatest common divisor, and the floors along it.
class Carries {
 public:
  Carries(const LineFunction& a, const std::vector<Variable>& variables) {
    std::uint64_t divisor = 0;
    for (const Variable& variable : variables) divisor = std::gcd(divisor, magnitude(variable.step));
    if (divisor == 0 || divisor > INT64_MAX) return;
    for (const Variable& variable : variables) multiples_.push_back(magnitude(variable.step) / divisor);
    const bool mixed = !one_sign(variables);
    for (const FloorTerm& floor : a.floors_along(static_cast<std::int64_t>(divisor))) {
      if (mixed ? moves(floor, variables) : carries(floor, variables)) floors_.push_back(floor);
    }
  }

  const std::vector<FloorTerm>& floors() const { return floors_; }
  /// What a step of a variable adds to b_r * n, modulo q_r.
  std::int64_t rest(std::size_t variable, const FloorTerm& floor) const {
    return remainder_of_product(multiples_[variable], floor.multiplier, floor.modulus);
  }

 private:
  /// Whether K_r leaves 0.
  bool carries(const FloorTerm& floor, const std::vector<Variable>& variables) const {
    Wide sum = 0;
    for (std::size_t i = 0; i < variables.size(); ++i) sum += Wide(variables[i].size - 1) * rest(i, floor);
    return sum >= floor.modulus;
  }

  /// Whether the floor may be anything but 0 or linear in every step, where steps have both signs.
  bool moves(const FloorTerm& floor, const std::vector<Variable>& variables) const {
    Wide greatest = 0;
    bool divides = true;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      greatest += Wide(variables[i].size - 1) * Wide(multiples_[i]);
      divides = divides && rest(i, floor) == 0;
    }
    return !divides && greatest >= (floor.modulus - 1) / floor.multiplier + 1;
  }

  std::vector<std::uint64_t> multiples_;
  std::vector<FloorTerm> floors_;
};

Error not_additive(const std::vector<Variable>& variables, const std::vector<std::int64_t>& indices,
                   std::int64_t value, std::int64_t sum) {
  std::string sizes, coordinate;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (i != 0) sizes += ',', coordinate += ',';
    sizes += std::to_string(variables[i].size) + ':' + std::to_string(variables[i].step);
    coordinate += std::to_string(indices[i]);
  }
  return {ErrorCode::kUnsupported,
          "at (" + coordinate + ") of the modes (" + sizes + ") the offset is " + std::to_string(value) +
              ", where a layout that has the offsets of each mode has " + std::to_string(sum)};
}

Error undecided() {
  return {ErrorCode::kUnsupported, "whether a layout has these offsets takes more than 2^20 trials"};
}

/// \error kUnsupported if A at these indices is not what the variables add up to
Status check_at(const LineFunction& a, const std::vector<Variable>& variables,
                const std::vector<std::int64_t>& indices) {
  std::int64_t argument = 0;
  Wide sum = 0;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    argument += indices[i] * variables[i].step;
    sum += Wide(indices[i]) * Wide(variables[i].stride);
  }
  const Wide value = a(argument);
  if (value == sum) return {};
  if (!expr::fits_64_bits(value) || !expr::fits_64_bits(sum)) return overflow("an offset of the composition");
  return not_additive(variables, indices, static_cast<std::int64_t>(value), static_cast<std::int64_t>(sum));
}

bool step_indices(const std::vector<Variable>& variables, std::vector<std::int64_t>& indices) {
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (++indices[i] < variables[i].size) return true;
    indices[i] = 0;
  }
  return false;
}

Status try_all(const LineFunction& a, const std::vector<Variable>& variables) {
  std::vector<std::int64_t> indices;
  std::int64_t coordinates = 1;
  for (const Variable& variable : variables) {
    indices.push_back(variable.size - 1);
    coordinates =
        coordinates > kMaximumTried / variable.size ? kMaximumTried + 1 : coordinates * variable.size;
  }
  const Status at_corner = check_at(a, variables, indices);
  if (!at_corner && coordinates > kMaximumTried) return at_corner;
  if (coordinates > kMaximumTried) return undecided();
  std::fill(indices.begin(), indices.end(), 0);
  while (step_indices(variables, indices)) {
    if (auto status = check_at(a, variables, indices); !status) return status;
  }
  return {};
}

/// Cuts the box of indices into parts in which nothing carries. \pre the steps have one sign
class BoxSearch {
 public:
  BoxSearch(const LineFunction& a, const std::vector<Variable>& variables, const Carries& carries) : a_(a) {
    for (std::size_t i = 0; i < variables.size(); ++i) {
      std::vector<std::int64_t> rests;
      for (const FloorTerm& floor : carries.floors()) rests.push_back(carries.rest(i, floor));
      if (std::all_of(rests.begin(), rests.end(), [](std::int64_t rest) { return rest == 0; })) continue;
      variables_.push_back(variables[i]);
      rests_.push_back(std::move(rests));
    }
    for (const FloorTerm& floor : carries.floors()) moduli_.push_back(floor.modulus);
  }

  Status run() {
    std::vector<Box> boxes = {whole_box()};
    for (std::int64_t tried = 0; !boxes.empty(); ++tried) {
      if (tried == kMaximumTried) return undecided();
      Box box = std::move(boxes.back());
      boxes.pop_back();
      const std::vector<std::size_t> carried = carried_in(box);
      if (carried.empty()) continue;
      if (auto status = check_at(a_, variables_, greatest_of(box)); !status) return status;
      Box upper = cut(box, carried);
      if (auto status = check_at(a_, variables_, upper.lowest); !status) return status;
      boxes.push_back(std::move(upper));
      boxes.push_back(std::move(box));
    }
    return {};
  }

 private:
  /// Indices lowest[j] to lowest[j] + size[j] - 1. The variables add up at `lowest`.
  struct Box {
    std::vector<std::int64_t> lowest;
    std::vector<std::int64_t> size;
  };

  Box whole_box() const {
    Box box{std::vector<std::int64_t>(variables_.size(), 0), {}};
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      box.size.push_back(static_cast<std::int64_t>(std::min<Wide>(variables_[i].size, period_of(i) + 1)));
    }
    return box;
  }

  /// After how many steps a variable repeats what it adds; 2^62 for more than that.
  Wide period_of(std::size_t variable) const {
    constexpr Wide kMost = Wide(1) << 62;
    Wide period = 1;
    for (std::size_t r = 0; r < moduli_.size(); ++r) {
      const std::int64_t own = moduli_[r] / std::gcd(moduli_[r], rests_[variable][r]);
      const auto common = std::gcd(static_cast<std::int64_t>(period), own);
      period = std::min(period / common * own, kMost);
    }
    return period;
  }

  /// The floors that move between the box's lowest and greatest indices.
  std::vector<std::size_t> carried_in(const Box& box) const {
    std::vector<std::size_t> carried;
    for (std::size_t r = 0; r < moduli_.size(); ++r) {
      Wide from = 0;
      Wide by = 0;
      for (std::size_t i = 0; i < rests_.size(); ++i) {
        from += Wide(box.lowest[i]) * rests_[i][r];
        by += Wide(box.size[i] - 1) * rests_[i][r];
      }
      if (from % moduli_[r] + by >= moduli_[r]) carried.push_back(r);
    }
    return carried;
  }

  static std::vector<std::int64_t> greatest_of(const Box& box) {
    std::vector<std::int64_t> indices = box.lowest;
    for (std::size_t i = 0; i < indices.size(); ++i) indices[i] += box.size[i] - 1;
    return indices;
  }

  /// Leaves the lower half of the box along the variable that moves a floor most; returns the upper half.
  Box cut(Box& box, const std::vector<std::size_t>& carried) const {
    std::size_t widest = 0;
    double most = -1;
    for (std::size_t i = 0; i < rests_.size(); ++i) {
      for (const std::size_t r : carried) {
        const double moved = static_cast<double>(box.size[i] - 1) * static_cast<double>(rests_[i][r]) /
                             static_cast<double>(moduli_[r]);
        if (moved > most) most = moved, widest = i;
      }
    }
    Box upper = box;
    const std::int64_t lower_size = (box.size[widest] + 1) / 2;
    box.size[widest] = lower_size;
    upper.lowest[widest] += lower_size;
    upper.size[widest] -= lower_size;
    return upper;
  }

  const LineFunction& a_;
  std::vector<Variable> variables_;               // those that take part in a carry
  std::vector<std::vector<std::int64_t>> rests_;  // per variable and floor
  std::vector<std::int64_t> moduli_;              // per floor
};

}  // namespace

Status check_additive(const LineFunction& a, const std::vector<Variable>& variables) {
  const Carries carries(a, variables);
  if (carries.floors().empty()) return {};
  return one_sign(variables) ? BoxSearch(a, variables, carries).run() : try_all(a, variables);
}

}  // namespace relayout::cute
