#include <random>

#include <gtest/gtest.h>

#include "tests/jit/check_nest.hpp"
#include "tests/support/random_problem.hpp"

namespace relayout::testing {
namespace {

/// Random nests of up to four loops with guards, overlaps and tables around random kernels.
class RandomNests {
 public:
  explicit RandomNests(std::uint64_t seed) : random_(seed) {}

  plan::Nest next() {
    plan::Nest nest;
    const std::int64_t guards = uniform(0, 2);
    for (std::int64_t i = 0; i < guards; ++i) {
      nest.guards.push_back({uniform(1, 12), uniform(0, 1) * uniform(0, 9), uniform(0, 1) * uniform(0, 9)});
    }
    const std::int64_t loops = uniform(1, 4);
    for (std::int64_t i = 0; i < loops; ++i) nest.loops.push_back(loop(nest));
    nest.kernel = uniform(0, 1) == 0 ? plan::Kernel(copy(nest)) : plan::Kernel(gather(nest));
    return nest;
  }

 private:
  std::int64_t uniform(std::int64_t lowest, std::int64_t highest) {
    return lowest + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(highest - lowest + 1));
  }
  bool one_in(std::int64_t count) { return uniform(1, count) == 1; }

  /// A table that the loops so far walk, or -1.
  int walked_table(const plan::Nest& nest) {
    return nest.tables.empty() || one_in(2)
               ? -1
               : static_cast<int>(uniform(0, static_cast<std::int64_t>(nest.tables.size()) - 1));
  }

  plan::Loop loop(plan::Nest& nest) {
    plan::Loop loop;
    if (one_in(4)) {
      plan::RunTable table;
      for (std::int64_t i = uniform(0, 5); i > 0; --i) {
        table.push_back({uniform(0, 6), uniform(-200, 200), uniform(-200, 200)});
      }
      loop.table = static_cast<int>(nest.tables.size());
      nest.tables.push_back(table);
      return loop;
    }
    loop.trips = one_in(12) ? 0 : uniform(1, 6);
    loop.source_step_bytes = uniform(-60, 60);
    loop.destination_step_bytes = uniform(-60, 60);
    if (!nest.loops.empty()) loop.trips_from_table = walked_table(nest);
    if (!nest.guards.empty() && one_in(2)) {
      loop.guard = static_cast<int>(uniform(0, static_cast<std::int64_t>(nest.guards.size()) - 1));
      loop.guard_step = uniform(1, 4);
    }
    return loop;
  }

  plan::CopyKernel copy(const plan::Nest& nest) {
    plan::CopyKernel kernel;
    kernel.bytes = uniform(1, 80);
    kernel.element_bytes = uniform(1, 20);
    kernel.bytes_from_table = walked_table(nest);
    return kernel;
  }

  plan::GatherKernel gather(const plan::Nest& nest) {
    plan::GatherKernel kernel;
    kernel.count = uniform(0, 40);
    kernel.count_from_table = walked_table(nest);
    kernel.element_bytes = one_in(3) ? uniform(1, 20) : std::int64_t{1} << uniform(0, 4);
    kernel.source_stride_bytes = uniform(-30, 30);
    kernel.destination_stride_bytes = one_in(3) ? kernel.element_bytes + uniform(0, 9) : kernel.element_bytes;
    kernel.hardware = one_in(2);
    return kernel;
  }

  std::mt19937_64 random_;
};

TEST(RandomNests, move_as_the_naive_loop) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE(replay_hint(seed));
  RandomNests nests(seed);
  for (int i = 0; i < 1000; ++i) {
    SCOPED_TRACE(i);
    expect_moves_as_the_naive_loop(nests.next());
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace relayout::testing
