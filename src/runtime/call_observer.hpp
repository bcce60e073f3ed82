#pragma once

#include <atomic>
#include <cstdint>

#include "relayout/compile.hpp"
#include "relayout/counters.hpp"

namespace relayout::runtime {

class CompiledRelayout;

/// Counts the calls of one compiled relayout, and reports them at verbosity kCalls. Thread safe.
class CallObserver {
 public:
  struct Choice {
    bool counts = false;
    bool reports = false;
    bool any() const { return counts || reports; }
  };
  /// One part of a call that has ended.
  struct Call {
    std::int64_t part = 0;
    std::int64_t parts = 1;
    std::int64_t nanoseconds = 0;
  };

  /// What the options and the present verbosity ask for.
  static Choice choose(const CompileOptions& options);

  explicit CallObserver(Choice choice) : choice_(choice) {}

  bool counts() const noexcept { return choice_.counts; }
  void record(const CompiledRelayout& compiled, const Call& call) noexcept;
  CallCounts counted() const noexcept;

 private:
  const Choice choice_;
  std::atomic<std::uint64_t> calls_{0};
  std::atomic<std::uint64_t> bytes_{0};
};

}  // namespace relayout::runtime
