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

Status check_extents(const Shape& shape) {
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] >= 0) continue;
    return Error{ErrorCode::kBadArgument,
                 "dimension " + std::to_string(i) + " has the negative extent " + std::to_string(shape[i])};
  }
  return {};
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
  return data_->size_bytes();
}
std::int64_t Layout::element_bits() const noexcept {
  return data_->element_bits;
}
const xla::ArrayShape* Layout::xla() const noexcept {
  return data_->xla ? &*data_->xla : nullptr;
}
std::string Layout::to_string() const {
  return data_->printed.empty() ? data_->canonical : data_->printed;
}
Shape Layout::physical_shape() const {
  return data_->physical_shape;
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

std::int64_t Layout::cache_lines(std::int64_t line_bytes) const {
  return line_bytes <= 0 ? 0 : (size_bytes() + line_bytes - 1) / line_bytes;
}

}  // namespace relayout
