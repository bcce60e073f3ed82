// Shapes. Tuples nest up to 8192 deep (XLA's limit), so the open ones are kept in a list instead of on the
// call stack.

#include <utility>

#include "relayout/xla.hpp"
#include "src/layout/memory_guard.hpp"
#include "src/notation/xla/lexer.hpp"
#include "src/notation/xla/read_layout.hpp"

namespace relayout::xla {
namespace {

constexpr std::size_t kMaximumDepth = 8192;

class ShapeReader {
 public:
  ShapeReader(std::string_view text, ParseOptions options) : lexer_(text), options_(options) {}

  Result<Shape> read_all();
  Result<ArrayShape> read_layout_of(ElementType type, std::vector<std::int64_t> dimensions);

 private:
  Result<Shape> read_leaf();
  Result<Shape> read_array(ElementType type);
  Status read_dimensions(ArrayShape& array);
  Status read_dimension(ArrayShape& array);
  Status read_array_layout(ArrayShape& array);
  bool open_container();
  /// Puts `shape` into the innermost open container and closes those that end here. True if another member
  /// follows.
  Result<bool> put(Shape& shape);
  Status check_member(const Shape& shape) const;

  Lexer lexer_;
  ParseOptions options_;
  std::vector<Shape> open_;  // containers not yet closed, outermost first
};

std::vector<std::int64_t> default_order(std::size_t rank) {
  std::vector<std::int64_t> order;
  order.reserve(rank);
  for (std::size_t i = rank; i-- > 0;) order.push_back(static_cast<std::int64_t>(i));
  return order;
}

Status ShapeReader::read_dimension(ArrayShape& array) {
  const Token token = lexer_.current();
  bool dynamic = lexer_.take('?');
  std::int64_t extent = kUnbounded;
  if (!dynamic) {
    dynamic = lexer_.current().kind == TokenKind::kAtMost;
    if (dynamic) lexer_.advance();
    const bool wrapped = lexer_.current().wrapped;
    const auto read = lexer_.integer("an extent, '<=' or '?'");
    if (!read) return read.error();
    extent = *read;
    if (extent < 0 && (!dynamic || extent != kUnbounded || (options_.strict && wrapped))) {
      return Error{ErrorCode::kSyntax,
                   "expected an extent from 0 to 2^63 - 1 at position " + std::to_string(token.position)};
    }
  }
  array.dimensions.push_back(extent);
  array.dynamic.push_back(dynamic);
  return {};
}

Status ShapeReader::read_dimensions(ArrayShape& array) {
  if (!lexer_.take('[')) return lexer_.expected("'[' and the dimensions");
  if (lexer_.take(']')) return {};
  array.dimensions.reserve(kUsualRank);
  do {
    if (auto status = read_dimension(array); !status) return status;
  } while (lexer_.take(','));
  if (lexer_.take(']')) return {};
  return lexer_.expected("',' or ']'");
}

/// A brace opens a layout only if an integer or a colon follows it: in HLO text it may open a computation.
Status ShapeReader::read_array_layout(ArrayShape& array) {
  if (!lexer_.at_symbol('{')) return {};
  const Token brace = lexer_.current();
  const Token next = lexer_.following();
  const bool colon = next.kind == TokenKind::kSymbol && next.symbol == ':';
  if (next.kind != TokenKind::kInteger && !colon) {
    lexer_.advance();
    return lexer_.expected("a dimension number or ':' after '{'");
  }
  auto layout = read_layout(lexer_, options_);
  if (!layout) return layout.error();
  if (layout->minor_to_major.size() != array.dimensions.size()) {
    return Error{ErrorCode::kSyntax, "expected " + std::to_string(array.dimensions.size()) +
                                         " dimension numbers in the layout at position " +
                                         std::to_string(brace.position) + ", found " +
                                         std::to_string(layout->minor_to_major.size())};
  }
  array.layout = std::move(*layout);
  return {};
}

Result<Shape> ShapeReader::read_array(ElementType type) {
  ArrayShape array{type, {}, {}, {}};
  if (auto status = read_dimensions(array); !status) return status.error();
  const bool ordered = lexer_.at_symbol('{');
  if (!ordered) array.layout.minor_to_major = default_order(array.dimensions.size());
  if (auto status = read_array_layout(array); !status) return status.error();
  return Shape{ShapeKind::kArray, std::move(array), {}};
}

/// Anything without members.
Result<Shape> ShapeReader::read_leaf() {
  const Token token = lexer_.current();
  const bool special = lexer_.at_word("token") || lexer_.at_word("opaque");
  const auto type = token.kind == TokenKind::kWord ? ElementType::parse(token.text)
                                                   : Result<ElementType>(lexer_.expected(""));
  if (!special && !type) return lexer_.expected("an element type, 'b(' or '('");
  lexer_.advance();
  if (!special) return read_array(*type);
  if (auto status = lexer_.expect('['); !status) return status.error();
  if (auto status = lexer_.expect(']'); !status) return status.error();
  return Shape{token.text == "token" ? ShapeKind::kToken : ShapeKind::kOpaque, std::nullopt, {}};
}

bool ShapeReader::open_container() {
  const bool buffer = lexer_.at_word("b") && lexer_.following().symbol == '(';
  if (!buffer && !lexer_.at_symbol('(')) return false;
  if (buffer) lexer_.advance();
  lexer_.advance();
  open_.push_back({buffer ? ShapeKind::kBuffer : ShapeKind::kTuple, std::nullopt, {}});
  return true;
}

Status ShapeReader::check_member(const Shape& shape) const {
  if (open_.back().kind == ShapeKind::kBuffer && shape.kind != ShapeKind::kArray) {
    return Error{ErrorCode::kSyntax, "expected an array in the buffer before position " +
                                         std::to_string(lexer_.current().position)};
  }
  if (shape.kind != ShapeKind::kArray) return {};
  const auto status = validate(*shape.array);
  if (status) return {};
  return Error{status.error().code, status.error().message + ", in the member before position " +
                                        std::to_string(lexer_.current().position)};
}

Result<bool> ShapeReader::put(Shape& shape) {
  while (!open_.empty()) {
    if (auto status = check_member(shape); !status) return status.error();
    Shape& container = open_.back();
    container.members.push_back(std::move(shape));
    const bool tuple = container.kind == ShapeKind::kTuple;
    if (tuple && lexer_.take(',')) return true;
    if (!lexer_.take(')')) return lexer_.expected(tuple ? "',' or ')'" : "')'");
    shape = std::move(container);
    open_.pop_back();
  }
  return false;
}

Result<Shape> ShapeReader::read_all() {
  while (true) {
    Shape shape;
    if (open_.size() >= kMaximumDepth) return lexer_.expected("no more than 8192 nested shapes");
    if (open_container()) {
      if (open_.back().kind != ShapeKind::kTuple || !lexer_.take(')')) continue;
      shape = std::move(open_.back());
      open_.pop_back();
    } else {
      auto leaf = read_leaf();
      if (!leaf) return leaf;
      shape = std::move(*leaf);
    }
    const auto follows = put(shape);
    if (!follows) return follows.error();
    if (*follows) continue;
    if (lexer_.current().kind != TokenKind::kEnd) return lexer_.expected("the end");
    return shape;
  }
}

Result<ArrayShape> ShapeReader::read_layout_of(ElementType type, std::vector<std::int64_t> dimensions) {
  ArrayShape array = make_array(type, std::move(dimensions));
  if (!lexer_.at_symbol('{')) return lexer_.expected("'{' and the layout");
  if (auto status = read_array_layout(array); !status) return status.error();
  if (lexer_.current().kind != TokenKind::kEnd) return lexer_.expected("the end");
  return array;
}

}  // namespace

Result<Shape> parse(std::string_view text, ParseOptions options) {
  return layout::without_exceptions([&] { return ShapeReader(text, options).read_all(); });
}

Result<ArrayShape> parse_layout(std::string_view text, ElementType type,
                                std::vector<std::int64_t> dimensions) {
  return layout::without_exceptions(
      [&] { return ShapeReader(text, {}).read_layout_of(type, std::move(dimensions)); });
}

ArrayShape make_array(ElementType type, std::vector<std::int64_t> dimensions) {
  const std::size_t rank = dimensions.size();
  ArrayShape array{type, std::move(dimensions), std::vector<bool>(rank, false), {}};
  array.layout.minor_to_major = default_order(rank);
  return array;
}

}  // namespace relayout::xla
