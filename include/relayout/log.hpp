#pragma once

#include <functional>
#include <string_view>

namespace relayout {

enum class LogLevel : unsigned char { kDebug, kInfo, kWarning, kError };

/// Receives log messages. Called from any thread, possibly from several at once. What it throws is swallowed.
/// It must neither fork nor compile: messages come from the middle of compilations.
using LogSink = std::function<void(LogLevel, std::string_view)>;

/// Replaces the sink; an empty function silences the library, which is the default. Thread safe.
void set_log_sink(LogSink sink);

/// A sink that writes to standard error through spdlog, from `minimum` up.
LogSink standard_error_sink(LogLevel minimum = LogLevel::kWarning);

/// What is reported of compilations and calls, one comma-separated record a line. docs/profiling.md has the
/// fields.
enum class Verbosity : unsigned char {
  kOff,
  kCompilations,  ///< compilations, failures, cache hits and evictions
  kCalls,         ///< and executions with their durations, of pairs that are compiled from now on
};

/// Replaces the choice of the environment variable `RELAYOUT_VERBOSE=0|1|2`, which is read at the first
/// compilation. Records go to `sink` as kInfo, or else to standard error through spdlog; the first one names
/// the fields. Costs nothing when off. Thread safe.
void set_verbosity(Verbosity level, LogSink sink = {});

/// The present level.
Verbosity verbosity();

}  // namespace relayout
