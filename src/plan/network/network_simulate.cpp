// Runs a network on labelled bits. Each instruction is written down as its manual defines it, in terms of
// bytes and 128-bit lanes (shifts: of bits in a byte, since masks drop what crosses bytes); nothing here
// knows of index bits.

#include <array>
#include <utility>

#include "src/plan/network/network.hpp"

namespace relayout::plan {
namespace {

/// Labels of a byte's bits; -1 for a zero.
using Byte = std::array<int, 8>;
constexpr Byte kZero = {-1, -1, -1, -1, -1, -1, -1, -1};
using Register = std::vector<Byte>;

/// result = instruction applied so that byte i of the result is `pick(i)`.
template <class Pick>
Register by_byte(std::size_t bytes, Pick pick) {
  Register result(bytes);
  for (std::size_t i = 0; i < bytes; ++i) result[i] = pick(i);
  return result;
}

/// vpunpckl* (half 0) and vpunpckh* (half 1): interleaves the halves of each lane.
Register unpack(const Register& a, const Register& b, std::size_t granule_bytes, std::size_t half) {
  return by_byte(a.size(), [&](std::size_t i) {
    const std::size_t lane = i / 16 * 16;
    const std::size_t element = i % 16 / granule_bytes;
    const std::size_t origin = lane + half * 8 + element / 2 * granule_bytes + i % granule_bytes;
    return element % 2 == 0 ? a[origin] : b[origin];
  });
}

/// Two-bit field `index` of an immediate.
std::size_t field(unsigned immediate, std::size_t index) {
  return immediate >> (2 * index) & 3;
}

/// vshufps: in each lane, two dwords of a, then two of b.
Register shuffle_ps(const Register& a, const Register& b, unsigned immediate) {
  return by_byte(a.size(), [&](std::size_t i) {
    const std::size_t dword = i % 16 / 4;
    return (dword < 2 ? a : b)[i / 16 * 16 + field(immediate, dword) * 4 + i % 4];
  });
}

/// vpshufd: in each lane, four dwords of a.
Register shuffle_dwords(const Register& a, unsigned immediate) {
  return shuffle_ps(a, a, immediate);
}

/// vshufi32x4 on 64 bytes: two lanes of a, then two of b.
Register shuffle_lanes(const Register& a, const Register& b, unsigned immediate) {
  return by_byte(a.size(),
                 [&](std::size_t i) { return (i < 32 ? a : b)[field(immediate, i / 16) * 16 + i % 16]; });
}

/// vperm2i128: each lane is one of a.low, a.high, b.low, b.high, by four-bit fields.
Register permute_128(const Register& a, const Register& b, unsigned immediate) {
  return by_byte(a.size(), [&](std::size_t i) {
    const std::size_t control = immediate >> (i < 16 ? 0 : 4) & 3;
    return (control < 2 ? a : b)[(control & 1) * 16 + i % 16];
  });
}

/// vpermq with an immediate on 32 bytes.
Register permute_qwords(const Register& a, unsigned immediate) {
  return by_byte(a.size(), [&](std::size_t i) { return a[field(immediate, i / 8) * 8 + i % 8]; });
}

/// vpblendd: dword k of each lane from b where bit k of the mask is set.
Register blend_dwords(const Register& a, const Register& b, unsigned lane_mask) {
  return by_byte(a.size(), [&](std::size_t i) { return ((lane_mask >> (i % 16 / 4) & 1) != 0 ? b : a)[i]; });
}

/// vpshufb: bytes within each lane; bit 7 of the index would select zero.
Register shuffle_bytes(const Register& a, const std::vector<std::uint8_t>& table) {
  return by_byte(a.size(), [&](std::size_t i) {
    return (table[i] & 0x80) != 0 ? kZero : a[i / 16 * 16 + (table[i] & 15U)];
  });
}

/// Little-endian index of granule `granule`.
std::size_t table_index(const std::vector<std::uint8_t>& table, std::size_t granule,
                        std::size_t granule_bytes) {
  std::size_t index = 0;
  for (std::size_t k = granule_bytes; k-- > 0;) index = index << 8 | table[granule * granule_bytes + k];
  return index;
}

/// vpermb/w/d/q and vpermt2b/w/d/q: the index counts through a, then b; excess bits are ignored.
Register permute(std::initializer_list<const Register*> operands, const std::vector<std::uint8_t>& table,
                 std::size_t granule_bytes) {
  const std::size_t bytes = (*operands.begin())->size();
  const std::size_t granules = bytes / granule_bytes;
  return by_byte(bytes, [&](std::size_t i) {
    const std::size_t index =
        table_index(table, i / granule_bytes, granule_bytes) % (granules * operands.size());
    return (**(operands.begin() + index / granules))[index % granules * granule_bytes + i % granule_bytes];
  });
}

Register apply_single(const Stage& stage, const Register& a) {
  switch (stage.move) {
    case Move::kPermuteDwords:
      return shuffle_dwords(a, 0xD8);
    case Move::kSwapLanes:
      return shuffle_lanes(a, a, 0xD8);
    case Move::kByteShuffle:
      return shuffle_bytes(a, stage.tables[0]);
    case Move::kTablePermute8:
      return permute({&a}, stage.tables[0], 1);
    case Move::kTablePermute16:
      return permute({&a}, stage.tables[0], 2);
    case Move::kTablePermute32:
      return permute({&a}, stage.tables[0], 4);
    case Move::kTablePermute64:
      return stage.tables.empty() ? permute_qwords(a, 0xD8) : permute({&a}, stage.tables[0], 8);
    default:
      return a;
  }
}

using Pair = std::array<Register, 2>;

Pair unpack_pair(const Register& a, const Register& b, std::size_t granule_bytes) {
  return {unpack(a, b, granule_bytes, 0), unpack(a, b, granule_bytes, 1)};
}

Pair permute_pair(const Stage& stage, const Register& a, const Register& b, std::size_t granule_bytes) {
  return {permute({&a, &b}, stage.tables[0], granule_bytes),
          permute({&a, &b}, stage.tables[1], granule_bytes)};
}

/// Exchange of dwords or qwords between two registers by vpshufd and vpblendd.
Pair blend_pair(const Register& a, const Register& b, bool qwords) {
  const Register from_b = shuffle_dwords(b, qwords ? 0x44 : 0xA0);
  const Register from_a = shuffle_dwords(a, qwords ? 0xEE : 0xF5);
  const unsigned mask = qwords ? 0xC : 0xA;
  return {blend_dwords(a, from_b, mask), blend_dwords(b, from_a, mask ^ 0xF)};
}

/// Bits of `a` where the mask has ones, of `b` elsewhere.
Register select(const std::vector<std::uint8_t>& mask, const Register& a, const Register& b) {
  return by_byte(a.size(), [&](std::size_t i) {
    Byte byte{};
    for (std::size_t bit = 0; bit < byte.size(); ++bit)
      byte[bit] = ((mask[i] >> bit & 1) != 0 ? a : b)[i][bit];
    return byte;
  });
}

/// Every byte shifted towards its high bits (negative: towards its low ones), zeros coming in.
Register shift(const Register& a, int bits) {
  return by_byte(a.size(), [&](std::size_t i) {
    Byte byte = kZero;
    for (int bit = 0; bit < 8; ++bit) {
      const int origin = bit - bits;
      if (origin >= 0 && origin < 8)
        byte[static_cast<std::size_t>(bit)] = a[i][static_cast<std::size_t>(origin)];
    }
    return byte;
  });
}

Pair exchange_bits(const Stage& stage, const Register& a, const Register& b) {
  const auto& mask = stage.tables[0];
  return {select(mask, a, shift(b, stage.shift_bits)), select(mask, shift(a, -stage.shift_bits), b)};
}

Pair split_bits(const Stage& stage, const Register& a) {
  const Register zeros(a.size(), kZero);
  return {select(stage.tables[0], a, zeros), select(stage.tables[0], shift(a, -stage.shift_bits), zeros)};
}

Pair join_bits(const Stage& stage, const Register& a, const Register& b) {
  return {select(stage.tables[0], a, shift(b, stage.shift_bits)), {}};
}

Pair apply_pair(const Stage& stage, const Register& a, const Register& b) {
  switch (stage.move) {
    case Move::kUnpack8:
      return unpack_pair(a, b, 1);
    case Move::kUnpack16:
      return unpack_pair(a, b, 2);
    case Move::kUnpack32:
      return unpack_pair(a, b, 4);
    case Move::kUnpack64:
      return unpack_pair(a, b, 8);
    case Move::kShufflePs:
      return {shuffle_ps(a, b, 0x88), shuffle_ps(a, b, 0xDD)};
    case Move::kShuffleLanes44:
      return {shuffle_lanes(a, b, 0x44), shuffle_lanes(a, b, 0xEE)};
    case Move::kShuffleLanes88:
      return {shuffle_lanes(a, b, 0x88), shuffle_lanes(a, b, 0xDD)};
    case Move::kPermute128:
      return {permute_128(a, b, 0x20), permute_128(a, b, 0x31)};
    case Move::kBlendExchange32:
      return blend_pair(a, b, false);
    case Move::kBlendExchange64:
      return blend_pair(a, b, true);
    case Move::kTwoTablePermute8:
      return permute_pair(stage, a, b, 1);
    case Move::kTwoTablePermute16:
      return permute_pair(stage, a, b, 2);
    case Move::kTwoTablePermute32:
      return permute_pair(stage, a, b, 4);
    case Move::kTwoTablePermute64:
      return permute_pair(stage, a, b, 8);
    case Move::kExchangeBits:
      return exchange_bits(stage, a, b);
    case Move::kSplitBits:
      return split_bits(stage, a);
    case Move::kJoinBits:
      return join_bits(stage, a, b);
    default:
      return {a, b};
  }
}

void apply(const Stage& stage, std::vector<Register>& registers) {
  if (stage.slot < 0) {
    for (Register& a : registers)
      if (!a.empty()) a = apply_single(stage, a);
    return;
  }
  const std::size_t partner = std::size_t{1} << stage.slot;
  for (std::size_t i = 0; i < registers.size(); ++i) {
    if ((i & partner) != 0 || registers[i].empty()) continue;
    Pair results = apply_pair(stage, registers[i], registers[i | partner]);
    registers[i] = std::move(results[0]);
    registers[i | partner] = std::move(results[1]);
  }
}

std::vector<Register> run(const Network& network) {
  std::vector<Register> registers(std::size_t{1} << network.slots);
  int label = 0;
  for (Register& bytes : registers) {
    bytes.resize(static_cast<std::size_t>(network.vector_bytes));
    for (Byte& byte : bytes)
      for (int& bit : byte) bit = label++;
  }
  for (const Stage& stage : network.stages) apply(stage, registers);
  return registers;
}

/// The label of a byte whose bits have stayed together, or -1.
int byte_label(const Byte& byte) {
  for (std::size_t bit = 0; bit < byte.size(); ++bit)
    if (byte[bit] < 0 || byte[bit] != byte[0] + static_cast<int>(bit)) return -1;
  return byte[0] % 8 == 0 ? byte[0] / 8 : -1;
}

}  // namespace

std::vector<std::vector<int>> simulate(const Network& network) {
  std::vector<std::vector<int>> labels;
  for (const Register& bytes : run(network)) {
    labels.emplace_back();
    for (const Byte& byte : bytes) labels.back().push_back(byte_label(byte));
  }
  return labels;
}

std::vector<std::vector<int>> simulate_bits(const Network& network) {
  std::vector<std::vector<int>> labels;
  for (const Register& bytes : run(network)) {
    labels.emplace_back();
    for (const Byte& byte : bytes) labels.back().insert(labels.back().end(), byte.begin(), byte.end());
  }
  return labels;
}

}  // namespace relayout::plan
