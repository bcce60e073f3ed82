#include "relayout/layout.hpp"

#include <algorithm>
#include <string>

#include "src/layout/layout_data.hpp"

namespace relayout {
namespace layout {

const expr::IndexExpr& LayoutData::simplified() const {
  std::call_once(simplified_once_, [this] {
    auto result = expr::simplify(raw);
    simplified_ = result ? *result : raw;
  });
  return simplified_;
}

std::string type_and_shape(const ElementType& type, const Shape& shape) {
  std::string text(type.name());
  text += '[';
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i != 0) text += ',';
    text += std::to_string(shape[i]);
  }
  return text + ']';
}

std::vector<expr::IndexExpr> index_variables(const Shape& shape) {
  std::vector<expr::IndexExpr> variables;
  variables.reserve(shape.size());
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const expr::Range range{0, std::max<std::int64_t>(shape[i] - 1, 0)};
    variables.push_back(expr::IndexExpr::variable(static_cast<int>(i), "d" + std::to_string(i), range));
  }
  return variables;
}

namespace {

/// The digit that dimension `dimension` consists of, if it is a single one.
const Digit* only_digit(const std::vector<Digit>& merged, int dimension) {
  const Digit* found = nullptr;
  for (const Digit& digit : merged) {
    if (digit.dimension != dimension) continue;
    if (found != nullptr) return nullptr;
    found = &digit;
  }
  return found;
}

}  // namespace
}  // namespace layout

const ElementType& Layout::type() const noexcept {
  return data_->type;
}
const Shape& Layout::shape() const noexcept {
  return data_->shape;
}
std::int64_t Layout::element_count() const noexcept {
  return data_->element_count;
}
std::int64_t Layout::physical_elements() const noexcept {
  return data_->physical_elements;
}
std::int64_t Layout::size_bytes() const noexcept {
  return data_->physical_elements * data_->type.storage_bytes();
}
std::string Layout::to_string() const {
  return data_->canonical;
}
Shape Layout::physical_shape() const {
  return data_->physical_shape;
}
bool Layout::is_row_major() const {
  return data_->row_major;
}
bool Layout::is_column_major() const {
  return data_->column_major;
}
std::string Layout::raw_expression() const {
  return expr::to_string(data_->raw);
}
std::string Layout::simplified_expression() const {
  return expr::to_string(data_->simplified());
}

Result<std::int64_t> Layout::offset(std::span<const std::int64_t> coordinate) const {
  if (coordinate.size() != shape().size()) {
    return Error{ErrorCode::kBadArgument, "coordinate has rank " + std::to_string(coordinate.size()) +
                                              ", the layout has rank " + std::to_string(rank())};
  }
  for (std::size_t i = 0; i < coordinate.size(); ++i) {
    if (coordinate[i] < 0 || coordinate[i] >= shape()[i]) {
      return Error{ErrorCode::kBadArgument, "index " + std::to_string(coordinate[i]) + " of dimension " +
                                                std::to_string(i) + " is outside [0, " +
                                                std::to_string(shape()[i]) + ")"};
    }
  }
  return expr::evaluate(data_->raw, coordinate);
}

std::optional<std::vector<std::int64_t>> Layout::strides() const {
  const auto merged = layout::merged_digits(data_->digits);
  std::vector<std::int64_t> strides(shape().size(), 0);
  for (int i = 0; i < rank(); ++i) {
    if (shape()[static_cast<std::size_t>(i)] < 2 || element_count() == 0) continue;
    const layout::Digit* digit = layout::only_digit(merged, i);
    if (digit == nullptr) return std::nullopt;
    strides[static_cast<std::size_t>(i)] = digit->stride;
  }
  return strides;
}

std::int64_t Layout::contiguous_elements() const {
  if (element_count() == 0) return 0;
  const auto merged = layout::merged_digits(data_->digits);
  std::int64_t run = 1;
  for (int i = rank() - 1; i >= 0; --i) {
    const std::int64_t extent = shape()[static_cast<std::size_t>(i)];
    if (extent == 1) continue;
    const auto digit = std::find_if(merged.begin(), merged.end(), [&](const layout::Digit& candidate) {
      return candidate.dimension == i && candidate.place == 1 && candidate.stride == run;
    });
    if (digit == merged.end()) break;
    run *= digit->extent;
    if (digit->extent != extent) break;
  }
  return run;
}

std::int64_t Layout::cache_lines(std::int64_t line_bytes) const {
  return line_bytes <= 0 ? 0 : (size_bytes() + line_bytes - 1) / line_bytes;
}

}  // namespace relayout
