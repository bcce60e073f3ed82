#include "src/runtime/log.hpp"

#include <memory>
#include <mutex>
#include <utility>

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include "src/runtime/fork_gate.hpp"

namespace relayout {
namespace {

struct SinkHolder {
  std::mutex mutex;
  std::shared_ptr<const LogSink> sink;
};

/// Never destroyed: messages may come from other static destructors.
SinkHolder& holder() {
  static SinkHolder* const instance = new SinkHolder;
  return *instance;
}

spdlog::level::level_enum spdlog_level(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
  }
  return spdlog::level::err;
}

LogSink spdlog_sink(LogLevel minimum, const char* pattern) {
  auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
  auto logger = std::make_shared<spdlog::logger>("relayout", std::move(sink));
  logger->set_level(spdlog_level(minimum));
  logger->set_pattern(pattern);
  return [logger](LogLevel level, std::string_view message) { logger->log(spdlog_level(level), message); };
}

}  // namespace

void set_log_sink(LogSink sink) {
  // The old sink is destroyed after the lock is free: it may hold anything.
  auto replaced = sink ? std::make_shared<const LogSink>(std::move(sink)) : nullptr;
  const std::lock_guard lock(holder().mutex);
  holder().sink.swap(replaced);
}

LogSink standard_error_sink(LogLevel minimum) {
  return spdlog_sink(minimum, "%n: %^%l%$: %v");
}

namespace runtime {

LogSink plain_standard_error_sink() {
  return spdlog_sink(LogLevel::kDebug, "%v");
}

void pass_on(const std::shared_ptr<const LogSink>& sink, LogLevel level, std::string_view message) noexcept {
  if (!sink) return;
  try {
    (*sink)(level, message);
  } catch (...) {
  }
}

void log(LogLevel level, std::string_view message) noexcept {
  const ForkPass pass;  // a sink's own locks are free when another thread forks
  // Called outside the lock, so that a sink may take its time, or be replaced.
  std::shared_ptr<const LogSink> sink;
  {
    const std::lock_guard lock(holder().mutex);
    sink = holder().sink;
  }
  pass_on(sink, level, message);
}

void lock_log_for_fork() {
  holder().mutex.lock();
}
void unlock_log_after_fork() {
  holder().mutex.unlock();
}

}  // namespace runtime
}  // namespace relayout
