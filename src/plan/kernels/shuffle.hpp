#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/model/plan.hpp"
#include "src/plan/tiles/micro_tile.hpp"

namespace relayout::plan {

/// More than these, and a tile is not worth its tables.
inline constexpr std::size_t kMaximumShuffleTerms = 192;

struct ShuffleLimits {
  int piece_bytes = 16;  ///< 16 or 64
  std::size_t terms = kMaximumShuffleTerms;
  /// From the tile's first byte on the source has so many, wherever the tile is; 0: unknown, so that no piece
  /// is lengthened beyond that byte.
  std::int64_t readable_bytes = 0;
};

/// The tile as pieces and table shuffles; nothing if it would take more terms than allowed.
/// \param places where the destination's runs have padding behind them: the tile with it, which is zeros
std::optional<ShuffleKernel> make_shuffle(const Box& box, const MicroTile& tile, std::int64_t element_bytes,
                                          const ShuffleLimits& limits, const MicroTile* places = nullptr);

/// False if the kernel's parts do not fit together.
bool is_sound(const ShuffleKernel& kernel);

/// Shuffles of one tile.
std::size_t term_count(const ShuffleKernel& kernel);

/// Whether a tile that starts on a line writes only whole lines, in aligned pieces.
bool writes_whole_lines(const ShuffleKernel& kernel, std::int64_t line_bytes);

}  // namespace relayout::plan
