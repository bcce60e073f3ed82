#include <algorithm>

#include <gtest/gtest.h>

#include "jit/compiler.hpp"
#include "tests/jit/check_nest.hpp"
#include "tests/jit/decode.hpp"

namespace relayout::testing {
namespace {

plan::GatherKernel strided(std::int64_t count, std::int64_t element_bytes, std::int64_t source_stride_bytes) {
  plan::GatherKernel kernel;
  kernel.count = count;
  kernel.element_bytes = element_bytes;
  kernel.source_stride_bytes = source_stride_bytes;
  kernel.destination_stride_bytes = element_bytes;
  return kernel;
}

void expect_correct(const plan::GatherKernel& kernel) {
  SCOPED_TRACE(::testing::Message() << kernel.count << " elements of " << kernel.element_bytes
                                    << " bytes, strides " << kernel.source_stride_bytes << " and "
                                    << kernel.destination_stride_bytes
                                    << (kernel.hardware ? ", hardware" : ""));
  const std::int64_t step_bytes = kernel.count * kernel.element_bytes;
  expect_moves_as_the_naive_loop(
      nest_of(kernel, {.trips = 2, .source_step_bytes = 5, .destination_step_bytes = step_bytes}));
}

TEST(GatherKernel, example) {
  expect_correct(strided(19, 4, 12));
}

TEST(GatherKernel, moves_every_count_of_every_width) {
  for (std::int64_t element_bytes : {1, 2, 3, 4, 5, 8, 12, 16, 24, 48}) {
    for (std::int64_t count : {1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 200}) {
      expect_correct(strided(count, element_bytes, 3 * element_bytes));
      if (HasFailure()) return;
    }
  }
}

TEST(GatherKernel, follows_any_stride) {
  for (std::int64_t element_bytes : {1, 2, 4, 8, 16}) {
    for (std::int64_t stride_bytes :
         std::initializer_list<std::int64_t>{-100, -17, -element_bytes, element_bytes, 21, 5000}) {
      for (bool hardware : {false, true}) {
        plan::GatherKernel kernel = strided(75, element_bytes, stride_bytes);
        kernel.hardware = hardware;
        expect_correct(kernel);
        if (HasFailure()) return;
      }
    }
  }
}

TEST(GatherKernel, repeats_one_element_for_stride_zero) {
  for (std::int64_t element_bytes : {1, 2, 3, 4, 8, 16}) {
    for (std::int64_t count : {1, 5, 16, 77}) expect_correct(strided(count, element_bytes, 0));
  }
}

TEST(GatherKernel, scatters_to_any_destination_stride) {
  for (std::int64_t element_bytes : {1, 2, 3, 4, 8, 16, 20}) {
    for (std::int64_t stride_bytes : {-3 * element_bytes, 2 * element_bytes, 7 * element_bytes + 1}) {
      plan::GatherKernel kernel = strided(13, element_bytes, 2 * element_bytes);
      kernel.destination_stride_bytes = stride_bytes;
      expect_correct(kernel);
    }
  }
}

TEST(GatherKernel, takes_counts_from_a_table) {
  for (std::int64_t element_bytes : {1, 2, 4, 6, 8, 16}) {
    for (std::int64_t source_stride_bytes : {std::int64_t{0}, 3 * element_bytes, -2 * element_bytes}) {
      plan::GatherKernel kernel = strided(0, element_bytes, source_stride_bytes);
      kernel.count_from_table = 0;
      kernel.hardware = element_bytes == 4;
      plan::Nest nest = nest_of(kernel, {.table = 0});
      nest.tables.push_back({{5, 9000, 0}, {0, 800, 0}, {70, 9100, 200}, {1, 0, 1400}, {129, 9500, 2000}});
      expect_moves_as_the_naive_loop(nest);
    }
  }
}

TEST(GatherKernel, compiles_strides_past_32_bits_without_hardware_gathers) {
  for (std::int64_t element_bytes : {1, 4, 8}) {
    for (Isa isa : kCompiledIsas) {
      plan::GatherKernel kernel = strided(100, element_bytes, std::int64_t{1} << 33);
      kernel.hardware = element_bytes == 4;
      const auto code = jit::compile(plan_of(nest_of(kernel), isa), {.validate = true});
      ASSERT_TRUE(code.ok()) << code.error().message;
      const auto instructions = code.value()->bytes().first(code.value()->instruction_bytes());
      EXPECT_EQ(find_foreign_instruction(instructions, isa), std::nullopt);
      EXPECT_EQ(std::ranges::count(mnemonics(instructions), "vpgatherdd"), 0);
    }
  }
}

TEST(GatherKernel, uses_the_gather_instruction_when_asked_to) {
  plan::GatherKernel kernel = strided(64, 4, 12);
  for (bool hardware : {false, true}) {
    kernel.hardware = hardware;
    const auto code = jit::compile(plan_of(nest_of(kernel), Isa::kAvx2));
    ASSERT_TRUE(code.ok());
    const auto names = mnemonics(code.value()->bytes().first(code.value()->instruction_bytes()));
    EXPECT_EQ(std::ranges::count(names, "vpgatherdd") > 0, hardware);
  }
}

TEST(GatherKernel, streams_whole_vectors) {
  for (std::int64_t element_bytes : {1, 2, 4, 8, 16}) {
    for (std::int64_t source_stride_bytes : {std::int64_t{0}, 3 * element_bytes}) {
      const std::int64_t count = 256 / element_bytes;
      plan::Nest nest = nest_of(strided(count, element_bytes, source_stride_bytes),
                                {.trips = 3, .source_step_bytes = 1, .destination_step_bytes = 256});
      nest.store = plan::StorePolicy::kStreaming;
      nest.destination_aligned = true;
      expect_moves_as_the_naive_loop(nest);
    }
  }
}

}  // namespace
}  // namespace relayout::testing
