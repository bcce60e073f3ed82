// Parts: disjoint, complete, and even.

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "relayout/relayout.hpp"

namespace relayout {
namespace {

struct Pair {
  const char* source;
  const char* destination;
};

/// Bytes that a part writes: those that differ after two runs over different fillings in no case.
std::int64_t bytes_written(const Relayout& convert, const std::vector<std::byte>& source, std::int64_t index,
                           std::int64_t count) {
  const auto size = static_cast<std::size_t>(convert.destination_bytes());
  std::vector<std::byte> zeros(size, std::byte{0});
  std::vector<std::byte> ones(size, std::byte{0xFF});
  convert.run_part(source.data(), zeros.data(), index, count);
  convert.run_part(source.data(), ones.data(), index, count);
  std::int64_t written = 0;
  for (std::size_t i = 0; i < size; ++i) written += zeros[i] == ones[i] ? 1 : 0;
  return written;
}

TEST(Parts, balance_within_5_percent_for_two_and_four_threads) {
  const Pair pairs[] = {{"f32[1024,1024]", "[1, 0]"},
                        {"f32[1024,1024]", "{1,0:T(8,128)}"},
                        {"bf16[1024,2048]{1,0:T(8,128)(2,1)}", "{1,0}"},
                        {"f32[8,64,56,56]", "{1,3,2,0}"},
                        {"f32[8,64,56,56]", "[0, 1, 2, 3, 1 p(16)]"},
                        {"u8[1,3,512,640]", "{1,3,2,0}"},
                        {"f32[16,16,48,16,8]{4,3,2,1,0}", "{1,4,0,2,3}"},
                        {"s8[1024,1024]", "{1,0:T(32,128)(4,1)}"},
                        {"f32[3,2048,512]", "[0, 2, 1]"},
                        {"f32[1024,1024]", "[1, 0, 1 p(16)]"},
                        {"u8[16,288,4096]{1,2,0:T(16,1)}", "{2,1,0:T(16,1)}"},
                        {"f32[216,16,32,31][2, 1, 3, 0, 1 p(4)]", "[3, 2, 0, 1, 2 p(8)]"},
                        {"bf16[16,8,97,666][1, 0, 3, 2]", "{2,1,0,3:T(16,1)}"}};
  for (const Pair& pair : pairs) {
    SCOPED_TRACE(std::string(pair.source) + " to " + pair.destination);
    const auto from = Layout::parse(pair.source);
    ASSERT_TRUE(from);
    const auto to = Layout::parse_destination(pair.destination, *from);
    ASSERT_TRUE(to);
    const auto convert = compile(*from, *to);
    ASSERT_TRUE(convert);
    const std::vector<std::byte> source(static_cast<std::size_t>(convert->source_bytes()), std::byte{0x5A});
    for (const std::int64_t count : {2, 4}) {
      std::int64_t total = 0;
      std::int64_t largest = 0;
      for (std::int64_t index = 0; index < count; ++index) {
        const std::int64_t written = bytes_written(*convert, source, index, count);
        total += written;
        largest = std::max(largest, written);
      }
      EXPECT_EQ(total, convert->destination_bytes()) << count << " parts";
      EXPECT_LE(static_cast<double>(largest * count), 1.05 * static_cast<double>(total)) << count << " parts";
    }
  }
}

/// Every part writes bytes of its own, and all together the whole destination.
void expect_disjoint(const Relayout& convert, std::int64_t count, bool even) {
  const std::vector<std::byte> source(static_cast<std::size_t>(convert.source_bytes()), std::byte{0x5A});
  std::int64_t total = 0;
  for (std::int64_t index = 0; index < count; ++index) {
    const std::int64_t written = bytes_written(convert, source, index, count);
    total += written;
    if (even) {
      EXPECT_LE(static_cast<double>(written * count),
                1.05 * static_cast<double>(convert.destination_bytes()));
    }
  }
  EXPECT_EQ(total, convert.destination_bytes()) << count << " parts";
}

Relayout compiled(const Pair& pair, const CompileOptions& options = {}) {
  const Layout from = *Layout::parse(pair.source);
  const auto convert = compile(from, *Layout::parse_destination(pair.destination, from), options);
  EXPECT_TRUE(convert) << convert.error().message;
  return *convert;
}

TEST(Parts, of_a_single_strided_axis_are_even_too) {
  for (const Pair pair : {Pair{"f32 1000000:-1", "f32 1000000:1"}, Pair{"f64 300001:2", "f64 300001:1"},
                          Pair{"u8 1000000:3", "u8 1000000:1"}, Pair{"f64 100000:0", "f64 100000:1"}}) {
    SCOPED_TRACE(pair.source);
    for (const std::int64_t count : {2, 4, 7}) expect_disjoint(compiled(pair), count, true);
  }
}

TEST(Parts, leave_an_overlapping_last_step_to_one_of_them) {
  for (const Pair pair :
       {Pair{"s8[200,264]", "{0,1}"}, Pair{"f32[100,101]", "{0,1}"}, Pair{"f32[101,100]", "{0,1}"},
        Pair{"u8[5,700,30]", "{1,2,0}"}, Pair{"u16[264,200]", "[1, 0]"}})
    for (std::int64_t count = 2; count <= 32; ++count) expect_disjoint(compiled(pair), count, false);
}

TEST(Parts, share_the_padding_where_nothing_is_generated) {
  CompileOptions portable;
  portable.isa = Isa::kPortable;
  for (const std::int64_t count : {1, 2, 4, 7}) {
    expect_disjoint(compiled({"f32[100,130]", "{1,0:T(8,128)}"}, portable), count, false);
    expect_disjoint(compiled({"bf16[30,70]", "{1,0:T(16,1)}"}, portable), count, false);
  }
}

}  // namespace
}  // namespace relayout
