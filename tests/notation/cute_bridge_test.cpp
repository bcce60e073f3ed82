// CuTe's layouts as layouts of arrays. Expected offsets are those of cute::Layout, whose own tests compare
// them with CuTe's.

#include <set>

#include <gtest/gtest.h>

#include "relayout/cute.hpp"
#include "relayout/cute/bridge.hpp"
#include "relayout/relayout.hpp"
#include "src/plan/model/plan.hpp"
#include "src/runtime/compiled_relayout.hpp"
#include "tests/notation/cute_random.hpp"
#include "tests/support/random_layouts.hpp"

namespace relayout {
namespace {

const ElementType kF32 = *ElementType::parse("f32");
const ElementType kU8 = *ElementType::parse("u8");

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

/// Offsets of all elements, the first dimension fastest; none where a coordinate fails.
std::vector<std::int64_t> offsets_of(const Layout& layout) {
  std::vector<std::int64_t> offsets;
  for (std::int64_t index = 0; index < layout.element_count(); ++index) {
    const auto offset = layout.offset(colexicographic(layout.shape(), index));
    if (!offset) return {};
    offsets.push_back(*offset);
  }
  return offsets;
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

TEST(CuteBridge, a_swizzled_layout_is_one_of_an_array) {
  const auto layout = Layout::parse("f32 Sw<2,0,3>o0o(8,8):(8,1)");
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->to_string(), "f32 Sw<2,0,3> o 0 o (8,8):(8,1)");
  EXPECT_EQ(Layout::parse(layout->to_string())->to_string(), layout->to_string());
  EXPECT_EQ(layout->shape(), (Shape{8, 8}));
  EXPECT_EQ(layout->physical_elements(), 64);
  EXPECT_EQ(layout->simplified_expression(), "8*d0 + (d1 ^ d0%4)");
  EXPECT_EQ(layout->strides(), std::nullopt);
  EXPECT_EQ(*layout->offset(Shape{5, 2}), 5 * 8 + (2 ^ 1));
  EXPECT_TRUE(Layout::parse_destination("Sw<2,0,3> o 0 o (8,8):(8,1)", *Layout::parse("f32[8,8]")));
}

TEST(CuteBridge, the_text_of_a_composed_layout_is_its_own) {
  EXPECT_EQ(*cute_text(*Layout::parse("f32[6,8][1, 0, 1 p(4)]")), "(6,(4,2)):(4,(1,24))");
  EXPECT_EQ(*cute_text(*Layout::parse("f16 Sw<1,0,3> o 2 o (8,8):(8,_1)")), "Sw<1,0,3> o 2 o (8,8):(8,_1)");
  EXPECT_EQ(*cute_text(*Layout::parse("u8 4:2 o 0 o (2,2):(1,2)")), "4:2 o 0 o (2,2):(1,2)");
  const auto padded = cute_text(*Layout::parse("f32[10,256]{1,0:T(8,128)}"));
  ASSERT_FALSE(padded);
  EXPECT_NE(padded.error().message.find("is no shape:stride of CuTe's: dimension 0"), std::string::npos);
}

TEST(CuteBridge, composed_offsets_are_those_of_the_composed_layout) {
  for (const char* text :
       {"Sw<3,3,3> o 0 o (8,64):(64,1)", "Sw<2,0,3> o 5 o (8,7):(7,1)", "Sw<2,0,-3> o 0 o (8,8):(1,8)",
        "Sw<1,2,2> o 3 o ((2,3),5):((1,10),2)", "Sw<0,4,3> o 7 o (4,4):(4,1)",
        "Sw<2,0,3> o 60 o (8,7):(-7,1)", "Sw<2,0,2> o 0 o (8,7):(-7,1)", "4:2 o 0 o (2,2):(1,2)",
        "(4,3):(5,-2) o 9 o (3,4):(1,3)", "((2,2),4):((1,8),2) o 1 o (3,5):(5,1)", "6:0 o 2 o 5:1"}) {
    const auto any = cute::parse(text);
    ASSERT_TRUE(any) << text;
    const auto& composed = std::get<cute::ComposedLayout>(*any);
    const auto array = from_cute(kF32, composed);
    ASSERT_TRUE(array) << text << ": " << array.error().message;
    const std::int64_t first = std::min<std::int64_t>(composed.range().lowest, 0);
    const std::int64_t rows = array->shape()[0];
    for (std::int64_t i = 0; i < composed.size(); ++i) {
      Shape coordinate = {i % rows};
      if (array->rank() > 1) coordinate.push_back(i / rows);
      const auto offset = array->offset(coordinate);
      ASSERT_TRUE(offset);
      EXPECT_EQ(*offset, composed(i) - first) << text << " at " << i;
      EXPECT_GE(*offset, 0) << text;
      EXPECT_LT(*offset, array->physical_elements()) << text;
    }
  }
}

TEST(CuteBridge, negative_indices_into_an_outer_layout_are_refused) {
  EXPECT_EQ(Layout::parse("f32 (2,2):(1,2) o 0 o 3:-1").error().code, ErrorCode::kUnsupported);
}

TEST(CuteBridge, static_marks_are_printed_back_and_share_compiled_code) {
  clear_cache();
  const Layout source = *Layout::parse("f32 (_24,(_4,8)):(_32,(1,_4))");
  const Layout unmarked = *Layout::parse("f32 (24,(4,8)):(32,(1,4))");
  EXPECT_EQ(source.to_string(), "f32 (_24,(_4,8)):(_32,(1,_4))");
  const Layout destination = *Layout::parse("f32[24,32][1, 0]");
  const std::int64_t to_column_major[] = {1, 0};
  const CacheStatistics before = cache_statistics();
  const auto first = compile(source, destination);
  const auto second = compile(unmarked, destination);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(&first->compiled(), &second->compiled());
  ASSERT_TRUE(compile(*source.transposed(to_column_major), *Layout::parse("f32[32,24]")));
  ASSERT_TRUE(compile(*unmarked.transposed(to_column_major), *Layout::parse("f32[32,24]")));
  ASSERT_TRUE(compile(*source.reshaped({6, 128}), *Layout::parse("f32[6,128]")));
  ASSERT_TRUE(compile(*unmarked.reshaped({6, 128}), *Layout::parse("f32[6,128]")));
  EXPECT_EQ(cache_statistics().compilations, before.compilations + 3);
  EXPECT_EQ(cache_statistics().hits, before.hits + 3);
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
  const std::pair<const char*, const char*> pairs[] = {
      {"f32 (64,48):(48,1)", "(64,48):(1,64)"},
      {"f32 (64,48):(-48,1)", "(64,48):(1,64)"},
      {"bf16 (32,40):(0,1)", "bf16[32,40][1, 0]"},
      {"u8 (30,20):(1,2)", "((5,6),20):((1,100),5)"},
      {"f32[64,256]{1,0:T(8,128)}", "(64,256):(1,64)"},
      {"f64 (12,10):(1,16)", "(12,10):(-10,1)"},
      {"u8[8,12]", "(8,12):(16,1)"},
      {"f16[8,64]", "Sw<3,3,3> o 0 o (8,64):(64,1)"},
      {"f16 Sw<3,3,3> o 0 o (8,64):(64,1)", "[1, 0]"},
      {"f16 Sw<3,3,3> o 0 o (64,64):(64,1)", "Sw<2,3,4> o 0 o (64,64):(1,64)"},
      {"f32[24,20]", "Sw<2,1,3> o 9 o (24,20):(1,24)"},
      {"u8[5,7]", "Sw<2,0,-2> o 40 o (5,7):(-7,1)"},
      {"f32 Sw<3,4,3> o 0 o (16,64):(64,1)", "{0,1:T(4,8)}"},
      {"f32[128,128][1, 0]", "Sw<3,2,3> o 0 o ((8,16),(32,4)):((32,256),(1,4096))"},
      {"s4 Sw<1,0,1> o 0 o (6,4):(4,1)", "{1,0:E(4)}"},
      {"f64 (4,3):(5,2) o 1 o (3,3):(3,1)", "[1, 0]"},
      {"u8 Sw<2,1,2> o 3 o (33,5,7):(39,1,5)", "Sw<2,0,3> o 0 o (33,5,7):(1,231,33)"}};
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
       {std::tuple{"(4,8):(1,2)", "(0,1)", "(2,0)"}, std::tuple{"(4,8):(0,1)", "(0,0)", "(1,0)"},
        std::tuple{"Sw<1,0,2> o 0 o (4,8):(1,2)", "(0,1)", "(2,0)"},
        std::tuple{"6:2 o 0 o (4,8):(0,1)", "(0,0)", "(1,0)"}}) {
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

/// One layout in all three notations.
struct Names {
  const char* cute;
  const char* morello;
  const char* xla;
};

// XLA's tiles by the rule of its documentation, Morello's packs by its book.
const Names kNames[] = {{"(6,8):(8,1)", "f32[6,8][0, 1]", "f32[6,8]{1,0}"},
                        {"(6,8):(1,6)", "f32[6,8][1, 0]", "f32[6,8]{0,1}"},
                        {"(6,(4,2)):(4,(1,24))", "f32[6,8][1, 0, 1 p(4)]", "f32[6,8]{0,1:T(4,1)}"},
                        {"((8,2),(128,2)):((128,2048),(1,1024))", "f32[16,256][0, 1, 0 p(8), 1 p(128)]",
                         "f32[16,256]{1,0:T(8,128)}"},
                        {"((2,4,2),(128,2)):((1,256,2048),(2,1024))",
                         "f32[16,256][0, 1, 0 p(4), 1 p(128), 0 p(2)]", "f32[16,256]{1,0:T(8,128)(2,1)}"},
                        {"((2,4)):((4,1))", "f32[8][0 oe(8)]", "f32[8]{0:T(2)(4,1)}"},
                        {"(2,(16,3),5,7):(1680,(1,560),112,16)", "f32[2,48,5,7][0, 1, 2, 3, 1 p(16)]",
                         "f32[2,48,5,7]{3,2,1,0:T(16,1,1)}"},
                        {"(3,1,4):(4,0,1)", "f32[3,1,4][0, 2]", "f32[3,1,4]{2,1,0}"},
                        {"(1,3,1,4):(0,1,0,3)", "f32[1,3,1,4][3, 1]", "f32[1,3,1,4]{0,1,2,3}"},
                        {"(3,4,5):(5,15,1)", "f32[3,4,5][1, 0, 2]", "f32[3,4,5]{2,0,1}"},
                        {"5:1", "f32[5][0]", "f32[5]{0}"},
                        {"1:0", "f32[1][]", "f32[1]{0}"}};

TEST(CuteBridge, layouts_are_said_in_every_notation) {
  for (const Names& names : kNames) {
    const Layout cute_layout = bridged(names.cute);
    const Layout layouts[] = {cute_layout, *Layout::parse(names.morello), *Layout::parse(names.xla)};
    for (const Layout& layout : layouts) {
      SCOPED_TRACE(layout.to_string());
      EXPECT_EQ(offsets_of(layout), offsets_of(cute_layout));
      const auto in_cute = to_cute(layout);
      const auto in_morello = to_morello(layout);
      const auto in_xla = to_xla(layout);
      ASSERT_TRUE(in_cute && in_morello && in_xla);
      EXPECT_EQ(cute::to_string(*in_cute), names.cute);
      EXPECT_EQ(in_morello->to_string(), names.morello);
      EXPECT_EQ(in_xla->to_string(), names.xla);
    }
  }
}

/// All layouts of CuTe's of extents 2^a and 2^b whose leaves are bits, in all orders.
template <class Check>
void for_all_bit_orders(int first_bits, int second_bits, Check check) {
  std::vector<int> exponents(static_cast<std::size_t>(first_bits + second_bits));
  for (std::size_t i = 0; i < exponents.size(); ++i) exponents[i] = static_cast<int>(i);
  do {
    std::string sizes, strides;
    for (std::size_t i = 0; i < exponents.size(); ++i) {
      const char* separator = i == 0 ? "((" : i == static_cast<std::size_t>(first_bits) ? "),(" : ",";
      sizes += separator + std::string("2");
      strides += separator + std::to_string(1 << exponents[i]);
    }
    check(bridged((sizes + ")):" + strides + "))").c_str()));
  } while (std::next_permutation(exponents.begin(), exponents.end()));
}

/// The offsets of every list of up to `length` of Morello's physical dimensions that is valid on the shape.
std::set<std::vector<std::int64_t>> all_of_morellos(const Shape& shape, std::size_t length) {
  morello::PhysicalDimensions choices;
  for (int dimension = 0; dimension < static_cast<int>(shape.size()); ++dimension) {
    choices.push_back(morello::PhysicalDimension::dynamic(dimension));
    for (std::int64_t size = 2; size <= shape[static_cast<std::size_t>(dimension)]; size *= 2) {
      choices.push_back(morello::PhysicalDimension::packed(dimension, size));
      choices.push_back(morello::PhysicalDimension::odd_even(dimension, size));
    }
  }
  std::set<std::vector<std::int64_t>> maps;
  std::vector<morello::PhysicalDimensions> lists = {{}};
  for (std::size_t at = 0; at < lists.size(); ++at) {
    const morello::PhysicalDimensions list = lists[at];
    const auto layout = Layout::from_morello(kF32, shape, list);
    if (layout) maps.insert(offsets_of(*layout));
    for (const morello::PhysicalDimension& choice : choices) {
      if (list.size() == length) break;
      lists.push_back(list);
      lists.back().push_back(choice);
    }
  }
  return maps;
}

TEST(CuteBridge, morello_gets_what_it_can_say_and_nothing_else) {
  for (const auto& [first, second] : {std::pair{3, 0}, std::pair{4, 0}, std::pair{2, 2}}) {
    const Shape shape = second == 0 ? Shape{1 << first} : Shape{1 << first, 1 << second};
    const auto sayable = all_of_morellos(shape, static_cast<std::size_t>(first + second));
    int said = 0;
    for_all_bit_orders(first, second, [&](const Layout& layout) {
      const auto morello = to_morello(layout);
      EXPECT_EQ(morello.ok(), sayable.contains(offsets_of(layout))) << layout.to_string();
      if (!morello) return;
      ++said;
      EXPECT_EQ(offsets_of(*Layout::parse(morello->to_string())), offsets_of(layout));
    });
    EXPECT_GT(said, 1);
  }
}

TEST(CuteBridge, xla_gets_every_order_of_bits) {
  int tried = 0;
  for (const auto& [first, second] : {std::pair{5, 0}, std::pair{3, 3}, std::pair{2, 5}}) {
    for_all_bit_orders(first, second, [&](const Layout& layout) {
      if (++tried % 3 != 0) return;
      const auto in_xla = to_xla(layout);
      ASSERT_TRUE(in_xla) << in_xla.error().message;
      EXPECT_EQ(in_xla->size_bytes(), layout.size_bytes());
      EXPECT_EQ(offsets_of(*Layout::parse(in_xla->to_string())), offsets_of(layout)) << layout.to_string();
    });
  }
}

TEST(CuteBridge, xlas_tiles_are_found_in_time_however_many_bits_there_are) {
  testing::RandomCute random(1);
  for (int i = 0; i < 200; ++i) {
    const auto leaves = random.compact(40, {2});
    const Layout layout = *from_cute(kU8, random.layout_of(leaves));
    const auto in_xla = to_xla(layout);
    ASSERT_TRUE(in_xla) << in_xla.error().message;
    for (int k = 0; k < 20; ++k) {
      Shape coordinate;
      for (const std::int64_t extent : layout.shape()) coordinate.push_back(random.uniform(0, extent - 1));
      EXPECT_EQ(*in_xla->offset(coordinate), *layout.offset(coordinate)) << in_xla->to_string();
    }
  }
}

TEST(CuteBridge, whatever_is_said_in_another_notation_has_the_same_offsets) {
  int said[3] = {};
  testing::RandomLayoutPairs pairs(7, 512);
  for (int i = 0; i < 1500; ++i) {
    const Layout layout = pairs.next().source;
    const auto expect_same = [&](const Layout& other, int& count) {
      ++count;
      EXPECT_EQ(offsets_of(other), offsets_of(layout)) << layout.to_string();
      EXPECT_EQ(other.size_bytes(), layout.size_bytes()) << layout.to_string();
    };
    if (const auto morello = to_morello(layout)) expect_same(*Layout::parse(morello->to_string()), said[0]);
    if (const auto xla = to_xla(layout)) expect_same(*Layout::parse(xla->to_string()), said[1]);
    if (const auto cute = to_cute(layout)) expect_same(*from_cute(layout.type(), *cute), said[2]);
  }
  for (const int count : said) EXPECT_GT(count, 300);
}

TEST(CuteBridge, arrays_without_elements_or_dimensions_are_said_where_they_can) {
  EXPECT_EQ(to_xla(*Layout::parse("f32[0,3][1, 0]"))->to_string(), "f32[0,3]{1,0}");
  EXPECT_EQ(to_morello(*Layout::parse("f32[0,3]{0,1}"))->to_string(), "f32[0,3][0, 1]");
  EXPECT_EQ(to_xla(*Layout::parse("f32[]"))->to_string(), "f32[]");
  EXPECT_EQ(to_morello(*to_xla(*Layout::parse("f32[]")))->to_string(), "f32[][]");
}

// 2^26 elements, too many to be looked at one by one.
TEST(CuteBridge, a_large_swizzled_destination_has_no_collisions_nor_have_its_views) {
  const Layout source = *Layout::parse("u8[8192,8192]");
  const Layout swizzled = *Layout::parse("u8 Sw<3,4,3> o 0 o (8192,8192):(8192,1)");
  const std::int64_t turned[] = {1, 0};
  for (const Layout& destination : {swizzled, *swizzled.transposed(turned)}) {
    const auto compiled = compile(source, destination);
    EXPECT_TRUE(compiled) << compiled.error().message;
  }
}

TEST(CuteBridge, what_a_notation_cannot_say_is_an_error_that_says_why) {
  struct Case {
    const char* text;
    const char* cute;  // empty where it can be said
    const char* morello;
    const char* xla;
  };
  const Case cases[] = {
      {"f32[10,256]{1,0:T(8,128)}", "dimension 0 of extent 10 is padded to 16", "padded to 16", ""},
      {"f32[]", "no dimensions", "", ""},
      {"f32[0,3]", "no elements", "", ""},
      {"s4[8]{0:E(4)}", "packed", "packed", ""},
      {"f32[4,6]{1,0:T(*,5)}", "combined", "combined", ""},
      {"u8 Sw<1,0,1> o 0 o 4:1", "swizzled", "swizzled", "swizzled"},
      {"u8 4:2 o 0 o (2,2):(1,2)", "composition", "composition", "composition"},
      {"f32[4,6]{1,0:L(100)}", "buffer has padding", "buffer has padding", ""},
      {"f32 (8,12):(16,1)", "", "dimension 0 has stride 16, which leaves gaps after 12 elements", "gaps"},
      {"f32 (4,6):(3,12)", "", "dimension 0 has stride 3, which leaves gaps after 1 element", "gaps"},
      {"f32 (4,6):(1,3)", "", "dimension 1 has stride 3, which interleaves with 4 elements", "interleaves"},
      {"f32 (4,6):(0,1)", "", "dimension 0 has stride 0", "dimension 0 has stride 0"},
      {"f32 (4,6):(-6,1)", "", "dimension 0 has the negative stride -6", "negative stride -6"},
      {"f32 ((3,2)):((2,1))", "", "the tiles of dimension 0 are not in the order", ""},
      {"f32 ((2,3,2,3)):((3,1,18,6))", "", "directly outside another odd-even", ""}};
  for (const Case& each : cases) {
    SCOPED_TRACE(each.text);
    const Layout layout = *Layout::parse(each.text);
    const auto expect = [](const auto& result, const std::string& why) {
      ASSERT_EQ(result.ok(), why.empty());
      if (result) return;
      EXPECT_EQ(result.error().code, ErrorCode::kUnsupported);
      EXPECT_NE(result.error().message.find(why), std::string::npos) << result.error().message;
    };
    expect(to_cute(layout), each.cute);
    expect(to_morello(layout), each.morello);
    expect(to_xla(layout), each.xla);
  }
  EXPECT_NE(to_xla(*Layout::parse("f32[4,6]")->reshaped({6, 4})).error().message.find("view"),
            std::string::npos);
}

}  // namespace
}  // namespace relayout
