#include "relayout/counters.hpp"

#include <thread>

#include <gtest/gtest.h>

#include "relayout/relayout.hpp"

namespace relayout::testing {
namespace {

Result<Relayout> transpose(const std::string& spec, const CompileOptions& options = {}) {
  const auto source = Layout::parse(spec);
  return compile(*source, *Layout::parse_destination("[1, 0]", *source), options);
}

TEST(Counters, example) {
  clear_cache();
  const Counters before = counters();
  const auto first = transpose("f32[40,24]");
  const auto second = transpose("f32[40,24]");
  ASSERT_TRUE(first && second);
  const Counters after = counters();
  EXPECT_EQ(after.compilations - before.compilations, 1U);
  EXPECT_EQ(after.hits - before.hits, 1U);
  EXPECT_EQ(after.evictions, before.evictions);
  EXPECT_EQ(after.code_bytes - before.code_bytes, first->code_bytes());
  EXPECT_GT(after.compile_nanoseconds, before.compile_nanoseconds);
}

TEST(Counters, compilations_that_fail_or_bypass_the_cache_count) {
  const Counters before = counters();
  const auto source = Layout::parse("f32[2,3]");
  EXPECT_FALSE(compile(*source, *Layout::parse("f32[3,2]")));
  CompileOptions options;
  options.bypass_cache = true;
  EXPECT_TRUE(transpose("f32[40,24]", options));
  EXPECT_EQ(counters().compilations - before.compilations, 2U);
  EXPECT_EQ(counters().hits, before.hits);
}

TEST(Counters, evictions_count) {
  clear_cache();
  const Counters before = counters();
  const std::size_t capacity = cache_statistics().capacity;
  set_cache_capacity(2);
  for (int i = 2; i < 7; ++i) EXPECT_TRUE(transpose("u8[16," + std::to_string(i) + "]"));
  set_cache_capacity(capacity);
  EXPECT_EQ(counters().evictions - before.evictions, 3U);
}

TEST(CallCounts, are_kept_for_relayouts_that_were_compiled_so) {
  CompileOptions counted;
  counted.count_calls = true;
  const auto plain = transpose("f32[40,24]");
  const auto convert = transpose("f32[40,24]", counted);
  ASSERT_TRUE(plain && convert);
  EXPECT_EQ(plain->call_counts(), std::nullopt);
  EXPECT_EQ(convert->call_counts(), CallCounts{});
  std::vector<std::byte> from(3840);
  std::vector<std::byte> to(3840);
  (*plain)(from.data(), to.data());
  (*convert)(from.data(), to.data());
  EXPECT_TRUE(convert->run(from, to));
  EXPECT_EQ(convert->call_counts(), (CallCounts{2, 2 * 2 * 3840}));
  EXPECT_EQ(transpose("f32[40,24]", counted)->call_counts()->calls, 2U) << "one code, one count";
}

TEST(CallCounts, leave_out_proofs_and_measurements) {
  CompileOptions counted;
  counted.count_calls = true;
  counted.prove = true;
  EXPECT_EQ(transpose("f32[40,25]", counted)->call_counts(), CallCounts{});
  counted.tune = Tuning::kMeasure;
  EXPECT_EQ(transpose("f32[40,26]", counted)->call_counts(), CallCounts{});
}

TEST(CallCounts, of_parts_add_up_to_one_call) {
  CompileOptions counted;
  counted.count_calls = true;
  counted.bypass_cache = true;
  const auto convert = transpose("u8[37,23]", counted);
  std::vector<std::byte> from(37 * 23);
  std::vector<std::byte> to(37 * 23);
  for (std::int64_t part = 0; part < 7; ++part) convert->run_part(from.data(), to.data(), part, 7);
  EXPECT_EQ(convert->call_counts(), (CallCounts{1, 2 * 37 * 23}));
}

TEST(CallCounts, of_all_threads_are_added) {
  CompileOptions counted;
  counted.count_calls = true;
  counted.bypass_cache = true;
  const auto convert = transpose("u8[32,32]", counted);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      std::vector<std::byte> from(1024);
      std::vector<std::byte> to(1024);
      for (int i = 0; i < 500; ++i) (*convert)(from.data(), to.data());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(convert->call_counts(), (CallCounts{2000, 2000 * 2048}));
}

}  // namespace
}  // namespace relayout::testing
