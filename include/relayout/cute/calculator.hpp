#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "relayout/cute/swizzle.hpp"

/// The algebra as a calculator: function calls over layouts, tuples, integers and swizzles, with CuTe's
/// names. As in CuTe, indices and coordinates are not range-checked and the last mode is not reduced.
namespace relayout::cute {

/// What a table of print_layout shows, and of which layout.
struct PrintedTable {
  std::string text;
  AnyLayout layout;
};

/// A list of offsets, of a layout or of a swizzle.
struct OffsetList {
  std::vector<std::int64_t> offsets;
  std::optional<AnyLayout> layout;
};

/// Rows of offsets.
struct OffsetRows {
  std::vector<std::vector<std::int64_t>> rows;
  AnyLayout layout;
};

/// What an expression yields.
using Value =
    std::variant<bool, IntTuple, Layout, ComposedLayout, Swizzle, PrintedTable, OffsetList, OffsetRows>;

/// The value of `composition((6,2):(8,2), (4,3):(3,1))`; calls may be nested. An argument is a layout, a
/// tuple, an integer, a swizzle, a tuple of tilers (`<3:1,_>` or `[3:1,_]`), LayoutLeft or LayoutRight,
/// another call, or nothing, where it may be left out. \error kSyntax with the position, kBadArgument, and
/// what the operation gives
Result<Value> calculate(std::string_view expression);
/// The same for an operation whose arguments are texts of their own. A text may hold several arguments, such
/// as the indices `1,3`; an empty one is an argument left out.
Result<Value> calculate(std::string_view operation, const std::vector<std::string>& arguments);

/// CuTe's text of a value; tables and lists as the operation prints them.
std::string to_string(const Value& value);
/// The layout that a value is, or of which it shows the offsets.
std::optional<AnyLayout> layout_of(const Value& value);
/// The names of all operations, sorted.
std::vector<std::string_view> operation_names();

}  // namespace relayout::cute
