#include "src/plan/kernels/last_tile.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/plan/cost_models/make_target.hpp"
#include "src/plan/model/pair_sizes.hpp"
#include "tests/plan/kernels/rounded_boxes.hpp"
#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

using testing::box_of;
using testing::guarded_box_of;

/// What becomes of a box of elements of so many bytes in the caches of a Zen 3.
std::optional<CutBox> cut_of(const Box& box, std::int64_t element_bytes, Residence residence,
                             std::int64_t footprint_bytes, const PlanOptions& options = {}) {
  const Target target = make_target(Isa::kAvx2, plan_machine("zen3"));
  PairSizes sizes;
  sizes.element_bytes = element_bytes;
  sizes.residence = residence;
  sizes.source_bytes = footprint_bytes / 2;
  sizes.destination_bytes = footprint_bytes / 2;
  return cut_last_tile(box, {}, {sizes, target, options});
}

/// 4096 rows of `width` elements, of which tiles take 32 (or 16 of 2 bytes), transposed.
Box rows_of(std::int64_t width, std::int64_t element_bytes) {
  return box_of({{4096, width * element_bytes, element_bytes}, {width, element_bytes, 4096 * element_bytes}});
}

TEST(LastTile, has_a_box_of_its_own_for_what_it_would_not_move_twice) {
  Box box = rows_of(33, 1);
  box.source_base = 7;
  box.destination_base = 64;
  const auto cut = cut_of(box, 1, Residence::kSecondCache, 2 * 4096 * 33);
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->whole.axes[1].extent, 32);
  EXPECT_EQ(cut->whole.source_base, 7);
  EXPECT_EQ(cut->whole.destination_base, 64);
  ASSERT_EQ(cut->rest.axes.size(), 1U) << "axes have two elements at least";
  EXPECT_EQ(cut->rest.axes[0].extent, 4096);
  EXPECT_EQ(cut->rest.source_base, 7 + 32);
  EXPECT_EQ(cut->rest.destination_base, 64 + 32 * 4096);
}

TEST(LastTile, may_overlap_the_one_before_it_up_to_a_power_of_two) {
  const Box columns = box_of({{47, 3514, 1}, {3514, 1, 47}});
  const auto cut = cut_of(columns, 1, Residence::kSecondCache, 2 * 3514 * 47);
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->whole.axes[0].extent, 32);
  EXPECT_EQ(cut->rest.axes[0].extent, 16) << "of which one is in the other box, too";
  EXPECT_EQ(cut->rest.source_base, 31 * 3514);
  EXPECT_EQ(cut->rest.destination_base, 31);
}

TEST(LastTile, stays_where_little_is_moved_twice_or_nothing_is_gained) {
  const auto is_cut = [](std::int64_t width, std::int64_t element_bytes, Residence residence,
                         std::int64_t footprint_bytes) {
    return cut_of(rows_of(width, element_bytes), element_bytes, residence, footprint_bytes).has_value();
  };
  constexpr std::int64_t kMiB = 1 << 20;
  EXPECT_TRUE(is_cut(33, 1, Residence::kSecondCache, kMiB / 4));
  EXPECT_FALSE(is_cut(38, 1, Residence::kMemory, 64 * kMiB));
  EXPECT_TRUE(is_cut(33, 1, Residence::kSecondCache, kMiB)) << "nine tenths of the cycles";
  EXPECT_FALSE(is_cut(33, 1, Residence::kLastCache, 2 * kMiB)) << "more than eight";
  EXPECT_FALSE(is_cut(33, 4, Residence::kSecondCache, kMiB)) << "wide elements";
  EXPECT_FALSE(is_cut(62, 1, Residence::kSecondCache, kMiB / 2)) << "tiles move 64";
  EXPECT_FALSE(is_cut(64, 1, Residence::kSecondCache, kMiB / 2));
}

TEST(LastTile, stays_where_the_last_cache_just_holds_both_buffers) {
  constexpr std::int64_t kMiB = 1 << 20;
  const Box columns = box_of({{39, 65536, 1}, {65536, 1, 39}});
  EXPECT_TRUE(cut_of(columns, 1, Residence::kLastCache, 22 * kMiB));
  EXPECT_FALSE(cut_of(columns, 1, Residence::kLastCache, 22 * kMiB + 2)) << "and rows are streamed";
}

TEST(LastTile, stays_under_guards) {
  EXPECT_FALSE(cut_of(guarded_box_of({{4096, 33, 1}, {33, 1, 4096, 1}}, 30), 1, Residence::kSecondCache,
                      2 * 4096 * 33));
}

const char* const kRows = "u8[4096,33][1, 0]";

TEST(LastTile, is_cut_off_on_a_zen_3_whatever_kernel_the_box_gets) {
  const Problem problem = problem_of(kRows, "[0, 1]");
  EXPECT_EQ(plan_for("zen3", problem, Isa::kAvx2).nests.size(), 2U);
  EXPECT_EQ(plan_for("zen", problem, Isa::kAvx2).nests.size(), 1U);
  PlanOptions options;
  std::vector<std::string> kernels;
  options.kernels = &kernels;
  plan_for("zen3", problem, Isa::kAvx2, options);
  ASSERT_GT(kernels.size(), 1U);
  options.kernels = nullptr;
  for (const std::string& kernel : kernels) {
    PlanChoice choice;
    choice.kernel = kernel;
    options.choice = &choice;
    EXPECT_EQ(plan_for("zen3", problem, Isa::kAvx2, options).nests.size(), 2U) << kernel;
  }
}

TEST(LastTile, stays_beside_padding_that_is_moved_with_it) {
  const Problem problem = problem_of("u8[4096,33][1, 0]", "{1,0:T(8,64)}");
  PlanOptions options;
  const auto notes = [&](std::uint8_t fill) {
    options.fill = {fill};
    options.reasons = true;
    return notes_of(plan_for("zen3", problem, Isa::kAvx2, options));
  };
  EXPECT_EQ(notes(0).find("cut where its last tile"), std::string::npos) << "33 of 64";
  EXPECT_NE(notes(1).find("cut where its last tile"), std::string::npos) << "networks move zeros only";
}

TEST(LastTile, has_a_note) {
  PlanOptions options;
  options.reasons = true;
  const Plan plan = plan_for("zen3", problem_of(kRows, "[0, 1]"), Isa::kAvx2, options);
  EXPECT_NE(notes_of(plan).find("box 0: cut where its last tile"), std::string::npos) << notes_of(plan);
}

TEST(LastTile, does_what_the_expressions_say) {
  const auto expect_right_on_zen3 = [](const char* source, const char* destination) {
    const Problem problem = problem_of(source, destination);
    expect_right(problem, plan_for("zen3", problem, Isa::kAvx2));
  };
  for (const char* const destination : {"{1,0}", "{0,1}"}) expect_right_on_zen3("u8[33,70]", destination);
  for (const char* const source : {"bf16[19,3,41]{0,2,1}", "u8[21,35,13]{0,1,2}"}) {
    for (const char* const destination : {"{2,1,0}", "{0,1,2:T(8)}", "{1,2,0:T(16,1)}"})
      expect_right_on_zen3(source, destination);
  }
}

}  // namespace
}  // namespace relayout::plan
