#include "src/cli/progress.hpp"

#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

#include "src/cli/timing.hpp"

namespace relayout::cli {
namespace {

constexpr int kBarWidth = 40;
constexpr double kQuietSeconds = 1.0;

}  // namespace

Progress::Progress(std::int64_t steps)
    : steps_(steps), visible_(isatty(STDERR_FILENO) == 1), start_seconds_(now_seconds()) {}

Progress::~Progress() {
  if (drawn_percent_ >= 0) fmt::print(stderr, "\r\x1b[K");
}

void Progress::step(std::int64_t steps) {
  const std::int64_t done = done_ += steps;
  if (visible_ && now_seconds() - start_seconds_ > kQuietSeconds) draw(done);
}

void Progress::draw(std::int64_t done) {
  const int percent = static_cast<int>(100 * done / steps_);
  const std::lock_guard lock(drawing_);
  if (percent <= drawn_percent_) return;
  drawn_percent_ = percent;
  fmt::print(stderr, "\r{}", progress_bar(percent));
  std::fflush(stderr);
}

std::string progress_bar(int percent) {
  return fmt::format("[{:<{}}] {:>3}%", std::string(static_cast<std::size_t>(percent * kBarWidth / 100), '#'),
                     kBarWidth, percent);
}

}  // namespace relayout::cli
