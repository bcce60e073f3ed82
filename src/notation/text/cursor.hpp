#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "relayout/result.hpp"

namespace relayout::notation {

/// A reading position in a text. Blanks between tokens are skipped; errors carry the position (0-based).
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  std::size_t position() const noexcept { return position_; }
  bool at_end() noexcept {
    skip_blanks();
    return position_ == text_.size();
  }
  /// The next character that is not a blank, or '\0' at the end.
  char peek() noexcept { return at_end() ? '\0' : text_[position_]; }
  /// Takes `expected` if it comes next.
  bool take(char expected) noexcept {
    if (peek() != expected) return false;
    ++position_;
    return true;
  }
  std::string_view rest() noexcept {
    skip_blanks();
    return text_.substr(position_);
  }

  /// Letters and digits, starting with a letter; empty if something else comes next.
  std::string_view word() noexcept {
    skip_blanks();
    std::size_t end = position_;
    while (end < text_.size() && (is_letter(text_[end]) || (end > position_ && is_digit(text_[end])))) ++end;
    return advance_to(end);
  }
  /// Letters only.
  std::string_view letters() noexcept {
    skip_blanks();
    std::size_t end = position_;
    while (end < text_.size() && is_letter(text_[end])) ++end;
    return advance_to(end);
  }

  /// A non-negative decimal integer. \error kSyntax, kOverflow
  Result<std::int64_t> integer(std::string_view what) {
    skip_blanks();
    if (position_ == text_.size() || !is_digit(text_[position_])) return expected(what);
    const std::size_t start = position_;
    std::int64_t value = 0;
    while (position_ < text_.size() && is_digit(text_[position_])) {
      if (__builtin_mul_overflow(value, std::int64_t{10}, &value) ||
          __builtin_add_overflow(value, std::int64_t{text_[position_] - '0'}, &value)) {
        return Error{ErrorCode::kOverflow, std::string(what) + " at position " + std::to_string(start) +
                                               " does not fit in 64 bits"};
      }
      ++position_;
    }
    return value;
  }

  /// The error "expected ..., found ... at position ...".
  Error expected(std::string_view what) {
    const std::string found = at_end() ? "the end" : "'" + std::string(1, text_[position_]) + "'";
    return Error{ErrorCode::kSyntax, "expected " + std::string(what) + " at position " +
                                         std::to_string(position_) + ", found " + found};
  }

 private:
  static bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
  static bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
  void skip_blanks() noexcept {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\t')) ++position_;
  }
  std::string_view advance_to(std::size_t end) noexcept {
    const auto token = text_.substr(position_, end - position_);
    position_ = end;
    return token;
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

}  // namespace relayout::notation
