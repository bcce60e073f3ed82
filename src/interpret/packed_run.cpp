// A run is cut at the destination's bytes: elements up to the first byte boundary one by one, then whole
// bytes, then the rest one by one. Where the source runs along as well, whole bytes are 64-bit words shifted.

#include "src/interpret/packed_run.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace relayout::interpret {
namespace {

template <int kSourceBits, int kDestinationBits>
class RunMover {
 public:
  static void move(const std::byte* source, std::byte* destination, const PackedRun& run) noexcept {
    PackedRun rest = run;
    const std::int64_t misplaced = run.first.destination % kInByte;
    if (misplaced != 0) move_singly(source, destination, rest, std::min(kInByte - misplaced, rest.count));
    const std::int64_t bytes = rest.count / kInByte;
    move_bytes(source, destination, rest, bytes);
    advance(rest, bytes * kInByte);
    move_singly(source, destination, rest, rest.count);
  }

 private:
  static constexpr int kMovedBits = std::min(kSourceBits, kDestinationBits);
  static constexpr std::int64_t kInByte = 8 / kDestinationBits;
  static constexpr PackedWidths kWidths = {kMovedBits, kSourceBits, kDestinationBits};

  static void move_bytes(const std::byte* source, std::byte* destination, const PackedRun& run,
                         std::int64_t bytes) noexcept {
    if constexpr (kSourceBits == kDestinationBits && kSourceBits < 8) {
      if (run.source_stride == 1) return copy_bits(source, destination, run, bytes);
    }
    build_bytes(source, destination, run, bytes);
  }

  static void advance(PackedRun& run, std::int64_t elements) noexcept {
    run.first.source += elements * run.source_stride;
    run.first.destination += elements;
    run.count -= elements;
  }

  static void move_singly(const std::byte* source, std::byte* destination, PackedRun& run,
                          std::int64_t count) noexcept {
    for (std::int64_t i = 0; i < count; ++i) {
      move_packed_element(source, destination, run.first, kWidths);
      advance(run, 1);
    }
  }

  static unsigned value_at(const std::byte* source, std::int64_t element) noexcept {
    constexpr unsigned kMask = (1U << kMovedBits) - 1U;
    if constexpr (kSourceBits == 8) return static_cast<unsigned>(source[element]) & kMask;
    const std::int64_t bit = element * kSourceBits;
    return static_cast<unsigned>(source[bit >> 3]) >> (bit & 7) & kMask;
  }

  static void build_bytes(const std::byte* source, std::byte* destination, const PackedRun& run,
                          std::int64_t bytes) noexcept {
    std::byte* to = destination + run.first.destination / kInByte;
    std::int64_t from = run.first.source;
    for (std::int64_t i = 0; i < bytes; ++i) {
      unsigned byte = 0;
      for (int k = 0; k < kInByte; ++k, from += run.source_stride) {
        byte |= value_at(source, from) << (k * kDestinationBits);
      }
      to[i] = static_cast<std::byte>(byte);
    }
  }

  /// Every source byte that is read holds bits of the run: eight whole bytes from bit s > 0 on end in a
  /// ninth.
  static void copy_bits(const std::byte* source, std::byte* destination, const PackedRun& run,
                        std::int64_t bytes) noexcept {
    std::byte* to = destination + run.first.destination / kInByte;
    const std::byte* from = source + run.first.source * kSourceBits / 8;
    const int shift = static_cast<int>(run.first.source * kSourceBits % 8);
    if (bytes <= 0) return;
    if (shift == 0) {
      std::memcpy(to, from, static_cast<std::size_t>(bytes));
      return;
    }
    std::int64_t i = 0;
    for (; i + 8 <= bytes; i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, from + i, sizeof word);
      word = word >> shift | static_cast<std::uint64_t>(from[i + 8]) << (64 - shift);
      std::memcpy(to + i, &word, sizeof word);
    }
    for (; i < bytes; ++i) to[i] = from[i] >> shift | from[i + 1] << (8 - shift);
  }
};

template <int kSourceBits>
constexpr std::array<MovePackedRun, 4> kMoversFrom = {
    RunMover<kSourceBits, 1>::move, RunMover<kSourceBits, 2>::move, RunMover<kSourceBits, 4>::move,
    RunMover<kSourceBits, 8>::move};

constexpr std::array<std::array<MovePackedRun, 4>, 4> kMovers = {kMoversFrom<1>, kMoversFrom<2>,
                                                                 kMoversFrom<4>, kMoversFrom<8>};

std::size_t log2(int bits) {
  return static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(bits)));
}

}  // namespace

MovePackedRun packed_run_mover(const PackedWidths& widths) noexcept {
  if (widths.source_spacing_bits > 8 || widths.destination_spacing_bits > 8) return nullptr;
  return kMovers[log2(widths.source_spacing_bits)][log2(widths.destination_spacing_bits)];
}

}  // namespace relayout::interpret
