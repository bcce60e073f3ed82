#include <string>

#include <gtest/gtest.h>

#include "relayout/layout.hpp"

namespace relayout {
namespace {

TEST(Spec, a_type_and_shape_alone_are_row_major) {
  const auto layout = Layout::parse("bf16[2,3]");
  ASSERT_TRUE(layout);
  EXPECT_TRUE(layout->is_row_major());
  EXPECT_EQ(layout->size_bytes(), 12);
}

TEST(Spec, a_destination_may_be_the_layout_alone) {
  const auto source = *Layout::parse("s8[4,8]");
  const auto destination = Layout::parse_destination("[1, 0]", source);
  ASSERT_TRUE(destination);
  EXPECT_EQ(destination->to_string(), "s8[4,8][1, 0]");
  EXPECT_EQ(Layout::parse_destination("u8[4,8][1, 0]", source)->to_string(), "u8[4,8][1, 0]");
}

TEST(Spec, errors_name_the_offending_part) {
  EXPECT_EQ(Layout::parse("f33[2]").error().message, "unknown element type 'f33'");
  EXPECT_EQ(Layout::parse("f32").error().message, "expected '[' and the shape at position 3, found the end");
  EXPECT_EQ(Layout::parse("f32[2,]").error().message, "expected an extent at position 6, found ']'");
  EXPECT_EQ(Layout::parse("f32[-1]").error().message, "expected an extent at position 4, found '-'");
  EXPECT_EQ(Layout::parse("").error().code, ErrorCode::kSyntax);
  EXPECT_EQ(Layout::parse("F32[2]").error().code, ErrorCode::kSyntax);
  EXPECT_NE(Layout::parse("f32[2]<0>").error().message.find("<0>"), std::string::npos);
}

TEST(ElementTypes, widths_are_those_of_the_names) {
  EXPECT_EQ(ElementType::parse("pred")->storage_bits(), 8);
  EXPECT_EQ(ElementType::parse("s4")->storage_bits(), 8);
  EXPECT_EQ(ElementType::parse("bf16")->storage_bits(), 16);
  EXPECT_EQ(ElementType::parse("u32")->storage_bits(), 32);
  EXPECT_EQ(ElementType::parse("c64")->storage_bits(), 64);
  EXPECT_EQ(ElementType::parse("c128")->storage_bits(), 128);
  EXPECT_FALSE(ElementType::parse("tuple"));
}

}  // namespace
}  // namespace relayout
