// Recursive descent over
//   xors    := sum ('^' sum)*                           left-associative, weakest, as in Python
//   sum     := product (('+' | '-') product)*
//   product := unary (('*' | '//' | '%') unary)*        left-associative, equal precedence, as in Python
//   unary   := '-' unary | '+' unary | integer | name | '(' xors ')'

#include <cctype>
#include <optional>

#include "src/expr/node.hpp"

namespace relayout::expr {
namespace {

/// Open parentheses and signs; each takes a few stack frames.
constexpr int kMaximumNesting = 500;

bool is_name_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

class Parser {
 public:
  Parser(std::string_view text, std::span<const Variable> variables) : text_(text), variables_(variables) {}

  Result<IndexExpr> parse() {
    const auto result = xors();
    if (!result) return error();
    skip_blanks();
    if (position_ < text_.size()) {
      fail("unexpected '" + std::string(1, text_[position_]) + "'");
      return error();
    }
    return *result;
  }

 private:
  using Parsed = std::optional<IndexExpr>;  // nothing: error_ says why

  Error error() const { return *error_; }

  std::nullopt_t fail_with(ErrorCode code, const std::string& what, std::size_t position) {
    if (!error_) error_ = Error{code, "position " + std::to_string(position) + ": " + what};
    return std::nullopt;
  }
  std::nullopt_t fail(const std::string& what) { return fail_with(ErrorCode::kSyntax, what, position_); }

  void skip_blanks() {
    while (position_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[position_])) != 0)
      ++position_;
  }

  /// Skips blanks and takes `symbol` if it is next.
  bool take(std::string_view symbol) {
    skip_blanks();
    if (text_.substr(position_, symbol.size()) != symbol) return false;
    position_ += symbol.size();
    return true;
  }

  Parsed xors() {
    Parsed left = sum();
    while (left && take("^")) {
      const Parsed right = sum();
      if (!right) return std::nullopt;
      left = checked(*left ^ *right);
    }
    return left;
  }

  Parsed sum() {
    Parsed left = product();
    while (left) {
      const bool negative = take("-");
      if (!negative && !take("+")) break;
      const Parsed right = product();
      if (!right) return std::nullopt;
      left = checked(negative ? *left - *right : *left + *right);
    }
    return left;
  }

  Parsed product() {
    Parsed left = unary();
    while (left) {
      if (take("//")) {
        left = division(*left, Kind::kFloorDiv);
      } else if (take("%")) {
        left = division(*left, Kind::kFloorMod);
      } else if (take("*")) {
        const Parsed right = unary();
        if (!right) return std::nullopt;
        left = checked(*left * *right);
      } else {
        break;
      }
    }
    return left;
  }

  Parsed division(const IndexExpr& left, Kind kind) {
    skip_blanks();
    const std::size_t position = position_;
    const Parsed right = unary();
    if (!right) return std::nullopt;
    const auto divisor = evaluate(*right, {});
    if (!divisor && divisor.error().code == ErrorCode::kOverflow) {
      return fail_with(ErrorCode::kOverflow, "the divisor exceeds 64 bits", position);
    }
    if (!divisor) return fail_with(ErrorCode::kSyntax, "the divisor must be constant", position);
    if (*divisor <= 0) return fail_with(ErrorCode::kSyntax, "the divisor must be positive", position);
    return checked(kind == Kind::kFloorDiv ? floor_div(left, *divisor) : floor_mod(left, *divisor));
  }

  Parsed checked(const IndexExpr& e) {
    if (Node::of(e).depth > kMaximumDepth) return fail("the expression is nested too deeply");
    return e;
  }

  Parsed unary() {
    if (++nesting_ > kMaximumNesting) return fail("the expression is nested too deeply");
    const Parsed result = signed_operand();
    --nesting_;
    return result;
  }

  Parsed signed_operand() {
    if (take("-")) {
      skip_blanks();
      if (position_ < text_.size() && is_digit(text_[position_])) return integer(true);
      const Parsed operand = unary();
      return operand ? checked(negated(*operand)) : operand;
    }
    if (take("+")) return unary();
    if (take("(")) {
      const Parsed inner = xors();
      if (inner && !take(")")) return fail("expected ')'");
      return inner;
    }
    if (position_ == text_.size()) return fail("expected an operand");
    if (is_digit(text_[position_])) return integer(false);
    if (is_name_start(text_[position_])) return name();
    return fail("expected an operand");
  }

  static IndexExpr negated(const IndexExpr& e) {
    const bool negatable = e.kind() == Kind::kConstant && e.value() != INT64_MIN;
    return negatable ? IndexExpr::constant(-e.value()) : e * -1;
  }

  Parsed integer(bool negative) {
    const std::size_t start = position_;
    const std::uint64_t limit = static_cast<std::uint64_t>(INT64_MAX) + (negative ? 1 : 0);
    std::uint64_t magnitude = 0;
    for (; position_ < text_.size() && is_digit(text_[position_]); ++position_) {
      const auto digit = static_cast<std::uint64_t>(text_[position_] - '0');
      if (magnitude > (limit - digit) / 10) {
        return fail_with(ErrorCode::kOverflow, "the integer exceeds 64 bits", start);
      }
      magnitude = magnitude * 10 + digit;
    }
    if (position_ < text_.size() && is_name_start(text_[position_])) return fail("expected an operator");
    const std::uint64_t bits = negative ? std::uint64_t{0} - magnitude : magnitude;
    return IndexExpr::constant(static_cast<std::int64_t>(bits));
  }

  Parsed name() {
    const std::size_t start = position_;
    while (position_ < text_.size() && (is_name_start(text_[position_]) || is_digit(text_[position_])))
      ++position_;
    const std::string_view found = text_.substr(start, position_ - start);
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      if (variables_[i].name == found) {
        return IndexExpr::variable(static_cast<int>(i), found, variables_[i].range);
      }
    }
    return fail_with(ErrorCode::kSyntax, "unknown variable '" + std::string(found) + "'", start);
  }

  std::string_view text_;
  std::span<const Variable> variables_;
  std::size_t position_ = 0;
  int nesting_ = 0;
  std::optional<Error> error_;
};

}  // namespace

Result<IndexExpr> parse(std::string_view text, std::span<const Variable> variables) {
  return Parser(text, variables).parse();
}

}  // namespace relayout::expr
