#include "src/cli/timing.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/cli/progress.hpp"

namespace relayout::cli {
namespace {

/// Busy for `seconds` per repetition.
Contender busy(double seconds, int& calls) {
  return [seconds, &calls](int repetitions) {
    calls += repetitions;
    const double end = now_seconds() + seconds * repetitions;
    while (now_seconds() < end) {
    }
  };
}

TEST(Timing, contenders_get_their_own_time) {
  int slow_calls = 0;
  int fast_calls = 0;
  const std::array contenders = {busy(400e-6, slow_calls), busy(100e-6, fast_calls)};
  const auto seconds = time_in_turns(contenders, Budget{.seconds = 0.02});
  ASSERT_EQ(seconds.size(), 2u);
  EXPECT_GE(seconds[0].minimum, 400e-6);
  EXPECT_GE(seconds[1].minimum, 100e-6);
  EXPECT_GT(seconds[0].median, seconds[1].median);
}

TEST(Timing, one_that_takes_the_whole_budget_runs_once) {
  int calls = 0;
  const std::array contenders = {busy(0.02, calls)};
  time_in_turns(contenders, Budget{.seconds = 0.01});
  EXPECT_EQ(calls, 1);
}

TEST(Timing, short_work_is_repeated_until_a_sample_is_long_enough) {
  int calls = 0;
  const std::array contenders = {busy(1e-6, calls)};
  time_in_turns(contenders, Budget{.seconds = 0.01, .sample_seconds = 50e-6});
  EXPECT_GT(calls, 31);
}

TEST(Timing, what_comes_before_a_sample_comes_before_each_and_a_sample_is_one_run) {
  int prepared = 0;
  int calls = 0;
  const std::array contenders = {busy(1e-6, calls)};
  Budget budget{.seconds = 0.01};
  budget.maximum_rounds = 7;
  budget.before_sample = [&] {
    EXPECT_EQ(prepared, calls);
    ++prepared;
  };
  EXPECT_EQ(time_in_turns(contenders, budget).front().samples, 7);
  EXPECT_EQ(prepared, calls);
}

/// Takes a millisecond less with each run in a row, down to one, as a kernel does whose buffers another
/// contender's streaming stores have driven out of the caches.
class Warming {
 public:
  Contender contender() {
    return [this](int repetitions) {
      for (int i = 0; i < repetitions; ++i) {
        const double end = now_seconds() + 1e-3 * std::max(1, kColdRuns - in_a_row_);
        ++in_a_row_;
        while (now_seconds() < end) {
        }
      }
    };
  }

  /// Drives the buffers out.
  Contender opponent() {
    return [this](int) {
      if (in_a_row_ > 0) runs.push_back(in_a_row_);
      in_a_row_ = 0;
    };
  }

  static constexpr int kColdRuns = 8;
  std::vector<int> runs;  ///< in a row, before each of the opponent's

 private:
  int in_a_row_ = 0;
};

TEST(Timing, samples_are_taken_when_runs_in_a_row_get_no_faster) {
  Warming warming;
  const std::array contenders = {warming.contender(), warming.opponent()};
  Budget budget{.seconds = 1, .maximum_rounds = 8, .sample_seconds = 1e-6, .warm_each_sample = true};
  time_in_turns(contenders, budget);
  ASSERT_GT(warming.runs.size(), 2u);
  for (std::size_t i = 1; i < warming.runs.size(); ++i)  // the first are those that come before all samples
    EXPECT_GE(warming.runs[i], Warming::kColdRuns) << i;
}

TEST(Timing, none_always_follows_the_same_contender) {
  std::string order;
  const auto noted = [&](char name) {
    return Contender([&order, name](int) {
      if (!order.ends_with(name)) order += name;
    });
  };
  const std::array contenders = {noted('a'), noted('b'), noted('c')};
  time_in_turns(contenders, Budget{.seconds = 1, .maximum_rounds = 31, .sample_seconds = 1e-9});
  for (const char* turn : {"ab", "ba", "ac", "ca", "bc", "cb"})
    EXPECT_NE(order.find(turn), std::string::npos) << order;
}

TEST(Progress, the_bar_has_one_width_from_start_to_end) {
  EXPECT_EQ(progress_bar(0), "[" + std::string(40, ' ') + "]   0%");
  EXPECT_EQ(progress_bar(50), "[" + std::string(20, '#') + std::string(20, ' ') + "]  50%");
  EXPECT_EQ(progress_bar(100), "[" + std::string(40, '#') + "] 100%");
}

}  // namespace
}  // namespace relayout::cli
