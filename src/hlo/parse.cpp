// Recursive descent over what Scanner takes. Attributes are read only as far as layouts need them.

#include <array>
#include <charconv>
#include <utility>

#include "relayout/hlo.hpp"
#include "src/hlo/scanner.hpp"
#include "src/hlo/shape_inference.hpp"
#include "src/hlo/shape_text.hpp"
#include "src/layout/memory_guard.hpp"

namespace relayout::hlo {
namespace {

/// Tables of source positions that newer dumps put between header and computations.
constexpr std::array<std::string_view, 4> kPositionTables = {"FileNames", "FunctionNames", "FileLocations",
                                                             "StackFrames"};

std::optional<std::int64_t> to_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Result<std::int64_t> take_integer(Scanner& scanner) {
  const auto value = to_integer(scanner.peek_word());
  if (!value) return scanner.error("an integer");
  scanner.take_word();
  return *value;
}

/// `{1,0,2}` or nothing between the braces.
Result<std::vector<std::int64_t>> take_integer_list(Scanner& scanner) {
  if (scanner.peek() != '{') return scanner.error("'{'");
  const auto group = scanner.take_group();
  if (!group) return group.error();
  Scanner inside = scanner.inside(*group);
  std::vector<std::int64_t> values;
  if (inside.at_end()) return values;
  do {
    const auto value = take_integer(inside);
    if (!value) return value.error();
    values.push_back(*value);
  } while (inside.take(","));
  if (!inside.at_end()) return inside.error("',' or '}'");
  return values;
}

/// Goes past `, key=value, key=value`. `take_known(key)` takes a value that it wants and returns true, or
/// returns false.
template <class TakeKnown>
Status take_attributes(Scanner& scanner, TakeKnown take_known) {
  while (scanner.take(",")) {
    const std::string_view key = scanner.take_word();
    if (key.empty()) return scanner.error("an attribute");
    if (!scanner.take("=")) return scanner.error("'='");
    const Result<bool> known = take_known(key);
    if (!known) return known.error();
    if (*known) continue;
    if (const auto value = scanner.take_value(); !value) return value.error();
  }
  return {};
}

Status take_unknown_attributes(Scanner& scanner) {
  return take_attributes(scanner, [](std::string_view) -> Result<bool> { return false; });
}

/// Reads the instructions of one computation.
class InstructionReader {
 public:
  InstructionReader(Scanner& scanner, Computation& computation)
      : scanner_(scanner), computation_(computation) {}

  /// Up to and with the closing brace if `in_braces`, else as long as instructions follow.
  Status take_all(bool in_braces) {
    while (in_braces ? !scanner_.take("}") : is_at_instruction()) {
      if (const Status taken = take_instruction(); !taken) return taken;
    }
    auto& instructions = computation_.instructions;
    bool has_root = false;
    for (const Instruction& instruction : instructions) has_root |= instruction.is_root;
    if (!has_root && !instructions.empty()) instructions.back().is_root = true;
    return {};
  }

  /// `name =` is next, with or without ROOT.
  bool is_at_instruction() const {
    Scanner ahead = scanner_;
    take_root(ahead);
    return !ahead.at_end() && ahead.take_name().ok() && ahead.take("=");
  }

 private:
  /// An instruction may itself be named ROOT.
  static bool take_root(Scanner& scanner) {
    if (scanner.peek_word() != "ROOT") return false;
    Scanner ahead = scanner;
    ahead.take_word();
    if (ahead.peek() == '=') return false;
    scanner = ahead;
    return true;
  }

  Status take_instruction() {
    Instruction instruction;
    instruction.line = scanner_.line();
    instruction.is_root = take_root(scanner_);
    auto name = scanner_.take_name();
    if (!name) return name.error();
    instruction.name = std::move(*name);
    if (!scanner_.take("=")) return scanner_.error("'='");
    if (const Status taken = take_operation(scanner_, instruction); !taken) return taken;
    if (const Status taken = take_own_attributes(instruction); !taken) return taken;
    add(std::move(instruction));
    return {};
  }

  void add(Instruction instruction) {
    shapes_.define(instruction);
    computation_.instructions.push_back(std::move(instruction));
  }

  /// `[shape] opcode(operands)`.
  Status take_operation(Scanner& scanner, Instruction& instruction) {
    if (is_at_shape(scanner)) {
      auto shape = take_shape(scanner);
      if (!shape) return shape.error();
      instruction.shape = std::move(*shape);
    }
    instruction.opcode = scanner.take_word();
    if (instruction.opcode.empty()) return scanner.error("a shape or an opcode");
    if (scanner.peek() != '(') return scanner.error("'('");
    const auto group = scanner.take_group();
    if (!group) return group.error();
    return take_operands(scanner.inside(*group), instruction);
  }

  Status take_operands(Scanner inside, Instruction& instruction) {
    if (instruction.opcode == "constant") return {};
    if (instruction.opcode == "parameter") {
      const auto number = take_integer(inside);
      if (!number) return number.error();
      instruction.index = *number;
    } else if (!inside.at_end()) {
      do {
        auto operand = take_operand(inside, instruction);
        if (!operand) return operand.error();
        instruction.operands.push_back(std::move(*operand));
      } while (inside.take(","));
    }
    if (!inside.at_end()) return inside.error("',' or ')'");
    return {};
  }

