#pragma once

#include <cstdint>
#include <functional>

#include <tbb/task_arena.h>

namespace relayout::cli {

/// Threads of oneTBB's, the caller being one of them.
class Team {
 public:
  explicit Team(int threads);

  int threads() const noexcept { return threads_; }

  /// Runs `part(0)` to `part(count - 1)`, in any order and on any of the threads; returns when all are done.
  void run(std::int64_t count, const std::function<void(std::int64_t)>& part);

 private:
  int threads_;
  tbb::task_arena arena_;
};

}  // namespace relayout::cli
