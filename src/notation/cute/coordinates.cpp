// Colexicographic coordinates: an index c of a shape (s0,s1,..) is the coordinate (c % s0, (c / s0) % s1,
// ..), the last one not reduced. Division truncates, as in C++, so a negative index has negative coordinates.

#include "relayout/cute/int_tuple.hpp"
#include "src/notation/cute/arithmetic.hpp"

namespace relayout::cute {
namespace {

Error does_not_fit(const IntTuple& coordinate, const IntTuple& shape) {
  return bad_argument("coordinate " + to_string(coordinate) + " does not fit shape " + to_string(shape));
}

/// The size of a part of a shape. \error kBadArgument for sizes below 1
Result<std::int64_t> positive_size(const IntTuple& shape) {
  const auto elements = size(shape);
  if (elements && *elements <= 0) return bad_argument("shape " + to_string(shape) + " has no elements");
  return elements;
}

/// The part of an index that a mode of `mode_size` elements takes; the rest stays in `index`.
std::int64_t take_digit(std::int64_t& index, std::int64_t mode_size, bool last) {
  const std::int64_t digit = last ? index : index % mode_size;
  index = last ? 0 : index / mode_size;
  return digit;
}

Result<IntTuple> expand(std::int64_t index, const IntTuple& shape) {
  if (!shape.is_tuple()) return IntTuple(index);
  std::vector<IntTuple> coordinate;
  for (const IntTuple& mode : shape.elements()) {
    const auto mode_size = positive_size(mode);
    if (!mode_size) return mode_size.error();
    const bool last = &mode == &shape.elements().back();
    auto inner = expand(take_digit(index, *mode_size, last), mode);
    if (!inner) return inner;
    coordinate.push_back(std::move(*inner));
  }
  return IntTuple::tuple(std::move(coordinate));
}

bool same_rank(const IntTuple& a, const IntTuple& b) {
  return a.is_tuple() && b.is_tuple() && a.elements().size() == b.elements().size();
}

/// Adds coordinate * stride to `offset`, part by part.
Status add_offset(const IntTuple& coordinate, const IntTuple& shape, const IntTuple& stride,
                  std::int64_t& offset) {
  if (coordinate.is_underscore() || shape.is_underscore() || stride.is_underscore()) {
    return does_not_fit(coordinate, shape);
  }
  if (!shape.is_tuple()) {
    if (!coordinate.is_integer() || !stride.is_integer()) return does_not_fit(coordinate, shape);
    const auto sum = checked_add_product(offset, coordinate.value(), stride.value());
    if (!sum) return overflow("the offset of coordinate " + to_string(coordinate));
    offset = *sum;
    return {};
  }
  const auto expanded =
      coordinate.is_tuple() ? Result<IntTuple>(coordinate) : expand(coordinate.value(), shape);
  if (!expanded) return expanded.error();
  if (!same_rank(*expanded, shape) || !same_rank(stride, shape)) return does_not_fit(coordinate, shape);
  for (std::size_t i = 0; i < shape.elements().size(); ++i) {
    auto status = add_offset(expanded->elements()[i], shape.elements()[i], stride.elements()[i], offset);
    if (!status) return status;
  }
  return {};
}

/// The strides of the colexicographic index: products of all sizes before. `product` runs along.
Result<IntTuple> index_strides(const IntTuple& shape, std::int64_t& product) {
  if (!shape.is_tuple()) {
    const IntTuple stride(product);
    if (!shape.is_integer() || __builtin_mul_overflow(product, shape.value(), &product)) {
      return overflow("the size of shape " + to_string(shape));
    }
    return stride;
  }
  std::vector<IntTuple> strides;
  for (const IntTuple& mode : shape.elements()) {
    auto stride = index_strides(mode, product);
    if (!stride) return stride;
    strides.push_back(std::move(*stride));
  }
  return IntTuple::tuple(std::move(strides));
}

Result<IntTuple> reduced(std::int64_t index, const IntTuple& shape, const IntTuple& stride) {
  if (shape.is_tuple()) {
    if (!same_rank(shape, stride)) return does_not_fit(stride, shape);
    std::vector<IntTuple> coordinate;
    for (std::size_t i = 0; i < shape.elements().size(); ++i) {
      auto inner = reduced(index, shape.elements()[i], stride.elements()[i]);
      if (!inner) return inner;
      coordinate.push_back(std::move(*inner));
    }
    return IntTuple::tuple(std::move(coordinate));
  }
  if (!shape.is_integer() || !stride.is_integer()) return does_not_fit(stride, shape);
  if (shape.value() == 1) return IntTuple(0);
  if (shape.value() == 0 || stride.value() == 0)
    return bad_argument("a size or stride of 0 cannot be divided by");
  if (stride.value() == -1 || shape.value() == -1)
    return bad_argument("a size or stride of -1 has no inverse");
  return IntTuple(index / stride.value() % shape.value());
}

}  // namespace

Result<IntTuple> idx2crd(const IntTuple& index, const IntTuple& shape) {
  if (index.is_integer()) return expand(index.value(), shape);
  if (!same_rank(index, shape)) return does_not_fit(index, shape);
  std::vector<IntTuple> coordinate;
  for (std::size_t i = 0; i < shape.elements().size(); ++i) {
    auto inner = idx2crd(index.elements()[i], shape.elements()[i]);
    if (!inner) return inner;
    coordinate.push_back(std::move(*inner));
  }
  return IntTuple::tuple(std::move(coordinate));
}

Result<IntTuple> idx2crd(const IntTuple& index, const IntTuple& shape, const IntTuple& stride) {
  if (index.is_integer()) return reduced(index.value(), shape, stride);
  if (!same_rank(index, shape) || !same_rank(stride, shape)) return does_not_fit(index, shape);
  std::vector<IntTuple> coordinate;
  for (std::size_t i = 0; i < shape.elements().size(); ++i) {
    auto inner = idx2crd(index.elements()[i], shape.elements()[i], stride.elements()[i]);
    if (!inner) return inner;
    coordinate.push_back(std::move(*inner));
  }
  return IntTuple::tuple(std::move(coordinate));
}

Result<std::int64_t> crd2idx(const IntTuple& coordinate, const IntTuple& shape) {
  std::int64_t product = 1;
  const auto strides = index_strides(shape, product);
  if (!strides) return strides.error();
  return crd2idx(coordinate, shape, *strides);
}

Result<std::int64_t> crd2idx(const IntTuple& coordinate, const IntTuple& shape, const IntTuple& stride) {
  std::int64_t offset = 0;
  if (auto status = add_offset(coordinate, shape, stride, offset); !status) return status.error();
  return offset;
}

}  // namespace relayout::cute
