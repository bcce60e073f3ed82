// A layout in units of other elements. In n times larger units a mode of stride d has stride d / n if n
// divides d; if d divides n, it runs within the unit until n / d of its elements fill it.

#include <bit>
#include <numeric>

#include "relayout/cute/algebra.hpp"
#include "src/layout/memory_guard.hpp"
#include "src/notation/cute/arithmetic.hpp"
#include "src/notation/cute/modes.hpp"

namespace relayout::cute {
namespace {

using ChangeMode = Result<Mode> (*)(const Mode& mode, std::int64_t count);

Result<Mode> upcast_mode(const Mode& mode, std::int64_t count) {
  if (mode.stride == 0) return mode;
  const std::uint64_t wide_step = magnitude(mode.stride);
  if (wide_step > static_cast<std::uint64_t>(INT64_MAX)) return overflow("a stride");
  const auto step = static_cast<std::int64_t>(wide_step);
  if (step % count != 0 && count % step != 0) {
    return bad_argument("neither of stride " + std::to_string(mode.stride) + " and " + std::to_string(count) +
                        " divides the other");
  }
  const std::int64_t stride = ceil_quotient(step, count);
  return Mode{ceil_quotient(mode.size, ceil_quotient(count, step)), mode.stride < 0 ? -stride : stride};
}

Result<Mode> downcast_mode(const Mode& mode, std::int64_t count) {
  Mode changed = mode;
  std::int64_t& factor = mode.stride == 1 || mode.stride == -1 ? changed.size : changed.stride;
  if (__builtin_mul_overflow(factor, count, &factor))
    return overflow("mode " + std::to_string(mode.size) + ":" + std::to_string(mode.stride) + " times " +
                    std::to_string(count));
  return changed;
}

Result<Layout> change_modes(const Layout& layout, std::int64_t count, ChangeMode change) {
  if (layout.shape().is_tuple()) {
    std::vector<Layout> modes;
    for (const Layout& mode : top_modes(layout)) {
      auto changed = change_modes(mode, count, change);
      if (!changed) return changed;
      modes.push_back(std::move(*changed));
    }
    return make_layout(modes);
  }
  const auto mode = change({layout.shape().value(), layout.stride().value()}, count);
  if (!mode) return Error{mode.error().code, to_string(layout) + ": " + mode.error().message};
  return layout_of({*mode});
}

Status check_count(std::int64_t count) {
  if (count > 0) return {};
  return bad_argument("cannot recast by " + std::to_string(count));
}

bool has_stride_one(const Layout& layout) {
  for (const Mode& mode : modes_of(layout)) {
    if (mode.stride == 1) return true;
  }
  return false;
}

/// log2 of a count. \error kBadArgument
Result<std::int64_t> bits_of(std::int64_t count) {
  if (count > 0 && std::has_single_bit(static_cast<std::uint64_t>(count))) {
    return static_cast<std::int64_t>(std::countr_zero(static_cast<std::uint64_t>(count)));
  }
  return bad_argument("a swizzle cannot be recast by " + std::to_string(count) + ", which is no power of 2");
}

}  // namespace

Result<Layout> upcast(const Layout& layout, std::int64_t count) {
  return layout::without_exceptions([&]() -> Result<Layout> {
    if (auto status = check_count(count); !status) return status.error();
    return with_marks(change_modes(layout, count, upcast_mode), is_static(layout));
  });
}

Result<Layout> downcast(const Layout& layout, std::int64_t count) {
  return layout::without_exceptions([&]() -> Result<Layout> {
    if (auto status = check_count(count); !status) return status.error();
    if (!has_stride_one(layout)) {
      return bad_argument("downcast needs adjacent elements, " + to_string(layout) + " has no stride 1");
    }
    return with_marks(change_modes(layout, count, downcast_mode), is_static(layout));
  });
}

Result<Layout> recast_layout(const Layout& layout, std::int64_t new_bits, std::int64_t old_bits) {
  if (new_bits <= 0 || old_bits <= 0) {
    return bad_argument("cannot recast from " + std::to_string(old_bits) + " to " + std::to_string(new_bits) +
                        " bits");
  }
  const std::int64_t common = std::gcd(new_bits, old_bits);
  if (old_bits == common)
    return new_bits == common ? Result<Layout>(layout) : upcast(layout, new_bits / common);
  if (new_bits == common) return downcast(layout, old_bits / common);
  const auto larger = upcast(layout, new_bits / common);
  if (!larger) return larger;
  return downcast(*larger, old_bits / common);
}

Result<Swizzle> upcast(const Swizzle& swizzle, std::int64_t count) {
  const auto bits = bits_of(count);
  if (!bits) return bits.error();
  const std::int64_t base = swizzle.base() - *bits;
  if (base >= 0) return Swizzle::make(swizzle.bits(), base, swizzle.shift());
  return Swizzle::make(std::max<std::int64_t>(swizzle.bits() + base, 0), 0, swizzle.shift());
}

Result<Swizzle> downcast(const Swizzle& swizzle, std::int64_t count) {
  const auto bits = bits_of(count);
  if (!bits) return bits.error();
  return Swizzle::make(swizzle.bits(), swizzle.base() + *bits, swizzle.shift());
}

}  // namespace relayout::cute
