#pragma once

#include <cstdint>
#include <optional>
#include <random>

#include "src/plan/model/target.hpp"
#include "src/plan/padding/padded_box.hpp"
#include "tests/plan/network/network_checks.hpp"

namespace relayout::plan::testing {

/// An AVX2 target that is not asked of the machine.
Target narrow_target();

/// A box of three axes: runs of `data` elements, `places` places apart at the destination, along which the
/// source has another axis's runs. Gaps between the source's rows now and then.
Box random_box_of_runs(std::mt19937_64& random, int element_bytes, std::int64_t data, std::int64_t places);

/// A box of runs as above, which the source has in rows of `data` elements.
Box random_box_of_rows(std::mt19937_64& random, int element_bytes, std::int64_t data, std::int64_t places);

/// The padding behind the runs of such a box.
PaddingPiece padding_behind(const Box& box, int element_bytes, std::int64_t places);

/// A tile of the padded axis and others, and its network for a target: of a power of two, or rounded up.
struct PaddedTile {
  MicroTile tile;
  Network network;
};
std::optional<PaddedTile> whole_tile(const PaddedBox& padded, int element_bytes,
                                     NetworkTarget target = target_of(Isa::kAvx2));
std::optional<PaddedTile> whole_rounded_tile(const PaddedBox& padded, int element_bytes,
                                             NetworkTarget target = target_of(Isa::kAvx2));

/// Of every byte of the tile's places at the destination, where elements from `extent` on along `axis` do not
/// exist.
ByteOrigins origins_of_places(const Box& box, std::size_t axis, std::int64_t extent, const MicroTile& tile,
                              int element_bytes);

/// Of every byte of the destination's tile.
ByteOrigins expected_origins(const PaddedBox& padded, const MicroTile& tile, int element_bytes);

}  // namespace relayout::plan::testing
