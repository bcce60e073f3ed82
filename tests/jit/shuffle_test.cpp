#include <algorithm>

#include <gtest/gtest.h>

#include "jit/compiler.hpp"
#include "tests/jit/check_nest.hpp"

namespace relayout::testing {
namespace {

using plan::ShuffleKernel;

std::vector<ShuffleKernel::Piece> pieces_of(int bytes) {
  std::vector<ShuffleKernel::Piece> pieces;
  for (int offset = 0; offset < bytes; offset += 16) pieces.push_back({offset, std::min(16, bytes - offset)});
  return pieces;
}

/// Moves byte `b` of a tile of `bytes` bytes from `from(b)`.
template <class From>
ShuffleKernel byte_permutation(int bytes, From from) {
  ShuffleKernel kernel{pieces_of(bytes), pieces_of(bytes), {}};
  for (std::size_t j = 0; j < kernel.destinations.size(); ++j) {
    std::vector<ShuffleKernel::Term> terms;
    for (std::size_t k = 0; k < kernel.sources.size(); ++k) {
      ShuffleKernel::Term term{static_cast<int>(k), std::vector<std::uint8_t>(16, 0x80)};
      for (int i = 0; i < kernel.destinations[j].bytes; ++i) {
        const int source = from(static_cast<int>(j) * 16 + i);
        if (source / 16 == static_cast<int>(k))
          term.index[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(source % 16);
      }
      terms.push_back(term);
    }
    kernel.terms.push_back(terms);
  }
  return kernel;
}

plan::Nest tiles(const ShuffleKernel& kernel, std::int64_t step_bytes) {
  return nest_of(kernel, {.trips = 5, .source_step_bytes = step_bytes, .destination_step_bytes = step_bytes});
}

TEST(ShuffleKernel, example_splits_rgb_into_planes) {
  const ShuffleKernel kernel = byte_permutation(48, [](int to) { return to % 16 * 3 + to / 16; });
  expect_moves_as_the_naive_loop(tiles(kernel, 48));
}

TEST(ShuffleKernel, moves_pieces_of_every_length_exactly) {
  for (int bytes = 1; bytes <= 48; ++bytes) {
    SCOPED_TRACE(bytes);
    expect_moves_as_the_naive_loop(
        tiles(byte_permutation(bytes, [&](int to) { return bytes - 1 - to; }), bytes));
    if (HasFailure()) return;
  }
}

TEST(ShuffleKernel, combines_more_pieces_and_tables_than_there_are_registers) {
  for (int bytes : {112, 144, 160, 240}) {
    SCOPED_TRACE(bytes);
    expect_moves_as_the_naive_loop(
        tiles(byte_permutation(bytes, [&](int to) { return to * 7 % bytes; }), bytes));
  }
}

TEST(ShuffleKernel, writes_zero_where_no_table_selects_a_byte) {
  ShuffleKernel kernel = byte_permutation(32, [](int to) { return 31 - to; });
  kernel.terms[0][1].index[3] = 0x80;
  kernel.terms[1].clear();
  expect_moves_as_the_naive_loop(tiles(kernel, 32));
}

TEST(ShuffleKernel, streams_whole_pieces) {
  const ShuffleKernel kernel = byte_permutation(48, [](int to) { return to % 16 * 3 + to / 16; });
  plan::Nest nest = tiles(kernel, 48);
  nest.store = plan::StorePolicy::kStreaming;
  nest.destination_aligned = true;
  expect_moves_as_the_naive_loop(nest);
}

TEST(ShuffleKernel, refuses_a_table_of_the_wrong_length) {
  ShuffleKernel kernel = byte_permutation(16, [](int to) { return to; });
  kernel.terms[0][0].index.pop_back();
  const auto code = jit::compile(plan_of(tiles(kernel, 16), Isa::kAvx2));
  ASSERT_FALSE(code.ok());
  EXPECT_EQ(code.error().code, ErrorCode::kInternal);
}

}  // namespace
}  // namespace relayout::testing
