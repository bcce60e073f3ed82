// Rows of 18 or 24 elements are read 16 at a time, the second time back by 14 or 8. Lines that are streamed
// again take as long as the first time or longer: of 2016 random pairs past the last cache 110 change, 0.78
// and 0.92 of memcpy, 50 faster by a twentieth and four slower (c128[1324,5,12,2,32][4, 3, 2, 0, 1] 0.73 and
// 1.59, bf16[5,4,1024,1024][3, 2, 0, 1] 0.27 and 0.72); 86 at AVX2 0.77 and 0.88. Runs of 8 bytes gain and
// lose alike. Of 3000 that the second cache holds 139 change, 0.74 and 0.82, 101 faster and 16 slower
// (u8[11,862,35] to (8,128) tiles 0.27 and 0.55, c128[16,12,12,9,2] 0.61 and 0.48); 113 at AVX2 0.75 and
// 0.79. With 0.95 there too 143 of 1500 ran 1.07 times as fast, 69 faster and 15 slower, with 0.87 76 1.13
// times, 52 and seven. In the last cache as many gain as lose (all on an Emerald Rapids).

#include "src/plan/tiles/less_overlap.hpp"

#include <utility>

#include "src/plan/machine/line.hpp"

namespace relayout::plan {
namespace {

/// What tiles take that read halves and quarters of a line, besides what they move twice.
constexpr double kHalfLines = 1;
constexpr double kQuarterLines = 1.06;

/// What is to be left of a tile's overlap.
constexpr double kWorthwhileStreamed = 0.95;
constexpr double kWorthwhileInSecondCache = 0.87;

/// How much of a tile's overlap others may have to be better; 0: none are.
double worthwhile(const Box& box, const PairSizes& sizes) {
  switch (sizes.residence) {
    case Residence::kSecondCache:
      return kWorthwhileInSecondCache;
    case Residence::kLastCache:
      return 0;
    case Residence::kMemory:
      return destination_rows_fill_lines(box) ? kWorthwhileStreamed : 0;
  }
  return 0;
}

}  // namespace

std::optional<MicroTile> tile_of_less_overlap(const Box& box, const MicroTile& tile, TileRunLimits limits,
                                              const PairSizes& sizes, const Target& target) {
  if (!target.reads_less_twice || !box.sub_byte_bits.empty()) return std::nullopt;
  double least = worthwhile(box, sizes) * tile.overlap_waste(box);
  if (least <= 1) return std::nullopt;  // no tile moves less than everything once
  std::optional<MicroTile> best;
  for (const double cost : {kHalfLines, kQuarterLines}) {
    limits.source_bytes /= 2;
    if (limits.source_bytes <= sizes.element_bytes) break;
    auto shorter = power_of_two_tile(box, sizes.element_bytes, target, limits);
    const double of_shorter = shorter ? shorter->overlap_waste(box) * cost : least;
    if (of_shorter >= least) continue;
    least = of_shorter;
    best = std::move(shorter);
  }
  return best;
}

}  // namespace relayout::plan
