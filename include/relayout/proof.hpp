#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "relayout/compile.hpp"

namespace relayout {

/// What a proof covers. A relayout is data-oblivious, so a run on all-different bytes proves that path of the
/// pair; paths differ by pointer alignment, store policy and part split.
struct ProofOptions {
  /// Every combination of the paths instead of each one at least once.
  bool thorough = false;
};

/// The outcome of a proof.
struct Proof {
  bool ok = false;
  Isa isa = Isa::kPortable;
  std::string kernel;     ///< as Relayout::kernel
  std::int64_t runs = 0;  ///< kernel runs it took
  /// If not ok: the first destination byte that is wrong, or -1, and the earliest stage whose interpreter
  /// already disagrees with the stage before it: `expression`, `loop nest`, `plan`, `machine code`, or
  /// `portable interpreter` where no code is generated.
  std::int64_t wrong_byte = -1;
  std::string stage;
  std::string message;
};

/// Compiles (by the given options) and proves. Needs memory for a few copies of both buffers. Thread safe.
/// \error whatever compile returns; a failed proof is not an Error but a Proof with ok == false
Result<Proof> prove(const Layout& source, const Layout& destination, const CompileOptions& options = {},
                    const ProofOptions& proof = {});

}  // namespace relayout
