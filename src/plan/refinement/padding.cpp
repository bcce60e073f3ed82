// The image of the destination map is a union of pieces whose iterators nest: sorted by stride, each stride
// is at least the extent times the stride before. So address space can be cut into windows of the largest
// stride; windows that hold the same parts of the same pieces form one iterator, and each window's gaps are
// found in the same way one level down.

#include "src/plan/refinement/padding.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "src/plan/refinement/places.hpp"

namespace relayout::plan {
namespace {

/// A nested box of valid elements: `iterators` by rising stride.
struct Valid {
  std::int64_t base = 0;
  std::vector<Iterator> iterators;

  std::int64_t last() const {
    std::int64_t sum = base;
    for (const Iterator& iterator : iterators) sum += (iterator.extent - 1) * iterator.destination_stride;
    return sum;
  }
};

/// More pieces than this are not worth the recursion: enumerate.
constexpr std::int64_t kMaximumPieces = 512;
constexpr std::int64_t kMaximumMarkedElements = std::int64_t{1} << 28;

class GapFinder {
 public:
  /// False if the pieces do not nest.
  bool find(const std::vector<Valid>& valid, std::int64_t size) {
    if (!add_gaps(valid, {0, size, {}})) return false;
    return gaps.size() <= static_cast<std::size_t>(kMaximumPieces);
  }

  std::vector<PaddingPiece> gaps;

 private:
  /// [begin, begin + size) of address space, repeated over the iterators.
  struct Window {
    std::int64_t begin = 0;
    std::int64_t size = 0;
    std::vector<Iterator> repeats;
  };

  void emit(const Window& window, std::int64_t offset, std::int64_t length) {
    if (length > 0) gaps.push_back({window.begin + offset, length, window.repeats});
  }

  /// The largest stride among `valid`; 1 if all are single runs.
  static std::int64_t largest_stride(const std::vector<Valid>& valid) {
    std::int64_t largest = 1;
    for (const Valid& box : valid) {
      if (!box.iterators.empty()) largest = std::max(largest, box.iterators.back().destination_stride);
    }
    return largest;
  }

  /// Offsets in `boxes` count from the window's begin.
  bool add_gaps(const std::vector<Valid>& boxes, const Window& window) {
    const std::int64_t stride = largest_stride(boxes);
    if (stride == 1) return add_gaps_between_runs(boxes, window);
    std::vector<Valid> valid;
    for (const Valid& box : boxes) split_at_windows(box, stride, valid);
    std::set<std::int64_t> cuts = {0, window.size / stride};
    for (const Valid& box : valid) {
      cuts.insert(box.base / stride);
      cuts.insert(box.base / stride + steps_along(box, stride));
    }
    for (auto first = cuts.begin(), next = std::next(first); next != cuts.end(); ++first, ++next) {
      if (*first * stride >= window.size) break;
      if (!add_gaps_in_windows(valid, window, stride, {*first, *next})) return false;
    }
    const std::int64_t covered = *cuts.rbegin() * stride;
    if (covered < window.size) emit(window, covered, window.size - covered);
    return true;
  }

  /// A box whose outermost iterator runs through several windows of a larger stride, as a head, whole windows
  /// and a
  /// tail. Boxes within a window, or that walk by windows, stay as they are.
  static void split_at_windows(const Valid& box, std::int64_t stride, std::vector<Valid>& parts) {
    const bool spans = box.last() / stride != box.base / stride;
    if (box.iterators.empty() || !spans || stride % box.iterators.back().destination_stride != 0 ||
        box.iterators.back().destination_stride == stride) {
      parts.push_back(box);
      return;
    }
    const Iterator outermost = box.iterators.back();
    const std::int64_t per_window = stride / outermost.destination_stride;
    const std::int64_t left_in_first = stride - box.base % stride;
    std::int64_t taken = (left_in_first + outermost.destination_stride - 1) / outermost.destination_stride;
    const auto add = [&](std::int64_t first, std::int64_t extent, std::int64_t windows) {
      Valid part{box.base + first * outermost.destination_stride, box.iterators};
      part.iterators.back().extent = extent;
      if (windows > 1) part.iterators.push_back({windows, 0, stride, {}});
      if (extent > 0 && windows > 0) parts.push_back(std::move(part));
    };
    add(0, taken, 1);
    const std::int64_t windows = (outermost.extent - taken) / per_window;
    add(taken, per_window, windows);
    taken += windows * per_window;
    add(taken, outermost.extent - taken, 1);
  }

  /// Windows of `stride` that the box spans.
  static std::int64_t steps_along(const Valid& box, std::int64_t stride) {
    const bool walks = !box.iterators.empty() && box.iterators.back().destination_stride == stride;
    return walks ? box.iterators.back().extent : 1;
  }

  struct Range {
    std::int64_t first = 0;
    std::int64_t last = 0;  ///< one past
  };

  /// Windows [first, last) of `stride` hold the same parts.
  bool add_gaps_in_windows(const std::vector<Valid>& valid, const Window& window, std::int64_t stride,
                           Range range) {
    std::vector<Valid> inside;
    for (const Valid& box : valid) {
      const std::int64_t begin = box.base / stride;
      if (begin + steps_along(box, stride) <= range.first || begin >= range.last) continue;
      Valid part{box.base % stride, box.iterators};
      if (!part.iterators.empty() && part.iterators.back().destination_stride == stride)
        part.iterators.pop_back();
      if (part.last() >= stride) return false;
      inside.push_back(std::move(part));
    }
    const std::int64_t size = std::min(stride, window.size - range.first * stride);
    if (inside.empty()) {
      const std::int64_t end = std::min(range.last * stride, window.size);
      emit(window, range.first * stride, end - range.first * stride);
      return true;
    }
    Window next{window.begin + range.first * stride, size, window.repeats};
    if (range.last - range.first > 1) next.repeats.push_back({range.last - range.first, 0, stride, {}});
    return add_gaps(inside, next);
  }

