#pragma once

#include <string_view>
#include <variant>

#include "relayout/cute/swizzle.hpp"
#include "src/notation/text/cursor.hpp"

namespace relayout::cute {

/// What stands between two `o`: a tuple (as a layout's shape, or an offset), a layout, a swizzle.
using Item = std::variant<IntTuple, Layout, Swizzle>;

/// Reads CuTe's text from a position on; what follows is left to the caller.
class Reader {
 public:
  explicit Reader(notation::Cursor& cursor) : cursor_(cursor) {}

  /// `6`, `_6`, `_-6`, `_`, `(2,(3,4))`. \error kSyntax, kOverflow
  Result<IntTuple> read_tuple() { return read_tuple_at(0); }
  /// A tuple, or `shape:stride`, or `Sw<B,M,S>`. \error also kInvalidLayout, kBadArgument
  Result<Item> read_item();
  /// Whether a composition's `o` comes next; takes it.
  bool take_composition();
  /// What follows `outer o`: `offset o inner` or `inner`.
  Result<ComposedLayout> read_composed(Item outer);
  /// Whether `Sw<` or `S<` comes next.
  bool at_swizzle();

 private:
  Result<IntTuple> read_tuple_at(int depth);
  Result<IntTuple> read_integer();
  Result<Swizzle> read_swizzle();
  Result<std::int64_t> read_signed(std::string_view what);

  notation::Cursor& cursor_;
};

/// A tuple as a shape with compact strides, or the layout itself. \error kInvalidLayout, kSyntax for swizzles
Result<Layout> layout_of_item(Item item);

}  // namespace relayout::cute
