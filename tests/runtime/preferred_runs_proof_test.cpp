// Pairs whose rows share cache sets get tiles of several lines a row: proved at every level that runs here.

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "relayout/machine.hpp"
#include "relayout/proof.hpp"
#include "relayout/relayout.hpp"

namespace relayout {
namespace {

struct Width {
  const char* type;
  int bytes;
};
constexpr Width kWidths[] = {{"u8", 1}, {"bf16", 2}, {"f32", 4}, {"f64", 8}, {"c128", 16}};

/// A transpose of `rows` x `columns`.
Result<Relayout> transpose(Isa isa, Width width, std::int64_t rows, std::int64_t columns) {
  const auto source = Layout::parse(std::string(width.type) + "[" + std::to_string(rows) + "," +
                                    std::to_string(columns) + "]{1,0}");
  CompileOptions options;
  options.isa = isa;
  options.prove = true;
  return compile(*source, *Layout::parse_destination("{0,1}", *source), options);
}

bool runs_here(Isa isa) {
  return isa != Isa::kPortable && isa <= machine_info().best_isa;
}

TEST(PreferredRunsProof, of_rows_to_write_4_KiB_apart) {
  for (const Isa isa : kAllIsas) {
    if (!runs_here(isa)) continue;
    for (const Width width : kWidths) {
      for (const std::int64_t columns : {400, 405}) {  // past a second cache of 2 MiB
        const auto relayout = transpose(isa, width, 4096 / width.bytes, columns);
        ASSERT_TRUE(relayout) << relayout.error().message;
        if (width.bytes > 4 && isa == Isa::kAvx2) continue;
        const bool fetched = machine_info().cost_model == "golden_cove" && width.bytes > 4;
        EXPECT_NE(relayout->explain().find(fetched ? "row by row" : "runs of this length"), std::string::npos)
            << to_string(isa) << ' ' << width.type << ' ' << columns;
      }
    }
  }
}

TEST(PreferredRunsProof, of_rows_to_read_4_KiB_apart) {
  for (const Isa isa : kAllIsas) {
    if (!runs_here(isa)) continue;
    for (const Width width : kWidths) {
      for (const std::int64_t rows : {256, 259}) {
        const auto relayout = transpose(isa, width, rows, 4096 / width.bytes);
        EXPECT_TRUE(relayout) << relayout.error().message;
      }
    }
  }
}

TEST(PreferredRunsProof, of_rows_to_write_nearly_4_KiB_apart) {
  for (const Isa isa : kAllIsas) {
    if (!runs_here(isa)) continue;
    for (const Width width : kWidths) {
      const auto relayout = transpose(isa, width, 4096 / width.bytes + 1, 259);
      EXPECT_TRUE(relayout) << relayout.error().message;
    }
  }
}

TEST(PreferredRunsProof, of_two_byte_elements_in_either_cache) {
  for (const Isa isa : kAllIsas) {
    if (!runs_here(isa)) continue;
    for (const auto& [rows, columns] : {std::pair{200, 300}, {129, 257}, {1000, 900}, {1001, 903}}) {
      const auto relayout = transpose(isa, {"bf16", 2}, rows, columns);
      EXPECT_TRUE(relayout) << relayout.error().message;
    }
  }
}

}  // namespace
}  // namespace relayout
