// A vector in pieces is put together lane by lane: pieces of 32 and 16 bytes are inserted from memory,
// shorter ones first fill a 16-byte register. Loads never touch a byte past a piece, which may be the last
// one of a page.

#include "jit/emit_pieces.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>
#include <vector>

#include "jit/emit_short_pieces.hpp"
#include "jit/store_turns.hpp"

namespace relayout::jit {
namespace {

using asmjit::x86::Mem;
using asmjit::x86::Xmm;

constexpr int kLaneBytes = 16;
constexpr int kHalfBytes = 32;  ///< of a vector of 64

Xmm xmm(int index) {
  return Xmm(static_cast<std::uint32_t>(index));
}

/// The memory of the `bytes` bytes that start at lane index `byte`.
Mem piece_at(Emitter& emitter, const VectorPlace& place, int byte, int bytes) {
  Mem memory = emitter.address(place.base, place.offset_bytes + place.byte_offset(byte));
  memory.setSize(static_cast<std::uint32_t>(bytes));
  return memory;
}

void load_lane(Emitter& emitter, const VectorPlace& place, int lane, const Xmm& to) {
  const int bytes = std::min(place.piece_bytes(kLaneBytes), kLaneBytes);
  const int start = lane * kLaneBytes;
  load_first_piece(emitter, to, piece_at(emitter, place, start, bytes));
  for (int index = 1; index < kLaneBytes / bytes; ++index)
    insert_piece(emitter, to, piece_at(emitter, place, start + index * bytes, bytes), index);
}

void store_lane(Emitter& emitter, const VectorPlace& place, int lane, const Xmm& from) {
  const int bytes = std::min(place.piece_bytes(kLaneBytes), kLaneBytes);
  for (int index = 0; index < kLaneBytes / bytes; ++index)
    store_piece(emitter, piece_at(emitter, place, lane * kLaneBytes + index * bytes, bytes), from, index);
}

/// Bytes of a lane that one instruction moves.
struct Chunk {
  int byte = 0;  ///< in the vector
  int bytes = 0;
};

/// What is touched of a lane of a rounded tile, or of one with gaps, in powers of two.
std::vector<Chunk> chunks_of_lane(const VectorPlace& place, int vector_bytes, int lane) {
  const int piece_bytes = std::min(place.piece_bytes(vector_bytes), vector_bytes);
  std::vector<Chunk> chunks;
  for (int byte = lane * kLaneBytes; byte < (lane + 1) * kLaneBytes;
       byte += std::min(piece_bytes, kLaneBytes)) {
    const int front = byte / piece_bytes * piece_bytes;
    int left = std::min(front + place.touched(front, vector_bytes) - byte, kLaneBytes);
    for (int at = byte; left > 0;) {
      const int bytes = static_cast<int>(std::bit_floor(static_cast<unsigned>(left)));
      chunks.push_back({at, bytes});
      at += bytes;
      left -= bytes;
    }
  }
  return chunks;
}

void set_to_zero(Emitter& emitter, const Xmm& to) {
  emitter.target().has_evex ? emitter.assembler().vpxord(to, to, to) : emitter.assembler().vpxor(to, to, to);
}

/// A lane whose front does not exist begins with padding.
void load_chunks(Emitter& emitter, const VectorPlace& place, const std::vector<Chunk>& chunks,
                 const Xmm& to) {
  const bool has_front = chunks.front().byte % kLaneBytes == 0;
  if (!has_front) set_to_zero(emitter, to);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const auto [byte, bytes] = chunks[i];
    const Mem from = piece_at(emitter, place, byte, bytes);
    i == 0 && has_front ? load_first_piece(emitter, to, from)
                        : insert_piece(emitter, to, from, byte % kLaneBytes / bytes);
  }
}

void store_chunks(Emitter& emitter, const VectorPlace& place, const std::vector<Chunk>& chunks,
                  const Xmm& from) {
  for (const auto& [byte, bytes] : chunks)
    store_piece(emitter, piece_at(emitter, place, byte, bytes), from, byte % kLaneBytes / bytes);
}

bool is_whole(const std::vector<Chunk>& chunks) {
  return chunks.size() == 1 && chunks.front().bytes == kLaneBytes;
}

/// Whether one piece has all of the half of a vector that begins with `lane`.
bool touches_half(const VectorPlace& place, int vector_bytes, int lane) {
  const int piece_bytes = std::min(place.piece_bytes(vector_bytes), vector_bytes);
  if (vector_bytes != 2 * kHalfBytes || piece_bytes < kHalfBytes || lane % 2 != 0) return false;
  const int byte = lane * kLaneBytes;
  const int front = byte / piece_bytes * piece_bytes;
  return front + place.touched(front, vector_bytes) >= byte + kHalfBytes;
}

bool touches_whole(const VectorPlace& place, int vector_bytes) {
  return place.piece_bytes(vector_bytes) >= vector_bytes && place.touched(0, vector_bytes) == vector_bytes;
}

/// For inserts from memory and extracts to it, which have masks with AVX-512 only.
asmjit::x86::Assembler& under_mask(Emitter& emitter) {
  if (emitter.under_masks() && emitter.target().has_evex) emitter.assembler().k(registers::kMaskOfOnes);
  return emitter.assembler();
}

template <class From>
void insert_lane(Emitter& emitter, const VectorRegisters& registers, const From& from, int lane) {
  const auto to = Emitter::vector(registers.vector, registers.vector_bytes);
  if (emitter.target().has_evex) {
    auto& assembler = std::is_same_v<From, Mem> ? under_mask(emitter) : emitter.assembler();
    assembler.vinserti32x4(to, to, from, lane);
  } else {
    emitter.assembler().vinserti128(to, to, from, lane);
  }
}

template <class To>
void extract_lane(Emitter& emitter, const VectorRegisters& registers, const To& to, int lane) {
  const auto from = Emitter::vector(registers.vector, registers.vector_bytes);
  if (emitter.target().has_evex) {
    auto& assembler = std::is_same_v<To, Mem> ? under_mask(emitter) : emitter.assembler();
    assembler.vextracti32x4(to, from, lane);
  } else {
    emitter.assembler().vextracti128(to, from, lane);
  }
}

/// The half that begins with `lane`, of a vector of 64 bytes.
void load_half(Emitter& emitter, const VectorPlace& place, const VectorRegisters& registers, int lane) {
  const auto whole = Emitter::vector(registers.vector, registers.vector_bytes);
  const Mem from = piece_at(emitter, place, lane * kLaneBytes, kHalfBytes);
  lane == 0 ? emitter.load_source(Emitter::vector(registers.vector, kHalfBytes), from)
            : void(under_mask(emitter).vinserti64x4(whole, whole, from, 1));
}

void store_half(Emitter& emitter, const VectorPlace& place, const VectorRegisters& registers, int lane) {
  const Mem to = piece_at(emitter, place, lane * kLaneBytes, kHalfBytes);
  lane == 0 ? emitter.store_destination(to, Emitter::vector(registers.vector, kHalfBytes))
            : void(under_mask(emitter).vextracti64x4(
                  to, Emitter::vector(registers.vector, registers.vector_bytes), 1));
}

/// Sets what was read past a padded tile's data to zero.
void keep_data(Emitter& emitter, const VectorPlace& place, const VectorRegisters& registers) {
  if (std::ranges::equal(place.data_bytes, place.touched_bytes)) return;
  const int piece_bytes = registers.vector_bytes / static_cast<int>(place.data_bytes.size());
  std::vector<std::uint8_t> mask;
  mask.reserve(static_cast<std::size_t>(registers.vector_bytes));
  for (const int data : place.data_bytes)
    for (int byte = 0; byte < piece_bytes; ++byte) mask.push_back(byte < data ? 0xFF : 0);
  const auto vector = Emitter::vector(registers.vector, registers.vector_bytes);
  const Mem kept = emitter.constant(mask);
  emitter.target().has_evex ? emitter.assembler().vpandd(vector, vector, kept)
                            : emitter.assembler().vpand(vector, vector, kept);
}

/// What is not touched becomes zero.
/// \pre what exists of a piece exists from its front on
void load_rounded(Emitter& emitter, const VectorPlace& place, const VectorRegisters& registers) {
  const int bytes = registers.vector_bytes;
  if (touches_whole(place, bytes))
    return emitter.load_source(Emitter::vector(registers.vector, bytes), piece_at(emitter, place, 0, bytes));
  const bool first_half = touches_half(place, bytes, 0);
  const std::vector<Chunk> first = first_half ? std::vector<Chunk>() : chunks_of_lane(place, bytes, 0);
  if (first_half) {
    load_half(emitter, place, registers, 0);
  } else if (first.empty()) {
    set_to_zero(emitter, xmm(registers.vector));
  } else {
    load_chunks(emitter, place, first, xmm(registers.vector));
  }
  for (int lane = first_half ? 2 : 1; lane < bytes / kLaneBytes; ++lane) {
    if (touches_half(place, bytes, lane)) {
      load_half(emitter, place, registers, lane++);
      continue;
    }
    const std::vector<Chunk> chunks = chunks_of_lane(place, bytes, lane);
    if (chunks.empty()) continue;
    if (is_whole(chunks)) {
      insert_lane(emitter, registers, piece_at(emitter, place, lane * kLaneBytes, kLaneBytes), lane);
    } else {
      load_chunks(emitter, place, chunks, xmm(registers.temporary));
      insert_lane(emitter, registers, xmm(registers.temporary), lane);
    }
  }
}

void store_rounded_lane(Emitter& emitter, const VectorPlace& place, int lane,
                        const VectorRegisters& registers) {
  const std::vector<Chunk> chunks = chunks_of_lane(place, registers.vector_bytes, lane);
  if (lane == 0) return store_chunks(emitter, place, chunks, xmm(registers.vector));
  if (chunks.empty()) return;
  if (is_whole(chunks)) {
    extract_lane(emitter, registers, piece_at(emitter, place, lane * kLaneBytes, kLaneBytes), lane);
  } else {
    extract_lane(emitter, registers, xmm(registers.temporary), lane);
    store_chunks(emitter, place, chunks, xmm(registers.temporary));
  }
}

void store_rounded_part(Emitter& emitter, const VectorPlace& place, int part,
                        const VectorRegisters& registers) {
  const int bytes = registers.vector_bytes;
  if (touches_whole(place, bytes))
    return emitter.store_destination(piece_at(emitter, place, 0, bytes),
                                     Emitter::vector(registers.vector, bytes));
  const int lanes = bytes / kLaneBytes / parts_of_vector(*place.side, bytes);
  for (int lane = part * lanes; lane < (part + 1) * lanes; ++lane) {
    if (touches_half(place, bytes, lane))
      store_half(emitter, place, registers, lane++);
    else
      store_rounded_lane(emitter, place, lane, registers);
  }
}

}  // namespace

