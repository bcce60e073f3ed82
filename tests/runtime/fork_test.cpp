// A fork while other threads are anywhere in the library: the child must find every lock free.

#include <atomic>
#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "relayout/relayout.hpp"

namespace relayout::testing {
namespace {

Result<Relayout> transpose(const std::string& spec) {
  const auto source = Layout::parse(spec);
  if (!source) return source.error();
  return compile(*source, *Layout::parse_destination("[1, 0]", *source));
}

bool transposes(const Relayout& convert, std::size_t rows, std::size_t columns) {
  std::vector<std::uint16_t> from(rows * columns);
  std::vector<std::uint16_t> to(rows * columns);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::uint16_t>(i);
  convert(from.data(), to.data());
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (to[i % columns * rows + i / columns] != from[i]) return false;
  }
  return true;
}

/// What a child does: something new, something that may be compiled by another thread at the moment of the
/// fork, and everything else that takes a lock.
bool library_works(int round) {
  const auto own = transpose("u16[19," + std::to_string(3 + round) + "]");
  const auto shared = transpose("u16[24,30]");
  if (!own || !shared) return false;
  set_cache_capacity(cache_statistics().capacity);
  set_log_sink({});
  clear_cache();
  return transposes(*own, 19, static_cast<std::size_t>(3 + round)) && transposes(*shared, 24, 30);
}

/// Waits for the child for at most a minute: one that waits for a lock for ever is killed.
int status_of(pid_t child) {
  for (int tenth = 0; tenth < 600; ++tenth) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child) return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    std::this_thread::sleep_for(std::chrono::milliseconds(tenth < 10 ? 5 : 100));
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return -2;
}

/// Compiles, hits, misses, evicts, fails and logs without a pause.
void hammer(const std::atomic<bool>& stop, int thread) {
  for (int i = 0; !stop; ++i) {
    if (i % 16 == 0) clear_cache();
    static_cast<void>(
        transpose("u16[" + std::to_string(3 + i % 50) + "," + std::to_string(8 + thread) + "]"));
    static_cast<void>(transpose("u16[24,30]"));
    static_cast<void>(compile(*Layout::parse("f32[2,3]"), *Layout::parse("f32[3,2]")));
    const ExpressionVariable x{"x", 0, 143 + i % 7};
    static_cast<void>(simplify_expression("(x % 12) // 4 + 3 * (x // 12)", {&x, 1}));
  }
}

TEST(Fork, while_other_threads_compile_leaves_a_child_that_can_compile_and_run) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) threads.emplace_back([&stop, t] { hammer(stop, t); });
  int failures = 0;
  for (int round = 0; round < 100 && failures == 0; ++round) {
    const pid_t child = fork();
    if (child == 0) _exit(library_works(round) ? 0 : 1);
    const int status = status_of(child);
    if (status != 0) ++failures;
    EXPECT_EQ(status, 0) << "round " << round << (status == -2 ? ": it waited for ever" : "");
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(library_works(0)) << "and so can the parent";
}

TEST(Fork, of_a_child_of_a_child_works_too) {
  const pid_t child = fork();
  if (child == 0) {
    if (!library_works(1)) _exit(1);
    const pid_t grandchild = fork();
    if (grandchild == 0) _exit(library_works(2) ? 0 : 2);
    _exit(status_of(grandchild));
  }
  EXPECT_EQ(status_of(child), 0);
}

}  // namespace
}  // namespace relayout::testing
