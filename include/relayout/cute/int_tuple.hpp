#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "relayout/result.hpp"

/// CuTe's notation: layouts as shape:stride, with tuples nested to any depth, and their algebra. Source:
/// NVIDIA/cutlass, include/cute and media/docs/cpp/cute. All integers are known at run time and have 64 bits.
namespace relayout::cute {

/// The deepest nesting that parse and Layout::make accept.
inline constexpr int kMaximumDepth = 256;

/// An integer, a tuple of IntTuples, or `_`, which stands for all of a mode in the coordinates of slices and
/// in tilers.
class IntTuple {
 public:
  IntTuple(std::int64_t value = 0) : value_(value) {}

  /// An integer with CuTe's mark of a static one, printed `_4`. The mark changes nothing else.
  static IntTuple static_integer(std::int64_t value);
  static IntTuple tuple(std::vector<IntTuple> elements);
  static IntTuple underscore();

  bool is_integer() const noexcept { return kind_ == Kind::kInteger; }
  bool is_tuple() const noexcept { return kind_ == Kind::kTuple; }
  bool is_underscore() const noexcept { return kind_ == Kind::kUnderscore; }
  /// Whether an integer has the static mark.
  bool is_static() const noexcept { return is_static_; }
  /// \pre is_integer()
  std::int64_t value() const noexcept { return value_; }
  /// The elements of a tuple; of anything else, none.
  const std::vector<IntTuple>& elements() const noexcept { return elements_; }

  /// Equal trees of equal integers; static marks do not count.
  friend bool operator==(const IntTuple& a, const IntTuple& b) {
    return a.kind_ == b.kind_ && a.value_ == b.value_ && a.elements_ == b.elements_;
  }

 private:
  enum class Kind : std::uint8_t { kInteger, kTuple, kUnderscore };
  Kind kind_ = Kind::kInteger;
  bool is_static_ = false;
  std::int64_t value_ = 0;
  std::vector<IntTuple> elements_;
};

/// Which element: path[0] of the whole, path[1] of that, and so on.
using Path = std::span<const std::int64_t>;

/// An integer has rank 1, a tuple the number of its elements.
std::int64_t rank(const IntTuple& tuple);
/// An integer has depth 0, a tuple one more than its deepest element.
int depth(const IntTuple& tuple);
/// Product of the integers. \error kOverflow, kBadArgument for `_`
Result<std::int64_t> size(const IntTuple& tuple);
/// The element at a path; element 0 of an integer is itself. \error kBadArgument
Result<IntTuple> get(const IntTuple& tuple, Path path);

/// All integers in one tuple; an integer stays one.
IntTuple flatten(const IntTuple& tuple);
/// `tuple` with `element` behind (in front of) its elements; an integer counts as a tuple of one.
IntTuple append(const IntTuple& tuple, IntTuple element);
IntTuple prepend(const IntTuple& tuple, IntTuple element);
/// `tuple` with element `index` replaced. \error kBadArgument
Result<IntTuple> replace(const IntTuple& tuple, std::int64_t index, IntTuple element);
/// The elements with the given indices, as a tuple. \error kBadArgument
Result<IntTuple> select(const IntTuple& tuple, Path indices);
/// Elements begin to end - 1, as a tuple. \error kBadArgument if there is none
Result<IntTuple> take(const IntTuple& tuple, std::int64_t begin, std::int64_t end);
/// `tuple` with elements begin to end - 1 put into a tuple of their own. \error kBadArgument
Result<IntTuple> group(const IntTuple& tuple, std::int64_t begin, std::int64_t end);

/// Whether both have the same nesting.
bool congruent(const IntTuple& a, const IntTuple& b);
/// Whether they have the same nesting once an integer of `a` stands for whatever it meets in `b`.
bool weakly_congruent(const IntTuple& a, const IntTuple& b);
/// Whether every coordinate of shape `a` is one of shape `b`: an integer of `a` is the size of what it meets.
bool compatible(const IntTuple& a, const IntTuple& b);

/// The coordinate of the index-th place of a shape, colexicographically (the first mode varies fastest). As
/// in CuTe, the last mode is not reduced, so indices may lie beyond the shape; negative ones give negative
/// coordinates. A tuple as the index is matched with the shape element by element. \error kBadArgument for a
/// coordinate that does not fit the shape's nesting
Result<IntTuple> idx2crd(const IntTuple& index, const IntTuple& shape);
/// (index / stride) % shape, integer by integer: right for compact layouts. \error kBadArgument
Result<IntTuple> idx2crd(const IntTuple& index, const IntTuple& shape, const IntTuple& stride);
/// The index of a coordinate in a shape, the inverse of idx2crd. Every integer of the coordinate is expanded
/// in the part of the shape that it meets; ranges are not checked. \error kBadArgument, kOverflow
Result<std::int64_t> crd2idx(const IntTuple& coordinate, const IntTuple& shape);
/// The inner product of a coordinate with a stride. \error kBadArgument, kOverflow
Result<std::int64_t> crd2idx(const IntTuple& coordinate, const IntTuple& shape, const IntTuple& stride);

/// Quotients rounded up; an integer divided by a tuple is divided by its size, a tuple by an integer is
/// divided from the left until nothing is left of the divisor. \error kBadArgument
Result<IntTuple> ceil_div(const IntTuple& dividend, const IntTuple& divisor);
/// As ceil_div, where every quotient has to be an integer, or the inverse of one, which counts as 1.
Result<IntTuple> shape_div(const IntTuple& dividend, const IntTuple& divisor);

/// CuTe's text, without blanks: `((2,2),_4)`.
std::string to_string(const IntTuple& tuple);

}  // namespace relayout::cute
