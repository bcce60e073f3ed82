#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "jit/emitter.hpp"
#include "src/plan/model/kernel_access.hpp"

namespace relayout::jit {

/// Prefetches of the source at these offsets from its pointer into the second-level cache, the emitter's
/// distance ahead. Overwrites registers::kTemporary[0].
void prefetch_source_lines(Emitter& emitter, std::span<const std::int64_t> offsets_bytes);

/// The runs of bytes that a body touches on one side. One prefetch is emitted for each line's length of a
/// run, counted back from its last byte: wherever the run begins, that is each line that it is the first to
/// touch. The one in which it begins was touched with the run before, in most walks.
class TouchedRuns {
 public:
  /// `bytes` bytes at `offset_bytes` from the side's pointer.
  void add(std::int64_t offset_bytes, std::int64_t bytes) { extents_.push_back({offset_bytes, bytes}); }
  /// Prefetches of the source into the second-level cache, the emitter's distance ahead. Overwrites
  /// registers::kTemporary[0].
  void prefetch_source(Emitter& emitter) const { prefetch_source_lines(emitter, offsets()); }
  /// Prefetches of the destination into the first-level cache, the emitter's distance ahead. Overwrites
  /// registers::kTemporary[0].
  void prefetch_destination(Emitter& emitter) const;
  /// From the side's pointer, bytes: one for each prefetch.
  std::vector<std::int64_t> offsets() const;

 private:
  std::vector<plan::Extent> extents_;
};

/// Of a copy or a fill: fetches all that the next run of `run_bytes` writes, the emitter's distance ahead,
/// unless that is fetched along the run. Overwrites registers::kTemporary[0].
void prefetch_next_run(Emitter& emitter, std::int64_t run_bytes);

/// Along a long run of `run_bytes`: fetches what is the emitter's distance ahead of the `bytes` written next
/// at `destination`.
void prefetch_along_run(Emitter& emitter, const asmjit::x86::Mem& destination, std::int64_t bytes,
                        std::int64_t run_bytes);

/// Of a copy: fetches into the first-level cache what is the emitter's distance ahead of the `bytes` read
/// next at `source`.
void prefetch_along_source(Emitter& emitter, const asmjit::x86::Mem& source, std::int64_t bytes);

/// Groups of vectors that are emitted `copies` times, in a loop of `turns`, share the rows that a call
/// fetches of the next block (plan::BlockFetch).
struct GroupLoop {
  std::int64_t copies = 1;
  std::int64_t turns = 1;

  /// All of them if the loop takes more turns than there are rows: in it they would be fetched several times.
  std::int64_t rows_before(std::int64_t rows) const { return rows < turns ? rows : 0; }
  /// What each turn fetches in copy number `copy`.
  std::int64_t rows_of_copy(std::int64_t rows, std::int64_t copy) const;
};

/// Fetches `count` rows of the next block line by line, those of the source into the second-level cache, and
/// moves on to the following ones. The destination's only in temporal code. Overwrites
/// registers::kTemporary[0].
void fetch_source_rows(Emitter& emitter, const plan::FetchedRows& rows, std::int64_t count);
void fetch_destination_rows(Emitter& emitter, const plan::BlockFetch& fetch, std::int64_t count);

}  // namespace relayout::jit
