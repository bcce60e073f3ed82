#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

namespace relayout::cli {

/// A bar on standard error, shown only on a terminal and only once the work has lasted a second.
class Progress {
 public:
  explicit Progress(std::int64_t steps);
  /// Takes the bar away.
  ~Progress();

  /// Whether anybody would see the bar.
  bool is_visible() const noexcept { return visible_; }

  /// So many steps done. From any thread.
  void step(std::int64_t steps = 1);

 private:
  void draw(std::int64_t done);

  const std::int64_t steps_;
  const bool visible_;
  const double start_seconds_;
  std::atomic<std::int64_t> done_{0};
  std::mutex drawing_;
  int drawn_percent_ = -1;
};

/// The bar for `percent` of the work: `[#####     ]  50%`.
std::string progress_bar(int percent);

}  // namespace relayout::cli
