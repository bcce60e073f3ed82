#include "src/plan/boxes/wide_elements.hpp"

#include <algorithm>
#include <cstddef>

#include <gtest/gtest.h>

#include "tests/plan/kernels/rounded_boxes.hpp"
#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

using testing::box_of;
using testing::guarded_box_of;

TEST(WideElements, are_what_follows_one_another_on_both_sides) {
  Box box = box_of({{4, 1, 1}, {300, 256, 4}, {64, 4, 1200}});
  box.source_base = 3;
  box.destination_base = 8;
  const auto wide = with_wide_elements(box, 1);
  ASSERT_TRUE(wide);
  EXPECT_EQ(wide->element_bytes, 4);
  ASSERT_EQ(wide->box.axes.size(), 2U);
  EXPECT_EQ(wide->box.axes[0].extent, 300);
  EXPECT_EQ(wide->box.axes[0].source_stride, 256);
  EXPECT_EQ(wide->box.axes[1].destination_stride, 1200);
  EXPECT_EQ(wide->box.source_base, 3) << "may begin anywhere";
  EXPECT_EQ(wide->box.destination_base, 8);
}

TEST(WideElements, have_2_to_16_bytes) {
  const auto width = [](std::int64_t extent, std::int64_t element_bytes) -> std::int64_t {
    const std::int64_t group = extent * element_bytes;
    const auto wide = with_wide_elements(
        box_of({{extent, element_bytes, element_bytes}, {30, 64 * group, group}, {64, group, 30 * group}}),
        element_bytes);
    return wide ? wide->element_bytes : 0;
  };
  EXPECT_EQ(width(2, 1), 2);
  EXPECT_EQ(width(2, 4), 8);
  EXPECT_EQ(width(8, 2), 16);
  EXPECT_EQ(width(16, 1), 16);
  EXPECT_EQ(width(32, 1), 0) << "no element is so wide";
  EXPECT_EQ(width(3, 1), 0) << "nor has 3 bytes";
  EXPECT_EQ(width(6, 2), 0);
}

TEST(WideElements, are_none_where_gaps_or_a_guard_cut_them) {
  EXPECT_TRUE(with_wide_elements(box_of({{4, 1, 1}, {30, 256, 4}, {64, 4, 120}}), 1));
  EXPECT_TRUE(with_wide_elements(box_of({{4, 1, 1}, {30, 331, 5}, {64, 4, 150}}), 1)) << "rows anywhere";
  EXPECT_FALSE(with_wide_elements(box_of({{4, 1, 2}, {30, 256, 8}, {64, 4, 240}}), 1)) << "gaps";
  EXPECT_FALSE(with_wide_elements(guarded_box_of({{4, 1, 1, 1}, {30, 256, 4}, {64, 4, 120}}, 3), 1));
  EXPECT_TRUE(with_wide_elements(guarded_box_of({{4, 1, 1}, {30, 256, 4, 1}, {64, 4, 120}}, 20), 1))
      << "which cuts between them";
  EXPECT_FALSE(with_wide_elements(box_of({{4, 1, 1}}), 1)) << "one group is copied";
}

/// All that is executed of a plan: its nests without what they are said to be chosen for.
std::string executed(Plan plan) {
  std::string text;
  for (const Nest& nest : plan.nests) {
    Plan one;
    one.nests = {nest};
    one.nests.front().reason.clear();
    text += to_string(one);
  }
  return text;
}

/// One conversion in several notations and element types.
struct Conversion {
  const char* source;
  const char* destination;
};