int VectorPlace::piece_bytes(int vector_bytes) const {
  return side == nullptr ? vector_bytes : side_piece_bytes;
}

std::int64_t VectorPlace::byte_offset(int byte) const {
  if (side == nullptr) return byte;
  if (!touched_bytes.empty()) {
    const int within = byte % piece_bytes(1 << side->lane_stride_bytes.size());
    return side->piece(register_number, byte - within).offset_bytes + within;
  }
  std::int64_t offset = 0;
  for (std::size_t p = 0; byte >> p != 0; ++p)
    if ((byte >> p & 1) != 0) offset += side->lane_stride_bytes[p];
  return offset;
}

int VectorPlace::touched(int byte, int vector_bytes) const {
  const int bytes = std::min(piece_bytes(vector_bytes), vector_bytes);
  return touched_bytes.empty() ? bytes : touched_bytes[static_cast<std::size_t>(byte / bytes)];
}

void emit_load(Emitter& emitter, const VectorPlace& place, const VectorRegisters& registers) {
  if (!place.touched_bytes.empty()) {
    load_rounded(emitter, place, registers);
    if (!place.data_bytes.empty()) keep_data(emitter, place, registers);
    return;
  }
  const int bytes = registers.vector_bytes;
  const int piece_bytes = place.piece_bytes(bytes);
  const auto whole = Emitter::vector(registers.vector, bytes);
  if (place.side == nullptr) return emitter.load(whole, piece_at(emitter, place, 0, bytes));
  if (piece_bytes >= bytes) return emitter.load_source(whole, piece_at(emitter, place, 0, bytes));
  if (piece_bytes == 32) {
    emitter.load_source(Emitter::vector(registers.vector, 32), piece_at(emitter, place, 0, 32));
    under_mask(emitter).vinserti64x4(whole, whole, piece_at(emitter, place, 32, 32), 1);
    return;
  }
  load_lane(emitter, place, 0, xmm(registers.vector));
  for (int lane = 1; lane < bytes / kLaneBytes; ++lane) {
    if (piece_bytes == kLaneBytes) {
      insert_lane(emitter, registers, piece_at(emitter, place, lane * kLaneBytes, kLaneBytes), lane);
    } else {
      load_lane(emitter, place, lane, xmm(registers.temporary));
      insert_lane(emitter, registers, xmm(registers.temporary), lane);
    }
  }
}

void emit_store(Emitter& emitter, const VectorPlace& place, int part, const VectorRegisters& registers,
                bool may_stream) {
  if (!place.touched_bytes.empty()) return store_rounded_part(emitter, place, part, registers);
  const int bytes = registers.vector_bytes;
  const int piece_bytes = place.piece_bytes(bytes);
  const auto whole = Emitter::vector(registers.vector, bytes);
  if (piece_bytes >= bytes) {
    const Mem to = piece_at(emitter, place, 0, bytes);
    return may_stream ? emitter.store_streaming(to, whole) : emitter.store(to, whole);
  }
  if (piece_bytes == kHalfBytes) return store_half(emitter, place, registers, 2 * part);
  if (part == 0) return store_lane(emitter, place, 0, xmm(registers.vector));
  if (piece_bytes == kLaneBytes)
    return extract_lane(emitter, registers, piece_at(emitter, place, part * kLaneBytes, kLaneBytes), part);
  extract_lane(emitter, registers, xmm(registers.temporary), part);
  store_lane(emitter, place, part, xmm(registers.temporary));
}

}  // namespace relayout::jit
