#include "tests/support/random_problem.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace relayout::testing {

using expr::IndexExpr;

std::uint64_t test_seed(std::uint64_t fallback) {
  const char* text = std::getenv("RELAYOUT_TEST_SEED");
  return text == nullptr ? fallback : std::strtoull(text, nullptr, 0);
}

std::string replay_hint(std::uint64_t seed) {
  std::string hint = "RELAYOUT_TEST_SEED=";
  return hint += std::to_string(seed);
}

IndexExpr domain_variable(int index, std::int64_t extent) {
  std::string name = "d";
  name += std::to_string(index);
  return IndexExpr::variable(index, name, {0, extent - 1});
}

/// A value in [0, extent).
struct RandomProblems::Digit {
  IndexExpr value;
  std::int64_t extent = 1;
};

struct RandomProblems::Side {
  IndexExpr offset;
  std::int64_t elements = 1;
};

std::int64_t RandomProblems::uniform(std::int64_t lowest, std::int64_t highest) {
  // Not uniform_int_distribution, whose draws differ between standard libraries.
  return lowest + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(highest - lowest + 1));
}

std::vector<std::int64_t> RandomProblems::extents() {
  std::vector<std::int64_t> drawn;
  std::int64_t elements = 1;
  const std::int64_t rank = uniform(1, 4);
  for (std::int64_t axis = 0; axis < rank; ++axis) {
    const std::int64_t wanted = one_in(options_.swizzles ? 2 : 4) ? std::int64_t{1} << uniform(0, 5)
                                                                  : uniform(1, options_.maximum_extent);
    const std::int64_t extent = std::min(wanted, options_.maximum_elements / elements);
    drawn.push_back(extent);
    elements *= extent;
  }
  return drawn;
}

std::vector<RandomProblems::Digit> RandomProblems::logical_digits(const std::vector<std::int64_t>& extents) {
  std::vector<Digit> digits;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    digits.push_back({domain_variable(static_cast<int>(axis), extents[axis]), extents[axis]});
  }
  return digits;
}

void RandomProblems::make_irregular(Digit& digit) {
  if (one_in(6)) digit.value = IndexExpr::constant(digit.extent - 1) - digit.value;
  if (one_in(8)) digit = {digit.value * 2 + IndexExpr::constant(1), 2 * digit.extent + 1};
  if (one_in(10)) digit = {IndexExpr::constant(0), 1};
}

void RandomProblems::fuse_neighbours(std::vector<Digit>& digits) {
  if (digits.size() < 2) return;
  const auto first = digits.begin() + uniform(0, static_cast<std::int64_t>(digits.size()) - 2);
  const auto second = first + 1;
  *first = {first->value * second->extent + second->value, first->extent * second->extent};
  digits.erase(second);
}

/// x becomes x / t and x mod t; t divides the extent, or is 2 (odd-even), or anything (a padded tile).
void RandomProblems::split_one(std::vector<Digit>& digits) {
  const auto place = uniform(0, static_cast<std::int64_t>(digits.size()) - 1);
  const Digit digit = digits[static_cast<std::size_t>(place)];
  if (digit.extent < 2) return;
  std::int64_t tile = one_in(4) ? 2 : uniform(2, std::min<std::int64_t>(digit.extent + 1, 16));
  while (one_in(2) && digit.extent % tile != 0) --tile;
  if (tile < 2) return;
  digits[static_cast<std::size_t>(place)] = {floor_div(digit.value, tile), (digit.extent + tile - 1) / tile};
  digits.insert(digits.begin() + place + 1, {floor_mod(digit.value, tile), tile});
}

RandomProblems::Side RandomProblems::arrange(std::vector<Digit> digits) {
  for (std::size_t remaining = digits.size(); remaining > 1 && !one_in(4); --remaining) {
    std::swap(digits[remaining - 1],
              digits[static_cast<std::size_t>(uniform(0, static_cast<std::int64_t>(remaining) - 1))]);
  }
  Side side;
  std::int64_t stride = 1;
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    const IndexExpr term = digit->value * stride;
    side.offset = digit == digits.rbegin() ? term : term + side.offset;
    stride *= digit->extent + (one_in(8) ? uniform(1, 3) : 0);
  }
  side.elements = stride;
  return side;
}

/// The bits of one field into those of another: a bijection of the offsets below a power of two.
void RandomProblems::swizzle(Side& side) {
  const std::int64_t bits = uniform(1, 3);
  const std::int64_t low = std::int64_t{1} << uniform(0, 4);
  const std::int64_t high = low << (bits + uniform(0, 1));
  const bool downwards = !one_in(3);
  const std::int64_t field_end = (downwards ? low : high) << bits;
  side.offset =
      side.offset ^ (floor_mod(floor_div(side.offset, downwards ? high : low), std::int64_t{1} << bits) *
                     (downwards ? low : high));
  side.elements = (side.elements + field_end - 1) / field_end * field_end;
}

RandomProblems::Side RandomProblems::random_side(std::vector<Digit> digits) {
  if (one_in(4)) fuse_neighbours(digits);
  for (std::int64_t splits = uniform(0, 4); splits > 0; --splits) split_one(digits);
  Side side = arrange(std::move(digits));
  if (options_.swizzles && !one_in(3)) swizzle(side);
  return side;
}

plan::Problem RandomProblems::next() {
  constexpr std::array<std::int64_t, 7> kElementBytes = {1, 2, 4, 8, 16, 3, 12};
  plan::Problem problem;
  problem.extents = extents();
  problem.element_bytes = kElementBytes[static_cast<std::size_t>(uniform(0, 6))];
  std::vector<Digit> digits = logical_digits(problem.extents);
  const Side destination = random_side(digits);
  if (options_.irregular_sources) {
    for (Digit& digit : digits) make_irregular(digit);
  }
  const Side source = random_side(std::move(digits));
  problem.source = source.offset;
  problem.source_elements = source.elements;
  problem.destination = destination.offset;
  problem.destination_elements = destination.elements;
  return problem;
}

std::string describe(const plan::Problem& problem) {
  std::string text = "extents";
  for (const std::int64_t extent : problem.extents) text.append(" ").append(std::to_string(extent));
  return text + ", " + std::to_string(problem.element_bytes) + " bytes an element\n  source " +
         to_string(problem.source) + " in " + std::to_string(problem.source_elements) + "\n  destination " +
         to_string(problem.destination) + " in " + std::to_string(problem.destination_elements);
}

}  // namespace relayout::testing
