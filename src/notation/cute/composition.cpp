// A o B. The result has B's nesting with each integer t:e of B replaced by the layout of g(i) = A(e * i) on
// [0, t). If g is a layout, its first mode is as long as g is linear from 0: were the mode shorter, the next
// would continue it, and were it longer, g would not be linear. So the modes follow one by one, each with e
// times the size of the one before. That each g is a layout, and that together they add up, is then checked
// as a whole (additive.cpp), for which all modes are variables alike.

#include "src/notation/cute/composition.hpp"

#include <algorithm>
#include <numeric>

#include "relayout/cute/algebra.hpp"
#include "src/layout/memory_guard.hpp"
#include "src/notation/cute/arithmetic.hpp"

namespace relayout::cute {
namespace {

using expr::Wide;

constexpr int kMaximumJumps = 1 << 16;

Error no_layout(const std::string& why) {
  return {ErrorCode::kUnsupported, why};
}

/// The first index past `after` at which the floor grows.
Wide next_jump(std::int64_t after, const FloorTerm& floor) {
  const Wide level = Wide(after) * floor.multiplier / floor.modulus + 1;
  return (level * floor.modulus + floor.multiplier - 1) / floor.multiplier;
}

/// How long A(step * i) is linear from 0, at most `limit`. It can only bend where a floor jumps.
Result<std::int64_t> linear_run(const LineFunction& a, std::int64_t step, std::int64_t limit) {
  const Wide slope = a(step);
  if (!expr::fits_64_bits(slope)) return overflow("a stride of the composition");
  const std::vector<FloorTerm> floors = a.floors_along(step);
  std::int64_t index = 1;
  for (int jumps = 0; jumps < kMaximumJumps; ++jumps) {
    Wide next = limit;
    for (const FloorTerm& floor : floors) next = std::min(next, next_jump(index, floor));
    if (next >= limit) return limit;
    index = static_cast<std::int64_t>(next);
    if (a(step * index) != slope * index) return index;
  }
  return no_layout("whether the offsets of mode " + std::to_string(limit) + ":" + std::to_string(step) +
                   " are a layout's takes more than 2^16 trials");
}

/// A mode of one element has no stride of its own; CuTe prints what its rule leaves.
Mode single_element(const LineFunction& a, std::int64_t step) {
  std::int64_t rest = step;
  for (const Mode& mode : a.bounded) {
    const auto rounded =
        static_cast<std::int64_t>(magnitude(rest) / static_cast<std::uint64_t>(mode.size) +
                                  (magnitude(rest) % static_cast<std::uint64_t>(mode.size) != 0));
    rest = rest < 0 ? -rounded : rounded;
  }
  std::int64_t stride = 0;
  return {1, __builtin_mul_overflow(rest, a.last_stride, &stride) ? 0 : stride};
}

/// Composes one integer of B, B's stride being positive, into `variables`.
Status compose_positive(const LineFunction& a, const Mode& b, std::vector<Variable>& variables) {
  std::int64_t left = b.size;
  std::int64_t step = b.stride;
  while (left > 1) {
    const auto run = linear_run(a, step, left);
    if (!run) return run.error();
    if (left % *run != 0) {
      return no_layout("the offsets of mode " + std::to_string(b.size) + ":" + std::to_string(b.stride) +
                       " are evenly spaced in runs of " + std::to_string(*run) +
                       ", which do not divide the " + std::to_string(left) + " of them");
    }
    variables.push_back({*run, step, static_cast<std::int64_t>(a(step))});
    left /= *run;
    if (left > 1) step *= *run;
  }
  return {};
}

/// What one integer of B becomes.
Result<std::vector<Variable>> compose_mode(const LineFunction& a, const Mode& b) {
  std::vector<Variable> variables;
  if (b.size == 1 || b.stride == 0) {
    const Mode mode = b.stride == 0 ? b : single_element(a, b.stride);
    variables.push_back({mode.size, b.size == 1 ? 0 : b.stride, mode.stride});
    return variables;
  }
  const bool negative = b.stride < 0;
  const Mode positive{b.size, negative ? -b.stride : b.stride};
  if (auto status = compose_positive(a, positive, variables); !status) return status.error();
  if (!negative) return variables;
  for (Variable& variable : variables) {
    if (variable.stride == INT64_MIN) return overflow("a stride of the composition");
    variable.step = -variable.step;
    variable.stride = -variable.stride;
  }
  return variables;
}

/// B with its integers replaced in turn.
ShapeAndStride replaced(const IntTuple& shape, std::vector<Modes>::const_iterator& next) {
  if (!shape.is_tuple()) return tuples_of(*next++);
  std::vector<IntTuple> shapes, strides;
  for (const IntTuple& mode : shape.elements()) {
    ShapeAndStride part = replaced(mode, next);
    shapes.push_back(std::move(part.shape));
    strides.push_back(std::move(part.stride));
  }
  return {IntTuple::tuple(std::move(shapes)), IntTuple::tuple(std::move(strides))};
}

Result<Layout> compose(const Layout& a, const Layout& b) {
  const LineFunction line = LineFunction::of(a);
  std::vector<Variable> all;
  std::vector<Modes> parts;
  for (const Mode& mode : modes_of(b)) {
    const auto variables = compose_mode(line, mode);
    if (!variables) return variables.error();
    Modes& part = parts.emplace_back();
    for (const Variable& variable : *variables) part.push_back({variable.size, variable.stride});
    for (const Variable& variable : *variables) {
      if (variable.size > 1 && variable.step != 0) all.push_back(variable);
    }
  }
  if (auto status = check_additive(line, all); !status) return status.error();
  auto next = parts.cbegin();
  ShapeAndStride tuples = replaced(b.shape(), next);
  return with_marks(Layout::make(std::move(tuples.shape), std::move(tuples.stride)),
                    is_static(a) && is_static(b));
}

Result<Layout> compose_by_mode(const Layout& a, const Tiler& tiler) {
  if (tiler.modes().size() > static_cast<std::size_t>(a.rank())) {
    return bad_argument("the tiler has " + std::to_string(tiler.modes().size()) + " modes, " + to_string(a) +
                        " has " + std::to_string(a.rank()));
  }
  std::vector<Layout> modes;
  for (std::size_t i = 0; i < tiler.modes().size(); ++i) {
    auto mode = composition(a.mode(static_cast<std::int64_t>(i)), tiler.modes()[i]);
    if (!mode) return mode;
    modes.push_back(std::move(*mode));
  }
  return make_layout(modes);
}

}  // namespace

LineFunction LineFunction::of(const Layout& layout) {
  Modes modes = modes_of(layout);
  LineFunction line;
  line.last_stride = modes.back().stride;
  modes.pop_back();
  line.bounded = coalesced(modes);
  if (!line.bounded.empty() &&
      Wide(line.bounded.back().size) * line.bounded.back().stride == line.last_stride) {
    line.last_stride = line.bounded.back().stride;
    line.bounded.pop_back();
  }
  std::int64_t place = 1;
  for (const Mode& mode : line.bounded) line.places.push_back(place *= mode.size);
  return line;
}

expr::Wide LineFunction::operator()(std::int64_t x) const {
  Wide value = 0;
  for (const Mode& mode : bounded) {
    value += Wide(x % mode.size) * mode.stride;
    x /= mode.size;
  }
  return value + Wide(x) * last_stride;
}

// With P_r the places of A's modes after the first, A(x) = d_0 x + sum over r of c_r * floor(x / P_r) with
// c_r = d_r - s_{r-1} d_{r-1}; and floor(step * n / P_r) = a n + floor(b n / q) for step / P_r = a + b / q.
std::vector<FloorTerm> LineFunction::floors_along(std::int64_t step) const {
  std::vector<FloorTerm> floors;
  for (std::size_t r = 0; r < bounded.size(); ++r) {
    const std::int64_t divisor = std::gcd(step, places[r]);
    const std::int64_t modulus = places[r] / divisor;
    if (modulus == 1) continue;
    const std::int64_t multiplier = step / divisor % modulus;
    const std::int64_t stride = r + 1 < bounded.size() ? bounded[r + 1].stride : last_stride;
    const Wide coefficient = stride - Wide(bounded[r].size) * bounded[r].stride;
    const auto same = std::find_if(floors.begin(), floors.end(), [&](const FloorTerm& floor) {
      return floor.multiplier == multiplier && floor.modulus == modulus;
    });
    if (same == floors.end()) {
      floors.push_back({multiplier, modulus, coefficient});
    } else {
      same->coefficient += coefficient;
    }
  }
  std::erase_if(floors, [](const FloorTerm& floor) { return floor.coefficient == 0; });
  return floors;
}

Result<Layout> composition(const Layout& a, const Layout& b) {
  return layout::without_exceptions([&]() -> Result<Layout> {
    auto result = compose(a, b);
    if (result || result.error().code != ErrorCode::kUnsupported) return result;
    return no_layout(to_string(a) + " o " + to_string(b) + " is no layout: " + result.error().message);
  });
}

Result<Layout> composition(const Layout& a, const Tiler& tiler) {
  return layout::without_exceptions([&]() -> Result<Layout> {
    if (tiler.is_underscore()) return a;
    return tiler.is_layout() ? composition(a, tiler.layout()) : compose_by_mode(a, tiler);
  });
}

}  // namespace relayout::cute
