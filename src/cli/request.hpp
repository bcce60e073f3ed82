#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "relayout/relayout.hpp"
#include "src/cli/json.hpp"

namespace relayout::cli {

/// A request is a JSON object: a line of a batch, or the same made from the command line.

/// The text under `key`. \error kBadArgument if it is missing or no string
Result<std::string> required_text(const Json& request, std::string_view key);

/// The text under `key`, or nothing if it is missing or null. \error kBadArgument if it is no string
Result<std::optional<std::string>> optional_text(const Json& request, std::string_view key);

/// The path under `key`. \error kBadArgument if it is missing, no string, or holds a NUL character, at which
/// the system would cut it
Result<std::string> required_path(const Json& request, std::string_view key);

/// The integer under `key`; `lowest` if it is missing or null. \error kBadArgument if it is no integer from
/// `lowest` to `highest`
Result<int> optional_integer(const Json& request, std::string_view key, int lowest, int highest);

/// \error kBadArgument names a key of `request` that is not among `known`
Status check_keys(const Json& request, std::span<const std::string_view> known);

/// The truth under `key`; false if it is missing or null. \error kBadArgument if it is no truth value
Result<bool> optional_flag(const Json& request, std::string_view key);

/// Reads `isa`, `kernel`, `choice`, `strict` and `tune`, all optional. \error kBadArgument for unknown names
Result<CompileOptions> read_compile_options(const Json& request);

/// Two layouts and how to compile their conversion.
struct PairRequest {
  Layout source;
  Layout destination;
  CompileOptions options;
};

/// Reads `src`, `dst`, and optionally `isa` and `kernel`.
Result<PairRequest> read_pair(const Json& request);

/// `error` with `where: ` before its message.
Error prefixed(std::string_view where, const Error& error);

}  // namespace relayout::cli
