#pragma once

#include <cstdint>
#include <set>

#include "jit/emitter.hpp"

namespace relayout::jit {

/// The source's cache lines that a body loads, counted as if its tile began on a line.
class SourceLines {
 public:
  /// `bytes` bytes at `offset_bytes` from the source pointer.
  void add(std::int64_t offset_bytes, std::int64_t bytes);
  /// One prefetch per line, the emitter's distance ahead. Overwrites registers::kTemporary[0].
  void emit(Emitter& emitter) const;

 private:
  std::set<std::int64_t> lines_;
};

}  // namespace relayout::jit
