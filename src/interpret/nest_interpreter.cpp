#include "src/interpret/nest_interpreter.hpp"

#include <string>

namespace relayout::interpret {
namespace {

struct Point {
  std::int64_t source = 0;
  std::int64_t destination = 0;
};

/// Appends the piece's points, leaving out those past a guard.
void append_points(const plan::Piece& piece, std::vector<Point>& points) {
  std::vector<std::int64_t> counters(piece.iterators.size(), 0);
  while (true) {
    Point point{piece.source_base, piece.destination_base};
    std::vector<std::int64_t> used(piece.guard_limits.size(), 0);
    for (std::size_t i = 0; i < counters.size(); ++i) {
      const plan::Iterator& iterator = piece.iterators[i];
      point.source += counters[i] * iterator.source_stride;
      point.destination += counters[i] * iterator.destination_stride;
      for (std::size_t g = 0; g < used.size(); ++g) used[g] += counters[i] * iterator.guard_steps[g];
    }
    bool inside = true;
    for (std::size_t g = 0; g < used.size(); ++g) inside = inside && used[g] < piece.guard_limits[g];
    if (inside) points.push_back(point);
    std::size_t digit = 0;
    while (digit < counters.size() && ++counters[digit] == piece.iterators[digit].extent)
      counters[digit++] = 0;
    if (digit == counters.size()) return;
  }
}

std::vector<Point> factor_points(const plan::Factor& factor, NestForm form) {
  const bool guarded = form == NestForm::kGuarded && !factor.guarded.empty();
  std::vector<Point> points;
  for (const plan::Piece& piece : guarded ? factor.guarded : factor.pieces) append_points(piece, points);
  return points;
}

}  // namespace

Result<std::vector<std::int64_t>> source_of_destination(const plan::LoopNest& nest,
                                                        std::int64_t destination_elements, NestForm form) {
  std::vector<Point> points = {{nest.source_base, nest.destination_base}};
  for (const plan::Factor& factor : nest.factors) {
    std::vector<Point> product;
    for (const Point& addend : factor_points(factor, form)) {
      for (const Point& point : points) {
        product.push_back({point.source + addend.source, point.destination + addend.destination});
      }
    }
    if (product.empty()) return Error{ErrorCode::kInternal, "a factor of the loop nest has no points"};
    points = std::move(product);
  }
  std::vector<std::int64_t> map(static_cast<std::size_t>(destination_elements), -1);
  for (const Point& point : points) {
    if (point.destination < 0 || point.destination >= destination_elements) {
      return Error{ErrorCode::kInternal, "the loop nest writes element " + std::to_string(point.destination) +
                                             " outside the destination"};
    }
    std::int64_t& entry = map[static_cast<std::size_t>(point.destination)];
    if (entry != -1) {
      return Error{ErrorCode::kAliasing, "the loop nest writes destination element " +
                                             std::to_string(point.destination) + " twice"};
    }
    entry = point.source;
  }
  return map;
}

}  // namespace relayout::interpret
