// The calculator's expressions, and the table of its operations.

#include "relayout/cute/calculator.hpp"

#include <algorithm>

#include "relayout/cute/text.hpp"
#include "src/layout/memory_guard.hpp"
#include "src/notation/cute/arguments.hpp"
#include "src/notation/cute/arithmetic.hpp"
#include "src/notation/cute/reader.hpp"

namespace relayout::cute {
namespace {

using notation::Cursor;

/// How deep calls and lists may be nested.
constexpr int kMaximumCalls = 100;

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool starts_name(char c) {
  return is_name_character(c) && c != '_' && (c < '0' || c > '9');
}

Value to_value(Item item) {
  return std::visit([](auto& kind) { return Value(std::move(kind)); }, item);
}

/// Reads expressions and evaluates them on the way.
class Evaluator {
 public:
  explicit Evaluator(Cursor& cursor) : cursor_(cursor) {}

  Result<Argument> read(int depth);
  /// Arguments up to `closer`, or to the end of the text for '\0'.
  Result<ArgumentList> read_list(char closer, int depth);

 private:
  std::string take_name();
  Result<Argument> read_named(int depth);
  Result<Argument> read_literal();
  bool at_separator() { return cursor_.peek() == ',' || cursor_.peek() == ';'; }

  Cursor& cursor_;
};

std::string Evaluator::take_name() {
  std::string name;
  const std::string_view rest = cursor_.rest();
  for (const char c : rest) {
    if (!is_name_character(c)) break;
    name += c;
    cursor_.take(c);
  }
  return name;
}

Result<Argument> Evaluator::read_named(int depth) {
  const std::string name = take_name();
  if (name == "LayoutLeft" || name == "GenColMajor") return Argument{Direction::kLeft};
  if (name == "LayoutRight" || name == "GenRowMajor") return Argument{Direction::kRight};
  if (!cursor_.take('(')) return cursor_.expected("'(' after " + name);
  const auto arguments = read_list(')', depth + 1);
  if (!arguments) return arguments.error();
  auto value = apply_operation(name, *arguments);
  if (!value) return value.error();
  return Argument{std::move(*value)};
}

Result<Argument> Evaluator::read_literal() {
  Reader reader(cursor_);
  auto item = reader.read_item();
  if (!item) return item.error();
  if (!reader.take_composition()) return Argument{to_value(std::move(*item))};
  auto composed = reader.read_composed(std::move(*item));
  if (!composed) return composed.error();
  return Argument{Value(std::move(*composed))};
}

Result<Argument> Evaluator::read(int depth) {
  if (depth > kMaximumCalls) return cursor_.expected("no more than 100 nested calls");
  const char next = cursor_.peek();
  if (next == '[' || next == '<') {
    cursor_.take(next);
    auto list = read_list(next == '[' ? ']' : '>', depth + 1);
    if (!list) return list.error();
    return Argument{std::move(*list)};
  }
  if (starts_name(next) && !Reader(cursor_).at_swizzle()) return read_named(depth);
  return read_literal();
}

Result<ArgumentList> Evaluator::read_list(char closer, int depth) {
  ArgumentList list;
  while (true) {
    if (at_separator() || cursor_.peek() == closer) {
      list.push_back({});
    } else {
      auto argument = read(depth);
      if (!argument) return argument.error();
      list.push_back(std::move(*argument));
    }
    if (at_separator()) {
      cursor_.take(cursor_.peek());
    } else if (closer == '\0' && cursor_.at_end()) {
      return list;
    } else if (closer == '\0' || !cursor_.take(closer)) {
      return cursor_.expected(closer == '\0' ? std::string("',' or the end")
                                             : "',' or '" + std::string(1, closer) + "'");
    } else {
      return list;
    }
  }
}

const std::vector<CalculatorOperation>& operations() {
  static const std::vector<CalculatorOperation> all = [] {
    std::vector<CalculatorOperation> table = structure_operations();
    for (const auto& more : {algebra_operations(), printing_operations()}) {
      table.insert(table.end(), more.begin(), more.end());
    }
    std::sort(table.begin(), table.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return table;
  }();
  return all;
}

Result<Value> evaluate(std::string_view expression) {
  Cursor cursor(expression);
  auto argument = Evaluator(cursor).read(0);
  if (!argument) return argument.error();
  if (!cursor.at_end()) return cursor.expected("the end");
  auto* value = std::get_if<Value>(&argument->content);
  if (value == nullptr) return bad_argument("the expression is no layout, tuple, integer or call");
  return std::move(*value);
}

/// Positions count from the argument's own start; say which one it is.
Error in_argument(Error error, std::size_t i) {
  if (error.code == ErrorCode::kSyntax) {
    error.message = "argument " + std::to_string(i + 1) + ": " + error.message;
  }
  return error;
}

Result<Value> evaluate_call(std::string_view operation, const std::vector<std::string>& texts) {
  ArgumentList arguments;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    Cursor cursor(texts[i]);
    auto parsed = Evaluator(cursor).read_list('\0', 0);
    if (!parsed) return in_argument(parsed.error(), i);
    for (Argument& argument : *parsed) arguments.push_back(std::move(argument));
  }
  return apply_operation(operation, arguments);
}

}  // namespace

Result<Value> apply_operation(std::string_view name, const ArgumentList& arguments) {
  const auto& all = operations();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& o) { return o.name == name; });
  if (found == all.end()) return bad_argument("there is no operation " + std::string(name));
  std::size_t given = arguments.size();
  while (given > 0 && !Arguments(arguments).has(given - 1)) --given;
  if (given < found->fewest || given > found->most) {
    return bad_argument(std::string(name) + " does not take " + std::to_string(given) + " arguments");
  }
  auto value = found->apply(Arguments(arguments));
  if (value) return value;
  return Error{value.error().code, std::string(name) + ": " + value.error().message};
}

Result<Value> calculate(std::string_view expression) {
  return layout::without_exceptions([&] { return evaluate(expression); });
}

Result<Value> calculate(std::string_view operation, const std::vector<std::string>& arguments) {
  return layout::without_exceptions([&] { return evaluate_call(operation, arguments); });
}

std::vector<std::string_view> operation_names() {
  std::vector<std::string_view> names;
  for (const CalculatorOperation& operation : operations()) names.push_back(operation.name);
  return names;
}

}  // namespace relayout::cute
