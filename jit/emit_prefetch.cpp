#include "jit/emit_prefetch.hpp"

#include <algorithm>

#include "src/plan/line.hpp"

namespace relayout::jit {

namespace {

using plan::kLineBytes;

std::int64_t line_of(std::int64_t offset_bytes) {
  const std::int64_t within = offset_bytes % kLineBytes;
  return offset_bytes - (within < 0 ? within + kLineBytes : within);
}

}  // namespace

void TouchedLines::add(std::int64_t offset_bytes, std::int64_t bytes) {
  for (std::int64_t line = line_of(offset_bytes); line < offset_bytes + bytes; line += kLineBytes)
    lines_.push_back(line);
}

std::span<const std::int64_t> TouchedLines::sorted() {
  std::sort(lines_.begin(), lines_.end());
  return {lines_.begin(), std::unique(lines_.begin(), lines_.end())};
}

void TouchedLines::prefetch_source(Emitter& emitter) {
  for (const std::int64_t line : sorted()) {
    emitter.assembler().prefetcht1(
        emitter.address(registers::kSource, line + emitter.prefetch_source_bytes()));
  }
}

void TouchedLines::prefetch_destination(Emitter& emitter) {
  for (const std::int64_t line : sorted()) {
    emitter.assembler().prefetcht0(
        emitter.address(registers::kDestination, line + emitter.prefetch_destination_bytes()));
  }
}

}  // namespace relayout::jit
