#include "src/interpret/program.hpp"

#include <cstddef>
#include <unordered_map>

#include "src/expr/node.hpp"
#include "src/interpret/domain.hpp"
#include "src/interpret/slots.hpp"
#include "src/interpret/step_builder.hpp"

// Both roots of the program are counters: the block number and the position within a block. Variables are
// digits of one of them, so linearising the last dimensions costs a division per short dimension and nothing
// else.

namespace relayout::interpret {
namespace {

/// Trailing variables are batched together until a block has this many elements, so that a chunk is worth its
/// dispatch however short the innermost extent is.
constexpr std::int64_t kLeastBlockElements = 256;

/// The variables [first, rank) and the number of their points.
struct TrailingBox {
  std::size_t first = 0;
  std::int64_t points = 1;
};

TrailingBox trailing_box(const std::vector<std::int64_t>& extents, std::int64_t least_points) {
  TrailingBox box = {extents.size(), 1};
  while (box.first > 0 && box.points < least_points) box.points *= extents[--box.first];
  return box;
}

/// Translates expressions, each node once.
class Translation {
 public:
  Translation(StepBuilder& builder, std::vector<Value> variables)
      : builder_(builder), variables_(std::move(variables)) {}

  Value translate(const expr::IndexExpr& e) {
    const auto known = values_.find(&expr::Node::of(e));
    if (known != values_.end()) return known->second;
    const Value value = translate_node(e);
    values_.emplace(&expr::Node::of(e), value);
    return value;
  }

 private:
  Value translate_node(const expr::IndexExpr& e) {
    switch (e.kind()) {
      case expr::Kind::kConstant:
        return builder_.constant(e.value());
      case expr::Kind::kVariable:
        return variables_[static_cast<std::size_t>(e.variable_index())];
      case expr::Kind::kAdd:
        return builder_.add(translate(e.left()), translate(e.right()));
      case expr::Kind::kMultiply:
        return builder_.multiply(translate(e.left()), translate(e.right()));
      case expr::Kind::kFloorDiv:
        return builder_.floor_div(translate(e.left()), e.value());
      case expr::Kind::kFloorMod:
        return builder_.floor_mod(translate(e.left()), e.value());
      case expr::Kind::kXor:
        return builder_.exclusive_or(translate(e.left()), translate(e.right()));
    }
    return builder_.constant(0);
  }

  StepBuilder& builder_;
  std::vector<Value> variables_;
  std::unordered_map<const expr::Node*, Value> values_;
};

/// variable = (root / product of the extents after it) mod its extent, within the block or among the blocks.
std::vector<Value> variables_of(StepBuilder& builder, const std::vector<std::int64_t>& extents,
                                std::size_t first) {
  std::vector<Value> variables(extents.size());
  std::int64_t place_value = 1;
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    if (axis + 1 == first) place_value = 1;
    const Value root = axis >= first ? builder.position() : builder.block();
    variables[axis] = builder.floor_mod(builder.floor_div(root, place_value), extents[axis]);
    place_value *= extents[axis];
  }
  return variables;
}

Result<Program> build(const plan::Problem& problem, std::int64_t total_elements, std::int64_t least_points) {
  const TrailingBox box = trailing_box(problem.extents, least_points);
  StepBuilder builder(total_elements / box.points, box.points);
  Translation translation(builder, variables_of(builder, problem.extents, box.first));
  const Value source = builder.as_lane(translation.translate(problem.source));
  const Value destination = builder.as_lane(translation.translate(problem.destination));
  if (builder.overflowed())
    return Error{ErrorCode::kOverflow, "an intermediate value of an offset may exceed 2^62"};
  SlottedSteps slotted =
      assign_slots(builder.lane_nodes(), {source.index, destination.index}, builder.wide());
  Program program;
  program.scalar_steps = builder.scalar_steps();
  program.scalars = builder.scalars();
  program.lane_steps = std::move(slotted.steps);
  program.slot_count = slotted.slot_count;
  program.source_slot = slotted.result_slots[0];
  program.destination_slot = slotted.result_slots[1];
  program.wide = builder.wide();
  program.block_elements = box.points;
  program.total_elements = total_elements;
  return program;
}

/// Translation recurses along the tree.
bool is_too_deep(const expr::IndexExpr& e) {
  return expr::Node::of(e).depth > expr::kMaximumDepth;
}

}  // namespace

Result<Program> compile_program(const plan::Problem& problem) {
  const Result<std::int64_t> total_elements = point_count(problem.extents);
  if (!total_elements) return total_elements.error();
  if (*total_elements == 0) return Program{};
  if (is_too_deep(problem.source) || is_too_deep(problem.destination)) {
    return Error{ErrorCode::kUnsupported, "an offset expression is nested too deeply"};
  }
  Result<Program> program = build(problem, *total_elements, kLeastBlockElements);
  if (!program || program->scalars.size() <= kMostScalars) return program;
  return build(problem, *total_elements, *total_elements);  // a single block: nothing is left to hoist
}

}  // namespace relayout::interpret
