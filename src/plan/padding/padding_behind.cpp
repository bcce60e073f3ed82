#include "src/plan/padding/padding_behind.hpp"

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

/// Of a piece whose runs have so many elements.
std::vector<Stride> places_of(const PaddingPiece& piece, std::int64_t length, std::int64_t element_bytes) {
  std::vector<Stride> strides = {{element_bytes, length}};
  for (const Iterator& iterator : piece.iterators)
    strides.push_back({iterator.destination_stride * element_bytes, iterator.extent});
  return merged(std::move(strides));
}

/// Where the padding behind an axis begins, and how often there is some.
std::int64_t bytes_behind(const Box& box, std::size_t axis) {
  return box.destination_base + box.axes[axis].extent * box.axes[axis].destination_stride;
}
std::int64_t runs_behind(const Box& box, std::size_t axis) {
  return static_cast<std::int64_t>(box.elements()) / box.axes[axis].extent;
}

/// Of the padding behind an axis if there are so many places of it.
std::vector<Stride> strides_behind(const Box& box, std::size_t axis, std::int64_t places) {
  std::vector<Stride> strides;
  for (std::size_t i = 0; i < box.axes.size(); ++i)
    strides.push_back({box.axes[i].destination_stride, i == axis ? places : box.axes[i].extent});
  return merged(std::move(strides));
}

/// The same strides of a piece, of which some are cut in two where the box has one of its own.
std::vector<Stride> cut_at(std::vector<Stride> strides, const std::vector<Stride>& of_box) {
  for (const Stride& own : of_box) {
    for (std::size_t i = 0; i < strides.size(); ++i) {
      Stride& stride = strides[i];
      const bool within = own.bytes > stride.bytes && own.bytes < stride.bytes * stride.extent;
      if (!within || own.bytes % stride.bytes != 0) continue;
      const std::int64_t steps = own.bytes / stride.bytes;
      if (stride.extent % steps != 0) continue;
      const Stride outer{own.bytes, stride.extent / steps};
      stride.extent = steps;
      strides.insert(strides.begin() + static_cast<std::ptrdiff_t>(i) + 1, outer);
    }
  }
  return strides;
}

/// Of one stride of a piece, the steps that a box takes part in.
struct Share {
  std::int64_t first = 0;
  std::int64_t count = 1;
};

/// Shares of all strides; nothing if the box goes where the piece does not.
std::vector<Share> shares_of(const std::vector<Stride>& strides, const std::vector<Stride>& of_box,
                             std::int64_t offset_bytes) {
  std::vector<Share> shares(strides.size());
  std::size_t found = 0;
  for (std::size_t i = strides.size(); i-- > 0;) {
    const auto own = std::ranges::find(of_box, strides[i].bytes, &Stride::bytes);
    if (own != of_box.end()) {
      shares[i].count = own->extent;
      ++found;
    }
    shares[i].first = offset_bytes / strides[i].bytes;
    offset_bytes -= shares[i].first * strides[i].bytes;
    if (shares[i].first + shares[i].count > strides[i].extent) return {};
  }
  return found == of_box.size() && offset_bytes == 0 ? shares : std::vector<Share>();
}

PaddingPiece piece_of(std::int64_t base_bytes, std::int64_t length, const std::vector<Stride>& strides,
                      std::int64_t element_bytes) {
  PaddingPiece piece{base_bytes / element_bytes, length, {}};
  for (const Stride& stride : strides)
    if (stride.extent > 1) piece.iterators.push_back({stride.extent, 0, stride.bytes / element_bytes, {}});
  return piece;
}

}  // namespace

std::vector<PaddingPiece> parts_behind(const Box& box, std::size_t axis, const PaddingPiece& piece,
                                       std::size_t others, std::int64_t element_bytes) {
  const std::int64_t base_bytes = piece.destination_base * element_bytes;
  const std::int64_t offset_bytes = bytes_behind(box, axis) - base_bytes;
  const bool has_room = piece.length <= piece.volume() / runs_behind(box, axis);
  if (offset_bytes < 0 || !has_room || others >= kMostSplitPieces) return {};
  const std::vector<Stride> of_box = strides_behind(box, axis, 1);
  std::vector<Stride> strides = cut_at(places_of(piece, 1, element_bytes), of_box);
  const std::vector<Share> shares = shares_of(strides, of_box, offset_bytes);
  if (shares.empty()) return {};
  std::vector<PaddingPiece> parts = {{}};
  std::int64_t at_bytes = base_bytes;
  for (std::size_t i = strides.size(); i-- > 0;) {
    const Stride whole = strides[i];
    const Share& share = shares[i];
    const auto add = [&](std::int64_t first, std::int64_t count) {
      strides[i].extent = count;
      if (count > 0)
        parts.push_back(piece_of(at_bytes + first * whole.bytes, piece.length, strides, element_bytes));
    };
    add(0, share.first);
    add(share.first + share.count, whole.extent - share.first - share.count);
    strides[i].extent = share.count;
    at_bytes += share.first * whole.bytes;
  }
  parts.front() = piece_of(at_bytes, piece.length, strides, element_bytes);
  return others + parts.size() < kMostSplitPieces ? parts : std::vector<PaddingPiece>();
}

std::int64_t places_behind(const Box& box, std::size_t axis, const PaddingPiece& piece,
                           std::int64_t element_bytes) {
  const std::int64_t runs = runs_behind(box, axis);
  if (piece.destination_base * element_bytes != bytes_behind(box, axis) || piece.volume() % runs != 0)
    return 0;
  const std::int64_t places = piece.volume() / runs;
  return places_of(piece, piece.length, element_bytes) == strides_behind(box, axis, places) ? places : 0;
}

}  // namespace relayout::plan
