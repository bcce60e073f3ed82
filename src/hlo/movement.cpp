// What an instruction's text says about bytes. The only part of the reader that understands shapes.

#include <algorithm>
#include <array>
#include <utility>

#include "relayout/hlo.hpp"
#include "relayout/xla.hpp"
#include "src/hlo/shape_inference.hpp"
#include "src/hlo/shape_text.hpp"

namespace relayout::hlo {
namespace {

/// How the destination's logical array follows from the source's.
enum class Relation : std::uint8_t { kSame, kTransposed, kReshaped, kReinterpreted, kFromHost, kToHost };

struct RelationName {
  std::string_view opcode;
  Relation relation;
};
constexpr std::array<RelationName, 5> kMovingOpcodes = {{{"copy", Relation::kSame},
                                                         {"copy-start", Relation::kSame},
                                                         {"transpose", Relation::kTransposed},
                                                         {"reshape", Relation::kReshaped},
                                                         {"bitcast", Relation::kReinterpreted}}};

/// One side of a movement as far as it can be read.
struct Side {
  std::string text;
  std::optional<Layout> layout;
  std::int64_t memory_space = 0;
  std::string note;
};

Side read_side(std::string_view text) {
  Side side{std::string(text), std::nullopt, 0, {}};
  if (text.empty()) {
    side.note = "its shape is neither written nor known";
    return side;
  }
  const auto shape = xla::parse(text);
  if (!shape) {
    side.note = shape.error().message;
    return side;
  }
  side.text = xla::to_string(*shape);
  if (!shape->array) {
    side.note = "not an array";
    return side;
  }
  side.memory_space = shape->array->layout.memory_space;
  const auto layout = Layout::from_xla(*shape->array);
  if (layout) {
    side.layout = *layout;
  } else {
    side.note = layout.error().message;
  }
  return side;
}

/// The shape in the host's default layout: row-major, without tiles, one element per byte at least.
std::string host_shape(std::string_view text) {
  const auto shape = xla::parse(text);
  if (!shape || !shape->array) return std::string(text);
  return xla::to_string(xla::make_array(shape->array->type, shape->array->dimensions));
}

/// `source` as an array of the destination's logical shape.
Result<Layout> seen_as(const Layout& source, const Layout& destination, Relation relation,
                       std::span<const std::int64_t> dimensions) {
  if (relation == Relation::kTransposed) return source.transposed(dimensions);
  if (relation == Relation::kReshaped) return source.reshaped(destination.shape());
  return source;
}

/// A bitcast's buffers are one and the same.
void note_sizes(const Layout& source, const Layout& destination, Movement& movement) {
  if (source.size_bytes() == destination.size_bytes()) return;
  movement.note = "a bitcast of " + std::to_string(source.size_bytes()) + " bytes into " +
                  std::to_string(destination.size_bytes());
}

bool crosses_to_host(Relation relation) {
  return relation == Relation::kFromHost || relation == Relation::kToHost;
}

/// Collects what moves in one computation.
class MovementFinder {
 public:
  MovementFinder(const Module& module, const Computation& computation)
      : module_(module), computation_(computation) {}

  std::vector<Movement> find() {
    for (const Instruction& instruction : computation_.instructions) {
      add_instruction(instruction);
      Instruction copy = instruction;
      shapes_.define(copy);
    }
    if (computation_.is_entry) add_result();
    return std::move(found_);
  }

 private:
  void add_instruction(const Instruction& instruction) {
    if (instruction.opcode == "parameter" && computation_.is_entry) return add_parameter(instruction);
    for (const RelationName& moving : kMovingOpcodes) {
      if (instruction.opcode == moving.opcode) add_movement(instruction, moving.relation);
    }
  }

  void add_movement(const Instruction& instruction, Relation relation) {
    const std::array<std::int64_t, 1> first = {0};
    const bool is_start = instruction.opcode == "copy-start";
    const std::string_view destination =
        is_start ? tuple_part(instruction.shape, first) : std::string_view(instruction.shape);
    const std::string source =
        instruction.operands.empty() ? std::string() : shapes_.shape_of(instruction.operands.front());
    add_leaves(instruction, relation, source, destination);
  }

  /// The header is right where it and the instruction differ, as in XLA.
  void add_parameter(const Instruction& parameter) {
    std::string_view shape = parameter.shape;
    const auto number = static_cast<std::size_t>(parameter.index);
    const auto& header = module_.entry_layout;
    if (header && parameter.index >= 0 && number < header->parameters.size())
      shape = header->parameters[number];
    for (const ShapeLeaf& leaf : leaves(shape)) {
      add(parameter, leaf.path, Relation::kFromHost, host_shape(leaf.shape), leaf.shape);
    }
  }

  void add_result() {
    const auto& instructions = computation_.instructions;
    const auto root = std::find_if(instructions.begin(), instructions.end(),
                                   [](const Instruction& one) { return one.is_root; });
    if (root == instructions.end()) return;
    const std::string_view shape = module_.entry_layout ? module_.entry_layout->result : root->shape;
    for (const ShapeLeaf& leaf : leaves(shape)) {
      add(*root, leaf.path, Relation::kToHost, leaf.shape, host_shape(leaf.shape));
    }
  }

  /// Part by part, if source and destination are tuples alike.
  void add_leaves(const Instruction& instruction, Relation relation, std::string_view source,
                  std::string_view destination) {
    const auto sources = leaves(source);
    const auto destinations = leaves(destination);
    if (sources.size() != destinations.size()) return add(instruction, {}, relation, source, destination);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      add(instruction, sources[i].path, relation, sources[i].shape, destinations[i].shape);
    }
  }

  void add(const Instruction& instruction, const std::string& path, Relation relation,
           std::string_view source, std::string_view destination) {
    Side from = read_side(source);
    Side to = read_side(destination);
    Movement movement;
    movement.module = module_.name;
    movement.computation = computation_.name;
    movement.name = instruction.name + path;
    movement.opcode = relation == Relation::kToHost ? "result" : instruction.opcode;
    movement.line = instruction.line;
    movement.is_free = relation == Relation::kReinterpreted;
    if (!from.note.empty()) movement.note = "source: " + from.note;
    if (!to.note.empty()) movement.note = "destination: " + to.note;
    if (from.layout && to.layout) relate(from, to, relation, instruction, movement);
    movement.source_shape = std::move(from.text);
    movement.destination_shape = std::move(to.text);
    found_.push_back(std::move(movement));
  }

  static void relate(const Side& from, const Side& to, Relation relation, const Instruction& instruction,
                     Movement& movement) {
    if (__builtin_add_overflow(from.layout->size_bytes(), to.layout->size_bytes(), &movement.bytes)) {
      movement.bytes = 0;
      movement.note = "sizes past 64 bits";
      return;
    }
    if (relation == Relation::kReinterpreted) return note_sizes(*from.layout, *to.layout, movement);
    auto view = seen_as(*from.layout, *to.layout, relation, instruction.dimensions);
    if (!view) {
      movement.note = view.error().message;
      return;
    }
    const bool same_memory = from.memory_space == to.memory_space || crosses_to_host(relation);
    movement.is_free = same_memory && same_bytes(*view, *to.layout);
    movement.source = std::move(*view);
    movement.destination = to.layout;
  }

  const Module& module_;
  const Computation& computation_;
  ShapeTable shapes_;
  std::vector<Movement> found_;
};

}  // namespace

std::vector<Movement> movements(const Module& module) {
  std::vector<Movement> all;
  for (const Computation& computation : module.computations) {
    auto found = MovementFinder(module, computation).find();
    std::move(found.begin(), found.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace relayout::hlo
