#include "src/interpret/domain.hpp"

#include <algorithm>
#include <cstddef>

namespace relayout::interpret {

Domain::Domain(const std::vector<std::int64_t>& extents)
    : extents_(extents),
      coordinate_(extents.size(), 0),
      valid_(std::all_of(extents.begin(), extents.end(), [](std::int64_t extent) { return extent > 0; })) {}

void Domain::advance() noexcept {
  for (std::size_t axis = extents_.size(); axis-- > 0;) {
    if (++coordinate_[axis] < extents_[axis]) return;
    coordinate_[axis] = 0;
  }
  valid_ = false;
}

std::string to_string(const std::vector<std::int64_t>& coordinate) {
  std::string text = "(";
  for (const std::int64_t index : coordinate) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(index);
  }
  return text + ")";
}

Result<std::int64_t> point_count(const std::vector<std::int64_t>& extents) {
  constexpr std::int64_t kLimit = std::int64_t{1} << 62;
  if (std::find(extents.begin(), extents.end(), 0) != extents.end()) return std::int64_t{0};
  std::int64_t count = 1;
  for (const std::int64_t extent : extents) {
    if (count > kLimit / extent) return Error{ErrorCode::kOverflow, "the domain has more than 2^62 points"};
    count *= extent;
  }
  return count;
}

}  // namespace relayout::interpret
