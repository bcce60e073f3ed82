#pragma once

#include <cstdint>

#include "jit/emitter.hpp"

namespace relayout::jit {

/// A run of bytes on its way from the first cache to memory. The registers are left as they are.
struct RunCopy {
  asmjit::x86::Gp from;
  asmjit::x86::Gp to;      ///< any alignment
  std::int64_t bytes = 0;  ///< 128 at least
  /// From this run to that of the next call, whose first and last line are fetched ahead; 0: they are not.
  std::int64_t next_bytes = 0;
  /// With each line, that so many bytes further on in the source is fetched; 0: none is.
  std::int64_t ahead_bytes = 0;
};

/// Copies the lines that the run covers whole with streaming stores, the parts of lines at its ends plainly
/// and exactly. Overwrites vectors 0 and 1, rax and the kernel's hoisted registers.
void emit_run_copy(Emitter& emitter, const RunCopy& run);

}  // namespace relayout::jit
