#include "src/plan/loops/single_run.hpp"

#include <cstdint>

#include <gtest/gtest.h>

#include "src/plan/cost_models/make_target.hpp"
#include "src/plan/model/target.hpp"
#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

constexpr std::int64_t kMiB = 1024 * 1024;

/// Of calls whose runs, in bytes, are `read` and `written`, all of them `tile`, in buffers of so many MiB.
bool fetches(std::int64_t read, std::int64_t written, std::int64_t tile, std::int64_t both_mib,
             const char* model = "zen3") {
  Target target = make_target(Isa::kAvx2, plan_machine(model));
  target.streamed_rows_from_bytes = 18 * kMiB;
  target.followed_reads_up_to_bytes = 9 * kMiB;
  const PairSizes sizes{.element_bytes = 1,
                        .residence = Residence::kLastCache,
                        .source_bytes = both_mib * kMiB / 2,
                        .destination_bytes = both_mib * kMiB / 2};
  return fetches_single_run({.source_bytes = read, .destination_bytes = written, .tile_bytes = tile}, sizes,
                            target);
}

TEST(SingleRun, calls_that_write_one_run_are_fetched_for_past_the_share_of_the_last_cache) {
  EXPECT_TRUE(fetches(64, 1024, 1024, 10));
  EXPECT_TRUE(fetches(64, 1024, 1024, 100));
  EXPECT_FALSE(fetches(64, 1024, 1024, 9)) << "the processor's own prefetch suffices there";
}

TEST(SingleRun, runs_to_read_of_a_few_bytes_are_not_fetched) {
  EXPECT_TRUE(fetches(8, 64, 64, 100));
  EXPECT_FALSE(fetches(7, 63, 63, 100));
}

TEST(SingleRun, calls_that_read_one_run_are_fetched_for_where_they_write_many) {
  EXPECT_TRUE(fetches(768, 32, 768, 100)) << "24 runs";
  EXPECT_FALSE(fetches(736, 32, 736, 100)) << "23 runs";
  EXPECT_FALSE(fetches(768, 32, 768, 8));
}

TEST(SingleRun, calls_that_read_one_run_and_write_one_are_fetched_for_where_rows_are_streamed) {
  EXPECT_TRUE(fetches(256, 256, 256, 20));
  EXPECT_TRUE(fetches(256, 256, 256, 100));
  EXPECT_FALSE(fetches(256, 256, 256, 18));
  EXPECT_FALSE(fetches(256, 256, 256, 100, "zen4"));
}

TEST(SingleRun, calls_that_read_one_long_run_are_fetched_for_up_to_where_rows_are_streamed) {
  EXPECT_TRUE(fetches(256, 64, 256, 18));
  EXPECT_FALSE(fetches(255, 85, 255, 18));
  EXPECT_FALSE(fetches(256, 64, 256, 20));
}

TEST(SingleRun, only_those_that_read_one_are_fetched_for_on_a_golden_cove_however_large_the_pair) {
  const auto on_golden_cove = [](std::int64_t read, std::int64_t written, std::int64_t tile) {
    return fetches(read, written, tile, 100, "golden_cove");
  };
  EXPECT_TRUE(on_golden_cove(256, 64, 256)) << "4 written";
  EXPECT_TRUE(on_golden_cove(768, 32, 768)) << "24 written";
  EXPECT_TRUE(on_golden_cove(256, 256, 256)) << "one written";
  EXPECT_FALSE(on_golden_cove(255, 85, 255)) << "short";
  EXPECT_FALSE(on_golden_cove(64, 1024, 1024)) << "16 read";
  EXPECT_FALSE(fetches(256, 64, 256, 9, "golden_cove"));
}

TEST(SingleRun, on_other_processors_none_is) {
  for (const char* other : {"zen", "zen4", "zen5", "intel", "generic"})
    for (const std::int64_t read : {64, 1024}) EXPECT_FALSE(fetches(read, 1024, 1024, 100, other)) << other;
}

}  // namespace
}  // namespace relayout::plan
