// CuTe's tuples, layouts, coordinates, swizzles and views of memory.

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "tests/notation/cute_random.hpp"

namespace relayout {
namespace {

using cute::IntTuple;
using testing::RandomCute;

IntTuple tuple(const char* text) {
  return *cute::parse_int_tuple(text);
}
cute::Layout layout(const char* text) {
  return *cute::parse_layout(text);
}
template <class Kind>
std::string text(const Result<Kind>& result) {
  return result ? to_string(*result) : "error: " + result.error().message;
}
std::string text(const Result<std::int64_t>& result) {
  return result ? std::to_string(*result) : "error: " + result.error().message;
}

TEST(CuteTuple, example) {
  EXPECT_EQ(to_string(IntTuple::tuple({3, IntTuple::tuple({6, 2}), 8})), "(3,(6,2),8)");
}

TEST(CuteTuple, is_rearranged_element_by_element) {
  EXPECT_EQ(to_string(cute::flatten(tuple("((2,(3)),4)"))), "(2,3,4)");
  EXPECT_EQ(to_string(cute::append(tuple("2"), tuple("(3,4)"))), "(2,(3,4))");
  EXPECT_EQ(to_string(cute::prepend(tuple("(2,3)"), 4)), "(4,2,3)");
  EXPECT_EQ(text(cute::replace(tuple("(2,3)"), 1, tuple("(4,5)"))), "(2,(4,5))");
  EXPECT_EQ(text(cute::select(tuple("(2,3,5,7)"), std::array<std::int64_t, 2>{3, 1})), "(7,3)");
  EXPECT_EQ(text(cute::take(tuple("(2,3,5,7)"), 1, 3)), "(3,5)");
  EXPECT_EQ(text(cute::group(tuple("(2,3,5,7)"), 1, 3)), "(2,(3,5),7)");
  EXPECT_EQ(text(cute::take(tuple("(2,3)"), 1, 1)), "error: elements 1 to 1 of (2,3) are no range");
  EXPECT_EQ(text(cute::get(tuple("(2,3)"), std::array<std::int64_t, 1>{2})),
            "error: there is no element 2 in (2,3)");
}

TEST(CuteTuple, relations_of_shapes) {
  EXPECT_TRUE(cute::congruent(tuple("(2,(2,2))"), tuple("(4,(2,1))")));
  EXPECT_FALSE(cute::congruent(tuple("(2)"), tuple("2")));
  EXPECT_TRUE(cute::weakly_congruent(tuple("(6,1)"), tuple("((2,3),4)")));
  EXPECT_FALSE(cute::weakly_congruent(tuple("((2,3),4)"), tuple("(6,1)")));
  EXPECT_TRUE(cute::compatible(tuple("24"), tuple("(4,6)")));
  EXPECT_TRUE(cute::compatible(tuple("(4,6)"), tuple("((2,2),6)")));
  EXPECT_TRUE(cute::compatible(tuple("24"), tuple("(24)")));
  EXPECT_FALSE(cute::compatible(tuple("(24)"), tuple("24")));
  EXPECT_FALSE(cute::compatible(tuple("((2,3),4)"), tuple("((2,2),(3,2))")));
}

TEST(CuteTuple, division_rounds_up_or_has_to_be_even) {
  EXPECT_EQ(text(cute::ceil_div(tuple("(6,2)"), 12)), "(1,1)");
  EXPECT_EQ(text(cute::ceil_div(tuple("(10,7)"), tuple("(4,4)"))), "(3,2)");
  EXPECT_EQ(text(cute::shape_div(tuple("(6,(3,4))"), 36)), "(1,(1,2))");
  EXPECT_EQ(text(cute::shape_div(6, 4)), "error: neither of 6 and 4 divides the other");
  EXPECT_FALSE(cute::ceil_div(6, 0));
}

TEST(CuteCoordinates, example) {
  EXPECT_EQ(text(cute::idx2crd(16, tuple("(3,(2,3))"))), "(1,(1,2))");
  EXPECT_EQ(text(cute::crd2idx(tuple("(1,5)"), tuple("(3,(2,3))"), tuple("(3,(12,1))"))), "17");
}

TEST(CuteCoordinates, all_kinds_lead_to_the_same_offset) {
  testing::for_cute_seeds(200, [](RandomCute& random) {
    RandomCute::Leaves leaves(static_cast<std::size_t>(random.uniform(1, 5)));
    for (auto& leaf : leaves) leaf = {random.uniform(1, 4), random.uniform(-9, 9)};
    const cute::Layout any = random.layout_of(leaves);
    for (std::int64_t i = 0; i < any.size(); ++i) {
      const std::int64_t expected = RandomCute::evaluate(leaves, i);
      const auto coordinate = cute::idx2crd(i, any.shape());
      ASSERT_EQ(text(any.offset(*coordinate)), std::to_string(expected)) << to_string(any);
      ASSERT_EQ(text(any.offset(i)), std::to_string(expected)) << to_string(any);
      ASSERT_EQ(text(cute::crd2idx(*coordinate, any.shape())), std::to_string(i)) << to_string(any);
    }
  });
}

TEST(CuteCoordinates, the_last_mode_is_not_reduced) {
  EXPECT_EQ(text(cute::idx2crd(30, tuple("(4,2)"))), "(2,7)");
  EXPECT_EQ(text(cute::crd2idx(tuple("(5,1)"), tuple("(4,2)"), tuple("(2,1)"))), "11");
  EXPECT_EQ(layout("(4,2):(1,10)")(9), 21);
}

TEST(CuteCoordinates, of_compact_strides_are_read_off) {
  EXPECT_EQ(text(cute::idx2crd(5, tuple("(2,4)"), tuple("(4,1)"))), "(1,1)");
  EXPECT_FALSE(cute::idx2crd(5, tuple("(2,4)"), tuple("(0,1)")));
}

TEST(CuteCoordinates, that_do_not_fit_are_refused) {
  EXPECT_EQ(text(cute::crd2idx(tuple("(1,1,1)"), tuple("(4,2)"))),
            "error: coordinate (1,1,1) does not fit shape (4,2)");
  EXPECT_EQ(text(cute::crd2idx(tuple("((1,1),1)"), tuple("(4,2)"))),
            "error: coordinate (1,1) does not fit shape 4");
  EXPECT_EQ(text(layout("(4,(2,3)):(1,(4,8))").offset(tuple("(3,6)"))),
            "error: coordinate 6 is outside shape (2,3) of 6 elements");
  EXPECT_EQ(text(layout("8:1").offset(-1)), "error: coordinate -1 is outside shape 8 of 8 elements");
  EXPECT_EQ(cute::crd2idx(tuple("(4611686018427387904,1)"), tuple("(4,2)"), tuple("(4,1)")).error().code,
            ErrorCode::kOverflow);
}

TEST(CuteLayout, example) {
  const auto made = cute::Layout::make(tuple("((2,2),2)"), tuple("((4,1),2)"));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->rank(), 2);
  EXPECT_EQ(made->depth(), 2);
  EXPECT_EQ(made->size(), 8);
  EXPECT_EQ(made->cosize(), 8);
  EXPECT_EQ(to_string(made->mode(0)), "(2,2):(4,1)");
}

TEST(CuteLayout, cosize_counts_gaps_and_ignores_signs) {
  EXPECT_EQ(layout("(2,2):(4,1)").cosize(), 6);
  EXPECT_EQ(layout("4:-1").cosize(), 4);
  EXPECT_EQ(layout("4:-1").range().lowest, -3);
  EXPECT_EQ(layout("4:0").cosize(), 1);
}

TEST(CuteLayout, compact_layouts_start_left_or_right) {
  EXPECT_EQ(text(cute::Layout::left(tuple("(3,(2,3))"))), "(3,(2,3)):(1,(3,6))");
  EXPECT_EQ(text(cute::Layout::right(tuple("(3,(2,3))"))), "(3,(2,3)):(6,(3,1))");
  EXPECT_EQ(text(cute::make_ordered_layout(tuple("(4,3,8,2)"), tuple("(2,1,3,0)"))), "(4,3,8,2):(6,2,24,1)");
  EXPECT_EQ(text(cute::make_ordered_layout(tuple("((2,2),4)"), tuple("(1,0)"))), "((2,2),4):((4,8),1)");
  EXPECT_EQ(text(cute::make_ordered_layout(tuple("(2,2)"), tuple("(0,(1,2))"))),
            "error: order (1,2) does not fit shape 2");
  EXPECT_EQ(text(cute::make_layout_like(layout("(2,2,2,2):(0,2,4,1)"))), "(2,2,2,2):(0,2,4,1)");
  EXPECT_EQ(text(cute::make_layout_like(layout("(4,2):(4,1)"))), "(4,2):(2,1)");
}

TEST(CuteLayout, is_sliced_and_diced) {
  const cute::Layout whole = layout("(2,3,4):(1,2,6)");
  EXPECT_EQ(text(cute::slice(tuple("(0,_,1)"), whole)), "(3):(2)");
  EXPECT_EQ(text(cute::dice(tuple("(0,_,1)"), whole)), "(2,4):(1,6)");
  EXPECT_EQ(text(cute::slice_offset(tuple("(1,_,2)"), whole)), "13");
  EXPECT_EQ(text(cute::slice(tuple("(_,(0,_))"), layout("(2,(3,4)):(1,(2,6))"))), "(2,4):(1,6)");
  EXPECT_EQ(text(cute::slice(tuple("_"), whole)), "(2,3,4):(1,2,6)");
  EXPECT_EQ(text(cute::dice(tuple("5"), whole)), "(2,3,4):(1,2,6)");
  EXPECT_EQ(text(cute::slice(tuple("_"), layout("8:1"))), "8:1");
  EXPECT_FALSE(cute::dice(tuple("_"), whole));
  EXPECT_FALSE(cute::slice(tuple("5"), whole));
  EXPECT_FALSE(cute::slice(tuple("(0,0,0)"), whole));
  EXPECT_FALSE(cute::slice(tuple("(0,_)"), whole));
}

TEST(CuteSwizzle, example) {
  const auto swizzle = cute::Swizzle::make(1, 0, 1);
  ASSERT_TRUE(swizzle);
  EXPECT_EQ((*swizzle)(2), 3);
  EXPECT_EQ(swizzle->source_mask(), 2U);
  EXPECT_EQ(swizzle->target_mask(), 1U);
}

TEST(CuteSwizzle, is_its_own_inverse_and_stays_in_its_block) {
  for (const auto& [bits, base, shift] :
       {std::tuple(2, 0, 3), {3, 2, 3}, {2, 1, -2}, {0, 4, 3}, {1, 3, -4}}) {
    const auto swizzle = *cute::Swizzle::make(bits, base, shift);
    for (std::int64_t x = 0; x < 4096; ++x) {
      ASSERT_EQ(swizzle(swizzle(x)), x) << to_string(swizzle);
      ASSERT_EQ(swizzle(x) / 512, x / 512) << to_string(swizzle);
    }
  }
}

TEST(CuteSwizzle, of_a_layout_spans_whole_blocks) {
  const auto any = cute::parse("Sw<2,0,3> o 0 o (3,8):(8,1)");
  const auto& composed = std::get<cute::ComposedLayout>(*any);
  EXPECT_EQ(composed.cosize(), 24);
  EXPECT_EQ(composed.span(), 24);
  EXPECT_EQ(*composed.offset_of(tuple("(1,2)")), (1 * 8 + 2) ^ 1);
  const auto narrow = cute::parse("Sw<1,0,2> o 0 o (2,5):(5,1)");
  const auto offsets = *std::get<cute::ComposedLayout>(*narrow).offsets();
  EXPECT_LT(*std::max_element(offsets.begin(), offsets.end()),
            std::get<cute::ComposedLayout>(*narrow).span());
}

TEST(CuteTensor, example) {
  std::array<int, 8> data{0, 1, 2, 3, 4, 5, 6, 7};
  const auto view = cute::TensorView<int>::make(data, layout("((2,2),2):((4,1),2)"));
  ASSERT_TRUE(view);
  EXPECT_EQ(**view->at(tuple("(1,1)")), 6);
  EXPECT_EQ(**view->at(5), 6);
  EXPECT_EQ((*view)[5], 6);
  **view->at(tuple("((0,1),0)")) = 42;
  EXPECT_EQ(data[1], 42);
}

TEST(CuteTensor, slices_share_the_elements) {
  std::array<int, 12> data{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const auto view = cute::TensorView<int>::make(data, layout("(3,4):(4,1)"));
  const auto row = view->slice(tuple("(2,_)"));
  ASSERT_TRUE(row);
  EXPECT_EQ(to_string(row->layout()), "(4):(1)");
  EXPECT_EQ(**row->at(3), 11);
  EXPECT_FALSE(view->slice(tuple("(3,_)")));
}

TEST(CuteTensor, checks_memory_and_coordinates) {
  std::array<int, 8> data{};
  EXPECT_EQ(cute::TensorView<int>::make(data, layout("9:1")).error().code, ErrorCode::kBufferTooSmall);
  EXPECT_EQ(cute::TensorView<int>::make(data, layout("4:-1")).error().code, ErrorCode::kBufferTooSmall);
  const auto backwards = cute::TensorView<int>::make(data, layout("8:-1"), 7);
  ASSERT_TRUE(backwards);
  EXPECT_EQ(*backwards->at(7), data.data());
  EXPECT_EQ(backwards->at(8).error().code, ErrorCode::kBadArgument);
}

}  // namespace
}  // namespace relayout
