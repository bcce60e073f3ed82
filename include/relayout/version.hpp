#pragma once

#include <string_view>

namespace relayout {

/// `MAJOR.MINOR.PATCH` of the library (semantic versioning).
std::string_view version() noexcept;

}  // namespace relayout
