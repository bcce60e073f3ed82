#pragma once

#include "relayout/explanation.hpp"
#include "src/plan/model/plan.hpp"

namespace relayout::runtime {

/// How a kernel rearranges elements of `element_bytes`; without steps for kernels that don't.
Wiring wiring_of(const plan::Kernel& kernel, std::int64_t element_bytes);

}  // namespace relayout::runtime
