#pragma once

#include <cstdint>
#include <optional>

#include "src/plan/padding/gapped_box.hpp"
#include "tests/plan/network/network_checks.hpp"

namespace relayout::plan::testing {

/// The last rows of tiles of rows: `rows` of every `places` exist, `columns` of each, in `tiles` tiles. At
/// the destination the tiles follow one another.
Box last_rows(std::int64_t rows, std::int64_t places, std::int64_t columns, std::int64_t tiles,
              std::int64_t element_bytes);

/// Bytes of the source of such a box, the places of the last column included.
std::int64_t source_bytes_of(const Box& box, std::int64_t places, std::int64_t element_bytes);

/// A tile that takes the groups of a gapped box whole, and its network for a target.
struct GappedTile {
  MicroTile tile;
  Network network;
};
std::optional<GappedTile> whole_groups(const GappedBox& gapped, int element_bytes, NetworkTarget target);

/// Where every byte that the tile writes comes from.
ByteOrigins written_from(const GappedBox& gapped, const MicroTile& tile, int element_bytes);

}  // namespace relayout::plan::testing
