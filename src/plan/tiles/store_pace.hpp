#pragma once

#include <cstdint>
#include <vector>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/tiles/micro_tile.hpp"

namespace relayout::plan {

/// Whether the first cache keeps pace with stores of `run_bytes` to each of these rows in turn, offsets in
/// bytes, that go on to the bytes behind them: no more than ten rows, of 12 ways, lie so close to each other
/// within a page that their stores wait for each other. Measurements: store_pace.cpp.
bool stores_keep_pace(std::vector<std::int64_t> rows, std::int64_t run_bytes);

/// The same of the rows that a tile writes.
bool stores_keep_pace(const Box& box, const MicroTile& tile);

}  // namespace relayout::plan
