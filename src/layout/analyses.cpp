// What can be said of a layout's map: by its digits where it has them, else by its simplified expression.

#include <algorithm>

#include "relayout/layout.hpp"
#include "src/layout/layout_data.hpp"
#include "src/layout/linear_form.hpp"

namespace relayout {
namespace {

using layout::Digit;

/// Runs are looked for in this many elements of a map that has no digits; tiles repeat long before.
constexpr std::int64_t kProbedElements = std::int64_t{1} << 20;
/// In fewer, where that would take more divisions: some ten milliseconds' worth.
constexpr std::int64_t kProbedDivisions = std::int64_t{1} << 22;

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

std::optional<Shape> strides_of_digits(const layout::LayoutData& data) {
  const auto merged = layout::merged_digits(data.digits);
  Shape strides(data.shape.size(), 0);
  for (std::size_t i = 0; i < strides.size(); ++i) {
    if (data.shape[i] < 2) continue;
    const Digit* digit = only_digit(merged, static_cast<int>(i));
    if (digit == nullptr) return std::nullopt;
    strides[i] = digit->stride;
  }
  return strides;
}

std::int64_t run_of_digits(const layout::LayoutData& data) {
  const auto merged = layout::merged_digits(data.digits);
  std::int64_t run = 1;
  for (std::size_t i = data.shape.size(); i-- > 0;) {
    const std::int64_t extent = data.shape[i];
    if (extent == 1) continue;
    const auto digit = std::find_if(merged.begin(), merged.end(), [&](const Digit& candidate) {
      return candidate.dimension == static_cast<int>(i) && candidate.place == 1 && candidate.stride == run;
    });
    if (digit == merged.end()) break;
    run *= std::min(digit->extent, extent);  // a padded digit reaches past the dimension
    if (digit->extent < extent) break;
  }
  return run;
}

bool advance(Shape& coordinate, const Shape& shape) {
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (++coordinate[i] < shape[i]) return true;
    coordinate[i] = 0;
  }
  return false;
}

std::int64_t run_by_probing(const layout::LayoutData& data) {
  Shape coordinate(data.shape.size(), 0);
  std::int64_t longest = 1;
  std::int64_t run = 1;
  std::int64_t previous = expr::evaluate_unchecked(data.raw, coordinate);
  const std::int64_t divisions = std::max(expr::division_count(data.raw), 1);
  const std::int64_t probes = std::min(kProbedElements, kProbedDivisions / divisions);
  for (std::int64_t probed = 1; probed < probes && advance(coordinate, data.shape); ++probed) {
    const std::int64_t offset = expr::evaluate_unchecked(data.raw, coordinate);
    run = offset == previous + 1 ? run + 1 : 1;
    longest = std::max(longest, run);
    previous = offset;
  }
  return longest;
}

/// Whether the offsets are the dense ones with the last dimension fastest (or the first one).
bool is_dense_order(const Layout& layout, bool last_fastest) {
  if (layout.element_count() == 0) return true;
  const auto strides = layout.strides();
  if (!strides) return false;
  std::int64_t expected = 1;
  for (std::size_t i = 0; i < strides->size(); ++i) {
    const std::size_t dimension = last_fastest ? strides->size() - 1 - i : i;
    if (layout.shape()[dimension] < 2) continue;
    if ((*strides)[dimension] != expected) return false;
    expected *= layout.shape()[dimension];
  }
  return true;
}

}  // namespace

std::optional<std::vector<std::int64_t>> Layout::strides() const {
  if (element_count() == 0) return Shape(shape().size(), 0);
  if (data_->has_digits()) return strides_of_digits(*data_);
  auto strides = layout::linear_coefficients(data_->simplified(), shape().size());
  for (std::size_t i = 0; strides && i < strides->size(); ++i) {
    if (shape()[i] < 2) (*strides)[i] = 0;
  }
  return strides;
}

std::int64_t Layout::contiguous_elements() const {
  if (element_count() == 0) return 0;
  return data_->has_digits() ? run_of_digits(*data_) : run_by_probing(*data_);
}

bool Layout::is_row_major() const {
  return data_->xla || data_->span_bytes ? is_dense_order(*this, true) : data_->row_major;
}

bool Layout::is_column_major() const {
  return data_->xla || data_->span_bytes ? is_dense_order(*this, false) : data_->column_major;
}

}  // namespace relayout
