#include "src/runtime/log.hpp"

#include <memory>
#include <mutex>

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

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

}  // namespace

void set_log_sink(LogSink sink) {
  const std::lock_guard lock(holder().mutex);
  holder().sink = sink ? std::make_shared<const LogSink>(std::move(sink)) : nullptr;
}

LogSink standard_error_sink(LogLevel minimum) {
  auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
  auto logger = std::make_shared<spdlog::logger>("relayout", std::move(sink));
  logger->set_level(spdlog_level(minimum));
  logger->set_pattern("%n: %^%l%$: %v");
  return [logger](LogLevel level, std::string_view message) { logger->log(spdlog_level(level), message); };
}

namespace runtime {

void log(LogLevel level, std::string_view message) noexcept {
  // Called outside the lock, so that a sink may use the library; what it throws stops here.
  std::shared_ptr<const LogSink> sink;
  {
    const std::lock_guard lock(holder().mutex);
    sink = holder().sink;
  }
  if (!sink) return;
  try {
    (*sink)(level, message);
  } catch (...) {
  }
}

}  // namespace runtime
}  // namespace relayout
