#include "src/plan/tiles/row_sets.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "src/plan/machine/line.hpp"

namespace relayout::plan {
namespace {

/// One line in so many bytes lies in a set of the first of rows so far apart.
std::int64_t shared_bytes(std::int64_t apart) {
  return std::gcd(apart, kSetSpanBytes);
}

/// Of a set's ways, those that the lines of a tile's rows may take beside others. Of transposes of 1, 2 and 4
/// bytes whose rows to write are within 16 bytes of a multiple of 1 KiB, on a Zen 3, 87 change where all ways
/// are to be taken, 1.32 times as fast, 75 faster by a twentieth and three slower; at 0.8 of them 131, 1.42
/// times, 129 and two; at 0.6 96 more, 1.16 times, 69 and 14, which lose by rows more than 12 bytes beyond.
constexpr double kNearlyFull = 0.7;

/// Lines of a line of each of `rows` rows, of `run_bytes` at most, on average of the sets that have any; the
/// first row begins on a line.
double lines_a_set(std::int64_t rows, std::int64_t apart, std::int64_t run_bytes) {
  std::bitset<kSetSpanBytes / kLineBytes> sets;
  std::int64_t lines = 0;
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t first = row * apart;
    const std::int64_t last = first + std::min(run_bytes, kLineBytes) - 1;
    for (std::int64_t line = first / kLineBytes; line <= last / kLineBytes; ++line, ++lines)
      sets.set(static_cast<std::size_t>(line) % sets.size());
  }
  return static_cast<double>(lines) / static_cast<double>(sets.count());
}

}  // namespace

RowSets row_sets(const Box& box, const MicroTile& tile, std::int64_t Axis::*stride, std::int64_t span_bytes,
                 std::int64_t near_bytes) {
  RowSets found = RowSets::kSpread;
  for (std::size_t i = 0; i < box.axes.size(); ++i) {
    const std::int64_t apart = std::abs(box.axes[i].*stride);
    if (tile.extents[i] < kFewRows || apart < span_bytes - near_bytes) continue;
    const std::int64_t beyond = apart % span_bytes;
    if (beyond == 0) return RowSets::kOne;
    if (std::min(beyond, span_bytes - beyond) <= near_bytes) found = RowSets::kNearlyOne;
  }
  return found;
}

bool has_row(const Box& box, std::int64_t Axis::*stride, std::int64_t row_bytes, std::int64_t element_bytes) {
  return std::ranges::any_of(box.axes, [&](const Axis& axis) {
    return axis.*stride == element_bytes && axis.extent * element_bytes >= row_bytes;
  });
}

bool written_rows_share_sets(const Box& box, const MicroTile& tile) {
  return row_sets(box, tile, &Axis::destination_stride, kSetSpanBytes / 2) == RowSets::kOne;
}

bool read_rows_share_sets(const Box& box, const MicroTile& tile, std::int64_t span_bytes) {
  return row_sets(box, tile, &Axis::source_stride, span_bytes) == RowSets::kOne;
}

bool rows_outgrow_sets(const Box& box, const MicroTile& tile, std::int64_t Axis::*stride,
                       std::int64_t span_bytes, std::int64_t most_rows, std::int64_t level1_data_bytes) {
  for (std::size_t i = 0; i < box.axes.size(); ++i) {
    const std::int64_t apart = std::abs(box.axes[i].*stride);
    if (tile.extents[i] < kFewRows || apart == 0 || apart % span_bytes != 0) continue;
    if (std::min(box.axes[i].extent, most_rows) * shared_bytes(apart) > level1_data_bytes) return true;
  }
  return false;
}

std::vector<std::int64_t> rows_of_tile(const Box& box, const MicroTile& tile, std::int64_t Axis::*stride) {
  std::vector<std::int64_t> rows = {0};
  for (std::size_t i = 0; i < box.axes.size(); ++i) {
    const std::int64_t apart = box.axes[i].*stride;
    if (std::abs(apart) < kLineBytes) continue;
    const std::size_t before = rows.size();
    for (std::int64_t step = 1; step < tile.extents[i]; ++step)
      for (std::size_t row = 0; row < before; ++row) rows.push_back(rows[row] + step * apart);
  }
  return rows;
}

std::int64_t place_in_page(std::int64_t offset_bytes) {
  return (offset_bytes % kSetSpanBytes + kSetSpanBytes) % kSetSpanBytes;
}

std::int64_t most_lines_in_a_set(const Box& box, const MicroTile& tile, std::int64_t Axis::*stride,
                                 std::int64_t row_bytes) {
  std::array<std::int64_t, kSetSpanBytes / kLineBytes> lines{};
  for (const std::int64_t row : rows_of_tile(box, tile, stride)) {
    const std::int64_t begin = place_in_page(row);
    for (std::int64_t line = begin / kLineBytes; line * kLineBytes < begin + row_bytes; ++line)
      ++lines[static_cast<std::size_t>(line) % lines.size()];
  }
  return *std::ranges::max_element(lines);
}

bool outgrows_a_set(const Box& box, const MicroTile& tile, std::int64_t Axis::*stride, const Target& target) {
  return most_lines_in_a_set(box, tile, stride, 1) > target.level1_data_ways;
}

std::int64_t most_written_lines_in_a_set(const Box& box, const MicroTile& tile) {
  return most_lines_in_a_set(box, tile, &Axis::destination_stride, 2 * kLineBytes);
}

bool rows_fill_sets(const Box& box, const MicroTile& tile, std::int64_t level1_data_bytes, bool nearly) {
  const double ways = static_cast<double>(level1_data_bytes) / kSetSpanBytes;
  const auto fill = [&](std::int64_t Axis::*stride, std::int64_t run_bytes) {
    for (std::size_t i = 0; i < box.axes.size(); ++i) {
      const std::int64_t apart = std::abs(box.axes[i].*stride);
      if (tile.extents[i] * shared_bytes(apart) >= level1_data_bytes) return true;
      if (nearly && tile.extents[i] >= kFewRows && apart >= kLineBytes &&
          lines_a_set(tile.extents[i], apart, run_bytes) >= kNearlyFull * ways)
        return true;
    }
    return false;
  };
  return fill(&Axis::source_stride, tile.source_run_bytes) ||
         fill(&Axis::destination_stride, tile.destination_run_bytes);
}

}  // namespace relayout::plan
