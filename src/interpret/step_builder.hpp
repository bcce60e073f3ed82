#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "src/interpret/program.hpp"
#include "src/interpret/value.hpp"

namespace relayout::interpret {

/// A lane step before slots are assigned: operands are numbers of earlier steps, -1 for none.
struct LaneNode {
  LaneOperation operation = LaneOperation::kPosition;
  int left = -1;
  int right = -1;
  int scalar = 0;
  std::int64_t divisor = 0;  ///< of kDivide; the power of two of kShiftRight
  auto operator<=>(const LaneNode&) const = default;
};

/// Emits arithmetic on values as steps: folds constants, keeps what is the same for a whole block in scalars,
/// and never emits one step twice. Tracks ranges; a value past 2^62 sets overflowed().
class StepBuilder {
 public:
  /// \param block_count and block_elements bound the two roots.
  StepBuilder(std::int64_t block_count, std::int64_t block_elements);

  Value constant(std::int64_t value) const { return {Place::kConstant, -1, {value, value}}; }
  /// Number of the block.
  Value block() const { return block_; }
  /// Number of the element within its block.
  Value position() const { return position_; }

  Value add(const Value& a, const Value& b);
  Value multiply(const Value& a, const Value& b);
  /// a ^ b in two's complement, which lanes of any width give for values that fit them.
  Value exclusive_or(const Value& a, const Value& b);
  /// floor(a / divisor). \pre divisor > 0
  Value floor_div(const Value& a, std::int64_t divisor);
  /// a - divisor * floor(a / divisor). \pre divisor > 0
  Value floor_mod(const Value& a, std::int64_t divisor);
  /// The value as one per element.
  Value as_lane(const Value& a);

  bool overflowed() const noexcept { return overflowed_; }
  /// True if a value that reaches the lanes needs more than 31 bits.
  bool wide() const noexcept { return wide_; }
  const std::vector<LaneNode>& lane_nodes() const noexcept { return lane_nodes_; }
  const std::vector<ScalarStep>& scalar_steps() const noexcept { return scalar_steps_; }
  const std::vector<std::int64_t>& scalars() const noexcept { return scalars_; }

 private:
  Value scalar_step(ScalarOperation operation, const Value& left, const Value& right, expr::Range range);
  Value lane_step(const LaneNode& node, expr::Range range);
  int scalar_index(const Value& value);
  Value bias_to_non_negative(const Value& a, std::int64_t divisor, std::int64_t& quotients);
  Value lane_quotient(const Value& non_negative, std::int64_t divisor);
  Value add_lanes(const Value& a, const Value& b, expr::Range range);
  expr::Range checked(expr::Range range);
  expr::Range sum_range(const Value& a, const Value& b);
  expr::Range product_range(const Value& a, const Value& b);

  std::vector<LaneNode> lane_nodes_;
  std::vector<ScalarStep> scalar_steps_;
  std::vector<std::int64_t> scalars_ = {0};
  std::map<LaneNode, int> lane_numbers_;
  std::map<std::tuple<ScalarOperation, int, int>, int> scalar_numbers_;
  std::map<std::int64_t, int> constant_numbers_;
  bool overflowed_ = false;
  bool wide_ = false;
  Value block_;
  Value position_;
};

}  // namespace relayout::interpret
