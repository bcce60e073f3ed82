#include "src/hlo/shape_inference.hpp"

#include <algorithm>
#include <array>

#include "src/hlo/shape_text.hpp"

namespace relayout::hlo {
namespace {

/// Operations whose result has the first operand's shape, layout included.
constexpr std::array<std::string_view, 31> kSameShape = {"abs",
                                                         "add",
                                                         "cbrt",
                                                         "ceil",
                                                         "clz",
                                                         "copy",
                                                         "cosine",
                                                         "divide",
                                                         "domain",
                                                         "erf",
                                                         "exponential",
                                                         "floor",
                                                         "log",
                                                         "maximum",
                                                         "minimum",
                                                         "multiply",
                                                         "negate",
                                                         "not",
                                                         "optimization-barrier",
                                                         "or",
                                                         "power",
                                                         "remainder",
                                                         "reverse",
                                                         "rsqrt",
                                                         "sign",
                                                         "sine",
                                                         "sort",
                                                         "sqrt",
                                                         "subtract",
                                                         "tanh",
                                                         "xor"};

bool keeps_shape(std::string_view opcode) {
  return std::find(kSameShape.begin(), kSameShape.end(), opcode) != kSameShape.end();
}

/// A few lines of tuples of tuples would otherwise make texts of gigabytes. Real ones have some ten thousand
/// characters and two or three levels.
constexpr std::size_t kLongestTuple = 1 << 16;
constexpr int kDeepestTuple = 64;
/// Of one computation's inferred shapes.
constexpr std::size_t kMostInferredBytes = 1 << 26;

int tuple_depth(std::string_view shape) {
  int depth = 0;
  int deepest = 0;
  for (const char c : shape) {
    if (c == '(') deepest = std::max(deepest, ++depth);
    if (c == ')') --depth;
  }
  return deepest;
}

std::string tuple_of(const std::vector<std::string>& shapes) {
  std::string tuple = "(";
  for (const std::string& shape : shapes) {
    if (tuple.size() > 1) tuple += ',';
    tuple += shape;
    if (tuple.size() > kLongestTuple) return {};
  }
  tuple += ')';
  return tuple_depth(tuple) > kDeepestTuple ? std::string() : tuple;
}

}  // namespace

std::string ShapeTable::shape_of(const Operand& operand) const {
  const auto found = shapes_.find(operand.name);
  if (found == shapes_.end() || found->second.empty()) return operand.shape;
  return std::string(tuple_part(found->second, operand.tuple_index));
}

std::string ShapeTable::inferred_shape(const Instruction& instruction) const {
  std::vector<std::string> shapes;
  for (const Operand& operand : instruction.operands) {
    shapes.push_back(shape_of(operand));
    if (shapes.back().empty()) return {};
  }
  if (instruction.opcode == "tuple") return tuple_of(shapes);
  if (shapes.empty()) return {};
  if (keeps_shape(instruction.opcode) && (instruction.opcode != "sort" || shapes.size() == 1))
    return shapes[0];
  if (instruction.opcode == "transpose") return transposed_shape(shapes[0], instruction.dimensions);
  if (instruction.opcode == "copy-start") return "(" + shapes[0] + "," + shapes[0] + ",u32[])";
  if (instruction.opcode == "copy-done")
    return std::string(tuple_part(shapes[0], std::array<std::int64_t, 1>{0}));
  if (instruction.opcode == "get-tuple-element") {
    return std::string(tuple_part(shapes[0], std::array{instruction.index}));
  }
  return {};
}

void ShapeTable::define(Instruction& instruction) {
  if (instruction.shape.empty() && inferred_bytes_ < kMostInferredBytes) {
    instruction.shape = inferred_shape(instruction);
    inferred_bytes_ += instruction.shape.size();
  }
  shapes_.insert_or_assign(instruction.name, instruction.shape);
}

}  // namespace relayout::hlo