  /// `[shape] name [#n...]`, or an operation without a name of its own, which gets one.
  Result<Operand> take_operand(Scanner& inside, const Instruction& user) {
    const Scanner start = inside;
    Operand operand;
    if (is_at_shape(inside)) {
      auto shape = take_shape(inside);
      if (!shape) return shape.error();
      operand.shape = std::move(*shape);
    }
    auto name = inside.take_name();
    if (!name) return name.error();
    if (inside.peek() == '(') {
      inside = start;
      return take_operation_in_place(inside, user);
    }
    operand.name = std::move(*name);
    while (inside.take("#")) {
      const auto index = take_integer(inside);
      if (!index) return index.error();
      operand.tuple_index.push_back(*index);
    }
    return operand;
  }

  /// Groups nest to a limited depth, and so does this.
  Result<Operand> take_operation_in_place(Scanner& inside, const Instruction& user) {
    Instruction nested;
    nested.line = inside.line();
    nested.name = user.name + "." + std::to_string(user.operands.size());
    if (const Status taken = take_operation(inside, nested); !taken) return taken.error();
    Operand operand{nested.name, nested.shape, {}};
    add(std::move(nested));
    return operand;
  }

  Status take_own_attributes(Instruction& instruction) {
    return take_attributes(scanner_, [&](std::string_view key) -> Result<bool> {
      if (key == "dimensions" && scanner_.peek() == '{') {
        auto dimensions = take_integer_list(scanner_);
        if (!dimensions) return dimensions.error();
        instruction.dimensions = std::move(*dimensions);
        return true;
      }
      if (key != "index") return false;
      const auto index = take_integer(scanner_);
      if (!index) return index.error();
      instruction.index = *index;
      return true;
    });
  }

  Scanner& scanner_;
  Computation& computation_;
  ShapeTable shapes_;
};

/// Reads a file.
class FileReader {
 public:
  explicit FileReader(std::string_view text) : scanner_(text) {}

  Result<std::vector<Module>> take_all() {
    while (!scanner_.at_end()) {
      if (const Status taken = take_part(); !taken) return taken.error();
    }
    for (Module& module : modules_) mark_entry(module);
    return std::move(modules_);
  }

 private:
  Status take_part() {
    const std::string_view word = scanner_.peek_word();
    if (word == "HloModule") return take_header();
    for (const std::string_view table : kPositionTables) {
      if (word == table) return take_position_table();
    }
    if (modules_.empty()) modules_.emplace_back();
    return take_computation(modules_.back());
  }

  Status take_header() {
    scanner_.take_word();
    auto name = scanner_.take_name();
    if (!name) return name.error();
    Module& module = modules_.emplace_back();
    module.name = std::move(*name);
    return take_attributes(scanner_, [&](std::string_view key) -> Result<bool> {
      if (key != "entry_computation_layout") return false;
      auto layout = take_entry_layout();
      if (!layout) return layout.error();
      module.entry_layout = std::move(*layout);
      return true;
    });
  }

  /// `{(shape, shape)->shape}`.
  Result<EntryLayout> take_entry_layout() {
    if (scanner_.peek() != '{') return scanner_.error("'{'");
    const auto group = scanner_.take_group();
    if (!group) return group.error();
    Scanner inside = scanner_.inside(*group);
    if (inside.peek() != '(') return inside.error("'('");
    auto parameters = take_shape_list(inside);
    if (!parameters) return parameters.error();
    if (!inside.take("->")) return inside.error("'->'");
    auto result = take_shape(inside);
    if (!result) return result.error();
    if (!inside.at_end()) return inside.error("'}'");
    return EntryLayout{std::move(*parameters), std::move(*result)};
  }

  /// Lines of a number and a text or a group in braces.
  Status take_position_table() {
    scanner_.take_word();
    while (to_integer(scanner_.peek_word())) {
      scanner_.take_word();
      if (const auto value = scanner_.take_value(); !value) return value.error();
    }
    return {};
  }

  Status take_computation(Module& module) {
    Computation& computation = module.computations.emplace_back();
    computation.line = scanner_.line();
    InstructionReader reader(scanner_, computation);
    if (reader.is_at_instruction()) return reader.take_all(false);
    if (const Status taken = take_signature(computation); !taken) return taken;
    if (!scanner_.take("{")) return scanner_.error("'{'");
    if (const Status taken = reader.take_all(true); !taken) return taken;
    return take_unknown_attributes(scanner_);
  }

  /// `[ENTRY] name [(parameter: shape, ...) -> shape]`. Its shapes often lack layouts, so they are not kept.
  Status take_signature(Computation& computation) {
    if (scanner_.peek_word() == "ENTRY") {
      scanner_.take_word();
      computation.is_entry = true;
    }
    if (scanner_.peek() != '{') {
      auto name = scanner_.take_name();
      if (!name) return name.error();
      computation.name = std::move(*name);
    }
    if (scanner_.peek() != '(') return {};
    if (const auto parameters = scanner_.take_group(); !parameters) return parameters.error();
    if (!scanner_.take("->")) return scanner_.error("'->'");
    if (const auto result = take_shape(scanner_); !result) return result.error();
    return {};
  }

  static void mark_entry(Module& module) {
    for (const Computation& computation : module.computations) {
      if (computation.is_entry) return;
    }
    if (!module.computations.empty()) module.computations.back().is_entry = true;
  }

  Scanner scanner_;
  std::vector<Module> modules_;
};

}  // namespace

Result<std::vector<Module>> parse(std::string_view text) {
  return layout::without_exceptions([&] { return FileReader(text).take_all(); });
}

}  // namespace relayout::hlo
