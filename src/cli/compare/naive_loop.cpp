#include "src/cli/compare/naive_loop.hpp"

#include <algorithm>
#include <array>

namespace relayout::cli {
namespace {

/// Elements of 16 bytes; the others have built-in types.
using Wide = std::array<std::uint64_t, 2>;

template <class Element>
void innermost_loop(const LoopDimension& loop, const Element* source, Element* destination) {
  for (std::int64_t i = 0; i < loop.extent; ++i) {
    destination[i * loop.destination_stride] = source[i * loop.source_stride];
  }
}

/// No call per row: rows may be as short as three elements.
template <class Element>
void innermost_two_loops(const LoopDimension& outer, const LoopDimension& inner, const Element* source,
                         Element* destination) {
  for (std::int64_t i = 0; i < outer.extent; ++i) {
    innermost_loop(inner, source + i * outer.source_stride, destination + i * outer.destination_stride);
  }
}

template <class Element>
void nested_loops(std::span<const LoopDimension> loops, const Element* source, Element* destination) {
  if (loops.size() == 1) return innermost_loop(loops.front(), source, destination);
  if (loops.size() == 2) return innermost_two_loops(loops[0], loops[1], source, destination);
  const LoopDimension& loop = loops.front();
  for (std::int64_t i = 0; i < loop.extent; ++i) {
    nested_loops(loops.subspan(1), source + i * loop.source_stride,
                 destination + i * loop.destination_stride);
  }
}

template <class Element>
void convert_as(std::span<const LoopDimension> loops, const std::byte* source, std::byte* destination) {
  nested_loops(loops, reinterpret_cast<const Element*>(source), reinterpret_cast<Element*>(destination));
}

struct PackedBuffers {
  PackedSpacing spacing;
  const std::byte* source = nullptr;
  std::byte* destination = nullptr;
};

/// Positions of one element in the two buffers.
struct Elements {
  std::int64_t source = 0;
  std::int64_t destination = 0;
};

/// An element's place, as a programmer would write it.
void move_packed(const PackedBuffers& buffers, const Elements& elements) {
  const auto& [spacing, source, destination] = buffers;
  const std::int64_t from = elements.source * spacing.source_bits;
  const std::int64_t to = elements.destination * spacing.destination_bits;
  const unsigned moved =
      (1U << std::min({spacing.source_bits, spacing.destination_bits, std::int64_t{8}})) - 1;
  const unsigned place = (1U << std::min(spacing.destination_bits, std::int64_t{8})) - 1;
  const unsigned value = static_cast<unsigned>(source[from / 8]) >> (from % 8) & moved;
  const unsigned kept = static_cast<unsigned>(destination[to / 8]) & ~(place << (to % 8));
  destination[to / 8] = static_cast<std::byte>(kept | value << (to % 8));
}

void packed_loops(std::span<const LoopDimension> loops, const PackedBuffers& buffers, Elements elements) {
  const LoopDimension& loop = loops.front();
  for (std::int64_t i = 0; i < loop.extent; ++i) {
    if (loops.size() == 1) {
      move_packed(buffers, elements);
    } else {
      packed_loops(loops.subspan(1), buffers, elements);
    }
    elements.source += loop.source_stride;
    elements.destination += loop.destination_stride;
  }
}

}  // namespace

void naive_convert_packed(std::span<const LoopDimension> dimensions, const PackedSpacing& spacing,
                          const std::byte* source, std::byte* destination) {
  const LoopDimension one{1, 0, 0};
  packed_loops(dimensions.empty() ? std::span(&one, 1) : dimensions, {spacing, source, destination}, {});
}

void naive_convert(std::span<const LoopDimension> dimensions, std::int64_t element_bytes,
                   const std::byte* source, std::byte* destination) {
  const LoopDimension one{1, 0, 0};
  const auto loops = dimensions.empty() ? std::span(&one, 1) : dimensions;
  switch (element_bytes) {
    case 1:
      return convert_as<std::uint8_t>(loops, source, destination);
    case 2:
      return convert_as<std::uint16_t>(loops, source, destination);
    case 4:
      return convert_as<std::uint32_t>(loops, source, destination);
    case 8:
      return convert_as<std::uint64_t>(loops, source, destination);
    default:
      return convert_as<Wide>(loops, source, destination);
  }
}

std::vector<LoopDimension> ordered(std::vector<LoopDimension> dimensions, LoopOrder order) {
  const auto stride = [order](const LoopDimension& loop) {
    return order == LoopOrder::kSource ? loop.source_stride : loop.destination_stride;
  };
  std::stable_sort(dimensions.begin(), dimensions.end(),
                   [&](const LoopDimension& a, const LoopDimension& b) { return stride(a) > stride(b); });
  return dimensions;
}

}  // namespace relayout::cli
