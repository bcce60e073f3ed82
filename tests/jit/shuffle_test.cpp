#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "jit/compiler.hpp"
#include "jit/shuffle_lanes.hpp"
#include "relayout/machine.hpp"
#include "relayout/relayout.hpp"
#include "tests/jit/check_nest.hpp"
#include "tests/jit/decode.hpp"

namespace relayout::testing {
namespace {

using plan::ShuffleKernel;

constexpr Isa kVbmi[] = {Isa::kAvx512Vbmi};
constexpr Isa kAvx512AndUp[] = {Isa::kAvx512, Isa::kAvx512Vbmi};

std::vector<ShuffleKernel::Piece> pieces_of(int bytes, int piece_bytes) {
  std::vector<ShuffleKernel::Piece> pieces;
  for (int offset = 0; offset < bytes; offset += piece_bytes)
    pieces.push_back({offset, std::min(piece_bytes, bytes - offset)});
  return pieces;
}

/// Moves byte `b` of a tile of `bytes` bytes from `from(b)`.
template <class From>
ShuffleKernel byte_permutation(int bytes, From from, int piece_bytes = 16) {
  ShuffleKernel kernel{pieces_of(bytes, piece_bytes), pieces_of(bytes, piece_bytes), {}, piece_bytes};
  for (std::size_t j = 0; j < kernel.destinations.size(); ++j) {
    std::vector<ShuffleKernel::Term> terms;
    for (std::size_t k = 0; k < kernel.sources.size(); ++k) {
      ShuffleKernel::Term term{static_cast<int>(k),
                               std::vector<std::uint8_t>(static_cast<std::size_t>(piece_bytes), 0x80)};
      for (int i = 0; i < kernel.destinations[j].bytes; ++i) {
        const int source = from(static_cast<int>(j) * piece_bytes + i);
        if (source / piece_bytes == static_cast<int>(k))
          term.index[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(source % piece_bytes);
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

/// Bytes of three planes to RGB, or back, `pixels` a call, 3 * pixels a multiple of 16; the planes 1000 bytes
/// apart.
ShuffleKernel rgb(int pixels, bool to_planes) {
  const auto place_of = [&](int plane, int pixel) { return plane * pixels + pixel; };
  ShuffleKernel kernel = byte_permutation(3 * pixels, [&](int to) {
    return to_planes ? to % pixels * 3 + to / pixels : place_of(to % 3, to / 3);
  });
  for (ShuffleKernel::Piece& piece : to_planes ? kernel.destinations : kernel.sources)
    piece.offset_bytes = piece.offset_bytes / pixels * 1000 + piece.offset_bytes % pixels;
  for (auto& terms : kernel.terms) {
    std::erase_if(terms, [](const ShuffleKernel::Term& term) {
      return std::ranges::all_of(term.index, [](std::uint8_t byte) { return byte == 0x80; });
    });
  }
  return kernel;
}

plan::Nest rgb_nest(int pixels, bool to_planes) {
  return nest_of(rgb(pixels, to_planes), {.trips = 5,
                                          .source_step_bytes = to_planes ? 3 * pixels : pixels,
                                          .destination_step_bytes = to_planes ? pixels : 3 * pixels});
}

TEST(ShuffleKernel, twins_share_registers_of_32_bytes) {
  for (const int pixels : {32, 64, 96}) {
    for (const bool to_planes : {true, false}) {
      ASSERT_TRUE(jit::find_twins(rgb(pixels, to_planes))) << pixels;
      for (const bool streams : {false, true}) {
        plan::Nest nest = rgb_nest(pixels, to_planes);
        nest.store = streams ? plan::StorePolicy::kStreaming : plan::StorePolicy::kTemporal;
        nest.destination_aligned = streams;
        expect_moves_as_the_naive_loop(nest);
      }
    }
  }
}

TEST(ShuffleKernel, pieces_have_twins_only_where_all_do_and_are_whole) {
  const auto twins = jit::find_twins(rgb(64, true));
  ASSERT_TRUE(twins);
  EXPECT_EQ(twins->first.destinations.size(), 6U);
  EXPECT_EQ(twins->first.sources.size(), 6U);
  EXPECT_EQ(twins->destination_apart, std::vector<std::int64_t>(6, 16)) << "neighbours in their plane";
  EXPECT_EQ(twins->source_apart, std::vector<std::int64_t>(6, 48)) << "the next 16 pixels";
  EXPECT_FALSE(jit::find_twins(rgb(16, true))) << "three different pieces";
  EXPECT_FALSE(jit::find_twins(rgb(48, true))) << "an odd number";
  EXPECT_FALSE(jit::find_twins(byte_permutation(24, [](int to) { return 23 - to; }))) << "half a piece";
}

/// Moves units of `unit` bytes from `from(unit's number)`.
template <class From>
ShuffleKernel wide_permutation(int bytes, int unit, From from) {
  return byte_permutation(
      bytes, [=](int to) { return from(to / unit) * unit + to % unit; }, 64);
}

/// Prefetches into the first cache in code of `level` for `nest`, told to fetch what it writes.
std::int64_t destination_prefetches(plan::Nest nest, Isa level) {
  nest.prefetch_destination_bytes = 1 << 20;  // past the buffer, where a load would fault
  expect_moves_as_the_naive_loop_at(nest, std::span(&level, 1));
  const auto code = jit::compile(plan_of(nest, level), {.validate = true});
  return code ? std::ranges::count(mnemonics((*code)->bytes()), "prefetcht0") : -1;
}

TEST(ShuffleKernel, fetches_each_line_that_it_writes) {
  EXPECT_EQ(destination_prefetches(rgb_nest(64, true), Isa::kAvx2), 3) << "three planes, in twins";
  EXPECT_EQ(destination_prefetches(rgb_nest(64, false), Isa::kAvx2), 3) << "192 bytes";
}

TEST(ShuffleKernel, fetches_each_line_that_it_reads) {
  const auto source_prefetches = [](plan::Nest nest) -> std::int64_t {
    const Isa level = Isa::kAvx2;
    nest.prefetch_source_bytes = 1 << 20;  // past the buffer, where a load would fault
    expect_moves_as_the_naive_loop_at(nest, std::span(&level, 1));
    const auto code = jit::compile(plan_of(nest, level), {.validate = true});
    return code ? std::ranges::count(mnemonics((*code)->bytes()), "prefetcht1") : -1;
  };
  EXPECT_EQ(source_prefetches(rgb_nest(64, true)), 3) << "192 bytes";
  EXPECT_EQ(source_prefetches(rgb_nest(64, false)), 3) << "three planes, in twins";
  EXPECT_EQ(source_prefetches(rgb_nest(16, false)), 3) << "without twins";
}

TEST(WideShuffleKernel, example_splits_rgb_into_planes) {
  expect_moves_as_the_naive_loop_at(
      tiles(wide_permutation(192, 1, [](int to) { return to % 64 * 3 + to / 64; }), 192), kVbmi);
}

TEST(WideShuffleKernel, stores_halves_of_what_is_not_streamed) {
  for (const int bytes : {192, 208}) {
    ShuffleKernel kernel = wide_permutation(bytes, 1, [=](int to) { return to * 5 % bytes; });
    kernel.stores_halves = true;
    plan::Nest nest = tiles(kernel, bytes);
    expect_moves_as_the_naive_loop_at(nest, kVbmi);
    nest.store = plan::StorePolicy::kStreaming;
    nest.destination_aligned = bytes == 192;
    if (nest.destination_aligned) expect_moves_as_the_naive_loop_at(nest, kVbmi);
  }
}

TEST(WideShuffleKernel, permutes_units_of_2_4_and_8_bytes_without_byte_permutes) {
  for (int unit : {2, 4, 8}) {
    SCOPED_TRACE(unit);
    const int units = 192 / unit;
    expect_moves_as_the_naive_loop_at(
        tiles(wide_permutation(192, unit, [=](int to) { return to * 5 % units; }), 192), kAvx512AndUp);
  }
}

TEST(WideShuffleKernel, moves_pieces_of_every_length_exactly) {
  for (int bytes = 1; bytes <= 130; ++bytes) {
    SCOPED_TRACE(bytes);
    expect_moves_as_the_naive_loop_at(
        tiles(wide_permutation(bytes, 1, [=](int to) { return bytes - 1 - to; }), bytes), kVbmi);
    if (HasFailure()) return;
  }
}

TEST(WideShuffleKernel, combines_more_pieces_tables_and_masks_than_there_are_registers) {
  for (int bytes : {704, 832, 1000}) {
    SCOPED_TRACE(bytes);
    expect_moves_as_the_naive_loop_at(
        tiles(wide_permutation(bytes, 1, [=](int to) { return to * 7 % bytes; }), bytes), kVbmi);
  }
}

TEST(WideShuffleKernel, writes_zero_where_no_table_selects_a_byte) {
  ShuffleKernel kernel = wide_permutation(128, 1, [](int to) { return 127 - to; });
  kernel.terms[0][1].index[3] = 0x80;
  kernel.terms[1].clear();
  expect_moves_as_the_naive_loop_at(tiles(kernel, 128), kVbmi);
}

TEST(WideShuffleKernel, streams_whole_pieces) {
  plan::Nest nest = tiles(wide_permutation(192, 1, [](int to) { return to % 64 * 3 + to / 64; }), 192);
  nest.store = plan::StorePolicy::kStreaming;
  nest.destination_aligned = true;
  nest.prefetch_source_bytes = 4096;
  expect_moves_as_the_naive_loop_at(nest, kVbmi);
}

TEST(WideShuffleKernel, fetches_each_line_that_it_writes) {
  const ShuffleKernel kernel = wide_permutation(192, 2, [](int to) { return to * 5 % 96; });
  EXPECT_EQ(destination_prefetches(tiles(kernel, 192), Isa::kAvx512), 3);
}

TEST(WideShuffleKernel, loads_all_pieces_but_the_last_without_a_mask) {
  if (machine_info().best_isa < Isa::kAvx512Vbmi) GTEST_SKIP() << "no AVX-512 VBMI";
  const auto source = Layout::parse("u8[12,4096]{0,1:T(8)}");  // 12 bytes every 16
  CompileOptions options;
  options.isa = Isa::kAvx512Vbmi;
  options.choice = "kernel=shuffle64-12x8";
  options.prove = true;
  const auto relayout = compile(*source, *Layout::parse_destination("[1, 0]", *source), options);
  ASSERT_TRUE(relayout) << relayout.error().message;
  const std::string listing = relayout->explain();
  int masked = 0;
  const std::string load = "{z}, [rdi";
  for (std::size_t at = listing.find(load); at != std::string::npos; at = listing.find(load, at + 1))
    ++masked;
  EXPECT_EQ(masked, 1) << listing;
}

TEST(WideShuffleKernel, refuses_bytes_where_only_wider_units_can_be_permuted) {
  const auto nest = tiles(wide_permutation(64, 1, [](int to) { return 63 - to; }), 64);
  const auto code = jit::compile(plan_of(nest, Isa::kAvx512));
  ASSERT_FALSE(code.ok());
  EXPECT_EQ(code.error().code, ErrorCode::kInternal);
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
