#pragma once

#include <memory>

#include "src/runtime/compiled_relayout.hpp"

namespace relayout::runtime {

/// As compile_pair, but with the fastest plan on this machine among the candidates, and again among those of
/// the fastest, up to three times (Tuning::kMeasure). What was kept is in the outcome's `options.choice`.
/// \error as compile_pair; kSystem without memory for both buffers
Result<std::shared_ptr<const CompiledRelayout>> compile_measured(const Layout& source,
                                                                 const Layout& destination,
                                                                 const CompileOptions& options, Isa isa);

}  // namespace relayout::runtime
