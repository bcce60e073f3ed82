#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/profile/code_description.hpp"

namespace relayout::profile {

/// `.eh_frame` of these functions, with absolute addresses: for tools that read it beside the running code.
std::vector<std::uint8_t> absolute_frame_table(std::span<const FunctionDescription> functions);

/// `.eh_frame` of one function and `.eh_frame_hdr`, which finds it. All addresses are relative, for a file in
/// which code (filled up to 8 bytes), table and header follow each other.
struct RelativeFrameTable {
  std::vector<std::uint8_t> table;
  std::vector<std::uint8_t> header;
};
RelativeFrameTable relative_frame_table(const FunctionDescription& function);

}  // namespace relayout::profile
