#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "jit/compiler.hpp"
#include "tests/jit/check_nest.hpp"
#include "tests/jit/decode.hpp"

namespace relayout::testing {
namespace {

plan::CopyKernel run_of(std::int64_t bytes) {
  plan::CopyKernel kernel;
  kernel.bytes = bytes;
  return kernel;
}

plan::Nest from_table(std::int64_t element_bytes, std::vector<std::int64_t> lengths) {
  plan::CopyKernel kernel;
  kernel.bytes_from_table = 0;
  kernel.element_bytes = element_bytes;
  plan::Nest nest = nest_of(kernel, {.table = 0});
  plan::RunTable table;
  std::int64_t offset = 0;
  for (std::int64_t length : lengths) {
    table.push_back({length, offset, offset + 7 * static_cast<std::int64_t>(table.size())});
    offset += length * element_bytes;
  }
  nest.tables.push_back(table);
  return nest;
}

TEST(CopyKernel, example) {
  expect_moves_as_the_naive_loop(
      nest_of(run_of(20), {.trips = 3, .source_step_bytes = 20, .destination_step_bytes = 33}));
}

TEST(CopyKernel, moves_every_run_length_exactly) {
  for (std::int64_t bytes = 1; bytes <= 330; ++bytes) {
    SCOPED_TRACE(bytes);
    expect_moves_as_the_naive_loop(nest_of(
        run_of(bytes), {.trips = 3, .source_step_bytes = bytes + 3, .destination_step_bytes = bytes + 1}));
    if (HasFailure()) return;
  }
}

TEST(CopyKernel, moves_long_runs_by_a_loop_and_a_rest) {
  for (std::int64_t bytes : {511, 512, 513, 1023, 1025, 4096, 4097, 4223, 70001}) {
    SCOPED_TRACE(bytes);
    expect_moves_as_the_naive_loop(
        nest_of(run_of(bytes), {.trips = 2, .source_step_bytes = bytes, .destination_step_bytes = bytes}));
  }
}

TEST(CopyKernel, streams_the_whole_lines_of_runs_wherever_these_begin) {
  const auto check = [](std::int64_t bytes) {
    SCOPED_TRACE(bytes);
    // The runs begin at every byte of a line.
    plan::Nest nest = nest_of(
        run_of(bytes), {.trips = 65, .source_step_bytes = bytes + 3, .destination_step_bytes = bytes + 65});
    nest.loops.front().destination_step_bytes += 64 - bytes % 64;
    nest.store = plan::StorePolicy::kStreamingRuns;
    nest.prefetch_destination_bytes = 1 << 20;  // past the buffer, where a load would fault
    nest.prefetch_source_bytes = bytes % 2 << 20;
    expect_moves_as_the_naive_loop(nest);
    return !HasFailure();
  };
  for (std::int64_t bytes = 128; bytes <= 260; ++bytes) {
    if (!check(bytes)) return;
  }
  for (const std::int64_t bytes : {511, 512, 513, 575, 577, 640, 700, 1023, 4097}) {
    if (!check(bytes)) return;
  }
}

TEST(CopyKernel, fetches_the_ends_of_the_next_run_only_where_parts_of_lines_may_be_there) {
  // Whether a run that begins on a line jumps over the two fetches; nothing if there are not two.
  const auto jumps_over_fetches = [](std::int64_t run_bytes,
                                     std::int64_t ahead_bytes) -> std::optional<bool> {
    plan::Nest nest =
        nest_of(run_of(run_bytes),
                {.trips = 3, .source_step_bytes = run_bytes, .destination_step_bytes = run_bytes + 3});
    nest.store = plan::StorePolicy::kStreamingRuns;
    nest.prefetch_destination_bytes = ahead_bytes;
    expect_moves_as_the_naive_loop(nest);
    const auto code = jit::compile(plan_of(nest, Isa::kAvx2));
    if (!code) return std::nullopt;
    const std::vector<std::string> names = mnemonics(code.value()->bytes());
    if (std::ranges::count(names, "prefetcht0") != 2) return std::nullopt;
    return *(std::ranges::find(names, "prefetcht0") - 1) == "jz";
  };
  EXPECT_EQ(jumps_over_fetches(256, 1 << 20), true);
  EXPECT_EQ(jumps_over_fetches(256, (1 << 20) + 32), false) << "the next run begins elsewhere in a line";
  EXPECT_EQ(jumps_over_fetches(250, 1 << 20), false) << "its end is within a line";
  EXPECT_EQ(jumps_over_fetches(256, 0), std::nullopt) << "nothing is fetched";
}

plan::Nest under_masks(plan::Nest nest) {
  nest.under_masks = true;
  return nest;
}

TEST(CopyKernel, moves_every_run_length_under_masks) {
  for (std::int64_t bytes = 1; bytes <= 260 && !HasFailure(); ++bytes) {
    SCOPED_TRACE(bytes);
    expect_moves_as_the_naive_loop(under_masks(nest_of(
        run_of(bytes), {.trips = 3, .source_step_bytes = bytes + 3, .destination_step_bytes = bytes + 1})));
  }
  expect_moves_as_the_naive_loop(under_masks(
      nest_of(run_of(5000), {.trips = 3, .source_step_bytes = 5000, .destination_step_bytes = 5001})));
  expect_moves_as_the_naive_loop(under_masks(from_table(4, {1, 3, 8, 16, 33, 100})));
}

TEST(CopyKernel, has_a_mask_for_every_vector_on_both_sides) {
  const auto masked = [](const plan::Nest& nest, Isa isa) {
    const auto code = jit::compile(plan_of(nest, isa));
    return code ? count_masked(code.value()->bytes().first(code.value()->instruction_bytes())) : 0;
  };
  const plan::Nest plain =
      nest_of(run_of(256), {.trips = 3, .source_step_bytes = 256, .destination_step_bytes = 256});
  EXPECT_EQ(masked(under_masks(plain), Isa::kAvx2), 2 * 8U);
  EXPECT_EQ(masked(under_masks(plain), Isa::kAvx512), 2 * 4U);
  EXPECT_EQ(masked(under_masks(nest_of(run_of(8))), Isa::kAvx512), 0U) << "a general register moves it";
  EXPECT_EQ(masked(plain, Isa::kAvx2), 0U);
  EXPECT_EQ(masked(plain, Isa::kAvx512), 0U);
}

TEST(CopyKernel, fetches_the_lines_that_it_writes_next) {
  plan::Nest nest =
      nest_of(run_of(200), {.trips = 9, .source_step_bytes = 201, .destination_step_bytes = 203});
  nest.prefetch_destination_bytes = 1 << 20;  // past the buffer, where a load would fault
  expect_moves_as_the_naive_loop(nest);
  const auto code = jit::compile(plan_of(nest, Isa::kAvx2));
  ASSERT_TRUE(code.ok());
  EXPECT_EQ(std::ranges::count(mnemonics(code.value()->bytes()), "prefetcht0"), 4) << "200 bytes";
}

TEST(CopyKernel, fetches_the_lines_of_a_long_run_as_it_goes_on) {
  const auto fetches = [](std::int64_t ahead_bytes) -> std::int64_t {
    plan::Nest nest =
        nest_of(run_of(5000), {.trips = 3, .source_step_bytes = 5000, .destination_step_bytes = 5001});
    nest.prefetch_destination_bytes = ahead_bytes;
    expect_moves_as_the_naive_loop(nest);
    const auto code = jit::compile(plan_of(nest, Isa::kAvx2));
    return code ? std::ranges::count(mnemonics(code.value()->bytes()), "prefetcht0") : -1;
  };
  EXPECT_EQ(fetches(512), 2 + 1) << "the two lines of each 128 bytes, in a loop, and the rest of 8 bytes";
  EXPECT_EQ(fetches(1 << 20), 3) << "past the buffer, where a load would fault";
  EXPECT_EQ(fetches(0), 0);
}

TEST(CopyKernel, fetches_what_follows_in_the_source) {
  const auto fetches = [](std::int64_t run_bytes, plan::StorePolicy store) -> std::int64_t {
    plan::Nest nest =
        nest_of(run_of(run_bytes),
                {.trips = 3, .source_step_bytes = run_bytes, .destination_step_bytes = run_bytes + 1});
    nest.prefetch_source_bytes = 1 << 20;  // past the buffer, where a load would fault
    nest.store = store;
    expect_moves_as_the_naive_loop(nest);
    const auto code = jit::compile(plan_of(nest, Isa::kAvx2));
    return code ? std::ranges::count(mnemonics(code.value()->bytes()), "prefetcht0") : -1;
  };
  EXPECT_EQ(fetches(200, plan::StorePolicy::kTemporal), 4) << "200 bytes";
  EXPECT_EQ(fetches(5000, plan::StorePolicy::kTemporal), 2 + 1) << "in a loop, and the rest of 8 bytes";
  const std::int64_t per_line = 2;  // those in a loop, and the one after it that not every run has
  EXPECT_EQ(fetches(5000, plan::StorePolicy::kStreamingRuns), per_line);
}

TEST(CopyKernel, moves_nothing_for_an_empty_run) {
  expect_moves_as_the_naive_loop(nest_of(run_of(0), {.trips = 3}));
}

TEST(CopyKernel, takes_run_lengths_from_a_table) {
  std::vector<std::int64_t> lengths;
  for (std::int64_t length = 0; length < 150; ++length) lengths.push_back(length);
  lengths.push_back(1000);
  for (std::int64_t element_bytes : {1, 2, 3, 4, 8, 16, 48, 64, 100}) {
    SCOPED_TRACE(element_bytes);
    expect_moves_as_the_naive_loop(from_table(element_bytes, lengths));
  }
}

TEST(CopyKernel, streams_whole_vectors) {
  for (std::int64_t bytes : {64, 100, 128, 192, 256, 320, 1000, 1024, 1100}) {
    SCOPED_TRACE(bytes);
    const std::int64_t step_bytes = (bytes + 63) / 64 * 64;
    plan::Nest nest = nest_of(run_of(bytes),
                              {.trips = 3, .source_step_bytes = bytes, .destination_step_bytes = step_bytes});
    nest.store = plan::StorePolicy::kStreaming;
    nest.destination_aligned = true;
    expect_moves_as_the_naive_loop(nest);
  }
}

TEST(CopyKernel, streams_runs_from_a_table) {
  plan::CopyKernel kernel;
  kernel.bytes_from_table = 0;
  plan::Nest nest = nest_of(kernel, {.table = 0});
  nest.tables.push_back({{200, 1, 0}, {64, 300, 256}, {5, 7, 1024}, {500, 0, 2048}});
  nest.store = plan::StorePolicy::kStreaming;
  nest.destination_aligned = true;
  expect_moves_as_the_naive_loop(nest);
}

TEST(CopyKernel, uses_streaming_stores_only_in_the_streaming_function_and_leaves_the_fence_to_its_caller) {
  plan::Nest nest =
      nest_of(run_of(128), {.trips = 2, .source_step_bytes = 128, .destination_step_bytes = 128});
  nest.store = plan::StorePolicy::kStreaming;
  nest.destination_aligned = true;
  const auto code = jit::compile(plan_of(nest, Isa::kAvx2));
  ASSERT_TRUE(code.ok());
  const jit::NestCode& functions = code.value()->nests()[0];
  const auto bytes = code.value()->bytes();
  const auto streamed = [](const std::vector<std::string>& names) {
    return std::pair(std::ranges::count(names, "vmovntdq"), std::ranges::count(names, "sfence"));
  };
  const auto temporal =
      bytes.subspan(functions.temporal_offset, functions.streaming_offset - functions.temporal_offset);
  EXPECT_EQ(streamed(mnemonics(temporal)), std::pair(0L, 0L));
  const auto streaming =
      bytes.subspan(functions.streaming_offset, functions.end_offset - functions.streaming_offset);
  EXPECT_EQ(streamed(mnemonics(streaming)), std::pair(4L, 0L));
}

TEST(CopyKernel, tells_whether_any_nest_streams) {
  plan::Nest nest =
      nest_of(run_of(256), {.trips = 2, .source_step_bytes = 256, .destination_step_bytes = 256});
  plan::Plan plan = plan_of(nest, Isa::kAvx2);
  const auto streams = [&] { return jit::compile(plan).value()->streams(); };
  EXPECT_FALSE(streams());
  nest.store = plan::StorePolicy::kStreamingRuns;
  plan.nests.push_back(nest);
  EXPECT_TRUE(streams()) << "in runs, by the second nest alone";
  plan.nests.back().store = plan::StorePolicy::kStreaming;
  EXPECT_FALSE(streams()) << "no line is known to be whole";
  plan.nests.back().destination_aligned = true;
  EXPECT_TRUE(streams());
}

TEST(CopyKernel, moves_vectors_no_wider_than_the_plan_asks_for) {
  const auto streamed = [](std::int64_t bytes, plan::StorePolicy store, int widest_bytes) {
    plan::Nest nest =
        nest_of(run_of(bytes), {.trips = 4, .source_step_bytes = bytes, .destination_step_bytes = bytes});
    nest.store = store;
    nest.destination_aligned = bytes % 64 == 0;
    nest.widest_copy_bytes = widest_bytes;
    expect_moves_as_the_naive_loop(nest);
    const auto code = jit::compile(plan_of(nest, Isa::kAvx512));
    return std::ranges::count(mnemonics(code.value()->bytes()), "vmovntdq");
  };
  EXPECT_EQ(streamed(256, plan::StorePolicy::kStreaming, 64), 4);
  EXPECT_EQ(streamed(256, plan::StorePolicy::kStreaming, 32), 8);
  EXPECT_EQ(streamed(300, plan::StorePolicy::kStreamingRuns, 64), 4);
  EXPECT_EQ(streamed(300, plan::StorePolicy::kStreamingRuns, 32), 8);
}

TEST(CopyKernel, has_no_streaming_function_for_an_unaligned_destination) {
  plan::Nest nest =
      nest_of(run_of(128), {.trips = 2, .source_step_bytes = 128, .destination_step_bytes = 130});
  nest.store = plan::StorePolicy::kStreaming;
  const auto code = jit::compile(plan_of(nest, Isa::kAvx2));
  ASSERT_TRUE(code.ok());
  EXPECT_EQ(code.value()->nests()[0].streaming, nullptr);
}

}  // namespace
}  // namespace relayout::testing
