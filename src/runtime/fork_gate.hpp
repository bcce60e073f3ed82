#pragma once

namespace relayout::runtime {

/// Held by a thread while it compiles or logs. A `fork` in another thread waits until none is held,
/// so that a child never inherits a half-made table, a half-run initialiser or a mutex that nobody will
/// unlock. May be nested. A thread that forks while it holds one itself (in a log sink) does not wait: its
/// child must not use the library.
class ForkPass {
 public:
  ForkPass() noexcept;
  ForkPass(const ForkPass&) = delete;
  ForkPass& operator=(const ForkPass&) = delete;
  ~ForkPass();
};

}  // namespace relayout::runtime
