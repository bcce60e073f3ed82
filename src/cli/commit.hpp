#pragma once

#include <string_view>

namespace relayout::cli {

/// The commit that the tool was built from, `-dirty` if the working tree had changes; `unknown` outside of
/// git.
std::string_view commit() noexcept;

}  // namespace relayout::cli
