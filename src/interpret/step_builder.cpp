#include "src/interpret/step_builder.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "src/expr/integer.hpp"
#include "src/expr/xor_range.hpp"

namespace relayout::interpret {
namespace {

using expr::floor_quotient;
using expr::floor_remainder;
using expr::Range;

constexpr std::int64_t kLargest = (std::int64_t{1} << 62) - 1;
constexpr std::int64_t kLargestNarrow = (std::int64_t{1} << 31) - 1;

bool is_power_of_two(std::int64_t value) {
  return std::has_single_bit(static_cast<std::uint64_t>(value));
}

}  // namespace

StepBuilder::StepBuilder(std::int64_t block_count, std::int64_t block_elements) {
  block_ = block_count == 1 ? constant(0) : Value{Place::kScalar, 0, {0, block_count - 1}};
  position_ = block_elements == 1 ? constant(0)
                                  : lane_step({LaneOperation::kPosition}, checked({0, block_elements - 1}));
}

Range StepBuilder::checked(Range range) {
  if (range.lower < -kLargest || range.upper > kLargest) {
    overflowed_ = true;
    return {0, 1};
  }
  return range;
}

Range StepBuilder::sum_range(const Value& a, const Value& b) {
  return checked({a.range.lower + b.range.lower, a.range.upper + b.range.upper});  // two of at most 62 bits
}

Range StepBuilder::product_range(const Value& a, const Value& b) {
  const expr::Wide corners[] = {
      expr::Wide{a.range.lower} * b.range.lower, expr::Wide{a.range.lower} * b.range.upper,
      expr::Wide{a.range.upper} * b.range.lower, expr::Wide{a.range.upper} * b.range.upper};
  const auto [lowest, highest] = std::minmax_element(std::begin(corners), std::end(corners));
  if (*lowest < -kLargest || *highest > kLargest) {
    overflowed_ = true;
    return {0, 1};
  }
  return {static_cast<std::int64_t>(*lowest), static_cast<std::int64_t>(*highest)};
}

int StepBuilder::scalar_index(const Value& value) {
  if (!value.is_constant()) return value.index;
  const auto [entry, added] =
      constant_numbers_.try_emplace(value.range.lower, static_cast<int>(scalars_.size()));
  if (added) scalars_.push_back(value.range.lower);
  return entry->second;
}

Value StepBuilder::scalar_step(ScalarOperation operation, const Value& left, const Value& right,
                               Range range) {
  const int left_index = scalar_index(left);
  const int right_index = scalar_index(right);
  const auto [entry, added] =
      scalar_numbers_.try_emplace({operation, left_index, right_index}, static_cast<int>(scalars_.size()));
  if (added) {
    scalar_steps_.push_back({operation, entry->second, left_index, right_index});
    scalars_.push_back(0);
  }
  return {Place::kScalar, entry->second, range};
}

Value StepBuilder::lane_step(const LaneNode& node, Range range) {
  if (range.lower < -kLargestNarrow || range.upper > kLargestNarrow) wide_ = true;
  const auto [entry, added] = lane_numbers_.try_emplace(node, static_cast<int>(lane_nodes_.size()));
  if (added) lane_nodes_.push_back(node);
  return {Place::kLane, entry->second, range};
}

Value StepBuilder::add(const Value& a, const Value& b) {
  const Range range = sum_range(a, b);
  if (a.is_constant() && b.is_constant()) return constant(range.lower);
  if (a.is_constant(0)) return b;
  if (b.is_constant(0)) return a;
  if (a.is_lane() && b.is_lane()) return add_lanes(a, b, range);
  if (a.is_lane()) return lane_step({LaneOperation::kAddScalar, a.index, -1, scalar_index(b)}, range);
  if (b.is_lane()) return lane_step({LaneOperation::kAddScalar, b.index, -1, scalar_index(a)}, range);
  return scalar_step(ScalarOperation::kAdd, a, b, range);
}

/// x + y*c is one step; the product's own step dies if nothing else uses it.
Value StepBuilder::add_lanes(const Value& a, const Value& b, Range range) {
  for (const auto& [other, scaled] : {std::pair{a, b}, std::pair{b, a}}) {
    const LaneNode node = lane_nodes_[static_cast<std::size_t>(scaled.index)];
    if (node.operation != LaneOperation::kMultiplyScalar) continue;
    return lane_step({LaneOperation::kAddMultiple, other.index, node.left, node.scalar}, range);
  }
  return lane_step({LaneOperation::kAdd, a.index, b.index}, range);
}

Value StepBuilder::multiply(const Value& a, const Value& b) {
  const Range range = product_range(a, b);
  if (range.lower == range.upper) return constant(range.lower);
  if (a.is_constant(1)) return b;
  if (b.is_constant(1)) return a;
  if (a.is_lane() && b.is_lane()) return lane_step({LaneOperation::kMultiply, a.index, b.index}, range);
  if (a.is_lane()) return lane_step({LaneOperation::kMultiplyScalar, a.index, -1, scalar_index(b)}, range);
  if (b.is_lane()) return lane_step({LaneOperation::kMultiplyScalar, b.index, -1, scalar_index(a)}, range);
  return scalar_step(ScalarOperation::kMultiply, a, b, range);
}

Value StepBuilder::exclusive_or(const Value& a, const Value& b) {
  const Range range = checked(expr::xor_range(a.range, b.range));
  if (a.is_constant() && b.is_constant()) return constant(a.range.lower ^ b.range.lower);
  if (a.is_constant(0)) return b;
  if (b.is_constant(0)) return a;
  if (a.is_lane() && b.is_lane()) return lane_step({LaneOperation::kXor, a.index, b.index}, range);
  if (a.is_lane()) return lane_step({LaneOperation::kXorScalar, a.index, -1, scalar_index(b)}, range);
  if (b.is_lane()) return lane_step({LaneOperation::kXorScalar, b.index, -1, scalar_index(a)}, range);
  return scalar_step(ScalarOperation::kXor, a, b, range);
}

/// floor(a/d) == floor((a + q*d)/d) - q: picks the smallest q >= 0 for which the numerator is never negative.
Value StepBuilder::bias_to_non_negative(const Value& a, std::int64_t divisor, std::int64_t& quotients) {
  quotients = a.range.lower >= 0 ? 0 : -floor_quotient(a.range.lower, divisor);
  return add(a, multiply(constant(quotients), constant(divisor)));
}

Value StepBuilder::lane_quotient(const Value& non_negative, std::int64_t divisor) {
  const auto operation = is_power_of_two(divisor) ? LaneOperation::kShiftRight : LaneOperation::kDivide;
  return lane_step({operation, non_negative.index, -1, 0, divisor},
                   {non_negative.range.lower / divisor, non_negative.range.upper / divisor});
}

Value StepBuilder::floor_div(const Value& a, std::int64_t divisor) {
  const Range range = {floor_quotient(a.range.lower, divisor), floor_quotient(a.range.upper, divisor)};
  if (range.lower == range.upper) return constant(range.lower);
  if (divisor == 1) return a;
  if (!a.is_lane()) return scalar_step(ScalarOperation::kFloorDiv, a, constant(divisor), range);
  std::int64_t quotients = 0;
  const Value numerator = bias_to_non_negative(a, divisor, quotients);
  return add(lane_quotient(numerator, divisor), constant(-quotients));
}

Value StepBuilder::floor_mod(const Value& a, std::int64_t divisor) {
  const std::int64_t first_quotient = floor_quotient(a.range.lower, divisor);
  if (first_quotient ==
      floor_quotient(a.range.upper, divisor)) {  // x mod d == x - q*d where x/d is q throughout
    return add(a, multiply(constant(first_quotient), constant(-divisor)));
  }
  const Range range = {0, divisor - 1};
  if (!a.is_lane()) return scalar_step(ScalarOperation::kFloorMod, a, constant(divisor), range);
  if (is_power_of_two(divisor)) {  // also right for negative x in two's complement
    return lane_step({LaneOperation::kMask, a.index, -1, scalar_index(constant(divisor - 1))}, range);
  }
  std::int64_t quotients = 0;
  const Value numerator = bias_to_non_negative(a, divisor, quotients);
  const Value quotient = lane_quotient(numerator, divisor);
  return lane_step(
      {LaneOperation::kAddMultiple, numerator.index, quotient.index, scalar_index(constant(-divisor))},
      range);
}

Value StepBuilder::as_lane(const Value& a) {
  if (a.is_lane()) return a;
  return lane_step({LaneOperation::kBroadcast, -1, -1, scalar_index(a)}, a.range);
}

}  // namespace relayout::interpret
