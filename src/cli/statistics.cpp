#include "src/cli/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace relayout::cli {
namespace {

constexpr int kFewestForSpread = 3;
/// Quiet machines stay below 3 percent, and figures that vary by more than this differ between runs.
constexpr double kUnstableSpread = 0.1;

/// \pre sorted is not empty
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(place));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - std::floor(place)) * (sorted[above] - sorted[below]);
}

}  // namespace

std::optional<double> Statistics::spread() const {
  if (samples < kFewestForSpread || median <= 0) return std::nullopt;
  return (upper_quartile - lower_quartile) / median;
}

bool Statistics::is_unstable() const {
  return spread().value_or(0) > kUnstableSpread;
}

Statistics statistics_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {static_cast<int>(values.size()), values.front(),         quantile(values, 0.25),
          quantile(values, 0.5),           quantile(values, 0.75), values.back()};
}

double median(std::vector<double> values) {
  return statistics_of(std::move(values)).median;
}

}  // namespace relayout::cli
