#include "src/runtime/record.hpp"

#include <algorithm>
#include <cstdio>

namespace relayout::runtime {
namespace {

bool is_line_break(char c) {
  return c == '\n' || c == '\r';
}

}  // namespace

Record& Record::field(std::string_view text) {
  if (started_) text_ += ',';
  started_ = true;
  const bool quoted = text.find_first_of(",\"\n\r") != std::string_view::npos;
  if (quoted) text_ += '"';
  for (const char c : text) {
    if (c == '"') text_ += '"';
    text_ += is_line_break(c) ? ' ' : c;
  }
  if (quoted) text_ += '"';
  return *this;
}

Record& Record::microseconds(std::int64_t nanoseconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%lld.%03lld", static_cast<long long>(nanoseconds / 1000),
                static_cast<long long>(nanoseconds % 1000));
  return field(text);
}

Record& Record::skip(int fields) {
  for (int i = 0; i < fields; ++i) field("");
  return *this;
}

}  // namespace relayout::runtime
