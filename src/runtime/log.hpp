#pragma once

#include <string_view>

#include "relayout/log.hpp"

namespace relayout::runtime {

/// Hands a message to the caller's sink, if there is one. Thread safe.
void log(LogLevel level, std::string_view message) noexcept;

}  // namespace relayout::runtime
