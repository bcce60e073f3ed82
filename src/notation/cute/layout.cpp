#include "relayout/cute/layout.hpp"

#include <algorithm>

#include "src/layout/memory_guard.hpp"
#include "src/notation/cute/arithmetic.hpp"
#include "src/notation/cute/modes.hpp"

namespace relayout::cute {
namespace {

Error invalid(std::string message) {
  return {ErrorCode::kInvalidLayout, std::move(message)};
}

Status check_sizes(const IntTuple& shape) {
  if (shape.is_underscore()) return invalid("_ is not a size");
  if (shape.is_integer() && shape.value() <= 0) {
    return invalid("size " + std::to_string(shape.value()) + " is not positive");
  }
  if (shape.is_tuple() && shape.elements().empty()) return invalid("an empty tuple is not a shape");
  for (const IntTuple& mode : shape.elements()) {
    if (auto status = check_sizes(mode); !status) return status;
  }
  return {};
}

/// One more than the sum of (size - 1) * |stride|.
Result<std::int64_t> cosize_of(const Modes& modes) {
  std::uint64_t last = 0;
  for (const Mode& mode : modes) {
    std::uint64_t reach = 0;
    if (__builtin_mul_overflow(static_cast<std::uint64_t>(mode.size - 1), magnitude(mode.stride), &reach) ||
        __builtin_add_overflow(last, reach, &last) || last >= static_cast<std::uint64_t>(INT64_MAX)) {
      return overflow("the cosize, in the mode " + std::to_string(mode.size) + ":" +
                      std::to_string(mode.stride) + ",");
    }
  }
  return static_cast<std::int64_t>(last) + 1;
}

bool has_underscore(const IntTuple& tuple) {
  return tuple.is_underscore() ||
         std::any_of(tuple.elements().begin(), tuple.elements().end(), has_underscore);
}

Status check_nesting(const IntTuple& shape, const IntTuple& stride) {
  if (depth(shape) > kMaximumDepth) {
    return invalid("a shape is nested deeper than " + std::to_string(kMaximumDepth));
  }
  if (!congruent(shape, stride)) {
    return invalid("shape " + to_string(shape) + " and stride " + to_string(stride) +
                   " are not nested alike");
  }
  if (has_underscore(stride)) return invalid("_ is not a stride");
  return {};
}

/// The part of a shape's compact stride that starts at `product`, which runs along.
IntTuple compact_stride(const IntTuple& shape, bool first_fastest, std::int64_t& product) {
  if (!shape.is_tuple()) {
    const IntTuple stride(shape.value() == 1 ? 0 : product);
    product *= shape.value();
    return stride;
  }
  std::vector<IntTuple> strides(shape.elements().size());
  for (std::size_t i = 0; i < strides.size(); ++i) {
    const std::size_t k = first_fastest ? i : strides.size() - 1 - i;
    strides[k] = compact_stride(shape.elements()[k], first_fastest, product);
  }
  return IntTuple::tuple(std::move(strides));
}

Result<Layout> compact(IntTuple shape, bool first_fastest) {
  if (auto status = check_sizes(shape); !status) return status.error();
  if (const auto elements = size(shape); !elements) return elements.error();
  std::int64_t product = 1;
  IntTuple stride = compact_stride(shape, first_fastest, product);
  return Layout::make(std::move(shape), std::move(stride));
}

Status check_inside(const IntTuple& coordinate, const IntTuple& shape) {
  if (coordinate.is_tuple() && shape.is_tuple() && coordinate.elements().size() == shape.elements().size()) {
    for (std::size_t i = 0; i < shape.elements().size(); ++i) {
      auto status = check_inside(coordinate.elements()[i], shape.elements()[i]);
      if (!status) return status;
    }
    return {};
  }
  if (coordinate.is_underscore()) return {};
  if (!coordinate.is_integer()) {
    return bad_argument("coordinate " + to_string(coordinate) + " does not fit shape " + to_string(shape));
  }
  const std::int64_t elements = *size(shape);
  if (coordinate.value() >= 0 && coordinate.value() < elements) return {};
  return bad_argument("coordinate " + std::to_string(coordinate.value()) + " is outside shape " +
                      to_string(shape) + " of " + std::to_string(elements) + " elements");
}

std::int64_t offset_at(std::int64_t index, const IntTuple& shape, const IntTuple& stride) {
  if (!shape.is_tuple()) return index * stride.value();
  std::int64_t offset = 0;
  const std::size_t last = shape.elements().size() - 1;
  for (std::size_t i = 0; i < last; ++i) {
    const std::int64_t mode_size = *size(shape.elements()[i]);
    offset += offset_at(index % mode_size, shape.elements()[i], stride.elements()[i]);
    index /= mode_size;
  }
  return offset + offset_at(index, shape.elements()[last], stride.elements()[last]);
}

void extend_range(const IntTuple& shape, const IntTuple& stride, OffsetRange& range) {
  for (std::size_t i = 0; i < shape.elements().size(); ++i) {
    extend_range(shape.elements()[i], stride.elements()[i], range);
  }
  if (shape.is_tuple()) return;
  (stride.value() < 0 ? range.lowest : range.highest) += (shape.value() - 1) * stride.value();
}

/// Steps a counter over `modes`; `offset` follows.
void advance(const Modes& modes, std::vector<std::int64_t>& counter, std::int64_t& offset) {
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (++counter[i] < modes[i].size) {
      offset += modes[i].stride;
      return;
    }
    offset -= (modes[i].size - 1) * modes[i].stride;
    counter[i] = 0;
  }
}

}  // namespace

