#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace relayout::runtime {

/// One line of comma-separated fields, quoted as RFC 4180 has it: a field with a comma, a quote or a line
/// break is put between quotes, and quotes within it are doubled. Line breaks become blanks first, so that a
/// record is always one line.
class Record {
 public:
  Record& field(std::string_view text);
  Record& field(std::int64_t number) { return field(std::to_string(number)); }
  /// Nanoseconds, in microseconds with three decimals.
  Record& microseconds(std::int64_t nanoseconds);
  Record& skip(int fields);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  bool started_ = false;
};

}  // namespace relayout::runtime
