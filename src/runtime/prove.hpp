#pragma once

#include <memory>

#include "relayout/proof.hpp"
#include "src/runtime/compiled_relayout.hpp"

namespace relayout::runtime {

/// Proves a compiled pair against its layouts' raw expressions; on failure, compares each stage's interpreter
/// with the stage before it and blames the first that differs. `streaming` is the same pair compiled with
/// streaming stores where `compiled` has none, or null. \error kSystem without memory for copies of the
/// buffers
Result<Proof> prove_compiled(const CompiledRelayout& compiled, const CompiledRelayout* streaming,
                             const ProofOptions& options);

/// The same, with streaming code compiled for it where it has none but may have. Its calls are not counted.
/// \error as above, and whatever compile_pair returns
Result<Proof> prove_compiled(const CompiledRelayout& compiled, const ProofOptions& options = {});

}  // namespace relayout::runtime
