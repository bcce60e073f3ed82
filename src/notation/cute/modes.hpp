#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "relayout/cute/layout.hpp"

namespace relayout::cute {

/// One leaf of a layout.
struct Mode {
  std::int64_t size = 1;
  std::int64_t stride = 0;
  friend bool operator==(const Mode&, const Mode&) = default;
};
using Modes = std::vector<Mode>;

/// All leaves of a layout, the fastest first.
Modes modes_of(const Layout& layout);
/// The layout of depth 1 with these modes; one alone is a layout of integers, none is 1:0.
Result<Layout> layout_of(const Modes& modes);
/// Shape and stride with these modes: a tuple, or integers for one alone. \pre !modes.empty()
struct ShapeAndStride {
  IntTuple shape;
  IntTuple stride;
};
ShapeAndStride tuples_of(const Modes& modes);

/// The value of a result that only a lack of memory can spoil. Throws std::bad_alloc then.
Layout expect_memory(Result<Layout> result);

/// What is left after merging neighbours that continue one another; modes of size 1 are dropped.
Modes coalesced(const Modes& modes);
Layout coalesced(const Layout& layout);
/// Without the modes of stride 0, coalesced.
Layout filtered(const Layout& layout);

/// For every mode, the product of the sizes before it.
std::vector<std::int64_t> places_of(const Modes& modes);

/// The modes of a layout's top level.
std::vector<Layout> top_modes(const Layout& layout);

/// A coordinate with 0 for every `_`.
IntTuple with_zeros(const IntTuple& coordinate);

/// Whether every integer of the tuple has the static mark.
bool is_static(const IntTuple& tuple);
bool is_static(const Layout& layout);
/// The same integers, all with the static mark.
IntTuple marked_static(const IntTuple& tuple);
/// 1:0, with the static mark if all of `layout` has it: what fills up a layout.
Layout filler_of(const Layout& layout);
/// `result` with the static mark if `all_static`; errors pass.
Result<Layout> with_marks(Result<Layout> result, bool all_static);

}  // namespace relayout::cute
