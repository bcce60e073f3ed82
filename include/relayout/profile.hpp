#pragma once

#include "relayout/result.hpp"

namespace relayout {

/// Which tools are told of generated kernels. A kernel's name holds both layouts, the instruction set level
/// and the kernel family: `relayout:f32[64,64][0,1]->f32[64,64][1,0]:avx512:permute:0`. docs/profiling.md has
/// examples.
struct Profiling {
  /// `/tmp/perf-PID.map`, one line per kernel: names in `perf report` and `perf top`.
  bool perf_map = false;
  /// `jit-PID.dump` and `jit-PID.plan` in `$JITDUMPDIR`, or else in the current folder: `perf inject --jit`,
  /// then `perf annotate` with the plan's lines between the instructions.
  bool jitdump = false;
  /// The interface of GDB for generated code: `backtrace`, `break` and `disassemble` by name.
  bool gdb = false;

  bool any() const noexcept { return perf_map || jitdump || gdb; }
  friend bool operator==(const Profiling&, const Profiling&) = default;
};

/// Tells these tools of the kernels that are compiled from now on; pairs in the cache are compiled anew when
/// they are asked for again. Replaces the choice of the environment variable
/// `RELAYOUT_PROFILE=perfmap,jitdump,gdb`, which is read at the first compilation. Off by default: files and
/// records cost a compilation some tens of microseconds; calls cost nothing. Thread safe; a child after
/// `fork` writes files of its own. \error kSystem if a file cannot be made; that tool stays off
Status set_profiling(const Profiling& profiling);

/// The present choice.
Profiling profiling();

}  // namespace relayout
