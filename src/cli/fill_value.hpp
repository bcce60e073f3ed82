#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "relayout/element_type.hpp"
#include "relayout/result.hpp"

namespace relayout::cli {

/// The bytes of one element of `type` that holds the value `text`: a number (`-1`, `0.5`, `nan`; the real
/// part of a complex type), `true` or `false`, or the bits themselves as `0x7fc0`. \error kBadArgument if the
/// text is no number or the type cannot hold it
Result<std::vector<std::byte>> fill_bytes(std::string_view text, const ElementType& type);

/// `element`, an element of `type` as fill_bytes makes it, in big-endian order; both halves of a complex
/// type.
std::vector<std::byte> big_endian(std::vector<std::byte> element, const ElementType& type);

}  // namespace relayout::cli
