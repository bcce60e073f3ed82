#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "relayout/layout.hpp"
#include "relayout/result.hpp"

namespace relayout::cli {

/// What stands in front of the array in a .npy file.
struct NpyHeader {
  std::string descr;  ///< NumPy's type, as `<f4`
  bool fortran_order = false;
  Shape shape;
  std::int64_t item_bytes = 0;  ///< size of one item, from `descr`
  std::size_t data_offset = 0;  ///< where the array starts in the file
};

/// Reads the header of a .npy file of version 1, 2 or 3 and checks that the whole array is there.
/// \error kSyntax for anything else, kUnsupported for structured types and Python objects
Result<NpyHeader> parse_npy_header(std::span<const std::byte> file);

/// The header of version 1 for a C-order array: all bytes in front of the array, a multiple of 64.
std::string npy_header(std::string_view descr, const Shape& shape);

/// Bytes of one item of NumPy's type `descr` (`<f4`, `|b1`, `<U5`, `<M8[ns]`). \error kUnsupported
Result<std::int64_t> npy_item_bytes(std::string_view descr);

}  // namespace relayout::cli
