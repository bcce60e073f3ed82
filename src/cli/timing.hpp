#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "src/cli/statistics.hpp"

namespace relayout::cli {

/// Up to so many bytes read and written, caches hold something worth warming.
inline constexpr std::int64_t kWarmBytes = std::int64_t{96} << 20;

/// Monotonic time in seconds.
double now_seconds();

/// Something to time: does its work `repetitions` times.
using Contender = std::function<void(int repetitions)>;

/// Keeps the compiler from dropping or joining repetitions.
inline void clobber_memory() {
  asm volatile("" ::: "memory");
}

/// Does `work` as often as the timer asks.
template <class Work>
Contender repeated(Work work) {
  return [work](int repetitions) {
    for (int i = 0; i < repetitions; ++i) {
      work();
      clobber_memory();
    }
  };
}

/// How often to do what takes `seconds` for a sample of `sample_seconds`; at least once.
int repetitions_for(double sample_seconds, double seconds);

/// How long to measure.
struct Budget {
  double seconds = 0.5;           ///< stop after the round in which this is used up ...
  int minimum_rounds = 5;         ///< ... but not before this many,
  int maximum_rounds = 31;        ///< and at this many anyway
  double sample_seconds = 50e-6;  ///< contenders are repeated until one sample takes this long
  /// Untimed runs in front of each sample until they get no faster, so that caches hold what fits.
  bool warm_each_sample = false;
  std::function<void()> before_sample = {};  ///< untimed, in front of each sample; one run is a sample then
};

/// Times all contenders in turns, in another order in each round, so that none always follows the same one,
/// and gives the seconds of one repetition of each. Each runs once untimed first. One that takes the whole
/// budget by itself is timed by that first run.
std::vector<Statistics> time_in_turns(std::span<const Contender> contenders, const Budget& budget);

}  // namespace relayout::cli
