#pragma once

#include <cstdint>
#include <optional>

#include "jit/emitter.hpp"

namespace relayout::jit {

/// What is fetched of the source with each line that leaves: the line as far from `from` as that one is from
/// the run's beginning, and `ahead_bytes` further on.
struct LineFetch {
  asmjit::x86::Gp from;
  std::int64_t ahead_bytes = 0;   ///< within 31 bits, the run's length included
  bool into_first_cache = false;  ///< else into the second one
};

/// Runs along a row that overlap, so that each writes whole lines but for the ends of the row
/// (plan::Staging::overlap_bytes).
struct RunInRow {
  asmjit::x86::Mem number;         ///< of this run, 64 bits
  std::int64_t last = 0;           ///< the row's last one has this number, its first one 0
  std::int64_t overlap_bytes = 0;  ///< with the run before
};

/// A run of bytes on its way from the first cache to memory. Its registers, and that of its fetch, are left
/// as they are.
struct RunCopy {
  asmjit::x86::Gp from;
  asmjit::x86::Gp to;      ///< any alignment
  std::int64_t bytes = 0;  ///< 128 at least
  /// From this run to a later one, whose first and last line are fetched ahead, but not by a run that begins
  /// and ends on lines if that one must, too; 0: they are not.
  std::int64_t next_bytes = 0;
  std::optional<LineFetch> fetch = std::nullopt;
};

/// Copies the lines that the run covers whole with streaming stores, the parts of lines at its ends plainly
/// and exactly. Overwrites vectors 0 and 1, rax and registers::kHoisted[0] to [4].
void emit_run_copy(Emitter& emitter, const RunCopy& run);

/// The same of a run that overlaps the one before it: from the line on in which that one ends, its end
/// included where it is the row's last one. Nothing is fetched of later runs.
void emit_run_copy(Emitter& emitter, const RunCopy& run, const RunInRow& place);

}  // namespace relayout::jit
