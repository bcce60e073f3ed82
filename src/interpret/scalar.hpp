#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "relayout/result.hpp"
#include "src/interpret/packed_element.hpp"
#include "src/plan/refinement/problem.hpp"

namespace relayout::interpret {

/// The oracle: moves the first `max_elements` elements of the domain in row-major order, evaluating both
/// expressions as trees for each. Allocates the coordinate only; tens to hundreds of nanoseconds an element.
/// Padding is not written. \error kInternal names the coordinate whose offset lies outside its buffer \pre
/// both buffers have the physical size of their side, and they do not overlap
Status run_scalar(const plan::Problem& problem, const std::byte* source, std::byte* destination,
                  std::int64_t max_elements);

/// The same for elements narrower than a byte.
Status run_scalar(const plan::Problem& problem, const PackedWidths& widths, const std::byte* source,
                  std::byte* destination, std::int64_t max_elements);

/// For each destination element the source element that lands there, or -1 for padding.
/// \error kAliasing names two coordinates that share a destination element, kInternal a coordinate whose
/// offset lies outside its buffer
Result<std::vector<std::int64_t>> source_of_destination(const plan::Problem& problem);

}  // namespace relayout::interpret
