#include "src/plan/boxes/cut_box.hpp"

#include <gtest/gtest.h>

#include "tests/plan/kernels/rounded_boxes.hpp"
#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

using testing::box_of;
using testing::guarded_box_of;

TEST(CutBox, has_the_whole_lines_of_rows_and_their_ends) {
  // Elements of 8 bytes, 75 pairs a row, in rows of 2 KiB.
  Box box = box_of({{2, 8, 8}, {75, 4096, 16}, {100, 16, 2048}});
  box.source_base = 32;
  box.destination_base = 4096;
  const auto cut = cut_at_last_line(box, 8);
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->whole.axes[1].extent, 72);
  EXPECT_EQ(cut->whole.destination_base, 4096);
  EXPECT_TRUE(destination_rows_fill_lines(cut->whole));
  EXPECT_EQ(cut->rest.axes[1].extent, 3);
  EXPECT_EQ(cut->rest.source_base, 32 + 72 * 4096);
  EXPECT_EQ(cut->rest.destination_base, 4096 + 72 * 16);
  EXPECT_EQ(cut->whole.elements() + cut->rest.elements(), box.elements());
}

TEST(CutBox, has_no_axis_of_one_element) {
  const auto cut = cut_at_last_line(box_of({{33, 400, 4}, {100, 4, 1024}}), 4);
  ASSERT_TRUE(cut);
  ASSERT_EQ(cut->rest.axes.size(), 1U);
  EXPECT_EQ(cut->rest.axes[0].extent, 100);
  EXPECT_EQ(cut->rest.destination_base, 128);
}

TEST(CutBox, is_none_where_there_is_nothing_to_gain) {
  EXPECT_FALSE(cut_at_last_line(box_of({{32, 400, 4}, {100, 4, 1024}}), 4)) << "rows fill lines";
  EXPECT_FALSE(cut_at_last_line(box_of({{15, 400, 4}, {100, 4, 1024}}), 4)) << "rows are shorter than one";
  EXPECT_FALSE(cut_at_last_line(box_of({{33, 400, 4}, {100, 4, 140}}), 4)) << "rows begin anywhere";
  EXPECT_FALSE(cut_at_last_line(box_of({{33, 400, 8}, {100, 4, 1024}}), 4)) << "elements have gaps";
  EXPECT_FALSE(cut_at_last_line(guarded_box_of({{33, 400, 4, 1}, {100, 4, 1024}}, 30), 4))
      << "some rows are shorter";
}

const char* const kRagged = "f32[4096,200,20]{1,0,2}";
const char* const kTiles = "{2,1,0:T(8,128)}";

TEST(CutBox, lets_rows_that_end_within_a_line_be_streamed) {
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512}) {
    const Plan plan = plan_of(problem_of(kRagged, kTiles), isa);
    ASSERT_EQ(plan.nests.size(), 2U) << to_string(plan);
    EXPECT_EQ(plan.nests[0].store, StorePolicy::kStreaming) << "16 of 20 elements";
    EXPECT_EQ(plan.nests[1].store, StorePolicy::kTemporal);
  }
  PlanOptions never;
  never.streaming = StreamingStores::kNever;
  EXPECT_EQ(plan_of(problem_of(kRagged, kTiles), Isa::kAvx2, never).nests.size(), 1U);
  EXPECT_EQ(plan_of(problem_of("f32[40,200,20]{1,0,2}", kTiles), Isa::kAvx2).nests.size(), 1U)
      << "in the caches nothing is streamed";
}

/// Padding that is left alone, zeros, which may be moved with the data, and others.
std::vector<std::vector<std::uint8_t>> fills(std::int64_t element_bytes) {
  const auto bytes = static_cast<std::size_t>(element_bytes);
  return {{}, std::vector<std::uint8_t>(bytes, 0), std::vector<std::uint8_t>(bytes, 7)};
}

TEST(CutBox, does_what_the_expressions_say_beside_padding) {
  PlanOptions options;
  options.streaming = StreamingStores::kAlways;
  for (const char* const source : {"f32[40,20,33]{1,0,2}", "bf16[7,75,100]{0,2,1}", "f64[30,9,21]{0,1,2}"}) {
    for (const char* const destination : {"{2,1,0:T(8,128)}", "{0,1,2:T(8,128)(2,1)}", "{1,2,0:T(16)}"}) {
      const Problem problem = problem_of(source, destination);
      for (const auto& fill : fills(problem.element_bytes)) {
        options.fill = fill;
        for (const Isa isa : {Isa::kAvx2, Isa::kAvx512})
          expect_right(problem, plan_of(problem, isa, options));
      }
    }
  }
}

}  // namespace
}  // namespace relayout::plan
