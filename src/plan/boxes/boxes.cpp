// Factors whose digits may join a side's run are where the micro-tile will be: their pieces become boxes
// (peeled tails), as long as the product stays small. The other factors only drive outer loops: a guard or a
// run list serves them without multiplying the boxes.

#include "src/plan/boxes/boxes.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>

#include "src/plan/boxes/trimmed_run.hpp"
#include "src/plan/machine/line.hpp"

namespace relayout::plan {
namespace {

/// What is sorted already, as most is, takes no memory to sort.
template <class Container, class Before>
void sort_stably(Container& values, Before before) {
  if (!std::ranges::is_sorted(values, before)) std::ranges::stable_sort(values, before);
}

enum class Strategy { kBoxes, kGuarded, kRuns };

/// Whether some digit may be part of a side's run of one line, alone or after another factor's digits.
bool may_join_a_run(const Factor& factor, std::int64_t element_bytes) {
  const auto within_line = [&](std::int64_t stride) {
    return stride != 0 && std::abs(stride) < kLineBytes / element_bytes;
  };
  for (const Piece& piece : factor.pieces) {
    for (const Iterator& iterator : piece.iterators) {
      if (within_line(iterator.source_stride) || within_line(iterator.destination_stride)) return true;
    }
  }
  return false;
}

/// Guarded form with a single piece in which no iterator is under two guards.
bool simply_guarded(const Factor& factor) {
  if (factor.guarded.size() != 1) return false;
  for (const Iterator& iterator : factor.guarded.front().iterators) {
    const auto guards = std::count_if(iterator.guard_steps.begin(), iterator.guard_steps.end(),
                                      [](std::int64_t step) { return step != 0; });
    if (guards > 1) return false;
  }
  return true;
}

using Slope = std::pair<std::int64_t, std::int64_t>;  // source stride, destination stride

/// The slope most points of the factor move along, preferring the smallest destination stride of each piece.
Slope run_slope(const Factor& factor) {
  std::map<Slope, std::int64_t> points;
  for (const Piece& piece : factor.pieces) {
    if (piece.iterators.empty()) continue;
    const Iterator& first = piece.iterators.front();
    points[{first.source_stride, first.destination_stride}] += piece.volume();
  }
  if (points.empty()) return {0, 0};
  return std::max_element(points.begin(), points.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

/// Appends the runs of one piece: every iterator but the one along `slope` is enumerated.
bool append_runs(const Piece& piece, const Slope& slope, std::size_t limit, RunTable& table) {
  RunTable runs = {{1, piece.source_base, piece.destination_base}};
  bool sloped = false;
  for (const Iterator& iterator : piece.iterators) {
    if (!sloped && Slope{iterator.source_stride, iterator.destination_stride} == slope) {
      sloped = true;
      for (Run& run : runs) run.length = iterator.extent;
      continue;
    }
    if (iterator.extent > static_cast<std::int64_t>(limit / runs.size())) return false;
    RunTable next;
    for (std::int64_t i = 0; i < iterator.extent; ++i) {
      for (const Run& run : runs) {
        next.push_back({run.length, run.source_offset_bytes + i * iterator.source_stride,
                        run.destination_offset_bytes + i * iterator.destination_stride});
      }
    }
    runs = std::move(next);
  }
  table.insert(table.end(), runs.begin(), runs.end());
  return table.size() <= limit;
}

/// The factor as runs along one slope, in destination order, offsets in elements.
std::optional<RunTable> run_list(const Factor& factor, const Slope& slope, std::size_t limit) {
  if (factor.pieces.empty()) return std::nullopt;
  RunTable table;
  for (const Piece& piece : factor.pieces) {
    if (!append_runs(piece, slope, limit, table)) return std::nullopt;
  }
  std::sort(table.begin(), table.end(), [](const Run& a, const Run& b) {
    return a.destination_offset_bytes < b.destination_offset_bytes;
  });
  RunTable merged;
  for (const Run& run : table) {
    if (!merged.empty()) {
      Run& last = merged.back();
      const bool continues =
          run.source_offset_bytes == last.source_offset_bytes + last.length * slope.first &&
          run.destination_offset_bytes == last.destination_offset_bytes + last.length * slope.second;
      if (continues) {
        last.length += run.length;
        continue;
      }
    }
    merged.push_back(run);
  }
  return merged;
}

class BoxMaker {
 public:
  BoxMaker(const LoopNest& nest, std::int64_t element_bytes, const BoxBudget& budget)
      : nest_(nest), element_bytes_(element_bytes), budget_(budget) {}

  Result<BoxList> run() {
    choose_strategies();
    std::vector<bool> in_boxes;
    for (const Strategy strategy : strategies_) in_boxes.push_back(strategy == Strategy::kBoxes);
    const std::vector<Piece> pieces = expand(nest_, in_boxes);
    list_.boxes.reserve(pieces.size());
    for (const Piece& piece : pieces) list_.boxes.push_back(to_box(piece));
    for (std::size_t i = 0; i < nest_.factors.size(); ++i) {
      if (auto status = add_factor(i); !status) return status.error();
    }
    for (Box& box : list_.boxes) {
      sort_stably(box.axes, [](const Axis& a, const Axis& b) {
        return std::abs(a.destination_stride) < std::abs(b.destination_stride);
      });
    }
    sort_stably(list_.boxes, [](const Box& a, const Box& b) { return a.elements() > b.elements(); });
    return std::move(list_);
  }

 private:
  /// Boxes while they are few; then guards and run lists, first for the factors without a unit stride.
  void choose_strategies() {
    strategies_.assign(nest_.factors.size(), Strategy::kBoxes);
    if (budget_.trims_runs) guard_factors([this](const Factor& factor) { return is_trimmed_run(factor); });
    if (budget_.trims_rows) guard_factors([this](const Factor& factor) { return is_trimmed_row(factor); });
    std::int64_t product = 1;
    for (const bool unit : {true, false}) {
      for (std::size_t i = 0; i < nest_.factors.size(); ++i) {
        const Factor& factor = nest_.factors[i];
        if (strategies_[i] != Strategy::kBoxes || factor.pieces.size() == 1 ||
            may_join_a_run(factor, element_bytes_) != unit)
          continue;
        const auto pieces = static_cast<std::int64_t>(factor.pieces.size());
        const std::int64_t most = factor.interleaved ? budget_.interleaved_pieces : budget_.pieces_per_factor;
        const std::int64_t boxes = std::max(budget_.boxes, factor.interleaved ? most : 0);
        const bool affordable = pieces > 0 && pieces <= most && pieces <= boxes / product;
        // A guard costs nothing where the micro-tile is elsewhere.
        if (affordable && (unit || !simply_guarded(factor))) {
          product *= pieces;
          if (factor.interleaved) note_interleaved(i);
          continue;
        }
        strategies_[i] = may_be_guarded(factor) ? Strategy::kGuarded : Strategy::kRuns;
        note(i, strategies_[i] == Strategy::kGuarded ? "a guarded nest" : "a run list");
      }
    }
  }

  /// Of what a kernel or a staged block takes whole, the guard is no loop's business.
  template <class Trimmed>
  void guard_factors(Trimmed is_trimmed) {
    for (std::size_t i = 0; i < nest_.factors.size(); ++i) {
      const Factor& factor = nest_.factors[i];
      if (factor.pieces.size() == 1 || factor.interleaved || !is_trimmed(factor)) continue;
      if (!may_be_guarded(factor)) continue;
      strategies_[i] = Strategy::kGuarded;
      list_.trimmed = true;
      note(i, "one, whose end kernels leave out");
    }
  }

  Box guarded_box(const Factor& factor) const {
    Box box = to_box(factor.guarded.front());
    box.guard_limits = factor.guarded.front().guard_limits;
    return box;
  }

  bool is_trimmed_run(const Factor& factor) const {
    if (!simply_guarded(factor)) return false;
    const Box box = guarded_box(factor);
    return first_trimmed_run(box, false) || first_trimmed_run(box, true);
  }

  bool is_trimmed_row(const Factor& factor) const {
    return simply_guarded(factor) && trimmed_row(guarded_box(factor)).has_value();
  }

  /// Guards are counters that the loops carry along: at most 4 a nest.
  bool may_be_guarded(const Factor& factor) {
    constexpr std::size_t kMaximumGuards = 4;
    if (!simply_guarded(factor)) return false;
    const std::size_t guards = factor.guarded.front().guard_limits.size();
    if (guards_ + guards > kMaximumGuards) return false;
    guards_ += guards;
    return true;
  }

  void note_interleaved(std::size_t factor) {
    list_.interleaved = true;
    list_.notes.push_back("factor " + std::to_string(factor) + ": a box for each of the " +
                          std::to_string(nest_.factors[factor].pieces.size()) +
                          " pieces in which the bits of an exclusive or are strides");
  }

  void note(std::size_t factor, const char* as) {
    list_.notes.push_back("factor " + std::to_string(factor) + ": " +
                          std::to_string(nest_.factors[factor].pieces.size()) + " pieces as " + as);
  }

  Axis to_axis(const Iterator& iterator, int first_guard) const {
    Axis axis{iterator.extent, iterator.source_stride * element_bytes_,
              iterator.destination_stride * element_bytes_};
    for (std::size_t i = 0; i < iterator.guard_steps.size(); ++i) {
      if (iterator.guard_steps[i] == 0) continue;
      axis.guard = first_guard + static_cast<int>(i);
      axis.guard_step = iterator.guard_steps[i];
    }
    return axis;
  }

  Box to_box(const Piece& piece) const {
    Box box;
    box.source_base = piece.source_base * element_bytes_;
    box.destination_base = piece.destination_base * element_bytes_;
    for (const Iterator& iterator : piece.iterators) box.axes.push_back(to_axis(iterator, 0));
    return box;
  }

  Status add_factor(std::size_t index) {
    if (strategies_[index] == Strategy::kGuarded) add_guarded(nest_.factors[index].guarded.front());
    if (strategies_[index] == Strategy::kRuns) return add_runs(index);
    return {};
  }

  void add_guarded(const Piece& piece) {
    for (Box& box : list_.boxes) {
      box.source_base += piece.source_base * element_bytes_;
      box.destination_base += piece.destination_base * element_bytes_;
      const int first_guard = static_cast<int>(box.guard_limits.size());
      box.guard_limits.insert(box.guard_limits.end(), piece.guard_limits.begin(), piece.guard_limits.end());
      for (const Iterator& iterator : piece.iterators) box.axes.push_back(to_axis(iterator, first_guard));
    }
  }

  Status add_runs(std::size_t index) {
    const Slope slope = run_slope(nest_.factors[index]);
    auto table = run_list(nest_.factors[index], slope, budget_.runs);
    if (!table) {
      const std::string why = nest_.factors[index].pieces.empty()
                                  ? " is past the budget of refinement"
                                  : " has more than " + std::to_string(budget_.runs) + " runs";
      return Error{ErrorCode::kUnsupported, "factor " + std::to_string(index) + why};
    }
    std::int64_t longest = 0;
    for (Run& run : *table) {
      run.source_offset_bytes *= element_bytes_;
      run.destination_offset_bytes *= element_bytes_;
      longest = std::max(longest, run.length);
    }
    for (Box& box : list_.boxes) {
      const int number = static_cast<int>(box.tables.size());
      box.tables.push_back(*table);
      box.axes.push_back(
          {longest, slope.first * element_bytes_, slope.second * element_bytes_, -1, 0, number});
    }
    return {};
  }

  const LoopNest& nest_;
  std::int64_t element_bytes_;
  const BoxBudget& budget_;
  std::vector<Strategy> strategies_;
  std::size_t guards_ = 0;  ///< of the nests so far
  BoxList list_;
};

bool rows_begin_on_lines(const Box& box, std::int64_t Axis::*stride, std::int64_t base) {
  return base % kLineBytes == 0 && std::ranges::all_of(box.axes, [&](const Axis& axis) {
           return std::abs(axis.*stride) < kLineBytes || axis.*stride % kLineBytes == 0;
         });
}

}  // namespace

double Box::elements() const {
  double product = 1;
  for (const Axis& axis : axes) product *= static_cast<double>(axis.extent);
  for (const RunTable& table : tables) product *= static_cast<double>(table.size());
  return product;
}

Result<BoxList> make_boxes(const LoopNest& nest, std::int64_t element_bytes, const BoxBudget& budget) {
  return BoxMaker(nest, element_bytes, budget).run();
}

bool lies_in_source(const Box& box, std::int64_t element_bytes, std::int64_t source_bytes) {
  std::int64_t begin = box.source_base;
  std::int64_t end = box.source_base + element_bytes;
  for (const Axis& axis : box.axes) {
    const std::int64_t reach = (axis.extent - 1) * axis.source_stride;
    (reach < 0 ? begin : end) += reach;
  }
  return begin >= 0 && end <= source_bytes;
}

bool source_rows_begin_on_lines(const Box& box) {
  return rows_begin_on_lines(box, &Axis::source_stride, box.source_base);
}

bool destination_rows_begin_on_lines(const Box& box) {
  return rows_begin_on_lines(box, &Axis::destination_stride, box.destination_base);
}

bool destination_rows_fill_lines(const Box& box) {
  if (box.destination_base % kLineBytes != 0 || box.axes.empty()) return false;
  std::int64_t row_bytes = std::abs(box.axes.front().destination_stride);
  for (const Axis& axis : box.axes) {
    const std::int64_t stride = std::abs(axis.destination_stride);
    if (stride == row_bytes && row_bytes % kLineBytes != 0)
      row_bytes *= axis.extent;
    else if (stride % kLineBytes != 0)
      return false;
  }
  return row_bytes % kLineBytes == 0;
}

}  // namespace relayout::plan
