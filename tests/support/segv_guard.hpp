#pragma once

#include <string_view>

namespace relayout::testing {

/// While one lives, a crash (SIGSEGV, SIGBUS, SIGILL, SIGFPE) writes `crashed in NAME` to standard error
/// before the process dies as it would have. Generated code that leaves its buffers would otherwise die
/// nameless. For one thread.
class SegvGuard {
 public:
  explicit SegvGuard(std::string_view name);
  ~SegvGuard();
  SegvGuard(const SegvGuard&) = delete;
  SegvGuard& operator=(const SegvGuard&) = delete;

  /// Says more closely where the test is; replaces the previous detail.
  void set_detail(std::string_view detail);
};

}  // namespace relayout::testing
