#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "relayout/result.hpp"

namespace relayout::hlo {

/// Goes through HLO text from left to right. Blanks, line breaks and comments between tokens carry no meaning
/// and are skipped by everything that takes or peeks.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text), end_(text.size()) {}

  /// Whether nothing but blanks and comments is left.
  bool at_end();
  /// The next character; NUL at the end.
  char peek();
  /// Goes past `token` if it is next.
  bool take(std::string_view token);
  /// Goes past letters, digits, `_`, `.` and `-`; empty if none is next.
  std::string_view take_word();
  /// The word that take_word would take.
  std::string_view peek_word();
  /// A name, without its `%` and quotes. \error kSyntax
  Result<std::string> take_name();
  /// Goes past a bracket, its partner and all between; quotes hide brackets. \error kSyntax
  Result<std::string_view> take_group();
  /// Goes past an attribute's value. \error kSyntax
  Result<std::string_view> take_value();
  /// Goes past `"..."`. \error kSyntax
  Status take_quoted();

  /// A scanner of what stands between the brackets of a group that this one took.
  Scanner inside(std::string_view group) const;

  /// Line of the next token, from 1.
  int line();
  /// `line 3: expected WHAT, found "..."`.
  Error error(std::string_view expected);
  /// `line 3: MESSAGE`.
  Error error_at(int line, std::string_view message) const;

 private:
  void skip_blanks();
  bool skip_comment();
  char current() const { return position_ < end_ ? text_[position_] : '\0'; }
  bool starts_with(std::string_view token) const;
  bool value_goes_on();

  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t end_;
  // Lines are counted on demand, from where they were counted last.
  std::size_t counted_position_ = 0;
  int counted_line_ = 1;
};

}  // namespace relayout::hlo
