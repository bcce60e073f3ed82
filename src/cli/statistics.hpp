#pragma once

#include <optional>
#include <vector>

namespace relayout::cli {

/// A sample of measurements in five numbers. Quartiles interpolate linearly between neighbours (type 7 of
/// Hyndman and Fan, "Sample Quantiles in Statistical Packages", 1996; NumPy's default).
struct Statistics {
  int samples = 0;
  double minimum = 0;
  double lower_quartile = 0;
  double median = 0;
  double upper_quartile = 0;
  double maximum = 0;

  /// The interquartile range as a share of the median; nothing for less than three samples, which have none.
  std::optional<double> spread() const;
  /// Whether the spread is so wide that the median should not be trusted.
  bool is_unstable() const;
};

/// \pre values is not empty
Statistics statistics_of(std::vector<double> values);

/// The median; the mean of the middle two for an even count. \pre values is not empty
double median(std::vector<double> values);

}  // namespace relayout::cli
