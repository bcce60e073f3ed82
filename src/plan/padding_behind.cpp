#include "src/plan/padding_behind.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace relayout::plan {
namespace {

/// Places in memory: sums of multiples of strides.
struct Stride {
  std::int64_t bytes = 0;
  std::int64_t extent = 1;
  friend bool operator==(const Stride&, const Stride&) = default;
};

/// The same for equal sets of places that begin at the same one, where no two strides reach the same place.
std::vector<Stride> merged(std::vector<Stride> strides) {
  std::ranges::sort(strides, {}, &Stride::bytes);
  std::vector<Stride> result;
  for (const Stride& stride : strides) {
    if (stride.extent == 1) continue;
    if (!result.empty() && stride.bytes == result.back().bytes * result.back().extent) {
      result.back().extent *= stride.extent;
    } else {
      result.push_back(stride);
    }
  }
  return result;
}

std::vector<Stride> places_of(const PaddingPiece& piece, std::int64_t element_bytes) {
  std::vector<Stride> strides = {{element_bytes, piece.length}};
  for (const Iterator& iterator : piece.iterators)
    strides.push_back({iterator.destination_stride * element_bytes, iterator.extent});
  return merged(std::move(strides));
}

/// Of the padding behind an axis if there are so many places of it.
std::vector<Stride> strides_behind(const Box& box, std::size_t axis, std::int64_t places) {
  std::vector<Stride> strides;
  for (std::size_t i = 0; i < box.axes.size(); ++i)
    strides.push_back({box.axes[i].destination_stride, i == axis ? places : box.axes[i].extent});
  return merged(std::move(strides));
}

}  // namespace

std::int64_t places_behind(const Box& box, std::size_t axis, const PaddingPiece& piece,
                           std::int64_t element_bytes) {
  const Axis& along = box.axes[axis];
  const std::int64_t behind = box.destination_base + along.extent * along.destination_stride;
  const auto runs = static_cast<std::int64_t>(box.elements()) / along.extent;
  if (piece.destination_base * element_bytes != behind || piece.volume() % runs != 0) return 0;
  const std::int64_t places = piece.volume() / runs;
  return places_of(piece, element_bytes) == strides_behind(box, axis, places) ? places : 0;
}

}  // namespace relayout::plan