TEST(WideElements, give_a_conversion_one_plan_in_elements_of_any_width) {
  const std::vector<std::vector<Conversion>> conversions = {
      {{"f32[512,512]{1,0}", "{0,1}"},
       {"u8[512,2048]{1,0}", "[1, 0, 1 p(4)]"},
       {"bf16[512,512,2]{2,1,0}", "{2,0,1}"},
       {"f32[512,512][0, 1]", "[1, 0]"}},
      {{"f64[900,300][1, 0]", "[0, 1]"}, {"bf16[900,1200][1, 0, 1 p(4)]", "{1,0}"}},
      {{"c128[64,9,2000]{2,1,0}", "{0,2,1}"}, {"u8[64,9,2000,16]{3,2,1,0}", "{3,0,2,1}"}},
  };
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512Vbmi}) {
    for (const auto& notations : conversions) {
      const auto planned = [&](const Conversion& pair) {
        return executed(plan_for("zen4", problem_of(pair.source, pair.destination), isa));
      };
      for (const Conversion& pair : notations)
        EXPECT_EQ(planned(pair), planned(notations.front())) << pair.source << " to " << pair.destination;
    }
  }
}

TEST(WideElements, take_the_padding_along_that_is_made_of_whole_ones) {
  PaddingPiece piece;
  piece.destination_base = 24;
  piece.length = 8;
  piece.iterators.emplace_back();
  piece.iterators.front().extent = 5;
  piece.iterators.front().destination_stride = 64;
  const auto groups = in_groups(std::vector{piece}, 4);
  ASSERT_TRUE(groups);
  EXPECT_EQ(groups->front().destination_base, 6);
  EXPECT_EQ(groups->front().length, 2);
  EXPECT_EQ(groups->front().iterators.front().destination_stride, 16);
  EXPECT_EQ(in_elements(*groups, 4).front().volume(), piece.volume());
  EXPECT_EQ(in_elements(*groups, 4).front().destination_base, 24);
  EXPECT_FALSE(in_groups(std::vector{piece}, 16));
  piece.iterators.front().destination_stride = 66;
  EXPECT_FALSE(in_groups(std::vector{piece}, 4));
}

TEST(WideElements, are_moved_beside_parts_of_them) {
  // 331 rows in tiles of four: groups of four, and three bytes left over.
  const Problem problem = problem_of("u8[331,200]{1,0:T(4,1)}", "{0,1}");
  const Plan plan = plan_for("zen4", problem, Isa::kAvx512Vbmi);
  EXPECT_GT(plan.nests.size(), 1U);
  EXPECT_NE(notes_of(plan).find("elements of 4 bytes"), std::string::npos) << notes_of(plan);
  expect_right(problem, plan);
}

Plan filled_plan(const char* source, const char* destination, std::size_t element_bytes = 2) {
  PlanOptions options;
  options.fill.assign(element_bytes, 0);
  const Problem problem = problem_of(source, destination);
  Plan plan = plan_for("zen4", problem, Isa::kAvx512Vbmi, options);
  expect_right(problem, plan);
  return plan;
}

bool is_in_pairs(const Plan& plan) {
  return notes_of(plan).find("elements of 4 bytes") != std::string::npos;
}

TEST(WideElements, take_padding_along_as_others_do) {
  const Plan pairs = filled_plan("bf16[64,300,6,2]{3,0,1,2}", "{3,2,1,0:T(8,2)}");
  EXPECT_TRUE(is_in_pairs(pairs)) << "six of each eight pairs exist";
  EXPECT_EQ(executed(pairs), executed(filled_plan("f32[64,300,6]{0,1,2}", "{2,1,0:T(8)}", 4)));
}

TEST(WideElements, are_moved_beside_padding_that_is_not_made_of_whole_ones) {
  EXPECT_TRUE(is_in_pairs(filled_plan("bf16[300,12,64]{1,0,2}", "{1,2,0:T(4,8)(4,2)}")));
  EXPECT_TRUE(is_in_pairs(filled_plan("bf16[300,13,64]{1,0,2}", "{1,2,0:T(4,8)(4,2)}")));
  filled_plan("bf16[30,13,15]{1,0,2}", "{1,2,0:T(4,8)(4,2)}");
  filled_plan("u8[40,13,7]{1,2,0}", "{1,0,2:T(8,128)(4,1)}", 1);
}

}  // namespace
}  // namespace relayout::plan
