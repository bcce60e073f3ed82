#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "relayout/layout.hpp"
#include "relayout/result.hpp"

namespace relayout {

/// Which interpreter: the scalar one evaluates the raw expressions as trees, one element at a time (the
/// oracle); the vectorised one evaluates the simplified expressions a batch of indices at a time.
enum class Interpreter : std::uint8_t { kScalar, kVectorised };

/// Converts by interpreting the buffer-indexing expressions, without generated code. Only the first
/// `max_elements` logical elements in row-major order are moved (all by default); padding is not written.
/// \error kShapeMismatch, kBufferTooSmall, kBufferOverlap
Status run_interpreter(const Layout& source, const Layout& destination,
                       std::span<const std::byte> source_buffer, std::span<std::byte> destination_buffer,
                       Interpreter interpreter, std::int64_t max_elements = INT64_MAX);

}  // namespace relayout
