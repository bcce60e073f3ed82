#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "relayout/layout.hpp"
#include "relayout/strided.hpp"

namespace relayout {
namespace {

Layout layout(const std::string& spec) {
  return *Layout::parse(spec);
}

TEST(Views, a_transposed_view_permutes_the_dimensions) {
  const Layout base = layout("f32[2,3,5][2, 0, 1]");
  const std::vector<std::int64_t> permutation = {1, 2, 0};
  const auto view = base.transposed(permutation);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->shape(), (Shape{3, 5, 2}));
  for (std::int64_t i = 0; i < 2; ++i) {
    for (std::int64_t j = 0; j < 3; ++j) {
      for (std::int64_t k = 0; k < 5; ++k) {
        EXPECT_EQ(*view->offset(Shape{j, k, i}), *base.offset(Shape{i, j, k}));
      }
    }
  }
  EXPECT_EQ(base.transposed(Shape{0, 0, 1}).error().code, ErrorCode::kBadArgument);
  EXPECT_EQ(base.transposed(Shape{0, 1}).error().code, ErrorCode::kBadArgument);
}

TEST(Views, a_reshaped_view_keeps_the_row_major_order_of_elements) {
  const Layout base = layout("f32[4,6][1, 0]");
  const auto view = base.reshaped({3, 8});
  ASSERT_TRUE(view);
  for (std::int64_t i = 0; i < 24; ++i) {
    EXPECT_EQ(*view->offset(Shape{i / 8, i % 8}), *base.offset(Shape{i / 6, i % 6}));
  }
  EXPECT_EQ(base.reshaped({5, 5}).error().code, ErrorCode::kShapeMismatch);
  EXPECT_TRUE(layout("f32[0,3]").reshaped({7, 0}));
}

TEST(Views, extents_of_a_reshape_are_not_negative) {
  for (const Shape& shape : {Shape{-2, -3}, Shape{-6, -1}, Shape{6, 1, -1, -1}}) {
    const auto view = layout("f32[6]").reshaped(shape);
    ASSERT_FALSE(view);
    EXPECT_EQ(view.error().code, ErrorCode::kBadArgument);
    EXPECT_NE(view.error().message.find("negative extent"), std::string::npos) << view.error().message;
  }
  EXPECT_EQ(layout("f32[0,3]").reshaped({0, -5}).error().code, ErrorCode::kBadArgument);
}

TEST(Strided, tiles_of_the_longest_dimension_are_counted) {
  const std::int64_t longest = std::numeric_limits<std::int64_t>::max();
  const auto array = strided(*ElementType::parse("u8"), {.shape = {2, longest}, .tile = {1, 128}});
  ASSERT_FALSE(array);
  EXPECT_EQ(array.error().code, ErrorCode::kOverflow);
}

TEST(Views, same_bytes_sees_through_the_notation) {
  EXPECT_TRUE(same_bytes(layout("f32[6,8][1, 0]"), layout("f32[6,8]{0,1}")));
  EXPECT_FALSE(same_bytes(layout("f32[6,8][1, 0]"), layout("f32[6,8]")));
  EXPECT_TRUE(same_bytes(layout("f32[1,8][1, 0]"), layout("f32[1,8]")));
  EXPECT_TRUE(same_bytes(*layout("f32[6,8]").transposed(Shape{1, 0}), layout("f32[8,6]{0,1}")));
  EXPECT_TRUE(same_bytes(*layout("f32[16,256]{1,0:T(8,128)}").reshaped({2, 8, 256}),
                         layout("f32[2,8,256]{2,1,0:T(8,128)}")));
  EXPECT_FALSE(same_bytes(layout("f32[6,8]"), layout("f32[6,8]{1,0:T(8,128)}")));
}

}  // namespace
}  // namespace relayout
