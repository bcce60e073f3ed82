#pragma once

#include <functional>
#include <span>
#include <vector>

namespace relayout::cli {

/// Monotonic time in seconds.
double now_seconds();

/// The median; the mean of the middle two for an even count. \pre values is not empty
double median(std::vector<double> values);

/// Something to time: does its work `repetitions` times.
using Contender = std::function<void(int repetitions)>;

/// How long to measure.
struct Budget {
  double seconds = 0.5;           ///< stop after the round in which this is used up ...
  int minimum_rounds = 5;         ///< ... but not before this many,
  int maximum_rounds = 31;        ///< and at this many anyway
  double sample_seconds = 50e-6;  ///< contenders are repeated until one sample takes this long
  bool warm_each_sample = false;  ///< an untimed run in front of each sample, so that caches hold what fits
};

/// Times all contenders in turns, the first of a round rotating, and gives the median seconds of one
/// repetition of each. Each runs once untimed first. One that takes the whole budget by itself is timed by
/// that first run.
std::vector<double> interleaved_medians(std::span<const Contender> contenders, const Budget& budget);

}  // namespace relayout::cli
