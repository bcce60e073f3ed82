#pragma once

#include <cstdint>
#include <span>

#include "jit/emitter.hpp"
#include "src/expr/small_vector.hpp"

namespace relayout::jit {

/// The cache lines that a body touches on one side, counted as if its tile began on a line.
class TouchedLines {
 public:
  /// `bytes` bytes at `offset_bytes` from the side's pointer.
  void add(std::int64_t offset_bytes, std::int64_t bytes);
  /// One prefetch per line of the source into the second-level cache, the emitter's distance ahead.
  /// Overwrites registers::kTemporary[0].
  void prefetch_source(Emitter& emitter);
  /// One prefetch per line of the destination into the first-level cache, the emitter's distance ahead.
  /// Overwrites registers::kTemporary[0].
  void prefetch_destination(Emitter& emitter);

 private:
  using Lines = expr::SmallVector<std::int64_t, 32>;
  std::span<const std::int64_t> sorted();

  Lines lines_;  ///< some of them several times
};

}  // namespace relayout::jit
