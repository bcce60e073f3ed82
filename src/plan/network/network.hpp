#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "relayout/isa.hpp"
#include "relayout/result.hpp"

namespace relayout::plan {

/// What happens to a register bit of a tile on account of elements narrower than a byte.
enum class SubByte : std::uint8_t {
  kNone,      ///< nothing: the bit moves whole bytes
  kExchange,  ///< changes places with a bit of the index within every byte
  kSplit,     ///< unpacking: bytes are loaded once, and their halves go to either register; source stride 0
  kJoin,      ///< packing: the halves of a byte come from either register; destination stride 0
};

/// One bit of a micro-tile's logical index: setting it moves the address by these many bytes on either side.
/// The lowest bits of a tile are the bytes of an element: strides 1, 2, 4, ... on both sides.
struct TileBit {
  std::int64_t source_stride_bytes = 0;
  std::int64_t destination_stride_bytes = 0;
  SubByte sub_byte = SubByte::kNone;
  int shift_bits = 0;  ///< 1, 2 or 4: how far apart the elements are, within a byte, that `sub_byte` moves
};

/// Moves of the network; network_moves.cpp has their exact actions on index bits.
enum class Move : std::uint8_t {
  kUnpack8,            ///< vpunpckl/hbw
  kUnpack16,           ///< vpunpckl/hwd
  kUnpack32,           ///< vpunpckl/hdq
  kUnpack64,           ///< vpunpckl/hqdq
  kShufflePs,          ///< vshufps 0x88 / 0xDD
  kShuffleLanes44,     ///< vshufi32x4 0x44 / 0xEE (512-bit)
  kShuffleLanes88,     ///< vshufi32x4 0x88 / 0xDD (512-bit)
  kPermute128,         ///< vperm2i128 0x20 / 0x31 (256-bit)
  kPermuteDwords,      ///< vpshufd 0xD8, one register
  kSwapLanes,          ///< vshufi32x4 a,a,0xD8, one register (512-bit)
  kByteShuffle,        ///< vpshufb with a table, one register
  kTablePermute8,      ///< vpermb with a table, one register
  kTablePermute16,     ///< vpermw
  kTablePermute32,     ///< vpermd
  kTablePermute64,     ///< vpermq by table (512-bit) or by immediate 0xD8 (256-bit)
  kBlendExchange32,    ///< exchange of index bit 2 with a register bit: two vpshufd, two blends
  kBlendExchange64,    ///< exchange of index bit 3 with a register bit: two vpshufd, two blends
  kTwoTablePermute8,   ///< vpermt2b
  kTwoTablePermute16,  ///< vpermt2w
  kTwoTablePermute32,  ///< vpermt2d
  kTwoTablePermute64,  ///< vpermt2q
  kExchangeBits,       ///< shifts and masks: exchange of a bit of the index within bytes with a register bit
  kSplitBits,          ///< the low and the high parts of one register's bytes, each in the low parts
  kJoinBits,           ///< the inverse: the low parts of two registers in one
};

/// One step of a network: `move` applied to every register (single-register moves) or to every pair of
/// registers (i, i with bit `slot` set).
struct Stage {
  Move move{};
  int slot = -1;  ///< bit of the register number that takes part; -1 for single-register moves
  /// Index tables in bytes as the instruction reads them from memory (a full vector each): one for
  /// single-register table moves, two (low result, high result) for two-register ones, none otherwise. For
  /// shifts one mask m of the bits that are the low ones of each pair of parts.
  std::vector<std::vector<std::uint8_t>> tables;
  int shift_bits = 0;  ///< of the moves within bytes: 1, 2 or 4
};

/// A run of stages between two passes through memory. Only `slots` are live in registers at once; the other
/// slots are looped over (unrolled in groups). Phases but the first read, and phases but the last write, a
/// scratch of `scratch_bytes` in which register r lies at `r * vector_bytes`.
struct Phase {
  std::vector<int> slots;
  int first_stage = 0;
  int last_stage = 0;  ///< one past
  /// More vectors than the registers hold: those with the last slot's bit clear pass the stages but the last
  /// one, which alone has that slot, then those with it set, while some of the former wait in memory.
  bool half_by_half = false;
};

/// What there is of one piece of a vector.
struct SidePiece {
  std::int64_t offset_bytes = 0;  ///< from the tile's first byte
  int bytes = 0;                  ///< from the piece's front on; 0: nothing
};

/// How one side of a tile reads or writes a vector: lane position p (weight 2^p bytes) has stride
/// `lane_stride[p]`. The longest prefix with `lane_stride[p] == 2^p` is the contiguous piece; a vector is
/// 2^(rest) pieces.
struct Side {
  std::vector<std::int64_t> lane_stride_bytes;      ///< per lane position, log2(vector bytes) of them
  std::vector<std::int64_t> register_stride_bytes;  ///< per slot (bit of the register number)
  /// Where the tile was rounded up (rounded_tile.hpp), padded (padded_box.hpp) or has gaps (gapped_box.hpp)
  /// the pieces say where they are and what exists of them, and strides only number the bits: by register,
  /// then by place in it. Else empty.
  std::vector<SidePiece> pieces;
  int most_piece_bytes = 0;  ///< of a memory access, however much is contiguous in registers; 0: any
  /// Contiguous bytes per memory access, as registers have them.
  int piece_bytes() const;
  /// How far apart the vectors lie that a slot tells apart, in either direction.
  std::int64_t reach_bytes(int slot) const;
  /// The piece that begins at lane index `byte` of a register.
  SidePiece piece(int register_number, int byte) const;
};

/// A scratch in pieces that keep their distance from the destination's addresses (striped_scratch.hpp).
struct ScratchStripes {
  std::int64_t bytes =
      0;  ///< of each, as many being left free after it: a power of two; 0: there is one piece
  /// Modulo twice `bytes`, the first begins so many after the destination of the call, rounded down to lines.
  std::int64_t ahead_bytes = 0;
};

/// A permutation of 2^slots vectors as data: what the emitter and the simulator walk.
struct Network {
  int vector_bytes = 0;
  int element_bytes = 1;
  int slots = 0;
  Side source;
  Side destination;
  std::vector<Stage> stages;
  std::vector<Phase> phases;
  std::int64_t scratch_bytes = 0;  ///< 0 with a single phase
  ScratchStripes scratch_stripes;  ///< of streamed code
  double predicted_cycles_per_vector = 0;
  /// Bytes of the destination whose source does not exist are zeros: padding (padded_box.hpp).
  bool fills_padding = false;
  /// Parts of vectors that are neighbours in memory are stored one after the other (jit/store_turns.hpp).
  bool stores_by_address = false;
  /// The first phase loads the vectors of a line one after the other wherever their order is free. (Last
  /// phases, which load from a scratch, keep to the destination's order: 119 pairs 1.02 times as fast so, 13
  /// faster by a twentieth and two slower, on a Zen 3.)
  bool reads_whole_lines = false;

