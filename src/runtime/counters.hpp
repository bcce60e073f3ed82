#pragma once

#include "relayout/counters.hpp"
#include "src/runtime/compiled_relayout.hpp"

namespace relayout::runtime {

/// Adds one compilation. Thread safe.
void count_compilation(std::size_t code_bytes, std::int64_t nanoseconds) noexcept;

/// The counters of compilations; those of the cache are zero.
Counters compilation_counters() noexcept;

}  // namespace relayout::runtime
