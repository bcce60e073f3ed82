// Streaming stores for the lines that runs and padding fill whole, parts of lines stored plainly: proved.

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "relayout/machine.hpp"
#include "relayout/proof.hpp"
#include "relayout/relayout.hpp"

namespace relayout {
namespace {

Result<Relayout> streamed(const std::string& from, const std::string& to) {
  const auto source = Layout::parse(from);
  CompileOptions options;
  options.isa = Isa::kAvx2;
  options.streaming = StreamingStores::kAlways;
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

}  // namespace
}  // namespace relayout
