// Pairs with small extents that are no powers of two: proved at every level that runs here.

#include <string>

#include <gtest/gtest.h>

#include "relayout/machine.hpp"
#include "relayout/proof.hpp"
#include "relayout/relayout.hpp"

namespace relayout {
namespace {

Result<Relayout> proved(Isa isa, const std::string& source, const std::string& destination) {
  const auto from = Layout::parse(source);
  CompileOptions options;
  options.isa = isa;
  options.prove = true;
  return compile(*from, *Layout::parse_destination(destination, *from), options);
}

TEST(RoundedTilesProof, of_small_extents_in_every_width) {
  for (const Isa isa : kAllIsas) {
    if (isa == Isa::kPortable || isa > machine_info().best_isa) continue;
    for (const std::string type : {"u8", "bf16", "f32", "f64"}) {
      for (const int extent : {3, 7, 12, 21}) {
        for (const std::string rest : {",9,5]", ",64]"}) {
          const std::string source = type + "[" + std::to_string(extent) + rest;
          const std::string reversed = rest == ",64]" ? "{0,1}" : "{0,1,2}";
          const auto there = proved(isa, source, reversed);
          EXPECT_TRUE(there) << source << ": " << there.error().message;
          const auto back = proved(isa, source + reversed, rest == ",64]" ? "{1,0}" : "{2,1,0}");
          EXPECT_TRUE(back) << source << ": " << back.error().message;
        }
      }
    }
  }
}

TEST(RoundedTilesProof, avx2_takes_them_for_small_extents) {
  if (machine_info().best_isa < Isa::kAvx2) return;
  struct Pair {
    const char* source;
    const char* destination;
  };
  for (const Pair& pair : {Pair{"u8[3,64,5,42,28]{0,1,2,3,4:T(16,1)}", "[4, 3, 1, 0, 2]"},
                           Pair{"bf16[3,32,19,19]{0,2,3,1}", "{3,2,1,0}"}}) {
    const auto relayout = proved(Isa::kAvx2, pair.source, pair.destination);
    ASSERT_TRUE(relayout) << relayout.error().message;
    EXPECT_NE(relayout->explain().find("rounded up to"), std::string::npos) << pair.source;
  }
}

}  // namespace
}  // namespace relayout