Result<Layout> Layout::make(IntTuple shape, IntTuple stride) {
  return layout::without_exceptions([&]() -> Result<Layout> {
    if (auto status = check_nesting(shape, stride); !status) return status.error();
    if (auto status = check_sizes(shape); !status) return status.error();
    const auto elements = cute::size(shape);
    if (!elements) return overflow("the size of shape " + to_string(shape));
    Layout made(std::move(shape), std::move(stride));
    const auto span = cosize_of(modes_of(made));
    if (!span) return span.error();
    made.size_ = *elements;
    made.cosize_ = *span;
    return made;
  });
}

Result<Layout> Layout::left(IntTuple shape) {
  return layout::without_exceptions([&] { return compact(std::move(shape), true); });
}

Result<Layout> Layout::right(IntTuple shape) {
  return layout::without_exceptions([&] { return compact(std::move(shape), false); });
}

Layout Layout::mode(std::int64_t index) const {
  if (!shape_.is_tuple()) return *this;
  const auto i = static_cast<std::size_t>(index);
  return expect_memory(make(shape_.elements()[i], stride_.elements()[i]));
}

OffsetRange Layout::range() const noexcept {
  OffsetRange range;
  extend_range(shape_, stride_, range);
  return range;
}

std::int64_t Layout::operator()(std::int64_t index) const noexcept {
  return offset_at(index, shape_, stride_);
}

Result<std::int64_t> Layout::offset(const IntTuple& coordinate) const {
  return layout::without_exceptions([&]() -> Result<std::int64_t> {
    if (auto status = check_inside(coordinate, shape_); !status) return status.error();
    return crd2idx(with_zeros(coordinate), shape_, stride_);
  });
}

Result<std::vector<std::int64_t>> Layout::offsets() const {
  return layout::without_exceptions([&]() -> Result<std::vector<std::int64_t>> {
    const Modes modes = modes_of(*this);
    std::vector<std::int64_t> counter(modes.size(), 0);
    std::vector<std::int64_t> offsets;
    offsets.reserve(static_cast<std::size_t>(size_));
    std::int64_t offset = 0;
    for (std::int64_t i = 0; i < size_; ++i) {
      offsets.push_back(offset);
      advance(modes, counter, offset);
    }
    return offsets;
  });
}

}  // namespace relayout::cute
