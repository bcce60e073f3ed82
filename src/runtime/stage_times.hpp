#pragma once

#include <chrono>
#include <cstdint>

namespace relayout::runtime {

/// How long the stages of a compilation took, in nanoseconds.
struct StageTimes {
  std::int64_t problem = 0;  ///< expressions of both sides, and whether the destination is injective
  std::int64_t refine = 0;   ///< expressions to loops
  std::int64_t plan = 0;
  std::int64_t emit = 0;   ///< machine code, executable memory included
  std::int64_t total = 0;  ///< and all that lies between
};

/// Nanoseconds of a clock that never goes back.
inline std::int64_t now_nanoseconds() noexcept {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

/// Nanoseconds since construction or the last `lap`.
class Stopwatch {
 public:
  std::int64_t lap() noexcept {
    const std::int64_t now = now_nanoseconds();
    const std::int64_t taken = now - start_;
    start_ = now;
    return taken;
  }

 private:
  std::int64_t start_ = now_nanoseconds();
};

}  // namespace relayout::runtime