  /// Bytes that it moves, and that a scratch for all of its vectors takes.
  std::int64_t tile_bytes() const { return std::int64_t{vector_bytes} << slots; }
};

/// How the vectors that share a line of the destination, or fill neighbouring ones, are written.
enum class LineStores : std::uint8_t {
  kTogetherIfFree,  ///< one after the other where that takes no scratch, or no more of it
  kTogether,        ///< one after the other
  kFromScratch,     ///< in any order: into a scratch, from which they are copied
};

/// Whose vectors may be put together from, or taken apart into, halves of different rows where that spares
/// shuffles: on Intel, inserts from memory and extracts to it do not need the shuffle port. A Zen 3 gains by
/// the register bit that the spared exchange would need.
enum class SplitVectors : std::uint8_t {
  kNever,
  kLoadedToSavePass,  ///< only loaded, and only where that saves a pass through the scratch
  kLoaded,
  kLoadedAndStored,
};

/// What executes shuffles.
enum class ShufflePorts : std::uint8_t {
  kSeveral,      ///< AMD's Zen 5, and the common model
  kOne,          ///< Intel's Cascade Lake, vectors of 32 bytes as well
  kOneForWide,   ///< Intel's Golden Cove: one for vectors of 64 bytes and for what crosses lanes, else two
  kOneForLanes,  ///< AMD's Zen 3: two within 128-bit lanes, beside them one for whole lanes
  kTwoOfHalves,  ///< AMD's Zen 4: two for any, a third for some; those of 64 bytes take twice as long
};

inline constexpr std::size_t kShufflePortsCount = 5;

/// Whether one port executes all shuffles, or all of wide vectors: Intel's.
constexpr bool is_short_of_shuffles(ShufflePorts ports) {
  return ports == ShufflePorts::kOne || ports == ShufflePorts::kOneForWide;
}

/// What a network may use and what moves cost: data of the target, never asked of the CPU.
struct NetworkTarget {
  Isa isa = Isa::kAvx2;
  int vector_bytes = 32;
  int registers = 16;  ///< vector registers
  ShufflePorts shuffle_ports = ShufflePorts::kSeveral;
  LineStores line_stores = LineStores::kTogetherIfFree;
  /// Neighbouring lines of longer runs are read together, and written together, through a scratch if need be.
  bool keeps_runs_together = true;
  SplitVectors split_vectors = SplitVectors::kNever;

  bool is_short_of_shuffles() const { return plan::is_short_of_shuffles(shuffle_ports); }
};

/// The cheapest network known for the tile `bits` (the element's own bits first). Lane positions of a side
/// whose run is shorter than a vector are filled with the bits that need the fewest moves, and read or
/// written in pieces. \error kUnsupported if the tile has fewer bytes than a vector or strides that collide
/// Thread safe; builds a table of up to a few ms once per element width and target, then takes microseconds.
Result<Network> synthesize(const NetworkTarget& target, int element_bytes, std::span<const TileBit> bits);

/// The result of running the stages on labelled bytes: entry [register][byte] is the input register *
/// vector_bytes + byte that ends there. Written from the instructions' definitions, independent of the bit
/// model of synthesize.
/// -1 for bytes that are not moved whole.
std::vector<std::vector<int>> simulate(const Network& network);

/// The same for single bits: entry [register][8 * byte + bit] is 8 * (the input byte) + the input bit, or -1
/// where zeros are shifted in. Registers that hold nothing any more are empty.
std::vector<std::vector<int>> simulate_bits(const Network& network);

/// Readable dump: one stage a line.
std::string to_string(const Network& network);

}  // namespace relayout::plan
