#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "relayout/cute/algebra.hpp"
#include "relayout/cute/calculator.hpp"

namespace relayout::cute {

/// LayoutLeft or LayoutRight.
enum class Direction : std::uint8_t { kLeft, kRight };

/// What an integer n in a tiler stands for: n:1 in compositions; in divisions and products the compact
/// layout, which for 1 is 1:0. As in CuTe.
enum class TilerIntegers : std::uint8_t { kUnitStride, kCompact };

/// One argument of an operation; std::monostate is one left out.
struct Argument;
using ArgumentList = std::vector<Argument>;
struct Argument {
  std::variant<std::monostate, Value, Direction, ArgumentList> content;
};

/// The arguments of one call, as what the operation wants. Every accessor has \error kBadArgument for what is
/// missing or of another kind, with the number of the argument.
class Arguments {
 public:
  explicit Arguments(const ArgumentList& list) : list_(list) {}

  std::size_t count() const noexcept { return list_.size(); }
  /// Whether an argument is given.
  bool has(std::size_t i) const;

  Result<IntTuple> tuple(std::size_t i) const;
  Result<std::int64_t> integer(std::size_t i) const;
  /// All arguments from `first` on, which are integers.
  Result<std::vector<std::int64_t>> integers(std::size_t first) const;
  /// A layout; a tuple stands for its compact layout.
  Result<Layout> layout(std::size_t i) const;
  /// A layout or a composed one.
  Result<AnyLayout> any_layout(std::size_t i) const;
  /// All arguments, or those of the one list, as layouts.
  Result<std::vector<Layout>> layouts() const;
  /// A swizzle, or the list of its three numbers.
  Result<Swizzle> swizzle(std::size_t i) const;
  Result<Tiler> tiler(std::size_t i, TilerIntegers integers) const;
  /// A tuple, or the shape of a layout.
  Result<IntTuple> shape(std::size_t i) const;

  bool is_tuple(std::size_t i) const { return holds<IntTuple>(i); }
  bool is_layout(std::size_t i) const { return holds<Layout>(i); }
  bool is_composed(std::size_t i) const { return holds<ComposedLayout>(i); }
  bool is_swizzle(std::size_t i) const;
  /// Whether LayoutLeft or LayoutRight is given.
  bool is_direction(std::size_t i) const;
  Direction direction(std::size_t i) const { return std::get<Direction>(list_[i].content); }

 private:
  template <class Kind>
  bool holds(std::size_t i) const;
  template <class Kind>
  Result<Kind> value(std::size_t i, std::string_view what) const;

  const ArgumentList& list_;
};

/// f(values...) if all are there, else the first error.
template <class Function, class... Values>
auto with(Function f, Result<Values>... values) -> decltype(f(*values...)) {
  const Error* error = nullptr;
  ((error = error == nullptr && !values ? &values.error() : error), ...);
  if (error != nullptr) return *error;
  return f(*values...);
}

/// Any result as a value.
template <class Kind>
Result<Value> value_of(Result<Kind> result) {
  if (!result) return result.error();
  return Value(std::move(*result));
}

inline Result<Value> value_of(Result<std::int64_t> result) {
  if (!result) return result.error();
  return Value(IntTuple(*result));
}

/// The layout with `change` made to it, or to the inner one of a composed layout.
template <class Change>
Result<Value> changed(const AnyLayout& any, Change change) {
  if (const auto* layout = std::get_if<Layout>(&any)) return value_of(Result<Layout>(change(*layout)));
  const auto& composed = std::get<ComposedLayout>(any);
  return with(
      [&](const Layout& inner) {
        return value_of(ComposedLayout::make(composed.outer(), composed.offset(), inner));
      },
      Result<Layout>(change(composed.inner())));
}

/// An operation of the calculator.
struct CalculatorOperation {
  std::string_view name;
  std::size_t fewest = 1;  ///< arguments that have to be given
  std::size_t most = 1;    ///< arguments that may be given
  Result<Value> (*apply)(const Arguments& arguments) = nullptr;
};

/// Those of each file, in no order.
std::vector<CalculatorOperation> structure_operations();
std::vector<CalculatorOperation> algebra_operations();
std::vector<CalculatorOperation> printing_operations();

/// The operation's value. \error kBadArgument for an unknown name or a wrong number of arguments
Result<Value> apply_operation(std::string_view name, const ArgumentList& arguments);

}  // namespace relayout::cute
