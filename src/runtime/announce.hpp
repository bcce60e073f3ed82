#pragma once

#include "src/runtime/compiled_relayout.hpp"

namespace relayout::runtime {

/// `copy`, `permute`, `gather` or `fill`.
const char* kernel_family(const plan::Kernel& kernel);

/// The generated code as tools see it. \pre compiled.code, with its marks
profile::CodeDescription describe(const CompiledRelayout& compiled);

/// Tells profilers and debuggers of the generated code, if any of them are chosen.
void announce(CompiledRelayout& compiled);

}  // namespace relayout::runtime
