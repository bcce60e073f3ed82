#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "relayout/result.hpp"

namespace relayout::interpret {

/// The coordinates of a box in row-major order.
class Domain {
 public:
  explicit Domain(const std::vector<std::int64_t>& extents);

  /// False once every coordinate has been visited; false from the start if an extent is 0.
  bool valid() const noexcept { return valid_; }
  const std::vector<std::int64_t>& coordinate() const noexcept { return coordinate_; }
  void advance() noexcept;

 private:
  std::vector<std::int64_t> extents_;
  std::vector<std::int64_t> coordinate_;
  bool valid_ = true;
};

/// `(3, 0, 7)`
std::string to_string(const std::vector<std::int64_t>& coordinate);

/// Number of points of the box. \error kOverflow past 2^62
Result<std::int64_t> point_count(const std::vector<std::int64_t>& extents);

}  // namespace relayout::interpret
