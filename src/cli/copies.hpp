#pragma once

#include <cstddef>

namespace relayout::cli {

/// The C library's memcpy, never inlined or replaced by the compiler.
void library_copy(const std::byte* source, std::byte* destination, std::size_t bytes);

/// A copy by streaming stores of the widest vectors that the machine has, whole vectors; a tail by memcpy.
/// \pre destination is 64-byte aligned
void streaming_copy(const std::byte* source, std::byte* destination, std::size_t bytes);

}  // namespace relayout::cli
