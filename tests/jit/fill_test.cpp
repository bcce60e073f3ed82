#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "jit/compiler.hpp"
#include "tests/jit/check_nest.hpp"
#include "tests/jit/decode.hpp"
#include "tests/jit/guarded_buffer.hpp"

namespace relayout::testing {
namespace {

constexpr std::uint8_t kBefore = 0xA5;

/// Runs of padding in a buffer that begins on a line.
struct Runs {
  std::int64_t element_bytes = 1;
  std::int64_t bytes = 1;         ///< of a run
  std::int64_t first_offset = 0;  ///< of the first run's first byte
  std::int64_t step_bytes = 0;    ///< from one run to the next
  std::int64_t trips = 1;
  bool streaming = false;
  bool zeros = false;  ///< the element's bytes
};

std::vector<std::uint8_t> element_of(const Runs& runs) {
  std::vector<std::uint8_t> element;
  for (std::int64_t i = 0; i < runs.element_bytes; ++i)
    element.push_back(runs.zeros ? std::uint8_t{0} : static_cast<std::uint8_t>(0x31 + 7 * i));
  return element;
}

plan::Nest filling(const Runs& runs) {
  plan::Nest nest = nest_of(plan::FillKernel{runs.bytes, element_of(runs)},
                            {.trips = runs.trips, .destination_step_bytes = runs.step_bytes});
  nest.destination_base_bytes = runs.first_offset;
  nest.store = runs.streaming ? plan::StorePolicy::kStreaming : plan::StorePolicy::kTemporal;
  nest.destination_aligned = runs.streaming;
  return nest;
}

/// What a buffer of whole lines looks like after the runs of trips [first, last).
std::vector<std::uint8_t> filled(const Runs& runs, std::int64_t first, std::int64_t last) {
  const std::int64_t end = runs.first_offset + (runs.trips - 1) * runs.step_bytes + runs.bytes;
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>((end + 63) / 64 * 64), kBefore);
  const std::vector<std::uint8_t> element = element_of(runs);
  for (std::int64_t trip = first; trip < last; ++trip) {
    const std::int64_t begin = runs.first_offset + trip * runs.step_bytes;
    for (std::int64_t i = 0; i < runs.bytes; ++i) {
      bytes[static_cast<std::size_t>(begin + i)] = element[static_cast<std::size_t>(i % runs.element_bytes)];
    }
  }
  return bytes;
}

void expect_filled(jit::KernelFunction function, const Runs& runs, std::int64_t first, std::int64_t last) {
  const std::vector<std::uint8_t> expected = filled(runs, first, last);
  // The first and the last run touch an inaccessible page where they begin or end on a line.
  for (const Flush flush : {Flush::kFront, Flush::kEnd}) {
    const GuardedBuffer buffer(expected.size(), flush);
    std::ranges::fill(buffer.bytes(), kBefore);
    function(nullptr, buffer.bytes().data(), first, last, nullptr);
    EXPECT_TRUE(std::ranges::equal(buffer.bytes(), expected));
  }
}

void check(const Runs& runs) {
  SCOPED_TRACE(::testing::Message() << runs.bytes << " bytes of elements of " << runs.element_bytes << " at "
                                    << runs.first_offset);
  for (const Isa isa : kCompiledIsas) {
    SCOPED_TRACE(to_string(isa));
    const auto code = jit::compile(plan_of(filling(runs), isa), {.validate = true});
    ASSERT_TRUE(code) << code.error().message;
    EXPECT_EQ(find_foreign_instruction((*code)->bytes().first((*code)->instruction_bytes()), isa),
              std::nullopt);
    const jit::NestCode& nest = (*code)->nests()[0];
    ASSERT_EQ(nest.trips, runs.trips);
    ASSERT_EQ(nest.streaming != nullptr, runs.streaming);
    if (isa > machine_isa()) continue;
    expect_filled(nest.temporal, runs, 0, runs.trips);
    expect_filled(nest.temporal, runs, runs.trips / 2, runs.trips);
    if (!runs.streaming) continue;
    expect_filled(nest.streaming, runs, 0, runs.trips);
    expect_filled(nest.streaming, runs, 0, runs.trips / 2);
  }
}

TEST(FillKernel, example) {
  check({.element_bytes = 4, .bytes = 20, .first_offset = 12, .step_bytes = 64, .trips = 3});
}

TEST(FillKernel, writes_every_run_length_exactly) {
  for (const std::int64_t element_bytes : {1, 2, 4, 8, 16}) {
    for (std::int64_t bytes = element_bytes; bytes <= 400; bytes += element_bytes) {
      check(
          {.element_bytes = element_bytes, .bytes = bytes, .step_bytes = bytes + element_bytes, .trips = 3});
      if (HasFailure()) return;
    }
  }
}

TEST(FillKernel, writes_long_runs_by_a_loop_and_a_rest) {
  for (const std::int64_t bytes : {1024, 2048, 4096, 4112, 70000})
    check({.element_bytes = 16, .bytes = bytes, .first_offset = 16, .step_bytes = bytes + 32, .trips = 2});
}

TEST(FillKernel, streams_the_lines_that_a_run_fills_wherever_it_begins) {
  for (const std::int64_t element_bytes : {1, 2, 4, 8, 16}) {
    for (std::int64_t offset = 0; offset < 64; offset += element_bytes) {
      for (const std::int64_t bytes : {192, 208, 256, 400, 4096, 5008}) {
        check({element_bytes, bytes, offset, (bytes + 127) / 64 * 64, 3, true});
        if (HasFailure()) return;
      }
    }
  }
}

TEST(FillKernel, writes_zeros_as_any_other_bytes) {
  for (const std::int64_t bytes : {1, 2, 7, 15, 16, 40, 100, 400, 4099})
    check({.bytes = bytes, .first_offset = 3, .step_bytes = bytes + 5, .trips = 3, .zeros = true});
  check(
      {.element_bytes = 4, .bytes = 4096, .step_bytes = 4160, .trips = 3, .streaming = true, .zeros = true});
}

TEST(FillKernel, loads_its_pattern_once_before_the_loops) {
  for (const bool zeros : {false, true}) {
    const Runs lines{.bytes = 4096, .step_bytes = 8192, .trips = 9, .streaming = true, .zeros = zeros};
    for (const Isa isa : kCompiledIsas) {
      const auto code = jit::compile(plan_of(filling(lines), isa));
      ASSERT_TRUE(code) << code.error().message;
      const jit::NestCode& nest = (*code)->nests()[0];
      const std::vector<std::string> streaming =
          mnemonics((*code)->bytes().subspan(nest.streaming_offset, nest.end_offset - nest.streaming_offset));
      // Every store is streamed: what else moves vectors are loads.
      const auto loads_in = [](auto first, auto last) {
        return std::count_if(first, last,
                             [](const std::string& mnemonic) { return mnemonic.starts_with("vmovdqu"); });
      };
      const auto loops = std::ranges::find(streaming, "jle");  // where parts without trips leave
      ASSERT_NE(loops, streaming.end());
      EXPECT_EQ(loads_in(streaming.begin(), loops), zeros ? 0 : 1) << to_string(isa);
      EXPECT_EQ(loads_in(loops, streaming.end()), 0) << to_string(isa);
      EXPECT_GT(std::ranges::count(streaming, "vmovntdq"), 0) << to_string(isa);
    }
  }
}

}  // namespace
}  // namespace relayout::testing
