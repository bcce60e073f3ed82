#include "src/runtime/call_observer.hpp"

#include "src/runtime/compiled_relayout.hpp"
#include "src/runtime/verbose.hpp"

namespace relayout::runtime {

CallObserver::Choice CallObserver::choose(const CompileOptions& options) {
  return {options.count_calls, is_verbose(Verbosity::kCalls)};
}

void CallObserver::record(const CompiledRelayout& compiled, const Call& call) noexcept {
  const std::int64_t all = compiled.moved_bytes();
  const std::int64_t bytes = share(all, call.part + 1, call.parts) - share(all, call.part, call.parts);
  if (choice_.counts) {
    if (call.part == 0) calls_.fetch_add(1, std::memory_order_relaxed);
    bytes_.fetch_add(static_cast<std::uint64_t>(bytes), std::memory_order_relaxed);
  }
  if (choice_.reports) report_call(compiled, call, bytes);
}

CallCounts CallObserver::counted() const noexcept {
  return {calls_.load(std::memory_order_relaxed), bytes_.load(std::memory_order_relaxed)};
}

}  // namespace relayout::runtime
