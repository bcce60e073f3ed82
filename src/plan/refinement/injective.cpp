#include "src/plan/refinement/injective.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <unordered_set>
#include <vector>

#include "src/plan/refinement/loop_nest.hpp"
#include "src/plan/refinement/places.hpp"

namespace relayout::plan {
namespace {

constexpr std::int64_t kMaximumEnumerated = std::int64_t{1} << 24;
/// With more, a bit for each place takes more memory than a search for each point.
constexpr std::int64_t kMostPlacesPerPoint = 256;

/// One piece whose strides nest: each step goes past all that the shorter steps can reach.
bool strides_nest(const Problem& problem) {
  const auto nest = refine(problem);
  if (!nest || expanded_pieces(*nest) != 1) return false;
  std::int64_t reach = 0;
  std::vector<Iterator> iterators = expand(*nest).front().iterators;
  std::sort(iterators.begin(), iterators.end(), [](const Iterator& a, const Iterator& b) {
    return std::abs(a.destination_stride) < std::abs(b.destination_stride);
  });
  for (const Iterator& iterator : iterators) {
    const std::int64_t stride = std::abs(iterator.destination_stride);
    if (stride <= reach) return false;
    reach += (iterator.extent - 1) * stride;
  }
  return true;
}

std::string coordinate_text(const Problem& problem, std::int64_t point) {
  std::string text = ")";
  for (std::size_t i = problem.extents.size(); i-- > 0;) {
    text.insert(0, std::to_string(point % problem.extents[i]));
    text.insert(0, 1, i == 0 ? '(' : ',');
    point /= problem.extents[i];
  }
  return problem.extents.empty() ? "()" : text;
}

Error aliasing(const Problem& problem, std::int64_t place, std::int64_t point) {
  Places places(problem);
  std::int64_t first = 0;
  while (places.next() != place) ++first;
  return {ErrorCode::kAliasing, "the destination puts " + coordinate_text(problem, first) + " and " +
                                    coordinate_text(problem, point) + " at the same place"};
}

/// A bit for each place, or a search where few elements lie in a large buffer.
Status check_by_enumeration(const Problem& problem, std::int64_t points) {
  const bool marks = problem.destination_elements <= kMostPlacesPerPoint * points;
  std::vector<bool> marked(marks ? static_cast<std::size_t>(problem.destination_elements) : 0);
  std::unordered_set<std::int64_t> found;
  const auto take = [&](std::int64_t place) {
    if (place < 0 || place >= static_cast<std::int64_t>(marked.size())) return found.insert(place).second;
    const auto index = static_cast<std::size_t>(place);
    const bool is_new = !marked[index];
    marked[index] = true;
    return is_new;
  };
  Places places(problem);
  for (std::int64_t point = 0; point < points; ++point) {
    const std::int64_t place = places.next();
    if (!take(place)) return aliasing(problem, place, point);
  }
  return {};
}

}  // namespace

Status check_injective(const Problem& problem) {
  std::int64_t points = 1;
  for (const std::int64_t extent : problem.extents) {
    if (__builtin_mul_overflow(points, extent, &points)) points = INT64_MAX;
  }
  Problem image = problem;
  if (problem.permuted_destination) image.destination = problem.permuted_destination->before;
  image.source = image.destination;
  if (points == 0 || strides_nest(image)) return {};
  if (points > kMaximumEnumerated) {
    return Error{ErrorCode::kUnsupported,
                 "the destination's strides do not show that no two elements share a place"};
  }
  return check_by_enumeration(image, points);
}

}  // namespace relayout::plan