  bool add_gaps_between_runs(const std::vector<Valid>& valid, const Window& window) {
    std::map<std::int64_t, std::int64_t> runs;
    for (const Valid& box : valid) {
      if (!runs.emplace(box.base, box.last() + 1).second) return false;
    }
    std::int64_t at = 0;
    for (const auto& [begin, end] : runs) {
      if (begin < at) return false;
      emit(window, at, begin - at);
      at = end;
    }
    emit(window, at, window.size - at);
    return true;
  }
};

std::optional<std::vector<PaddingPiece>> nested_padding(const Problem& problem) {
  Problem image = problem;
  image.source = expr::IndexExpr();  // only where elements are written matters
  const auto nest = refine(image, {.guarded = false});
  if (!nest || !nest->within_budget || expanded_pieces(*nest) > kMaximumPieces) return std::nullopt;
  std::vector<Valid> valid;
  for (Piece& piece : expand(*nest)) valid.push_back({piece.destination_base, std::move(piece.iterators)});
  GapFinder finder;
  if (!finder.find(valid, problem.destination_elements)) return std::nullopt;
  return std::move(finder.gaps);
}

/// Appends where a permutation takes the piece. False if that is too many pieces, or not all of it stays
/// below `size`.
bool append_permuted(const PaddingPiece& piece, const expr::IndexExpr& permutation, std::int64_t size,
                     std::vector<PaddingPiece>& pieces) {
  Problem image;
  expr::IndexExpr place = expr::IndexExpr::constant(piece.destination_base);
  const auto add = [&](std::int64_t extent, std::int64_t stride) {
    const auto dimension = static_cast<int>(image.extents.size());
    place = place +
            expr::IndexExpr::variable(dimension, "d" + std::to_string(dimension), {0, extent - 1}) * stride;
    image.extents.push_back(extent);
  };
  for (const Iterator& iterator : piece.iterators) add(iterator.extent, iterator.destination_stride);
  add(piece.length, 1);
  image.destination = expr::substitute(permutation, std::span(&place, 1));
  image.source = image.destination;
  const auto nest = refine(image, {.guarded = false});
  if (!nest || !nest->within_budget || expanded_pieces(*nest) > kMaximumPieces) return false;
  for (Piece& moved : expand(*nest)) {
    const Valid box{moved.destination_base, moved.iterators};
    if (box.base < 0 || box.last() >= size) return false;
    PaddingPiece result{moved.destination_base, 1, {}};
    for (const Iterator& iterator : moved.iterators) {
      if (iterator.destination_stride == 1) {
        result.length = iterator.extent;
      } else {
        result.iterators.push_back({iterator.extent, 0, iterator.destination_stride, {}});
      }
    }
    pieces.push_back(std::move(result));
  }
  return pieces.size() <= static_cast<std::size_t>(kMaximumPieces);
}

/// Elements and padding together fill the buffer before a permutation of its places and after it.
std::optional<std::vector<PaddingPiece>> permuted_padding(const Problem& problem) {
  Problem before = problem;
  before.destination = problem.permuted_destination->before;
  const auto gaps = nested_padding(before);
  if (!gaps) return std::nullopt;
  std::vector<PaddingPiece> pieces;
  for (const PaddingPiece& gap : *gaps) {
    if (!append_permuted(gap, problem.permuted_destination->permutation, problem.destination_elements,
                         pieces))
      return std::nullopt;
  }
  return pieces;
}

Result<std::vector<PaddingPiece>> enumerated_padding(const Problem& problem, std::int64_t elements) {
  if (problem.destination_elements > kMaximumMarkedElements) {
    return Error{ErrorCode::kUnsupported, "the destination's padding is too irregular to be described"};
  }
  std::vector<bool> used(static_cast<std::size_t>(problem.destination_elements), false);
  Places places(problem);
  for (std::int64_t i = 0; i < elements; ++i) used[static_cast<std::size_t>(places.next())] = true;
  std::vector<PaddingPiece> gaps;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i]) continue;
    const bool continues = i > 0 && !used[i - 1];
    if (!continues) gaps.push_back({static_cast<std::int64_t>(i), 0, {}});
    ++gaps.back().length;
  }
  return gaps;
}

}  // namespace

std::int64_t PaddingPiece::volume() const {
  std::int64_t elements = length;
  for (const Iterator& iterator : iterators) elements *= iterator.extent;
  return elements;
}

Result<std::vector<PaddingPiece>> padding_pieces(const Problem& problem) {
  std::int64_t elements = 1;
  for (const std::int64_t extent : problem.extents) elements *= extent;
  if (elements == problem.destination_elements) return std::vector<PaddingPiece>{};
  if (elements == 0) return std::vector<PaddingPiece>{{0, problem.destination_elements, {}}};
  if (problem.permuted_destination) {
    if (auto permuted = permuted_padding(problem)) return std::move(*permuted);
  }
  if (auto nested = nested_padding(problem)) return std::move(*nested);
  return enumerated_padding(problem, elements);
}

}  // namespace relayout::plan
