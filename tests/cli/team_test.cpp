#include "src/cli/team.hpp"

#include <atomic>
#include <vector>

#include <gtest/gtest.h>

namespace relayout::cli {
namespace {

TEST(Team, every_part_runs_once_whatever_the_number_of_threads) {
  for (const int threads : {1, 2, 5}) {
    Team team(threads);
    std::vector<std::atomic<int>> runs(17);
    team.run(17, [&](std::int64_t part) { ++runs[static_cast<std::size_t>(part)]; });
    for (const auto& count : runs) EXPECT_EQ(count, 1) << threads;
    team.run(0, [&](std::int64_t) { ADD_FAILURE() << "no part to run"; });
  }
}

}  // namespace
}  // namespace relayout::cli
