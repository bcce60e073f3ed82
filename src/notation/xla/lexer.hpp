#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "relayout/result.hpp"

namespace relayout::xla {

enum class TokenKind : std::uint8_t { kEnd, kInteger, kWord, kAtMost, kSymbol, kUnreadable };

/// One token of XLA's text form.
struct Token {
  TokenKind kind = TokenKind::kEnd;
  char symbol = '\0';        ///< of kSymbol
  std::size_t position = 0;  ///< where it starts, from 0
  std::string_view text = {};
  std::int64_t integer = 0;  ///< of kInteger
  bool wrapped = false;      ///< the integer is past 2^63 and was read as XLA does, modulo 2^64
};

/// The tokens of a text, one ahead. Blanks (blank, tab, CR, LF) and comments (`/* */`, `//`) are skipped; the
/// text between may hold any bytes.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) { advance(); }

  const Token& current() const noexcept { return current_; }
  /// The token after the current one.
  Token following() const;
  void advance();

  bool at_symbol(char symbol) const noexcept;
  bool at_word(std::string_view word) const noexcept;
  /// Takes the symbol if it comes next.
  bool take(char symbol);
  /// Takes the symbol. \error kSyntax
  Status expect(char symbol);
  /// Takes an integer. \error kSyntax
  Result<std::int64_t> integer(std::string_view what);
  /// The error "expected ..., found ... at position ...".
  Error expected(std::string_view what) const;

 private:
  void skip_blanks_and_comments();
  bool skip_comment();
  void read_integer();
  void read_word();
  void finish(TokenKind kind, std::size_t end);

  std::string_view text_;
  std::size_t end_ = 0;  // of the current token
  Token current_;
};

}  // namespace relayout::xla
