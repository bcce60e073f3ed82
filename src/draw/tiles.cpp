// On [0, n) every function with f(0) = 0 is a unique sum of c_a * floor(x / a). A step from x - 1 to x
// changes f by the sum of the c_a with a | x, so Moebius inversion gives the c_a; the places a > 1 with c_a
// != 0 are where tiles meet. Independent of notation.

#include <algorithm>

#include "src/draw/picture.hpp"

namespace relayout::draw {
namespace {

/// Longer dimensions are looked at up to here.
constexpr std::int64_t kProbedExtent = 4096;
/// A dimension with more places than this has no tiles that a picture could show.
constexpr std::size_t kMaximumPlaces = 6;

/// Offsets along `dimension`, the other coordinates 0, relative to the first.
Result<Shape> profile(const Subject& subject, std::size_t dimension) {
  Shape coordinate(subject.shape.size(), 0);
  Shape offsets;
  for (std::int64_t& index = coordinate[dimension]; index < std::min(subject.shape[dimension], kProbedExtent);
       ++index) {
    const auto offset = subject.offset(coordinate);
    if (!offset) return offset.error();
    offsets.push_back(*offset - (offsets.empty() ? 0 : offsets.front()));
  }
  if (!offsets.empty()) offsets.front() = 0;
  return offsets;
}

/// The places above 1 with a coefficient other than 0, at most one more than kMaximumPlaces.
std::vector<std::int64_t> places_of(const Shape& offsets) {
  std::vector<std::int64_t> remaining(offsets.size(), 0);
  for (std::size_t x = 1; x < offsets.size(); ++x) remaining[x] = offsets[x] - offsets[x - 1];
  std::vector<std::int64_t> places;
  for (std::size_t place = 1; place < remaining.size() && places.size() <= kMaximumPlaces; ++place) {
    const std::int64_t coefficient = remaining[place];
    if (coefficient == 0) continue;
    for (std::size_t x = place; x < remaining.size(); x += place) remaining[x] -= coefficient;
    if (place > 1) places.push_back(static_cast<std::int64_t>(place));
  }
  return places;
}

bool is_sum(const ElementCell& cell, const std::vector<Shape>& profiles, std::int64_t base) {
  std::int64_t sum = base;
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    const auto index = static_cast<std::size_t>(cell.coordinate[i]);
    if (index >= profiles[i].size()) return false;
    sum += profiles[i][index];
  }
  return sum == cell.offset;
}

}  // namespace

Border TileSteps::before(std::int64_t index) const {
  if (index == 0 || places.empty()) return Border::kNone;
  if (index % places.back() == 0) return Border::kTile;
  for (const std::int64_t place : places) {
    if (index % place == 0) return Border::kInner;
  }
  return Border::kNone;
}

Result<std::vector<TileSteps>> find_tiles(const Subject& subject, const std::vector<Panel>& drawn) {
  std::vector<TileSteps> tiles(subject.shape.size());
  if (drawn.empty() || drawn.front().cells.empty()) return tiles;
  std::vector<Shape> profiles;
  for (std::size_t i = 0; i < subject.shape.size(); ++i) {
    auto offsets = profile(subject, i);
    if (!offsets) return offsets.error();
    profiles.push_back(std::move(*offsets));
  }
  const std::int64_t base = drawn.front().cells.front().offset;
  for (const Panel& panel : drawn) {
    for (const ElementCell& cell : panel.cells) {
      if (!is_sum(cell, profiles, base)) return tiles;
    }
  }
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    tiles[i].places = places_of(profiles[i]);
    if (tiles[i].places.size() > kMaximumPlaces) tiles[i].places.clear();
  }
  return tiles;
}

}  // namespace relayout::draw
