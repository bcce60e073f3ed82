// Division of shapes by shapes. A tuple is divided by an integer from the left: each element takes what it
// can, and the divisor that is left goes on to the next.

#include "relayout/cute/int_tuple.hpp"
#include "src/notation/cute/arithmetic.hpp"

namespace relayout::cute {
namespace {

using Quotient = Result<std::int64_t> (*)(std::int64_t dividend, std::int64_t divisor);

Result<std::int64_t> rounded_up(std::int64_t dividend, std::int64_t divisor) {
  if (divisor <= 0 || dividend < 0) {
    return bad_argument("cannot divide " + std::to_string(dividend) + " by " + std::to_string(divisor) +
                        " and round up");
  }
  return ceil_quotient(dividend, divisor);
}

Result<std::int64_t> exact_or_one(std::int64_t dividend, std::int64_t divisor) {
  if (divisor > 0 && dividend > 0) {
    if (dividend % divisor == 0) return dividend / divisor;
    if (divisor % dividend == 0) return 1;
  }
  return bad_argument("neither of " + std::to_string(dividend) + " and " + std::to_string(divisor) +
                      " divides the other");
}

Result<IntTuple> divide(const IntTuple& dividend, const IntTuple& divisor, Quotient quotient);

/// Divides a tuple by what is left of an integer.
Result<IntTuple> divide_elements(const IntTuple& dividend, std::int64_t rest, Quotient quotient) {
  std::vector<IntTuple> quotients;
  for (const IntTuple& element : dividend.elements()) {
    auto part = divide(element, rest, quotient);
    if (!part) return part;
    quotients.push_back(std::move(*part));
    const auto taken = size(element);
    if (!taken) return taken.error();
    const auto left = quotient(rest, *taken);
    if (!left) return left.error();
    rest = *left;
  }
  return IntTuple::tuple(std::move(quotients));
}

/// Divides element by element; elements without a counterpart stay.
Result<IntTuple> divide_pairs(const IntTuple& dividend, const IntTuple& divisor, Quotient quotient) {
  if (dividend.elements().size() < divisor.elements().size()) {
    return bad_argument("cannot divide " + to_string(dividend) + " by the longer " + to_string(divisor));
  }
  std::vector<IntTuple> quotients = dividend.elements();
  for (std::size_t i = 0; i < divisor.elements().size(); ++i) {
    auto part = divide(quotients[i], divisor.elements()[i], quotient);
    if (!part) return part;
    quotients[i] = std::move(*part);
  }
  return IntTuple::tuple(std::move(quotients));
}

Result<IntTuple> divide(const IntTuple& dividend, const IntTuple& divisor, Quotient quotient) {
  if (dividend.is_tuple() && divisor.is_tuple()) return divide_pairs(dividend, divisor, quotient);
  const auto by = size(divisor);
  if (!by) return by.error();
  if (dividend.is_tuple()) return divide_elements(dividend, *by, quotient);
  if (dividend.is_underscore()) return bad_argument("_ cannot be divided");
  const auto result = quotient(dividend.value(), *by);
  if (!result) return result.error();
  return IntTuple(*result);
}

}  // namespace

Result<IntTuple> ceil_div(const IntTuple& dividend, const IntTuple& divisor) {
  return divide(dividend, divisor, rounded_up);
}

Result<IntTuple> shape_div(const IntTuple& dividend, const IntTuple& divisor) {
  if (dividend.is_tuple() && divisor.is_tuple() && !congruent(dividend, divisor) &&
      dividend.elements().size() != divisor.elements().size()) {
    return bad_argument("cannot divide " + to_string(dividend) + " by " + to_string(divisor));
  }
  return divide(dividend, divisor, exact_or_one);
}

}  // namespace relayout::cute
