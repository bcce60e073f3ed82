#pragma once

#include <functional>
#include <string_view>

namespace relayout {

enum class LogLevel : unsigned char { kDebug, kInfo, kWarning, kError };

/// Receives log messages. Called from any thread, possibly from several at once. What it throws is swallowed.
using LogSink = std::function<void(LogLevel, std::string_view)>;

/// Replaces the sink; an empty function silences the library, which is the default. Thread safe.
void set_log_sink(LogSink sink);

/// A sink that writes to standard error through spdlog, from `minimum` up.
LogSink standard_error_sink(LogLevel minimum = LogLevel::kWarning);

}  // namespace relayout
