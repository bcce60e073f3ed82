#pragma once

#include <functional>
#include <istream>

#include "relayout/result.hpp"
#include "src/cli/json.hpp"

namespace relayout::cli {

/// Turns one request into one answer.
using Answer = std::function<Result<Json>(const Json& request)>;

/// Receives one line of output, without its newline. False stops the batch.
using LineWriter = std::function<bool(const std::string& line)>;

/// One line of text for one answer.
std::string to_line(const Json& answer);

/// Answers one line: the object that `answer` gives for it, or {"error": message}. Keys that the line lacks
/// are taken from `defaults`. Never throws for what the line holds.
Json answer_line(const Answer& answer, const Json& defaults, const std::string& line);

/// Answers every line of `lines`, one line of output each, in order. False if an answer could not be written.
bool run_batch(const Answer& answer, const Json& defaults, std::istream& lines, const LineWriter& write);

}  // namespace relayout::cli
