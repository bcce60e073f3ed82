#pragma once

#include <cstddef>
#include <span>

#include "relayout/layout.hpp"
#include "relayout/result.hpp"

namespace relayout::runtime {

/// Whether the buffers hold the layouts and lie apart. \error kBufferTooSmall, kBufferOverlap
Status check_buffers(const Layout& source, const Layout& destination,
                     std::span<const std::byte> source_buffer, std::span<std::byte> destination_buffer);

}  // namespace relayout::runtime
