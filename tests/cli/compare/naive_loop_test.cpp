#include "src/cli/compare/naive_loop.hpp"

#include <cstring>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace relayout::cli {
namespace {

/// Transposes 3 x 5 items of `bytes` each and compares with the definition.
void expect_transposed(std::size_t bytes, LoopOrder order) {
  constexpr std::int64_t kRows = 3;
  constexpr std::int64_t kColumns = 5;
  std::vector<std::byte> source(kRows * kColumns * bytes);
  std::vector<std::byte> destination(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::byte>(i);
  const auto loops = ordered({{kRows, kColumns, 1}, {kColumns, 1, kRows}}, order);
  naive_convert(loops, static_cast<std::int64_t>(bytes), source.data(), destination.data());
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t column = 0; column < kColumns; ++column) {
      const std::byte* from = source.data() + (row * kColumns + column) * bytes;
      const std::byte* to = destination.data() + (column * kRows + row) * bytes;
      ASSERT_EQ(std::memcmp(from, to, bytes), 0) << row << "," << column << " of " << bytes << " bytes";
    }
  }
}

TEST(NaiveLoop, transposes_items_of_every_width_in_both_orders) {
  for (const std::size_t bytes : {1u, 2u, 4u, 8u, 16u}) {
    expect_transposed(bytes, LoopOrder::kSource);
    expect_transposed(bytes, LoopOrder::kDestination);
  }
}

TEST(NaiveLoop, no_loop_moves_one_element) {
  const std::uint32_t source = 7;
  std::uint32_t destination = 0;
  naive_convert({}, 4, reinterpret_cast<const std::byte*>(&source),
                reinterpret_cast<std::byte*>(&destination));
  EXPECT_EQ(destination, 7u);
}

TEST(NaiveLoop, three_loops_reach_every_element) {
  std::vector<std::uint8_t> source(2 * 3 * 4);
  std::iota(source.begin(), source.end(), std::uint8_t{1});
  std::vector<std::uint8_t> destination(source.size());
  const std::vector<LoopDimension> reversed_axes = {{2, 12, 1}, {3, 4, 2}, {4, 1, 6}};
  naive_convert(reversed_axes, 1, reinterpret_cast<const std::byte*>(source.data()),
                reinterpret_cast<std::byte*>(destination.data()));
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 4; ++k)
        EXPECT_EQ(destination[k * 6 + j * 2 + i], source[i * 12 + j * 4 + k]);
    }
  }
}

}  // namespace
}  // namespace relayout::cli
