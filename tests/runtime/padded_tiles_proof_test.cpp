// Data scattered in padding, both moved by one network: proved at every level that runs here.

#include <string>

#include <gtest/gtest.h>

#include "relayout/machine.hpp"
#include "relayout/proof.hpp"
#include "relayout/relayout.hpp"

namespace relayout {
namespace {

Result<Relayout> proved(const std::string& source, const std::string& destination,
                        StreamingStores streaming = StreamingStores::kAuto) {
  const auto from = Layout::parse(source);
  CompileOptions options;
  options.streaming = streaming;
  options.prove = true;
  options.bypass_cache = true;
  return compile(*from, *Layout::parse_destination(destination, *from), options);
}

bool fills_padding(const Relayout& relayout) {
  return relayout.explain().find("the others padding") != std::string::npos;
}

/// Of "SOURCE DESTINATION".
Result<Relayout> proved_pair(const std::string& pair, StreamingStores streaming = StreamingStores::kAuto) {
  const std::size_t space = pair.find(' ');
  return proved(pair.substr(0, space), pair.substr(space + 1), streaming);
}

/// Proves a pair with streaming stores, and that at AVX2 it is moved with its padding as `how` says.
void expect_padded(const std::string& pair, const std::string& how) {
  const auto relayout = proved_pair(pair, StreamingStores::kAlways);
  ASSERT_TRUE(relayout) << pair << ": " << relayout.error().message;
  if (relayout->isa() != Isa::kAvx2) return;
  EXPECT_TRUE(fills_padding(*relayout)) << pair;
  EXPECT_NE(relayout->explain().find(how), std::string::npos) << pair;
}

TEST(PaddedTilesProof, of_small_tiles_in_every_width) {
  for (const std::string type : {"u8", "bf16", "f32", "f64", "c128"}) {
    for (const std::string tile : {"T(4,1)", "T(8)", "T(16,1)", "T(8,128)(2,1)", "T(32,128)(4,1)"}) {
      for (const int extent : {1, 3, 5, 7, 11, 13}) {
        for (const std::string shape : {",3,37]", ",2,64]"}) {
          const std::string source = type + "[" + std::to_string(extent) + shape;
          for (const std::string order : {"{0,1,2:", "{1,0,2:", "{0,2,1:", "{2,0,1:"}) {
            const auto relayout = proved(source, order + tile + "}");
            EXPECT_TRUE(relayout) << source << " to " << order << tile << ": " << relayout.error().message;
          }
        }
      }
    }
  }
}

TEST(PaddedTilesProof, of_rows_that_are_copied_with_zeros_behind_them) {
  for (const std::string type : {"u8", "bf16", "f32", "f64", "c128"}) {
    for (const std::string tile : {"T(4)", "T(8)", "T(16)", "T(8,128)"}) {
      for (const int extent : {2, 3, 5, 7, 12, 13}) {
        const std::string source = type + "[3,37," + std::to_string(extent) + "]";
        for (const std::string order : {"{2,1,0:", "{2,0,1:"}) {
          for (const StreamingStores streaming : {StreamingStores::kAuto, StreamingStores::kAlways}) {
            const auto relayout = proved(source, order + tile + "}", streaming);
            EXPECT_TRUE(relayout) << source << " to " << order << tile << ": " << relayout.error().message;
          }
        }
      }
    }
  }
  for (const char* pair : {"f32[300,7] {1,0:T(8)}", "bf16[10,300,5] {2,1,0:T(8)}",
                           "u8[50,100,13] {2,1,0:T(16)}", "f32[10,300,12] {2,1,0:T(16)}"}) {
    const auto relayout = proved_pair(pair);
    ASSERT_TRUE(relayout) << pair << ": " << relayout.error().message;
    if (relayout->isa() != Isa::kAvx2) continue;
    EXPECT_TRUE(fills_padding(*relayout)) << pair;
  }
}

TEST(PaddedTilesProof, of_sources_that_are_padded_as_well) {
  for (const char* pair :
       {"u8[10,3,4]{2,1,0:T(4,4)} {1,2,0:T(4)}", "f32[5,7,3]{2,1,0:T(4)} {2,0,1:T(4)}",
        "bf16[5,70,13]{2,1,0:T(16)} {2,0,1:T(16)}", "u8[20,3,11]{2,1,0:T(4,16)} {2,0,1:T(16)}",
        "u8[20,3,11]{2,1,0:T(16)} {2,0,1:T(32)}", "f64[20,7,5]{2,1,0:T(8,8)} {1,2,0:T(8)}"}) {
    const auto relayout = proved_pair(pair);
    EXPECT_TRUE(relayout) << pair << ": " << relayout.error().message;
  }
}

TEST(PaddedTilesProof, of_whole_lines_that_are_streamed) {
  for (const char* pair :
       {"bf16[64,9,7,8][3,2,1,0] {3,2,1,0:T(16,1)}", "bf16[6,4,20,12,11]{4,2,0,3,1} {4,3,2,1,0:T(16,1)}",
        "c128[15,82,7][2,0,1] {2,1,0:T(8)}", "f64[3,135,16,6]{0,3,1,2} {3,2,1,0:T(8)}",
        "u8[19,2,32,64][0,3,1,2] {2,1,3,0:T(4,1)}"}) {
    expect_padded(pair, "streaming stores");
  }
}

TEST(PaddedTilesProof, of_rows_that_are_put_together_in_a_scratch) {
  for (const char* pair : {"bf16[6,5,42,16,85]{2,3,1,4,0:T(8)} {1,4,3,0,2:T(8)}",
                           "f32[9,16,112,6,4]{0,4,2,3,1} {4,3,2,1,0:T(16,1)}",
                           "bf16[4,59,14,22,2]{2,1,4,3,0} {0,1,4,3,2:T(8)}"}) {
    expect_padded(pair, "put together in a scratch");
  }
}

TEST(PaddedTilesProof, other_values_than_zero_are_filled_in_by_a_nest) {
  const auto from = Layout::parse("bf16[64,9,7][2,1,0]");
  CompileOptions options;
  options.fill = {std::byte{0x80}, std::byte{0x3F}};
  options.prove = true;
  const auto relayout = compile(*from, *Layout::parse_destination("{2,1,0:T(8)}", *from), options);
  ASSERT_TRUE(relayout) << relayout.error().message;
  EXPECT_FALSE(fills_padding(*relayout));
}

TEST(PaddedTilesProof, padding_that_is_left_untouched_is_not_written) {
  const auto from = Layout::parse("bf16[64,9,7][2,1,0]");
  CompileOptions options;
  options.padding = PaddingPolicy::kLeaveUntouched;
  options.prove = true;
  const auto relayout = compile(*from, *Layout::parse_destination("{2,1,0:T(8)}", *from), options);
  ASSERT_TRUE(relayout) << relayout.error().message;
  EXPECT_FALSE(fills_padding(*relayout));
}

}  // namespace
}  // namespace relayout
