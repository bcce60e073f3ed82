#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace relayout::cli {

/// Whether `stream` is a terminal that may get colours: NO_COLOR unset or empty, TERM not `dumb`.
bool wants_colour(std::FILE* stream);

/// `text` in bold if `stream` wants colour.
std::string bold(std::string_view text, std::FILE* stream);

/// Prints `relayout: message` on standard error, as one line whatever the message holds.
void print_error(std::string_view message);

/// Writes `text` and a newline to standard output and flushes. False if it could not be written.
bool write_line(std::string_view text);

}  // namespace relayout::cli
