#include "src/cli/team.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>

namespace relayout::cli {

namespace {

/// oneTBB would give no more threads than there are processors, and say so on standard error.
void allow_more_threads_than_processors() {
  constexpr std::size_t kMostThreads = 1024;
  static const tbb::global_control control(tbb::global_control::max_allowed_parallelism, kMostThreads);
}

}  // namespace

Team::Team(int threads) : threads_(threads), arena_(threads) {
  allow_more_threads_than_processors();
}

void Team::run(std::int64_t count, const std::function<void(std::int64_t)>& part) {
  if (threads_ == 1) {
    for (std::int64_t i = 0; i < count; ++i) part(i);
    return;
  }
  // One part a task: parts are cut to be worth a task already.
  const auto each_a_task = tbb::simple_partitioner();
  arena_.execute([&] { tbb::parallel_for(std::int64_t{0}, count, part, each_a_task); });
}

}  // namespace relayout::cli
