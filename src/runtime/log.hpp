#pragma once

#include <memory>
#include <string_view>

#include "relayout/log.hpp"

namespace relayout::runtime {

/// Hands a message to the caller's sink, if there is one. Thread safe.
void log(LogLevel level, std::string_view message) noexcept;

/// Calls a sink, if there is one, and swallows what it throws.
void pass_on(const std::shared_ptr<const LogSink>& sink, LogLevel level, std::string_view message) noexcept;

/// Writes bare messages to standard error through spdlog.
LogSink plain_standard_error_sink();

// Around a fork: nobody is in the middle of a change then.
void lock_log_for_fork();
void unlock_log_after_fork();

}  // namespace relayout::runtime
