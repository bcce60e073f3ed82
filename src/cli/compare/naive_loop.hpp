#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "relayout/loops.hpp"

namespace relayout::cli {

/// Which offsets the loops follow: the outermost loop has the largest stride of that side.
enum class LoopOrder : std::uint8_t { kSource, kDestination };

/// What a programmer writes first: nested loops with run-time extents and strides, one element at a time, in
/// the given order. Padding is left alone.
void naive_convert(std::span<const LoopDimension> dimensions, std::int64_t element_bytes,
                   const std::byte* source, std::byte* destination);

/// Bits from one element to the next, on either side; narrower than a byte on at least one.
struct PackedSpacing {
  std::int64_t source_bits = 4;
  std::int64_t destination_bits = 8;
};

/// The same for packed elements: each is shifted out of its byte and into its place.
void naive_convert_packed(std::span<const LoopDimension> dimensions, const PackedSpacing& spacing,
                          const std::byte* source, std::byte* destination);

/// `dimensions` from outermost to innermost for `order`.
std::vector<LoopDimension> ordered(std::vector<LoopDimension> dimensions, LoopOrder order);

}  // namespace relayout::cli
