#pragma once

#include <cstdint>
#include <vector>

#include "jit/emitter.hpp"
#include "src/plan/kernel_access.hpp"

namespace relayout::jit {

/// The runs of bytes that a body touches on one side. One prefetch is emitted for each line's length of a
/// run, counted back from its last byte: wherever the run begins, that is each line that it is the first to
/// touch. The one in which it begins was touched with the run before, in most walks.
class TouchedRuns {
 public:
  /// `bytes` bytes at `offset_bytes` from the side's pointer.
  void add(std::int64_t offset_bytes, std::int64_t bytes) { extents_.push_back({offset_bytes, bytes}); }
  /// Prefetches of the source into the second-level cache, the emitter's distance ahead. Overwrites
  /// registers::kTemporary[0].
  void prefetch_source(Emitter& emitter) const;
  /// Prefetches of the destination into the first-level cache, the emitter's distance ahead. Overwrites
  /// registers::kTemporary[0].
  void prefetch_destination(Emitter& emitter) const;

 private:
  /// From the side's pointer, bytes: one for each prefetch.
  std::vector<std::int64_t> offsets() const;

  std::vector<plan::Extent> extents_;
};

/// Where the emitter's distance at the destination lies past a run of `run_bytes`: fetches all that it tells
/// of the next one. Overwrites registers::kTemporary[0].
void prefetch_next_run(Emitter& emitter, std::int64_t run_bytes);

/// Where it lies within the run: fetches what is that far ahead of the `bytes` written next.
void prefetch_along_run(Emitter& emitter, const asmjit::x86::Mem& destination, std::int64_t bytes,
                        std::int64_t run_bytes);

}  // namespace relayout::jit
