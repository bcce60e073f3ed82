#pragma once

#include <cstdint>
#include <vector>

#include "src/profile/code_description.hpp"

namespace relayout::profile {

/// An ELF object that describes code where it lies in memory: `.text` without contents, a symbol per
/// function, and `.eh_frame`. For debuggers; nothing to load or link.
std::vector<std::uint8_t> elf_image(const CodeDescription& description);

}  // namespace relayout::profile
