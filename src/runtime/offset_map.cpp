// The refined loop nest gives the map where it is one box: sorted by destination stride, strides that are the
// running products of the extents make (extents):(source strides). Otherwise a small pair is decided by its
// table of offsets, where the first mode of a layout is forced: as long as the table is linear from 0.

#include "relayout/offset_map.hpp"

#include <algorithm>
#include <optional>

#include "relayout/cute/algebra.hpp"
#include "relayout/loops.hpp"
#include "src/layout/layout_data.hpp"
#include "src/layout/memory_guard.hpp"

namespace relayout {
namespace {

/// Pairs that are no single box are decided up to this size.
constexpr std::int64_t kMaximumTable = std::int64_t{1} << 16;

Error no_layout(const std::string& reason) {
  return Error{ErrorCode::kUnsupported, "source o destination^-1 is no shape:stride: " + reason};
}

Result<cute::Layout> coalesced(std::vector<cute::IntTuple> extents, std::vector<cute::IntTuple> strides) {
  if (extents.empty()) return cute::Layout();
  auto layout = cute::Layout::make(cute::IntTuple::tuple(std::move(extents)),
                                   cute::IntTuple::tuple(std::move(strides)));
  if (!layout) return layout.error();
  return cute::coalesce(*layout);
}

/// \pre by rising destination strides
std::optional<Result<cute::Layout>> from_loops(const std::vector<LoopDimension>& loops) {
  std::vector<cute::IntTuple> extents;
  std::vector<cute::IntTuple> strides;
  std::int64_t expected = 1;
  for (const LoopDimension& loop : loops) {
    if (loop.destination_stride != expected) return std::nullopt;
    expected *= loop.extent;
    extents.emplace_back(loop.extent);
    strides.emplace_back(loop.source_stride);
  }
  return coalesced(std::move(extents), std::move(strides));
}

/// Source offsets by destination offset. \pre the destination has no padding
Result<Shape> offset_table(const Layout& source, const Layout& destination) {
  Shape table(static_cast<std::size_t>(destination.element_count()), 0);
  Shape coordinate(source.shape().size(), 0);
  for (std::size_t count = 0; count < table.size(); ++count) {
    const auto from = source.offset(coordinate);
    const auto to = destination.offset(coordinate);
    if (!from) return from.error();
    if (!to) return to.error();
    table[static_cast<std::size_t>(*to)] = *from;
    for (std::size_t i = coordinate.size(); i-- > 0;) {
      if (++coordinate[i] < source.shape()[i]) break;
      coordinate[i] = 0;
    }
  }
  return table;
}

/// `dimension 1 of extent 12 is split into blocks of 4 at the source and of 6 at the destination`, if the
/// digits' places show that.
std::optional<std::string> conflicting_splits(const Layout& source, const Layout& destination) {
  if (!source.data().has_digits() || !destination.data().has_digits()) return std::nullopt;
  for (const layout::Digit& from : layout::merged_digits(source.data().digits)) {
    for (const layout::Digit& to : layout::merged_digits(destination.data().digits)) {
      if (from.dimension != to.dimension || from.place % to.place == 0 || to.place % from.place == 0)
        continue;
      return "dimension " + std::to_string(from.dimension) + " of extent " +
             std::to_string(source.shape()[static_cast<std::size_t>(from.dimension)]) +
             " is split into blocks of " + std::to_string(from.place) + " at the source and of " +
             std::to_string(to.place) + " at the destination";
    }
  }
  return std::nullopt;
}

Error witness(std::size_t at, std::int64_t found, std::int64_t expected) {
  return no_layout("destination offset " + std::to_string(at) + " is source offset " + std::to_string(found) +
                   ", where a layout with the offsets before it has " + std::to_string(expected));
}

Result<cute::Layout> from_table(const Shape& table) {
  if (table.front() != 0) return witness(0, table.front(), 0);
  std::vector<cute::IntTuple> extents;
  std::vector<cute::IntTuple> strides;
  for (std::size_t place = 1; place < table.size();) {
    const std::int64_t stride = table[place];
    std::size_t extent = 1;
    // A run may end within the table only at a multiple of its place, as the mode that follows starts there.
    while (extent * place < table.size() &&
           table[extent * place] == static_cast<std::int64_t>(extent) * stride) {
      for (std::size_t i = 0; i < place && extent * place + i < table.size(); ++i) {
        const std::int64_t expected = static_cast<std::int64_t>(extent) * stride + table[i];
        const std::size_t at = extent * place + i;
        if (table[at] != expected) return witness(at, table[at], expected);
      }
      ++extent;
    }
    place *= extent;
    if (table.size() % place != 0) {
      return no_layout("a run of " + std::to_string(place) + " does not divide the " +
                       std::to_string(table.size()) + " elements");
    }
    extents.emplace_back(static_cast<std::int64_t>(extent));
    strides.emplace_back(stride);
  }
  return coalesced(std::move(extents), std::move(strides));
}

Result<cute::Layout> find_layout(const Layout& source, const Layout& destination) {
  if (source.shape() != destination.shape() || source.element_bits() != destination.element_bits()) {
    return Error{ErrorCode::kShapeMismatch, "the layouts differ in shape or in the width of elements"};
  }
  if (destination.element_count() == 0) return no_layout("there are no elements");
  if (destination.physical_elements() != destination.element_count()) {
    return no_layout("the destination has " + std::to_string(destination.physical_elements()) +
                     " places for " + std::to_string(destination.element_count()) + " elements");
  }
  if (const auto loops = loop_dimensions(source, destination)) {
    if (auto layout = from_loops(*loops)) return *layout;
  }
  const auto splits = conflicting_splits(source, destination);
  if (destination.element_count() > kMaximumTable) {
    if (splits) return no_layout(*splits);
    return Error{ErrorCode::kUnsupported, "source o destination^-1 is no single loop nest, and past " +
                                              std::to_string(kMaximumTable) +
                                              " elements it is not decided whether it is a shape:stride"};
  }
  const auto table = offset_table(source, destination);
  if (!table) return table.error();
  auto layout = from_table(*table);
  if (!layout && splits) return no_layout(*splits);
  return layout;
}

std::int64_t leading_run(const cute::Layout& layout) {
  const cute::Layout first = layout.mode(0);
  const bool is_unit = first.stride().is_integer() && first.stride().value() == 1;
  return is_unit ? first.size() : 1;
}

}  // namespace

Result<OffsetMap> offset_map(const Layout& source, const Layout& destination) {
  return layout::without_exceptions([&]() -> Result<OffsetMap> {
    const auto layout = find_layout(source, destination);
    if (!layout) return layout.error();
    const std::int64_t run = leading_run(*layout);
    return OffsetMap{*layout, run, run * source.element_bits() / 8};
  });
}

Result<cute::Layout> offset_map(const cute::Layout& source, const cute::Layout& destination) {
  if (source.size() != destination.size()) {
    return Error{ErrorCode::kShapeMismatch, "the layouts differ in size"};
  }
  const auto inverse = cute::right_inverse(destination);
  if (!inverse) return inverse.error();
  if (inverse->size() != destination.size()) {
    return no_layout("the destination " + cute::to_string(destination) + " does not fill its buffer");
  }
  const auto map = cute::composition(source, *inverse);
  if (!map) return map.error();
  return cute::coalesce(*map);
}

}  // namespace relayout
