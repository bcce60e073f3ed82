#include "relayout/cute/int_tuple.hpp"

#include <algorithm>

#include "src/notation/cute/arithmetic.hpp"

namespace relayout::cute {
namespace {

void append_leaves(const IntTuple& tuple, std::vector<IntTuple>& leaves) {
  if (!tuple.is_tuple()) {
    leaves.push_back(tuple);
    return;
  }
  for (const IntTuple& element : tuple.elements()) append_leaves(element, leaves);
}

/// The elements of a tuple; anything else is a tuple of one.
std::vector<IntTuple> wrapped(const IntTuple& tuple) {
  return tuple.is_tuple() ? tuple.elements() : std::vector<IntTuple>{tuple};
}

Error no_element(std::int64_t index, const IntTuple& tuple) {
  return bad_argument("there is no element " + std::to_string(index) + " in " + to_string(tuple));
}

Status check_range(const IntTuple& tuple, std::int64_t begin, std::int64_t end) {
  if (0 <= begin && begin < end && end <= rank(tuple)) return {};
  return bad_argument("elements " + std::to_string(begin) + " to " + std::to_string(end) + " of " +
                      to_string(tuple) + " are no range");
}

Status multiply_leaves(const IntTuple& tuple, std::int64_t& product) {
  if (tuple.is_underscore()) return bad_argument("_ has no size");
  if (tuple.is_integer()) {
    if (__builtin_mul_overflow(product, tuple.value(), &product)) return overflow("the size of the tuple");
    return {};
  }
  for (const IntTuple& element : tuple.elements()) {
    if (auto status = multiply_leaves(element, product); !status) return status;
  }
  return {};
}

}  // namespace

IntTuple IntTuple::static_integer(std::int64_t value) {
  IntTuple integer(value);
  integer.is_static_ = true;
  return integer;
}

IntTuple IntTuple::tuple(std::vector<IntTuple> elements) {
  IntTuple tuple;
  tuple.kind_ = Kind::kTuple;
  tuple.elements_ = std::move(elements);
  return tuple;
}

IntTuple IntTuple::underscore() {
  IntTuple underscore;
  underscore.kind_ = Kind::kUnderscore;
  return underscore;
}

std::int64_t rank(const IntTuple& tuple) {
  return tuple.is_tuple() ? static_cast<std::int64_t>(tuple.elements().size()) : 1;
}

int depth(const IntTuple& tuple) {
  if (!tuple.is_tuple()) return 0;
  int deepest = 0;
  for (const IntTuple& element : tuple.elements()) deepest = std::max(deepest, depth(element));
  return deepest + 1;
}

Result<std::int64_t> size(const IntTuple& tuple) {
  std::int64_t product = 1;
  if (auto status = multiply_leaves(tuple, product); !status) return status.error();
  return product;
}

Result<IntTuple> get(const IntTuple& tuple, Path path) {
  const IntTuple* element = &tuple;
  for (const std::int64_t index : path) {
    if (index < 0 || index >= rank(*element)) return no_element(index, *element);
    if (element->is_tuple()) element = &element->elements()[static_cast<std::size_t>(index)];
  }
  return *element;
}

IntTuple flatten(const IntTuple& tuple) {
  if (!tuple.is_tuple()) return tuple;
  std::vector<IntTuple> leaves;
  append_leaves(tuple, leaves);
  return IntTuple::tuple(std::move(leaves));
}

IntTuple append(const IntTuple& tuple, IntTuple element) {
  std::vector<IntTuple> elements = wrapped(tuple);
  elements.push_back(std::move(element));
  return IntTuple::tuple(std::move(elements));
}

IntTuple prepend(const IntTuple& tuple, IntTuple element) {
  std::vector<IntTuple> elements = wrapped(tuple);
  elements.insert(elements.begin(), std::move(element));
  return IntTuple::tuple(std::move(elements));
}

Result<IntTuple> replace(const IntTuple& tuple, std::int64_t index, IntTuple element) {
  if (index < 0 || index >= rank(tuple)) return no_element(index, tuple);
  if (!tuple.is_tuple()) return element;
  std::vector<IntTuple> elements = tuple.elements();
  elements[static_cast<std::size_t>(index)] = std::move(element);
  return IntTuple::tuple(std::move(elements));
}

Result<IntTuple> select(const IntTuple& tuple, Path indices) {
  std::vector<IntTuple> elements;
  for (const std::int64_t index : indices) {
    if (index < 0 || index >= rank(tuple)) return no_element(index, tuple);
    elements.push_back(tuple.is_tuple() ? tuple.elements()[static_cast<std::size_t>(index)] : tuple);
  }
  return IntTuple::tuple(std::move(elements));
}

Result<IntTuple> take(const IntTuple& tuple, std::int64_t begin, std::int64_t end) {
  if (auto status = check_range(tuple, begin, end); !status) return status.error();
  const std::vector<IntTuple> elements = wrapped(tuple);
  return IntTuple::tuple({elements.begin() + begin, elements.begin() + end});
}

Result<IntTuple> group(const IntTuple& tuple, std::int64_t begin, std::int64_t end) {
  auto inner = take(tuple, begin, end);
  if (!inner) return inner;
  std::vector<IntTuple> elements = wrapped(tuple);
  elements.erase(elements.begin() + begin, elements.begin() + end);
  elements.insert(elements.begin() + begin, std::move(*inner));
  return IntTuple::tuple(std::move(elements));
}

bool congruent(const IntTuple& a, const IntTuple& b) {
  if (!a.is_tuple() || !b.is_tuple()) return a.is_tuple() == b.is_tuple();
  return std::equal(a.elements().begin(), a.elements().end(), b.elements().begin(), b.elements().end(),
                    congruent);
}

bool weakly_congruent(const IntTuple& a, const IntTuple& b) {
  if (!a.is_tuple()) return true;
  return b.is_tuple() && std::equal(a.elements().begin(), a.elements().end(), b.elements().begin(),
                                    b.elements().end(), weakly_congruent);
}

bool compatible(const IntTuple& a, const IntTuple& b) {
  if (a.is_tuple()) {
    return b.is_tuple() && std::equal(a.elements().begin(), a.elements().end(), b.elements().begin(),
                                      b.elements().end(), compatible);
  }
  const auto elements = size(b);
  return a.is_integer() && elements && *elements == a.value();
}

}  // namespace relayout::cute
