// CuTe's layouts as layouts of arrays. Expected offsets are those of cute::Layout, whose own tests compare
// them with CuTe's.

#include <gtest/gtest.h>

#include "relayout/cute.hpp"
#include "relayout/cute/bridge.hpp"
#include "relayout/relayout.hpp"
#include "src/plan/plan.hpp"
#include "src/runtime/compiled_relayout.hpp"

namespace relayout {
namespace {

const ElementType kF32 = *ElementType::parse("f32");

Layout bridged(const char* text) {
  return *from_cute(kF32, *cute::parse_layout(text));
}

/// The coordinate of the index-th element, the first dimension fastest.
Shape colexicographic(const Shape& shape, std::int64_t index) {
  Shape coordinate;
  for (const std::int64_t extent : shape) {
    coordinate.push_back(index % extent);
    index /= extent;
  }
  return coordinate;
}

TEST(CuteBridge, offsets_are_cutes_counted_from_the_lowest) {
  for (const char* text :
       {"(4096,4096):(1,4096)", "8:1", "((2,2),2):((4,1),2)", "((3,2,5),(7,(2,2))):((2,60,6),(1000,(1,500)))",
        "(4,3):(-3,1)", "((2,4),1):((1,-2),0)", "(5,6):(0,1)", "(3,1,4):(1,99,2)", "1:0",
        "((4,2),3):((-1,8),-16)"}) {
    const auto layout = cute::parse_layout(text);
    ASSERT_TRUE(layout) << text;
    const auto array = from_cute(kF32, *layout);
    ASSERT_TRUE(array) << text;
    EXPECT_EQ(array->physical_elements(), layout->cosize()) << text;
    EXPECT_EQ(array->size_bytes(), 4 * layout->cosize()) << text;
    const std::int64_t lowest = layout->range().lowest;
    for (std::int64_t index = 0; index < layout->size(); index += 1 + layout->size() / 5000) {
      const auto offset = array->offset(colexicographic(array->shape(), index));
      ASSERT_TRUE(offset) << text;
      ASSERT_EQ(*offset, (*layout)(index)-lowest) << text << " at " << index;
    }
  }
}

TEST(CuteBridge, top_level_modes_are_the_logical_dimensions) {
  EXPECT_EQ(bridged("((2,2),(3,(4,5)),7):((4,1),(8,(24,96)),480)").shape(), (Shape{4, 60, 7}));
  EXPECT_EQ(bridged("8:1").shape(), Shape{8});
}

TEST(CuteBridge, the_specification_is_type_and_layout_and_reads_back) {
  const auto layout = Layout::parse("bf16  ( (2,2), 2 ) : ((4,1),2)");
  ASSERT_TRUE(layout) << layout.error().message;
  EXPECT_EQ(layout->to_string(), "bf16 ((2,2),2):((4,1),2)");
  EXPECT_EQ(Layout::parse(layout->to_string())->to_string(), layout->to_string());
  EXPECT_EQ(Layout::parse("s8 _8:_1")->shape(), Shape{8});
}

TEST(CuteBridge, a_destination_may_be_the_layout_alone) {
  const Layout source = *Layout::parse("f32[4,8]{1,0}");
  for (const char* text : {"(4,8):(1,4)", "(_4,_8):(_1,_4)", "((2,2),8):((1,2),4)"}) {
    const auto destination = Layout::parse_destination(text, source);
    ASSERT_TRUE(destination) << text;
    EXPECT_EQ(destination->type(), source.type());
    EXPECT_TRUE(destination->is_column_major()) << text;
  }
}

TEST(CuteBridge, errors_show_the_layout) {
  const auto error = Layout::parse("f32 (4,8):(1,").error();
  EXPECT_EQ(error.code, ErrorCode::kSyntax);
  EXPECT_NE(error.message.find("(4,8):(1,"), std::string::npos);
  EXPECT_EQ(Layout::parse("f32 (4,8):(1,(2,3))").error().code, ErrorCode::kInvalidLayout);
  EXPECT_EQ(Layout::parse("f64 (2,2):(1,1152921504606846976)").error().code, ErrorCode::kOverflow);
}

TEST(CuteBridge, swizzles_are_refused_by_name) {
  for (const char* text : {"f32 Sw<3,4,3> o 0 o (64,64):(64,1)", "f32 Sw<3,4,3>o0o(64,64):(64,1)"}) {
    const auto layout = Layout::parse(text);
    ASSERT_FALSE(layout);
    EXPECT_EQ(layout.error().code, ErrorCode::kUnsupported);
    EXPECT_NE(layout.error().message.find("Sw<3,4,3>"), std::string::npos) << layout.error().message;
  }
  const Layout source = *Layout::parse("f32[8,8]");
  EXPECT_EQ(Layout::parse_destination("Sw<2,0,3> o 0 o (8,8):(8,1)", source).error().code,
            ErrorCode::kUnsupported);
}

TEST(CuteBridge, equal_maps_in_other_notations_give_the_same_code) {
  const Layout source = *Layout::parse("f32[64,96]");
  const Layout written = *Layout::parse("f32 (64,96):(96,1)");
  for (const auto& [cute_text, text] :
       {std::pair{"(64,96):(1,64)", "[1, 0]"}, std::pair{"(64,(16,6)):(16,(1,1024))", "[1, 0, 1 p(16)]"},
        std::pair{"((8,8),(32,3)):((32,768),(1,256))", "{1,0:T(8,32)}"}}) {
    const Layout expected = *Layout::parse_destination(text, source);
    const Layout layout = *Layout::parse_destination(cute_text, source);
    EXPECT_TRUE(same_bytes(layout, expected)) << cute_text;
    const auto compiled = compile(written, layout);
    const auto reference = compile(source, expected);
    ASSERT_TRUE(compiled) << compiled.error().message;
    ASSERT_TRUE(reference);
    EXPECT_EQ(plan::to_string(compiled->compiled().plan), plan::to_string(reference->compiled().plan))
        << cute_text;
  }
}

TEST(CuteBridge, conversions_are_proved_at_every_level) {
  const std::pair<const char*, const char*> pairs[] = {{"f32 (64,48):(48,1)", "(64,48):(1,64)"},
                                                       {"f32 (64,48):(-48,1)", "(64,48):(1,64)"},
                                                       {"bf16 (32,40):(0,1)", "bf16[32,40][1, 0]"},
                                                       {"u8 (30,20):(1,2)", "((5,6),20):((1,100),5)"},
                                                       {"f32[64,256]{1,0:T(8,128)}", "(64,256):(1,64)"},
                                                       {"f64 (12,10):(1,16)", "(12,10):(-10,1)"},
                                                       {"u8[8,12]", "(8,12):(16,1)"}};
  for (const auto& [source_text, destination_text] : pairs) {
    const Layout source = *Layout::parse(source_text);
    const auto destination = Layout::parse_destination(destination_text, source);
    ASSERT_TRUE(destination) << destination_text;
    for (const Isa isa : runnable_isas()) {
      CompileOptions options;
      options.isa = isa;
      const auto compiled = compile(source, *destination, options);
      ASSERT_TRUE(compiled) << source_text << " to " << destination_text << ": " << compiled.error().message;
      const auto proof = prove(source, *destination, options);
      ASSERT_TRUE(proof);
      EXPECT_TRUE(proof->ok) << source_text << " to " << destination_text << ": " << proof->message;
    }
  }
}

TEST(CuteBridge, a_destination_in_which_two_coordinates_collide_is_refused) {
  const Layout source = *Layout::parse("f32[4,8]");
  for (const auto& [text, first, second] :
       {std::tuple{"(4,8):(1,2)", "(0,1)", "(2,0)"}, std::tuple{"(4,8):(0,1)", "(0,0)", "(1,0)"}}) {
    const auto compiled = compile(source, *Layout::parse_destination(text, source));
    ASSERT_FALSE(compiled) << text;
    EXPECT_EQ(compiled.error().code, ErrorCode::kAliasing);
    EXPECT_NE(compiled.error().message.find(first), std::string::npos) << compiled.error().message;
    EXPECT_NE(compiled.error().message.find(second), std::string::npos) << compiled.error().message;
  }
}

TEST(CuteBridge, dense_layouts_have_the_physical_shape_of_their_digits) {
  EXPECT_EQ(bridged("(64,(16,6)):(16,(1,1024))").physical_shape(), (Shape{6, 64, 16}));
  EXPECT_EQ(bridged("(4,8):(16,1)").physical_shape(), Shape{56});
  EXPECT_TRUE(bridged("(4,8):(8,1)").is_row_major());
  EXPECT_FALSE(bridged("(4,8):(-8,1)").is_row_major());
}

TEST(CuteBridge, other_notations_are_said_in_cutes_where_it_can) {
  const std::pair<const char*, const char*> layouts[] = {
      {"f32[6,8]", "(6,8):(8,1)"},
      {"f32[6,8][1, 0]", "(6,8):(1,6)"},
      {"f32[6,8][1, 0, 1 p(4)]", "(6,(4,2)):(4,(1,24))"},
      {"f32[6,8]{0,1}", "(6,8):(1,6)"},
      {"f32[16,256]{1,0:T(8,128)}", "((8,2),(128,2)):((128,2048),(1,1024))"},
      {"f32[8][0 oe(8)]", "((2,4)):((4,1))"},
      {"f32[5]", "5:1"}};
  for (const auto& [text, expected] : layouts) {
    const auto layout = to_cute(*Layout::parse(text));
    ASSERT_TRUE(layout) << text;
    EXPECT_EQ(cute::to_string(*layout), expected) << text;
    const auto back = from_cute(kF32, *layout);
    ASSERT_TRUE(back);
    EXPECT_TRUE(same_bytes(*Layout::parse(text), *back)) << text;
  }
}

TEST(CuteBridge, what_cute_cannot_say_is_an_error_that_says_why) {
  const std::pair<const char*, const char*> layouts[] = {{"f32[10,256]{1,0:T(8,128)}", "padded to 16"},
                                                         {"f32[]", "no dimensions"},
                                                         {"f32[0,3]", "no elements"},
                                                         {"s4[8]{0:E(4)}", "packed"},
                                                         {"f32[4,6]{1,0:T(*,5)}", "combined"}};
  for (const auto& [text, why] : layouts) {
    const auto layout = to_cute(*Layout::parse(text));
    ASSERT_FALSE(layout) << text;
    EXPECT_EQ(layout.error().code, ErrorCode::kUnsupported);
    EXPECT_NE(layout.error().message.find(why), std::string::npos) << layout.error().message;
  }
}

}  // namespace
}  // namespace relayout
