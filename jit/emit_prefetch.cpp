#include "jit/emit_prefetch.hpp"

#include "src/plan/machine/line.hpp"

namespace relayout::jit {

void prefetch_source_lines(Emitter& emitter, std::span<const std::int64_t> offsets_bytes) {
  for (const std::int64_t offset : offsets_bytes) {
    emitter.assembler().prefetcht1(
        emitter.address(registers::kSource, offset + emitter.prefetch_source_bytes()));
  }
}

std::vector<std::int64_t> TouchedRuns::offsets() const {
  std::vector<std::int64_t> offsets;
  for (const plan::Extent& run : plan::merged_runs(extents_)) {
    for (std::int64_t last = run.offset_bytes + run.bytes - 1; last >= run.offset_bytes;
         last -= plan::kLineBytes)
      offsets.push_back(last);
  }
  return offsets;
}

void TouchedRuns::prefetch_destination(Emitter& emitter) const {
  for (const std::int64_t offset : offsets()) {
    emitter.assembler().prefetcht0(
        emitter.address(registers::kDestination, offset + emitter.prefetch_destination_bytes()));
  }
}

void prefetch_next_run(Emitter& emitter, std::int64_t run_bytes) {
  if (emitter.prefetch_destination_bytes() == 0 || run_bytes > plan::kLongestRunFetchedAtOnceBytes) return;
  TouchedRuns runs;
  runs.add(0, run_bytes);
  runs.prefetch_destination(emitter);
}

void prefetch_along_run(Emitter& emitter, const asmjit::x86::Mem& destination, std::int64_t bytes,
                        std::int64_t run_bytes) {
  const std::int64_t ahead = emitter.prefetch_destination_bytes();
  if (ahead == 0 || run_bytes <= plan::kLongestRunFetchedAtOnceBytes) return;
  for (std::int64_t line = 0; line < bytes; line += plan::kLineBytes)
    emitter.assembler().prefetcht0(destination.cloneAdjusted(ahead + line));
}

void prefetch_along_source(Emitter& emitter, const asmjit::x86::Mem& source, std::int64_t bytes) {
  const std::int64_t ahead = emitter.prefetch_source_bytes();
  if (ahead == 0) return;
  for (std::int64_t line = 0; line < bytes; line += plan::kLineBytes)
    emitter.assembler().prefetcht0(source.cloneAdjusted(ahead + line));
}

std::int64_t GroupLoop::rows_of_copy(std::int64_t rows, std::int64_t copy) const {
  if (rows < turns) return 0;
  const std::int64_t each_turn = (rows + turns - 1) / turns;
  return each_turn * (copy + 1) / copies - each_turn * copy / copies;
}

namespace {

/// \param fetch_line emits the fetch of the line at an address
template <class FetchLine>
void fetch_rows(Emitter& emitter, const plan::FetchedRows& rows, std::int64_t count,
                const asmjit::x86::Gp& next, FetchLine fetch_line) {
  for (std::int64_t row = 0; row < count; ++row) {
    for (std::int64_t line = 0; line < rows.row_bytes; line += plan::kLineBytes)
      fetch_line(emitter.address(next, row * rows.stride_bytes + line));
  }
  emitter.add_immediate(next, count * rows.stride_bytes);
}

}  // namespace

void fetch_source_rows(Emitter& emitter, const plan::FetchedRows& rows, std::int64_t count) {
  fetch_rows(emitter, rows, count, registers::kFetchedSource,
             [&](const asmjit::x86::Mem& line) { emitter.assembler().prefetcht1(line); });
}

void fetch_destination_rows(Emitter& emitter, const plan::BlockFetch& fetch, std::int64_t count) {
  if (emitter.streaming()) return;
  fetch_rows(emitter, fetch.destination, count, registers::kFetchedDestination,
             [&](const asmjit::x86::Mem& line) {
               fetch.to_write ? emitter.assembler().prefetchw(line) : emitter.assembler().prefetcht0(line);
             });
}

}  // namespace relayout::jit
