// The rule (docs/tiled_layout.md). Start with the dimensions in physical order, slowest first. Each tile
// covers the last dimensions (dimensions of size 1 are put in front if there are too few); `*` combines a
// dimension with its next more minor neighbour, e = e_i * n_(i+1) + e_(i+1); then a dimension of size n under
// a tile of t becomes two: e // t of size ceil(n / t), outside, and e % t of size t, inside. The tile after
// that sees the new dimensions. At the end the buffer is row-major in what there is.

#include "src/notation/xla/tiling.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "src/layout/checked_arithmetic.hpp"

namespace relayout::xla {
namespace {

using expr::IndexExpr;
using layout::Digit;
using layout::divided_up;

/// More levels than this only make expressions too deep to work with.
constexpr std::size_t kMaximumTiles = 32;

/// Indices in the expressions of all dimensions. Each tile that combines dimensions doubles them: with 20
/// such tiles a text of 117 characters would take seconds to be described.
constexpr std::int64_t kMaximumIndices = 4096;

Error past_limit(const ArrayShape& array) {
  return Error{ErrorCode::kOverflow, to_string(array) + " has more than 2^60 bytes"};
}

/// e * size + inner, for an `inner` of [0, size). Sizes of 1 leave the other index alone, as the digit it is.
Axis combined(const Axis& outer, std::int64_t outer_size, const Axis& inner, std::int64_t inner_size) {
  if (outer_size == 1) return inner;
  if (inner_size == 1) return outer;
  return {outer.index * inner_size + inner.index, std::nullopt};
}

/// ((x // v) % p) // t == (x // (v t)) % ceil(p / t) and ((x // v) % p) % t == (x // v) % t where t divides p
/// or nothing of x lies beyond the digit, which then has its whole range.
struct SplitDigit {
  std::optional<Digit> quotient;
  std::optional<Digit> remainder;
};

SplitDigit split_digit(const Digit& digit, std::int64_t tile, bool whole) {
  if (!whole && digit.extent % tile != 0) return {};
  return {Digit{digit.dimension, digit.place * tile, divided_up(digit.extent, tile), 1},
          Digit{digit.dimension, digit.place, tile, 1}};
}

}  // namespace

Result<Tiling> Tiling::of(const ArrayShape& array) {
  if (auto status = validate(array); !status) return status.error();
  Tiling tiling;
  tiling.extents_ = array.dimensions;
  const auto& order = array.layout.minor_to_major;
  const auto& padded = array.layout.padded_dimensions;
  tiling.order_.assign(order.rbegin(), order.rend());
  tiling.untiled_.reserve(order.size());
  for (const std::int64_t dimension : tiling.order_) {
    const auto logical = static_cast<std::size_t>(dimension);
    tiling.untiled_.push_back(padded.empty() ? array.dimensions[logical] : padded[logical]);
    if (array.dimensions[logical] != kUnbounded) continue;
    return Error{ErrorCode::kUnsupported, to_string(array) + ": an extent '?' has no size"};
  }
  tiling.sizes_ = tiling.untiled_;
  tiling.indices_.assign(order.size(), 1);
  if (array.layout.tiles.size() > kMaximumTiles) {
    return Error{ErrorCode::kUnsupported,
                 to_string(array) + ": more than " + std::to_string(kMaximumTiles) + " tiles"};
  }
  for (const Tile& tile : array.layout.tiles) {
    if (auto status = tiling.apply(tile); !status) {
      return Error{status.error().code, to_string(array) + ": " + status.error().message};
    }
  }
  if (auto status = tiling.finish(array); !status) return status.error();
  return tiling;
}

Status Tiling::apply(const Tile& tile) {
  if (tile.back() == kCombine) {
    return Error{ErrorCode::kInvalidLayout, "a tile's last entry is '*', which has no more minor neighbour"};
  }
  Level level;
  level.prepended = tile.size() > sizes_.size() ? tile.size() - sizes_.size() : 0;
  sizes_.insert(sizes_.begin(), static_cast<std::ptrdiff_t>(level.prepended), 1);
  indices_.insert(indices_.begin(), static_cast<std::ptrdiff_t>(level.prepended), 0);
  level.untouched = sizes_.size() - tile.size();
  Group group;
  for (std::size_t i = 0; i < tile.size(); ++i) {
    group.sizes.push_back(sizes_[level.untouched + i]);
    if (tile[i] == kCombine) continue;
    const auto product = layout::checked_product(group.sizes);
    if (!product) return Error{ErrorCode::kOverflow, "combined dimensions are past 64 bits"};
    group.combined = *product;
    group.tile = tile[i];
    level.groups.push_back(std::exchange(group, {}));
  }
  sizes_.resize(level.untouched);
  for (const Group& tiled : level.groups) sizes_.push_back(divided_up(tiled.combined, tiled.tile));
  for (const Group& tiled : level.groups) sizes_.push_back(tiled.tile);
  levels_.push_back(std::move(level));
  return count_indices(levels_.back());
}

/// As `expand` will put them together: a combined index that is split is in both of its parts.
Status Tiling::count_indices(const Level& level) {
  std::vector<std::int64_t> outer(indices_.begin(),
                                  indices_.begin() + static_cast<std::ptrdiff_t>(level.untouched));
  std::vector<std::int64_t> inner;
  std::size_t next = level.untouched;
  for (const Group& group : level.groups) {
    std::int64_t combined = 0;
    for (std::size_t i = 0; i < group.sizes.size(); ++i) combined += indices_[next++];
    outer.push_back(group.combined <= group.tile ? 0 : combined);
    inner.push_back(group.tile == 1 ? 0 : combined);
  }
  outer.insert(outer.end(), inner.begin(), inner.end());
  indices_ = std::move(outer);
  if (std::accumulate(indices_.begin(), indices_.end(), std::int64_t{0}) <= kMaximumIndices) return {};
  return Error{ErrorCode::kUnsupported, "so many tiles that combine dimensions make too long an expression"};
}

Status Tiling::finish(const ArrayShape& array) {
  const auto product = layout::checked_product(sizes_);
  if (!product) return past_limit(array);
  const auto aligned = layout::checked_multiply(divided_up(*product, array.layout.tail_padding_alignment),
                                                array.layout.tail_padding_alignment);
  const auto bytes = aligned ? layout::checked_bytes(*aligned, element_bits(array)) : std::nullopt;
  if (!bytes || *bytes > layout::kMaximumBytes) return past_limit(array);
  physical_elements_ = *aligned;
  return {};
}

std::vector<std::int64_t> Tiling::strides() const {
  std::vector<std::int64_t> strides(sizes_.size(), 1);
  if (physical_elements_ == 0) return strides;
  for (std::size_t i = sizes_.size(); i-- > 1;) strides[i - 1] = strides[i] * sizes_[i];
  return strides;
}

bool Tiling::is_whole(const Digit& digit) const {
  const std::int64_t extent = extents_[static_cast<std::size_t>(digit.dimension)];
  return digit.extent >= divided_up(extent, digit.place);
}

std::vector<Axis> Tiling::expand(const Level& level, std::vector<Axis> axes) const {
  axes.insert(axes.begin(), level.prepended, Axis{IndexExpr(), Digit{}});
  std::vector<Axis> outer(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(level.untouched));
  std::vector<Axis> inner;
  std::size_t next = level.untouched;
  for (const Group& group : level.groups) {
    Axis axis{IndexExpr(), Digit{}};
    std::int64_t size = 1;
    for (const std::int64_t member_size : group.sizes) {
      axis = combined(axis, size, axes[next++], member_size);
      size *= member_size;
    }
    outer.push_back({IndexExpr(), Digit{}});
    inner.push_back(axis);
    if (group.combined <= group.tile || (axis.digit && axis.digit->extent <= group.tile)) continue;
    if (group.tile == 1) {
      std::swap(outer.back(), inner.back());
      continue;
    }
    SplitDigit digits;
    if (axis.digit) digits = split_digit(*axis.digit, group.tile, is_whole(*axis.digit));
    outer.back() = {floor_div(axis.index, group.tile), digits.quotient};
    inner.back() = {floor_mod(axis.index, group.tile), digits.remainder};
  }
  std::move(inner.begin(), inner.end(), std::back_inserter(outer));
  return outer;
}

std::vector<Axis> Tiling::expand(const std::vector<Axis>& coordinate) const {
  std::vector<Axis> axes;
  axes.reserve(sizes_.size());
  for (const std::int64_t dimension : order_) axes.push_back(coordinate[static_cast<std::size_t>(dimension)]);
  for (const Level& level : levels_) axes = expand(level, std::move(axes));
  return axes;
}

std::optional<std::vector<std::int64_t>> Tiling::collapse(const Level& level,
                                                          std::vector<std::int64_t> index) {
  std::vector<std::int64_t> before(index.begin(),
                                   index.begin() + static_cast<std::ptrdiff_t>(level.untouched));
  for (std::size_t i = 0; i < level.groups.size(); ++i) {
    const Group& group = level.groups[i];
    std::int64_t combined_index =
        index[level.untouched + i] * group.tile + index[level.untouched + level.groups.size() + i];
    if (combined_index >= group.combined) return std::nullopt;
    const std::size_t first = before.size();
    before.resize(first + group.sizes.size());
    for (std::size_t member = group.sizes.size(); member-- > 0;) {
      before[first + member] = combined_index % group.sizes[member];
      combined_index /= group.sizes[member];
    }
  }
  before.erase(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(level.prepended));
  return before;
}

std::optional<std::vector<std::int64_t>> Tiling::coordinate_of(std::int64_t place) const {
  std::vector<std::int64_t> index(sizes_.size());
  for (std::size_t i = sizes_.size(); i-- > 0;) {
    if (sizes_[i] == 0) return std::nullopt;
    index[i] = place % sizes_[i];
    place /= sizes_[i];
  }
  if (place != 0) return std::nullopt;  // tail padding
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
    auto before = collapse(*level, std::move(index));
    if (!before) return std::nullopt;
    index = std::move(*before);
  }
  std::vector<std::int64_t> coordinate(extents_.size());
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const auto logical = static_cast<std::size_t>(order_[i]);
    if (index[i] >= extents_[logical]) return std::nullopt;
    coordinate[logical] = index[i];
  }
  return coordinate;
}

}  // namespace relayout::xla
