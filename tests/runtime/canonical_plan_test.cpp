// One conversion has one plan, however its layouts are written.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/plan/model/plan.hpp"
#include "src/runtime/compiled_relayout.hpp"

namespace relayout {
namespace {

struct Writing {
  std::string source;
  std::string destination;
};

/// The plan without its notes, which may name the notation's own dimensions.
std::string plan_text(const Writing& writing, Isa isa) {
  const auto source = Layout::parse(writing.source);
  EXPECT_TRUE(source) << writing.source;
  if (!source) return {};
  const auto destination = Layout::parse_destination(writing.destination, *source);
  EXPECT_TRUE(destination) << writing.destination;
  if (!destination) return {};
  const auto compiled = runtime::compile_pair(*source, *destination, CompileOptions(), isa);
  EXPECT_TRUE(compiled) << (compiled ? "" : compiled.error().message);
  if (!compiled) return {};
  plan::Plan plan = (*compiled)->plan;
  plan.notes.clear();
  return plan::to_string(plan);
}

void expect_one_plan(const std::vector<Writing>& writings) {
  if (machine_isa() == Isa::kPortable) return;
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512, Isa::kAvx512Vbmi}) {
    if (isa > machine_isa()) continue;
    const std::string expected = plan_text(writings.front(), isa);
    EXPECT_NE(expected.find("nest 0"), std::string::npos);
    for (const Writing& writing : writings) {
      EXPECT_EQ(plan_text(writing, isa), expected) << writing.source << " to " << writing.destination;
    }
  }
}

TEST(CanonicalPlan, example_a_transpose_in_both_notations_with_unit_and_split_dimensions) {
  expect_one_plan({{"f32[512,768]", "[1, 0]"},
                   {"f32[512,768]{1,0}", "{0,1}"},
                   {"f32[1,512,1,768,1]", "[3, 0, 1, 2, 4]"},
                   {"f32[4,128,768]", "[2, 0, 1]"},
                   {"f32[4,128,12,64]{3,2,1,0}", "{1,0,3,2}"}});
}

TEST(CanonicalPlan, a_pack_is_a_transpose_of_the_split_shape) {
  expect_one_plan({{"f32[256,512]", "[1, 0, 1 p(16)]"},
                   {"f32[256,32,16]", "[1, 0, 2]"},
                   {"f32[256,32,16]{2,1,0}", "{2,0,1}"}});
}

TEST(CanonicalPlan, dividing_tiles_are_a_permutation_of_the_split_shape) {
  expect_one_plan({{"bf16[64,512]", "{1,0:T(8,128)}"},
                   {"bf16[64,512]", "[0, 1, 0 p(8), 1 p(128)]"},
                   {"bf16[8,8,4,128]", "[0, 2, 1, 3]"}});
}

TEST(CanonicalPlan, a_copy_is_one_run_whatever_its_rank) {
  expect_one_plan({{"u8[65536]", "[0]"}, {"u8[256,256]", "{1,0}"}, {"u8[16,16,1,256]", "[0, 1, 2, 3]"}});
}

}  // namespace
}  // namespace relayout
