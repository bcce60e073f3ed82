// Streaming stores for the lines that runs and padding fill whole, parts of lines stored plainly: proved.

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "relayout/machine.hpp"
#include "relayout/proof.hpp"
#include "relayout/relayout.hpp"

namespace relayout {
namespace {

Result<Relayout> streamed(const std::string& from, const std::string& to, Isa isa = Isa::kAvx2,
                          const std::string& choice = {}) {
  const auto source = Layout::parse(from);
  CompileOptions options;
  options.isa = isa;
  options.streaming = StreamingStores::kAlways;
  options.choice = choice;
  options.prove = true;
  return compile(*source, *Layout::parse_destination(to, *source), options);
}

void expect_streamed(const std::string& from, const std::string& to, const std::string& how) {
  if (machine_info().best_isa < Isa::kAvx2) return;
  const auto relayout = streamed(from, to);
  ASSERT_TRUE(relayout) << from << " -> " << to << ": " << relayout.error().message;
  EXPECT_NE(relayout->explain().find(how), std::string::npos) << from << " -> " << to;
}

TEST(StreamedRunsProof, of_copies_of_runs_that_begin_anywhere) {
  expect_streamed("f32[7,5,65]", "[1, 0, 2]", "streaming stores within runs");
  expect_streamed("u8[3,70,321]", "[1, 0, 2]", "streaming stores within runs");
  expect_streamed("bf16[130,9,200]", "[1, 0, 2]", "streaming stores within runs");
  expect_streamed("u8[2,3,40001]", "[1, 0, 2]", "streaming stores within runs");
}

TEST(StreamedRunsProof, of_rows_beside_padding) {
  for (const char* width : {"1", "12", "31", "32", "33", "63", "98", "127", "129", "200"}) {
    expect_streamed(std::string("bf16[67,") + width + "]", "{1,0:T(8,128)}", "streaming stores");
    expect_streamed(std::string("f64[67,") + width + "]", "{1,0:T(8,128)}", "streaming stores");
  }
  expect_streamed("c128[3,11,17]", "{2,1,0:T(8,128)}", "streaming stores");
  expect_streamed("u8[9,300]", "{1,0:T(32,128)(4,1)}", "streaming stores");
}

TEST(StreamedRunsProof, of_blocks_that_are_put_together_in_a_scratch) {
  const char* how = "into scratch, which leaves in";
  for (const char* type : {"bf16", "f32", "f64", "c128"}) {
    const std::string of = type;
    expect_streamed(of + "[7,9,64,67][1, 3, 0, 2]", "{3,2,1,0}", how);
    expect_streamed(of + "[61,1003][0, 1]", "{0,1}", how);
  }
  expect_streamed("f32[5,3,35,49,29][0, 4, 1, 3, 2]", "[3, 2, 0, 1, 4]", how);
  expect_streamed("f32[5,4,3,64,51]{4,3,2,1,0:T(4,1)}", "[3, 0, 2, 4, 1]", how);
  expect_streamed("u8[3,129,31,256]{3,1,0,2}", "[1, 3, 0, 2, 3 p(4)]", how);
  expect_streamed("c128[28,17,30]", "{1,2,0}", how);
}

TEST(StreamedRunsProof, of_rows_that_are_cut_at_their_last_line) {
  const char* how = "cut at the last line of its rows";
  expect_streamed("c128[28,17,30]", "{1,2,0:T(8,128)}", how);
  expect_streamed("f64[40,9,75]{0,1,2}", "{2,1,0:T(8,128)}", how);
  expect_streamed("f32[150,99]", "{0,1:T(16)}", how);
  expect_streamed("f64[90,333]{0,1}", "{1,0:T(8,128)}", how);
  expect_streamed("bf16[90,333]{0,1}", "{1,0:T(8,128)}",
                  "streaming stores");  // a Golden Cove does not cut these
  expect_streamed("bf16[150,333]{0,1}", "{1,0:T(8,128)}", "streaming stores");
}

TEST(StreamedRunsProof, of_blocks_at_every_extent_around_a_line) {
  for (int rows = 62; rows <= 67; ++rows)
    for (int columns = 30; columns <= 35; ++columns)
      expect_streamed("f32[" + std::to_string(rows) + "," + std::to_string(columns) + ",5][2, 0, 1]",
                      "{2,0,1}", "streaming stores");
}

TEST(StreamedRunsProof, of_blocks_whose_source_is_read_under_masks) {
  for (const Isa isa : runnable_isas()) {
    if (isa == Isa::kPortable) continue;
    for (const char* type : {"u8", "bf16", "f32", "f64"}) {
      const auto relayout = streamed(std::string(type) + "[131,1003][0, 1]", "{0,1}", isa, "masks=on");
      ASSERT_TRUE(relayout) << type << ": " << relayout.error().message;
      const std::string text = relayout->explain();
      const bool staged = text.find("into scratch, which leaves in") != std::string::npos;
      EXPECT_EQ(text.find("under masks") != std::string::npos, staged) << type << ' ' << to_string(isa);
    }
  }
}

/// At AVX-512 on processors that do, else in vectors of the level.
TEST(StreamedRunsProof, of_blocks_of_tiles_that_write_half_of_a_line) {
  for (const Isa isa : runnable_isas()) {
    if (isa == Isa::kPortable) continue;
    for (const auto& [from, to] : {std::pair{"f64[65,115,7][2, 0, 1]", "[1, 0, 2]"},
                                   {"f32[12,70,84][2, 0, 1, 2 p(4)]", "[1, 2, 0]"},
                                   {"f64[3,7,9,64,7][1, 4, 3, 0, 2, 3 p(32)]", "{4,3,2,1,0}"}}) {
      const auto relayout = streamed(from, to, isa);
      ASSERT_TRUE(relayout) << from << " at " << to_string(isa) << ": " << relayout.error().message;
      const bool staged = relayout->explain().find("into scratch, which leaves in") != std::string::npos;
      EXPECT_TRUE(staged || isa != Isa::kAvx2) << from;
    }
  }
}

/// Past a second cache of 2 MiB; on processors that do.
TEST(StreamedRunsProof, of_blocks_whose_source_is_fetched_row_by_row) {
  expect_streamed("f32[1040,1040]", "[1, 0]", "streaming stores");
  expect_streamed("bf16[1088,1600]", "[1, 0]", "streaming stores");
  expect_streamed("c128[400,500]", "[1, 0]", "streaming stores");
}

}  // namespace
}  // namespace relayout
