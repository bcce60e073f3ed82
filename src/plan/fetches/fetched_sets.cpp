// Eight rows a multiple of 4 KiB apart have their lines in one set of a first cache of eight ways, as have
// the next eight, which would be fetched while the former are read or written. Of 12000 random pairs whose
// data are 0.6 to 24 MiB, on a Zen 3, 335 change where nothing is fetched there: 236 of up to 24 MiB ran at
// 0.68 of memcpy and at 0.77 so, 165 faster by a twentieth and 15 slower (u8[24,64,64,71][3, 1, 0, 2] to [0,
// 2, 3, 1] 0.38 and 0.61, u8[5,6,16,32,714][0, 2, 1, 3, 4] to {1,0,2,3,4} 0.36 and 0.26), those of 20 MiB and
// more alike; 59 larger ones, mostly padding, at 10.8 and 12.7, 46 and two. Half the ways: of 143 whose
// destinations are fetched 118 ran at 0.49 and 0.57, 83 and four; with two lines a set 1.01 times as fast
// again, ten and one of 100. Past the last cache, where fetches come from further, 154 would run 0.95 times
// as fast, 24 and 56.

#include "src/plan/fetches/fetched_sets.hpp"

#include <array>
#include <cstddef>

#include "src/plan/machine/line.hpp"
#include "src/plan/tiles/row_sets.hpp"

namespace relayout::plan {

bool fetches_into_full_sets(const std::vector<Extent>& runs, std::int64_t ahead_bytes, const Target& target) {
  if (ahead_bytes % kSetSpanBytes != 0) return false;
  const int half_the_ways = target.level1_data_ways / 2;
  std::array<int, kSetSpanBytes / kLineBytes> lines{};  // of each set
  for (const Extent& run : runs) {
    const std::int64_t last = line_of(run.offset_bytes + run.bytes - 1);
    for (std::int64_t line = line_of(run.offset_bytes); line <= last; ++line)
      if (++lines[static_cast<std::size_t>(line) % lines.size()] >= half_the_ways) return true;
  }
  return false;
}

}  // namespace relayout::plan
