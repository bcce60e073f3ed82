#include "relayout/cute/swizzle.hpp"

#include <algorithm>
#include <bit>

#include "src/layout/memory_guard.hpp"
#include "src/notation/cute/arithmetic.hpp"
#include "src/notation/cute/modes.hpp"

namespace relayout::cute {
namespace {

constexpr std::int64_t kOffsetBits = 62;

/// The range of offset + inner.
std::optional<OffsetRange> range_of(const Layout& inner, std::int64_t offset) {
  const auto lowest = checked_add(inner.range().lowest, offset);
  const auto highest = checked_add(inner.range().highest, offset);
  if (!lowest || !highest) return std::nullopt;
  return OffsetRange{*lowest, *highest};
}

/// The range of a layout for arguments of the range, its last mode not reduced.
std::optional<OffsetRange> range_beyond(const Layout& layout, const OffsetRange& index) {
  const Modes modes = modes_of(layout);
  const std::int64_t reach = std::max(index.highest, -index.lowest);
  const std::int64_t steps = std::max(reach / places_of(modes).back(), modes.back().size - 1);
  OffsetRange range;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (modes[i].stride == INT64_MIN) return std::nullopt;
    const std::int64_t most = i + 1 == modes.size() ? steps : modes[i].size - 1;
    std::int64_t& end = modes[i].stride < 0 ? range.lowest : range.highest;
    const auto sum = checked_add_product(end, most, modes[i].stride);
    if (!sum) return std::nullopt;
    end = *sum;
  }
  if (index.lowest < 0)
    range = {std::min(range.lowest, -range.highest), std::max(range.highest, -range.lowest)};
  return range;
}

/// The block of offsets that stay together: those that differ in the bits up to the highest that is changed.
/// A bit is only changed by one that some offset has.
std::int64_t block_of(const Swizzle& swizzle, const OffsetRange& range) {
  auto read = swizzle.source_mask();
  if (range.lowest >= 0) read &= std::bit_ceil(static_cast<std::uint64_t>(range.highest) + 1) - 1;
  const int shift = swizzle.shift();
  const std::uint64_t changed = shift >= 0 ? read >> shift : read << -shift;
  return static_cast<std::int64_t>(std::bit_ceil(changed + 1));
}

std::optional<OffsetRange> swizzled_range(const Swizzle& swizzle, const OffsetRange& range) {
  const std::int64_t ones = block_of(swizzle, range) - 1;
  return OffsetRange{range.lowest & ~ones, range.highest | ones};
}

std::optional<OffsetRange> range_through(const ComposedLayout::Outer& outer, const OffsetRange& range) {
  if (range.lowest == INT64_MIN) return std::nullopt;
  const auto* swizzle = std::get_if<Swizzle>(&outer);
  const auto result =
      swizzle != nullptr ? swizzled_range(*swizzle, range) : range_beyond(std::get<Layout>(outer), range);
  return result && result->highest < INT64_MAX && result->lowest > INT64_MIN ? result : std::nullopt;
}

}  // namespace

Result<Swizzle> Swizzle::make(std::int64_t bits, std::int64_t base, std::int64_t shift) {
  const std::string name =
      "Sw<" + std::to_string(bits) + "," + std::to_string(base) + "," + std::to_string(shift) + ">";
  if (bits < 0 || base < 0) return bad_argument(name + " has a negative number of bits");
  if (bits > kOffsetBits || base > kOffsetBits || magnitude(shift) > kOffsetBits ||
      bits + base + static_cast<std::int64_t>(magnitude(shift)) > kOffsetBits) {
    return bad_argument(name + " reaches beyond 62 bits");
  }
  if (static_cast<std::int64_t>(magnitude(shift)) < bits) {
    return bad_argument(name + " shifts by less than the bits it changes");
  }
  Swizzle swizzle;
  swizzle.bits_ = static_cast<int>(bits);
  swizzle.base_ = static_cast<int>(base);
  swizzle.shift_ = static_cast<int>(shift);
  return swizzle;
}

std::uint64_t Swizzle::source_mask() const noexcept {
  return ((std::uint64_t{1} << bits_) - 1) << (base_ + std::max(0, shift_));
}

std::uint64_t Swizzle::target_mask() const noexcept {
  return ((std::uint64_t{1} << bits_) - 1) << (base_ + std::max(0, -shift_));
}

std::int64_t Swizzle::operator()(std::int64_t offset) const noexcept {
  const auto value = static_cast<std::uint64_t>(offset);
  const std::uint64_t field = value & source_mask();
  return static_cast<std::int64_t>(value ^ (shift_ >= 0 ? field >> shift_ : field << -shift_));
}

Result<ComposedLayout> ComposedLayout::make(Outer outer, IntTuple offset, Layout inner) {
  return layout::without_exceptions([&]() -> Result<ComposedLayout> {
    if (!offset.is_integer()) return bad_argument("the offset " + cute::to_string(offset) + " is no integer");
    const auto range = range_of(inner, offset.value());
    const auto offsets = range ? range_through(outer, *range) : std::nullopt;
    if (!offsets) return overflow("the offset of a composed layout");
    ComposedLayout composed(std::move(outer), std::move(offset), std::move(inner));
    composed.range_ = *offsets;
    return composed;
  });
}

std::int64_t ComposedLayout::operator()(std::int64_t index) const noexcept {
  const std::int64_t between = offset_.value() + inner_(index);
  if (const Swizzle* swizzle = this->swizzle()) return (*swizzle)(between);
  return std::get_if<Layout>(&outer_)->operator()(between);
}

Result<std::int64_t> ComposedLayout::offset_of(const IntTuple& coordinate) const {
  return layout::without_exceptions([&]() -> Result<std::int64_t> {
    if (const auto inside = inner_.offset(coordinate); !inside) return inside;
    return (*this)(*crd2idx(with_zeros(coordinate), inner_.shape()));
  });
}

Result<std::vector<std::int64_t>> ComposedLayout::offsets() const {
  return layout::without_exceptions([&]() -> Result<std::vector<std::int64_t>> {
    std::vector<std::int64_t> offsets;
    offsets.reserve(static_cast<std::size_t>(size()));
    for (std::int64_t i = 0; i < size(); ++i) offsets.push_back((*this)(i));
    return offsets;
  });
}

}  // namespace relayout::cute
