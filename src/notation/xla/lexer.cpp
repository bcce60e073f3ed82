// Only what shapes are made of. Numbers that XLA reads as decimals, sizes (2x3) or paddings (1_2) fall into
// an integer and a word here; no shape can go on after either.

#include "src/notation/xla/lexer.hpp"

namespace relayout::xla {
namespace {

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}
bool is_word_start(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_word(char c) noexcept {
  return is_word_start(c) || is_digit(c) || c == '-' || c == '.';
}
bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

constexpr std::string_view kSymbols = ",:*#+~[]{}()=?";

}  // namespace

/// Skips a comment; false if none starts here or it never ends.
bool Lexer::skip_comment() {
  const std::string_view rest = text_.substr(end_);
  if (rest.substr(0, 2) == "//") {
    const std::string_view line = rest.substr(0, rest.find_first_of("\r\n"));
    if (line.find('\0') != std::string_view::npos) return false;
    end_ += line.size();
    return true;
  }
  if (rest.substr(0, 2) != "/*") return false;
  const std::size_t close = rest.find("*/", 2);
  if (close == std::string_view::npos || rest.substr(0, close).find('\0') != std::string_view::npos)
    return false;
  end_ += close + 2;
  return true;
}

void Lexer::skip_blanks_and_comments() {
  while (end_ < text_.size()) {
    if (is_blank(text_[end_])) {
      ++end_;
    } else if (text_[end_] != '/' || !skip_comment()) {
      return;
    }
  }
}

void Lexer::finish(TokenKind kind, std::size_t end) {
  current_.kind = kind;
  current_.text = text_.substr(current_.position, end - current_.position);
  end_ = end;
}

/// Non-negative integers up to 2^64 - 1 are taken modulo 2^64, as XLA does; negative ones down to -2^63.
void Lexer::read_integer() {
  const bool negative = text_[current_.position] == '-';
  std::size_t end = current_.position + (negative ? 1 : 0);
  std::uint64_t magnitude = 0;
  bool fits = end < text_.size() && is_digit(text_[end]);
  for (; end < text_.size() && is_digit(text_[end]); ++end) {
    const auto digit = static_cast<std::uint64_t>(text_[end] - '0');
    fits = fits && !__builtin_mul_overflow(magnitude, std::uint64_t{10}, &magnitude) &&
           !__builtin_add_overflow(magnitude, digit, &magnitude);
  }
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;
  if (negative && magnitude > kHalf) fits = false;
  current_.integer = static_cast<std::int64_t>(negative ? std::uint64_t{0} - magnitude : magnitude);
  current_.wrapped = !negative && magnitude >= kHalf;
  finish(fits ? TokenKind::kInteger : TokenKind::kUnreadable, end);
}

void Lexer::read_word() {
  std::size_t end = current_.position;
  while (end < text_.size() && is_word(text_[end])) ++end;
  finish(TokenKind::kWord, end);
}

void Lexer::advance() {
  skip_blanks_and_comments();
  current_ = {};
  current_.position = end_;
  if (end_ == text_.size()) return finish(TokenKind::kEnd, end_);
  const char first = text_[end_];
  if (is_digit(first) || first == '-') return read_integer();
  if (is_word_start(first)) return read_word();
  if (text_.substr(end_, 2) == "<=") return finish(TokenKind::kAtMost, end_ + 2);
  if (kSymbols.find(first) == std::string_view::npos) return finish(TokenKind::kUnreadable, end_ + 1);
  current_.symbol = first;
  finish(TokenKind::kSymbol, end_ + 1);
}

Token Lexer::following() const {
  Lexer ahead = *this;
  ahead.advance();
  return ahead.current();
}

bool Lexer::at_symbol(char symbol) const noexcept {
  return current_.kind == TokenKind::kSymbol && current_.symbol == symbol;
}

bool Lexer::at_word(std::string_view word) const noexcept {
  return current_.kind == TokenKind::kWord && current_.text == word;
}

bool Lexer::take(char symbol) {
  if (!at_symbol(symbol)) return false;
  advance();
  return true;
}

Status Lexer::expect(char symbol) {
  if (take(symbol)) return {};
  return expected("'" + std::string(1, symbol) + "'");
}

Result<std::int64_t> Lexer::integer(std::string_view what) {
  if (current_.kind != TokenKind::kInteger) return expected(what);
  const std::int64_t value = current_.integer;
  advance();
  return value;
}

Error Lexer::expected(std::string_view what) const {
  constexpr std::size_t kLongestQuote = 40;
  const std::string found = current_.kind == TokenKind::kEnd
                                ? "the end"
                                : "'" + std::string(current_.text.substr(0, kLongestQuote)) + "'";
  return Error{ErrorCode::kSyntax, "expected " + std::string(what) + " at position " +
                                       std::to_string(current_.position) + ", found " + found};
}

}  // namespace relayout::xla
