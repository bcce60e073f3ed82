// When is A(sum of i_j * e_j) = sum of i_j * A(e_j) for all 0 <= i_j < u_j?
//
// With P_r the places of A's modes, A(x) = d_0 x + sum over r >= 1 of c_r * floor(x / P_r), where no
// c_r = d_r - s_{r-1} d_{r-1} is 0, neighbours having been merged. For steps of one sign,
//   floor(sum i_j e_j / P_r) = sum i_j floor(e_j / P_r) + K_r
// with K_r = floor(sum i_j (e_j mod P_r) / P_r) >= 0,
// so the question is whether sum c_r K_r = 0 everywhere. It is if no K_r ever leaves 0, which the greatest
// indices tell. If one alone does, it is not. If several do, they may cancel: then the coordinates are tried,
// leaving out the variables that never carry. Steps of both signs are additive if all of them are multiples
// of P_r or no argument reaches it; otherwise they are tried too.

#include <algorithm>
#include <string>

#include "src/notation/cute/arithmetic.hpp"
#include "src/notation/cute/composition.hpp"

namespace relayout::cute {
namespace {

using expr::Wide;

constexpr std::int64_t kMaximumTried = std::int64_t{1} << 20;

bool one_sign(const std::vector<Variable>& variables) {
  const auto negative = [](const Variable& v) { return v.step < 0; };
  const auto positive = [](const Variable& v) { return v.step > 0; };
  return std::none_of(variables.begin(), variables.end(), negative) ||
         std::none_of(variables.begin(), variables.end(), positive);
}

/// The greatest sum of index * |step|.
Wide greatest_argument(const std::vector<Variable>& variables) {
  Wide sum = 0;
  for (const Variable& variable : variables) sum += Wide(variable.size - 1) * magnitude(variable.step);
  return sum;
}

/// The greatest sum of index * (|step| mod place).
Wide greatest_rest(const std::vector<Variable>& variables, std::int64_t place) {
  Wide sum = 0;
  for (const Variable& variable : variables) {
    sum += Wide(variable.size - 1) * (magnitude(variable.step) % static_cast<std::uint64_t>(place));
  }
  return sum;
}

bool carries(const std::vector<Variable>& variables, std::int64_t place) {
  if (greatest_argument(variables) < place) return false;
  const Wide rest = greatest_rest(variables, place);
  return one_sign(variables) ? rest >= place : rest != 0;
}

/// The variables that take part in a carry into one of `places`.
std::vector<Variable> carrying(const std::vector<Variable>& variables,
                               const std::vector<std::int64_t>& places) {
  if (!one_sign(variables)) return variables;
  std::vector<Variable> kept;
  for (const Variable& variable : variables) {
    const auto moves = [&](std::int64_t place) { return variable.step % place != 0; };
    if (std::any_of(places.begin(), places.end(), moves)) kept.push_back(variable);
  }
  return kept;
}

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
  if (coordinates > kMaximumTried) {
    return Error{ErrorCode::kUnsupported, "whether a layout has these offsets takes more than 2^20 trials"};
  }
  std::fill(indices.begin(), indices.end(), 0);
  while (step_indices(variables, indices)) {
    if (auto status = check_at(a, variables, indices); !status) return status;
  }
  return {};
}

}  // namespace

Status check_additive(const LineFunction& a, const std::vector<Variable>& variables) {
  std::vector<std::int64_t> carried;
  for (const std::int64_t place : a.places) {
    if (carries(variables, place)) carried.push_back(place);
  }
  return carried.empty() ? Status() : try_all(a, carrying(variables, carried));
}

}  // namespace relayout::cute
