#include "src/runtime/verbose.hpp"

#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <unistd.h>

#include "src/runtime/compiled_relayout.hpp"
#include "src/runtime/fork_gate.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/record.hpp"

namespace relayout {
namespace {

constexpr std::string_view kTemplate =
    "relayout,event,time_us,thread,source,destination,isa,kernel,code_bytes,moved_bytes,duration_us,"
    "problem_us,refine_us,plan_us,emit_us,part,parts,detail";

constexpr int kUnread = -1;
constinit std::atomic<int> current_level{kUnread};

struct RecordSink {
  std::mutex mutex;
  std::shared_ptr<const LogSink> sink;
};

/// Never destroyed: records may come from other static destructors.
RecordSink& record_sink() {
  static RecordSink* const instance = new RecordSink;
  return *instance;
}

/// The template comes first: records are only made after the level is set.
void start(Verbosity level, LogSink sink) {
  const runtime::ForkPass pass;
  if (level != Verbosity::kOff && !sink) sink = runtime::plain_standard_error_sink();
  auto shared = sink ? std::make_shared<const LogSink>(std::move(sink)) : nullptr;
  if (level != Verbosity::kOff) runtime::pass_on(shared, LogLevel::kInfo, kTemplate);
  {
    const std::lock_guard lock(record_sink().mutex);
    record_sink().sink.swap(shared);
  }
  current_level.store(static_cast<int>(level), std::memory_order_release);
}

Verbosity level_of_environment() {
  const char* text = std::getenv("RELAYOUT_VERBOSE");
  if (text == nullptr || *text == '\0') return Verbosity::kOff;
  const std::string_view level = text;
  if (level == "0") return Verbosity::kOff;
  if (level == "1") return Verbosity::kCompilations;
  if (level == "2") return Verbosity::kCalls;
  runtime::log(LogLevel::kWarning, "RELAYOUT_VERBOSE: '" + std::string(level) + "' is none of 0, 1, 2");
  return Verbosity::kOff;
}

int read_environment() noexcept {
  static std::once_flag once;
  try {
    std::call_once(once, [] {
      if (current_level.load(std::memory_order_acquire) == kUnread) start(level_of_environment(), {});
    });
  } catch (...) {  // out of memory: no records
    current_level.store(static_cast<int>(Verbosity::kOff), std::memory_order_release);
  }
  return current_level.load(std::memory_order_acquire);
}

int level_now() noexcept {
  const int level = current_level.load(std::memory_order_relaxed);
  return level == kUnread ? read_environment() : level;
}

}  // namespace

void set_verbosity(Verbosity level, LogSink sink) {
  start(level, std::move(sink));
}

Verbosity verbosity() {
  return static_cast<Verbosity>(level_now());
}

namespace runtime {
namespace {

/// Builds a record and hands it to the sink. Nothing that goes wrong with it reaches the caller.
template <class Build>
void emit(std::string_view event, Build build) noexcept {
  try {
    const ForkPass pass;  // a sink's own locks are free when another thread forks
    std::shared_ptr<const LogSink> sink;
    {
      const std::lock_guard lock(record_sink().mutex);
      sink = record_sink().sink;
    }
    Record record;
    record.field("relayout").field(event).microseconds(now_nanoseconds()).field(gettid());
    build(record);
    pass_on(sink, LogLevel::kInfo, record.text());
  } catch (...) {
  }
}

/// source,destination,isa,kernel,code_bytes
Record& put_pair(Record& record, const CompiledRelayout& compiled) {
  return record.field(compiled.source.to_string())
      .field(compiled.destination.to_string())
      .field(to_string(compiled.isa))
      .field(compiled.kernel)
      .field(static_cast<std::int64_t>(compiled.code_bytes()));
}

constexpr int kFieldsAfterPair = 9;

}  // namespace

bool is_verbose(Verbosity level) noexcept {
  return level_now() >= static_cast<int>(level);
}

void report_compilation(const CompiledRelayout& compiled) noexcept {
  if (!is_verbose(Verbosity::kCompilations)) return;
  emit("compile", [&](Record& record) {
    const StageTimes& times = compiled.times;
    put_pair(record, compiled).skip(1).microseconds(times.total);
    record.microseconds(times.problem).microseconds(times.refine);
    record.microseconds(times.plan).microseconds(times.emit);
    record.skip(2).field(compiled.portable_reason);
  });
}

void report_failure(const PairTexts& pair, std::string_view message) noexcept {
  if (!is_verbose(Verbosity::kCompilations)) return;
  emit("fail", [&](Record& record) {
    record.field(pair.source)
        .field(pair.destination)
        .field(pair.isa)
        .skip(kFieldsAfterPair + 1)
        .field(message);
  });
}

void report_hit(const CompiledRelayout& compiled) noexcept {
  if (!is_verbose(Verbosity::kCompilations)) return;
  emit("hit", [&](Record& record) { put_pair(record, compiled).skip(kFieldsAfterPair); });
}

void report_eviction(const CompiledRelayout& compiled) noexcept {
  if (!is_verbose(Verbosity::kCompilations)) return;
  emit("evict", [&](Record& record) { put_pair(record, compiled).skip(kFieldsAfterPair); });
}

void report_call(const CompiledRelayout& compiled, const CallObserver::Call& call,
                 std::int64_t bytes) noexcept {
  if (!is_verbose(Verbosity::kCalls)) return;
  emit("execute", [&](Record& record) {
    put_pair(record, compiled).field(bytes).microseconds(call.nanoseconds).skip(4);
    record.field(call.part).field(call.parts).skip(1);
  });
}

void lock_verbose_for_fork() {
  record_sink().mutex.lock();
}
void unlock_verbose_after_fork() {
  record_sink().mutex.unlock();
}

}  // namespace runtime
}  // namespace relayout
