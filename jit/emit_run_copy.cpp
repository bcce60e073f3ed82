// A line of which only a part is streamed costs a read of the rest from memory, and streaming stores next to
// plain ones to the same line cost more. So a run is cut at the lines of its destination, which differ from
// run to run and are known at run time only: the part up to the first line, whole lines, the part after the
// last. The line that two neighbouring runs share is written by both, plainly; when the next call goes on
// with the same rows it is still in the first cache. Runs that overlap leave it to the later one.

#include "jit/emit_run_copy.hpp"

#include <array>

#include "jit/emit_moves.hpp"
#include "src/plan/machine/line.hpp"

namespace relayout::jit {
namespace {

using asmjit::x86::Gp;
using plan::kLineBytes;

const Gp kSize = registers::kTemporary[0];
const Gp kHead = registers::kHoisted[0];  ///< bytes before the first whole line
const Gp kRunFrom = registers::kHoisted[1];
const Gp kRunTo = registers::kHoisted[2];
const std::array<Gp, 2> kPieces = {registers::kHoisted[3], registers::kHoisted[4]};
/// Lines whose code is repeated; more of them are looped over.
constexpr std::int64_t kUnrolledLines = 8;

asmjit::x86::Mem at(const Gp& base, const Gp& index, std::int64_t offset_bytes) {
  return asmjit::x86::ptr(base, index, 0, static_cast<std::int32_t>(offset_bytes));
}

Gp sized(const Gp& piece, int bytes) {
  switch (bytes) {
    case 8:
      return piece.r64();
    case 4:
      return piece.r32();
    case 2:
      return piece.r16();
    default:
      return piece.r8();
  }
}

/// Two pieces of `piece_bytes`, the second of which ends with the part.
void copy_two_pieces(Emitter& emitter, const RunCopy& part, const Gp& size, int piece_bytes) {
  auto& assembler = emitter.assembler();
  const std::array<asmjit::x86::Mem, 2> from = {asmjit::x86::ptr(part.from),
                                                at(part.from, size, -piece_bytes)};
  const std::array<asmjit::x86::Mem, 2> to = {asmjit::x86::ptr(part.to), at(part.to, size, -piece_bytes)};
  if (piece_bytes >= kNarrowestVectorBytes) {
    for (std::size_t i = 0; i < 2; ++i)
      emitter.load(Emitter::vector(static_cast<int>(i), piece_bytes), from[i]);
    for (std::size_t i = 0; i < 2; ++i)
      emitter.store(to[i], Emitter::vector(static_cast<int>(i), piece_bytes));
    return;
  }
  for (std::size_t i = 0; i < 2; ++i) assembler.mov(sized(kPieces[i], piece_bytes), from[i]);
  for (std::size_t i = 0; i < 2; ++i) assembler.mov(to[i], sized(kPieces[i], piece_bytes));
}

/// Copies `size` bytes, 1 to 63, as two pieces that overlap.
void emit_part(Emitter& emitter, const RunCopy& part, const Gp& size) {
  auto& assembler = emitter.assembler();
  const asmjit::Label end = assembler.newLabel();
  for (int piece_bytes = 32; piece_bytes > 0; piece_bytes /= 2) {
    const asmjit::Label shorter = assembler.newLabel();
    if (piece_bytes > 1) {
      assembler.cmp(size.r32(), piece_bytes);
      assembler.jb(shorter);
    }
    copy_two_pieces(emitter, part, size, piece_bytes);
    if (piece_bytes > 1) assembler.jmp(end);
    assembler.bind(shorter);
  }
  assembler.bind(end);
}

void emit_fetch(Emitter& emitter, const LineFetch& fetch, const Gp& index, std::int64_t offset_bytes) {
  const asmjit::x86::Mem line = at(fetch.from, index, offset_bytes + fetch.ahead_bytes);
  fetch.into_first_cache ? emitter.assembler().prefetcht0(line) : emitter.assembler().prefetcht1(line);
}

void emit_line(Emitter& emitter, const RunCopy& run, const Gp& index, std::int64_t offset_bytes) {
  const int vector_bytes = emitter.copy_vector_bytes();
  if (run.fetch) emit_fetch(emitter, *run.fetch, index, offset_bytes);
  for (std::int64_t at_byte = 0; at_byte < kLineBytes; at_byte += vector_bytes) {
    const auto vector = Emitter::vector(at_byte == 0 ? 0 : 1, vector_bytes);
    emitter.load(vector, at(run.from, index, offset_bytes + at_byte));
    emitter.store_streaming(at(run.to, index, offset_bytes + at_byte), vector);
  }
}

/// All whole lines but one, from kHead on.
void emit_lines(Emitter& emitter, const RunCopy& run) {
  auto& assembler = emitter.assembler();
  const std::int64_t lines = run.bytes / kLineBytes - 1;
  if (lines <= kUnrolledLines) {
    for (std::int64_t line = 0; line < lines; ++line) emit_line(emitter, run, kHead, line * kLineBytes);
    return;
  }
  const asmjit::Label top = assembler.newLabel();
  assembler.mov(kSize, kHead);
  assembler.bind(top);
  emit_line(emitter, run, kSize, 0);
  assembler.add(kSize, kLineBytes);
  assembler.cmp(kSize, run.bytes / kLineBytes * kLineBytes - kLineBytes);
  assembler.jbe(top);
}

/// Whether the next run has parts of lines at its ends just where this one has. If that has none, nothing is
/// fetched: what is streamed over lines in a cache is slow. On a Zen 3, of 389 staged random pairs of 20 to
/// 200 MiB the runs of 206 are whole lines; 84 of these ran at 0.86 of memcpy with their ends fetched, at
/// 0.95 without, 47 faster by a twentieth and ten slower (u8[1023,3,9,1000]{3,2,1,0} into (32,128)(4,1) tiles
/// 0.34 and 0.99), 64 whose destinations are mostly padding at 1.11 and 1.48. Of the others 86 ran at 0.81
/// with them, at 0.79 without.
bool do_runs_lie_alike(const RunCopy& run) {
  return run.bytes % kLineBytes == 0 && run.next_bytes % kLineBytes == 0;
}

void fetch_next_ends(Emitter& emitter, const RunCopy& run) {
  if (run.next_bytes == 0) return;
  emitter.assembler().prefetcht0(emitter.address(run.to, run.next_bytes));
  emitter.assembler().prefetcht0(emitter.address(run.to, run.next_bytes + run.bytes - 1));
}

/// Bytes from the run's beginning to that of the line that has its byte `offset_bytes`.
void find_line(Emitter& emitter, const RunCopy& run, const Gp& found, std::int64_t offset_bytes) {
  auto& assembler = emitter.assembler();
  assembler.lea(found, emitter.address(run.to, offset_bytes));
  assembler.and_(found, -kLineBytes);
  assembler.sub(found, run.to);
}

/// Leaves in kHead where the run's whole lines begin, after its part of the line before if it is the first.
void emit_row_begin(Emitter& emitter, const RunCopy& run, const RunInRow& place) {
  auto& assembler = emitter.assembler();
  const asmjit::Label first = assembler.newLabel();
  const asmjit::Label lines = assembler.newLabel();
  assembler.cmp(place.number, 0);
  assembler.je(first);
  find_line(emitter, run, kHead, place.overlap_bytes);
  assembler.jmp(lines);
  assembler.bind(first);
  find_line(emitter, run, kHead, kLineBytes - 1);
  assembler.test(kHead, kHead);
  assembler.jz(lines);
  emit_part(emitter, run, kHead);
  assembler.bind(lines);
}

/// The part of a line after the whole ones, which end at kRunFrom.
void emit_row_end(Emitter& emitter, const RunCopy& run, const RunInRow& place) {
  auto& assembler = emitter.assembler();
  const asmjit::Label end = assembler.newLabel();
  assembler.cmp(place.number, place.last);
  assembler.jne(end);
  assembler.mov(kSize.r32(), run.bytes);
  assembler.sub(kSize.r32(), kRunFrom.r32());
  assembler.jz(end);
  assembler.lea(kRunTo, at(run.to, kRunFrom, 0));
  assembler.add(kRunFrom, run.from);
  emit_part(emitter, {kRunFrom, kRunTo, 0}, kSize);
  assembler.bind(end);
}

}  // namespace

void emit_run_copy(Emitter& emitter, const RunCopy& run, const RunInRow& place) {
  auto& assembler = emitter.assembler();
  const asmjit::Label top = assembler.newLabel();
  emit_row_begin(emitter, run, place);
  find_line(emitter, run, kRunFrom, run.bytes);
  assembler.bind(top);
  emit_line(emitter, run, kHead, 0);
  assembler.add(kHead, kLineBytes);
  assembler.cmp(kHead, kRunFrom);
  assembler.jb(top);
  emit_row_end(emitter, run, place);
}

void emit_run_copy(Emitter& emitter, const RunCopy& run) {
  auto& assembler = emitter.assembler();
  const asmjit::Label lines = assembler.newLabel();
  const asmjit::Label rest = assembler.newLabel();
  const asmjit::Label end = assembler.newLabel();
  const bool lie_alike = do_runs_lie_alike(run);
  if (!lie_alike) fetch_next_ends(emitter, run);
  assembler.mov(kHead.r32(), run.to.r32());
  assembler.neg(kHead.r32());
  assembler.and_(kHead.r32(), kLineBytes - 1);
  assembler.jz(lines);
  if (lie_alike) fetch_next_ends(emitter, run);
  emit_part(emitter, run, kHead);
  assembler.bind(lines);
  emit_lines(emitter, run);
  // Up to 127 bytes are left: a line or none, and a part of one.
  const std::int64_t last_line = run.bytes / kLineBytes * kLineBytes - kLineBytes;
  assembler.lea(kRunFrom, at(run.from, kHead, last_line));
  assembler.lea(kRunTo, at(run.to, kHead, last_line));
  assembler.mov(kSize.r32(), run.bytes - last_line);
  assembler.sub(kSize.r32(), kHead.r32());
  assembler.cmp(kSize.r32(), kLineBytes);
  assembler.jb(rest);
  emit_line(emitter, run, kHead, last_line);
  assembler.sub(kSize.r32(), kLineBytes);
  assembler.jz(end);
  assembler.add(kRunFrom, kLineBytes);
  assembler.add(kRunTo, kLineBytes);
  assembler.bind(rest);
  emit_part(emitter, {kRunFrom, kRunTo, 0}, kSize);
  assembler.bind(end);
}

}  // namespace relayout::jit
