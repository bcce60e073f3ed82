#include "src/hlo/scanner.hpp"

#include <algorithm>
#include <vector>

namespace relayout::hlo {
namespace {

/// Deeper than any real module, and shallow enough for what reads groups within groups.
constexpr std::size_t kDeepestGroup = 200;

bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '-';
}

/// The bracket that closes `open`, or NUL if that opens nothing.
char closing_bracket(char open) {
  if (open == '(') return ')';
  if (open == '[') return ']';
  return open == '{' ? '}' : '\0';
}

bool is_closing_bracket(char c) {
  return c == ')' || c == ']' || c == '}';
}

}  // namespace

bool Scanner::starts_with(std::string_view token) const {
  return text_.substr(position_, std::min(token.size(), end_ - position_)) == token;
}

bool Scanner::skip_comment() {
  const bool is_line = starts_with("//");
  if (!is_line && !starts_with("/*")) return false;
  const std::string_view terminator = is_line ? "\n" : "*/";
  const std::size_t found = text_.find(terminator, position_ + 2);
  position_ = found == std::string_view::npos ? end_ : std::min(end_, found + terminator.size());
  return true;
}

void Scanner::skip_blanks() {
  while (position_ < end_ && (is_blank(text_[position_]) || skip_comment())) {
    if (is_blank(current())) ++position_;
  }
}

bool Scanner::at_end() {
  skip_blanks();
  return position_ == end_;
}

char Scanner::peek() {
  skip_blanks();
  return current();
}

bool Scanner::take(std::string_view token) {
  skip_blanks();
  if (!starts_with(token)) return false;
  position_ += token.size();
  return true;
}

std::string_view Scanner::peek_word() {
  skip_blanks();
  std::size_t last = position_;
  while (last < end_ && is_word_character(text_[last])) ++last;
  return text_.substr(position_, last - position_);
}

std::string_view Scanner::take_word() {
  const std::string_view word = peek_word();
  position_ += word.size();
  return word;
}

Result<std::string> Scanner::take_name() {
  const bool has_sign = take("%");
  if (has_sign && current() == '"') {
    const std::size_t first = position_ + 1;
    if (const Status quoted = take_quoted(); !quoted) return quoted.error();
    return std::string(text_.substr(first, position_ - first - 1));
  }
  const std::string_view word = take_word();
  if (word.empty()) return error("a name");
  return std::string(word);
}

Status Scanner::take_quoted() {
  const std::size_t first = position_;
  for (++position_; position_ < end_; ++position_) {
    if (text_[position_] == '\\') {
      ++position_;
    } else if (text_[position_] == '"') {
      ++position_;
      return {};
    }
  }
  position_ = first;
  return error_at(line(), "a quoted text that does not end");
}

Result<std::string_view> Scanner::take_group() {
  skip_blanks();
  const std::size_t first = position_;
  if (closing_bracket(peek()) == '\0') return error("an opening bracket");
  std::string awaited;
  do {
    skip_blanks();
    const char c = current();
    if (c == '"') {
      if (const Status quoted = take_quoted(); !quoted) return quoted.error();
      continue;
    }
    if (position_ == end_) break;
    if (closing_bracket(c) != '\0') {
      if (awaited.size() == kDeepestGroup) return error_at(line(), "brackets nest too deeply");
      awaited.push_back(closing_bracket(c));
    } else if (is_closing_bracket(c)) {
      if (c != awaited.back()) return error(std::string("'") + awaited.back() + "'");
      awaited.pop_back();
    }
    ++position_;
  } while (!awaited.empty());
  if (!awaited.empty()) {
    position_ = first;
    return error_at(line(), "a bracket that is not closed");
  }
  return text_.substr(first, position_ - first);
}

/// `[2,4]<=[8]` may be written with blanks.
bool Scanner::value_goes_on() {
  const std::size_t here = position_;
  skip_blanks();
  if (starts_with("<=") || here == position_) return true;
  position_ = here;
  return false;
}

Result<std::string_view> Scanner::take_value() {
  skip_blanks();
  const std::size_t first = position_;
  while (position_ < end_ && value_goes_on()) {
    const char c = current();
    if (c == ',' || is_closing_bracket(c) || position_ == end_) break;
    if (closing_bracket(c) != '\0') {
      if (const auto group = take_group(); !group) return group.error();
    } else if (c == '"') {
      if (const Status quoted = take_quoted(); !quoted) return quoted.error();
    } else if (starts_with("<=")) {
      position_ += 2;
      skip_blanks();
    } else {
      ++position_;
    }
  }
  if (position_ == first) return error("a value");
  return text_.substr(first, position_ - first);
}

Scanner Scanner::inside(std::string_view group) const {
  Scanner scanner(text_);
  scanner.position_ = static_cast<std::size_t>(group.data() - text_.data()) + 1;
  scanner.end_ = scanner.position_ + group.size() - 2;
  if (counted_position_ <= scanner.position_) {
    scanner.counted_position_ = counted_position_;
    scanner.counted_line_ = counted_line_;
  }
  return scanner;
}

int Scanner::line() {
  skip_blanks();
  const auto begin = text_.begin();
  counted_line_ += static_cast<int>(std::count(begin + static_cast<std::ptrdiff_t>(counted_position_),
                                               begin + static_cast<std::ptrdiff_t>(position_), '\n'));
  counted_position_ = position_;
  return counted_line_;
}

Error Scanner::error_at(int line, std::string_view message) const {
  return {ErrorCode::kSyntax, "line " + std::to_string(line) + ": " + std::string(message)};
}

Error Scanner::error(std::string_view expected) {
  constexpr std::size_t kShownCharacters = 24;
  const int here = line();
  std::string found = "the end";
  if (position_ < end_) {
    const std::string_view rest = text_.substr(position_, std::min(kShownCharacters, end_ - position_));
    found = '"' + std::string(rest.substr(0, rest.find('\n'))) + '"';
  }
  return error_at(here, "expected " + std::string(expected) + ", found " + found);
}

}  // namespace relayout::hlo
