// Expected bytes are computed by hand from the tiles: extents rounded up to tiles, times the element's width.

#include <string>

#include <gtest/gtest.h>

#include "relayout/hlo.hpp"

namespace relayout::hlo {
namespace {

std::vector<Movement> movements_of(std::string_view text) {
  const auto modules = parse(text);
  EXPECT_TRUE(modules.ok()) << (modules.ok() ? "" : modules.error().message);
  std::vector<Movement> all;
  if (!modules.ok()) return all;
  for (const Module& module : *modules) {
    for (Movement& movement : movements(module)) all.push_back(std::move(movement));
  }
  return all;
}

/// The movement of the last instruction of a computation that is not the entry.
Movement last_movement(const std::string& instructions) {
  const auto all = movements_of("f {\n" + instructions + "\n}\nENTRY e { z = token[] after-all() }");
  if (all.size() < 2) return {};
  return all[all.size() - 2];  // the last one is the entry's result
}

TEST(HloMovements, example) {
  const auto all = movements_of(R"(
HloModule m
ENTRY main {
  p = f32[20,30]{1,0} parameter(0)
  ROOT c = f32[20,30]{1,0:T(8,128)} copy(p)
})");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].opcode, "parameter");
  EXPECT_TRUE(all[0].is_free);
  EXPECT_EQ(all[0].bytes, 2 * 20 * 30 * 4);
  EXPECT_EQ(all[1].module, "m");
  EXPECT_EQ(all[1].computation, "main");
  EXPECT_EQ(all[1].name, "c");
  EXPECT_EQ(all[1].opcode, "copy");
  EXPECT_EQ(all[1].source_shape, "f32[20,30]{1,0}");
  EXPECT_EQ(all[1].destination_shape, "f32[20,30]{1,0:T(8,128)}");
  EXPECT_EQ(all[1].bytes, 20 * 30 * 4 + 24 * 128 * 4);
  EXPECT_FALSE(all[1].is_free);
  EXPECT_TRUE(all[1].source && all[1].destination);
  EXPECT_EQ(all[2].opcode, "result");
  EXPECT_EQ(all[2].source_shape, "f32[20,30]{1,0:T(8,128)}");
  EXPECT_EQ(all[2].destination_shape, "f32[20,30]{1,0}");
}

TEST(HloMovements, a_copy_into_the_same_layout_is_free_but_not_into_another_memory) {
  const std::string head = "a = f32[16,128]{1,0:T(8,128)} parameter(0)\n";
  EXPECT_TRUE(last_movement(head + "b = f32[16,128]{1,0:T(8,128)} copy(a)").is_free);
  const Movement fast = last_movement(head + "b = f32[16,128]{1,0:T(8,128)S(1)} copy(a)");
  EXPECT_FALSE(fast.is_free);
  EXPECT_EQ(fast.note, "");
  EXPECT_EQ(fast.destination_shape, "f32[16,128]{1,0:T(8,128)S(1)}");
}

TEST(HloMovements, a_layout_in_other_words_is_free) {
  // One column of whole tiles is row-major, and so is an order that only extents of 1 tell apart.
  EXPECT_TRUE(
      last_movement("a = f32[24,128]{1,0} parameter(0)\nb = f32[24,128]{1,0:T(8,128)} copy(a)").is_free);
  EXPECT_TRUE(last_movement("a = f32[1,9]{1,0} parameter(0)\nb = f32[1,9]{0,1} copy(a)").is_free);
  EXPECT_FALSE(
      last_movement("a = f32[23,128]{1,0} parameter(0)\nb = f32[23,128]{1,0:T(8,128)} copy(a)").is_free);
}

TEST(HloMovements, a_transpose_is_free_where_the_order_follows_it) {
  const std::string head = "a = f32[5,6,7]{2,1,0} parameter(0)\n";
  EXPECT_TRUE(last_movement(head + "b = f32[7,5,6]{0,2,1} transpose(a), dimensions={2,0,1}").is_free);
  const Movement moves = last_movement(head + "b = f32[7,5,6]{2,1,0} transpose(a), dimensions={2,0,1}");
  EXPECT_FALSE(moves.is_free);
  ASSERT_TRUE(moves.source && moves.destination);
  EXPECT_EQ(moves.source->shape(), (Shape{7, 5, 6}));
  // Element (6, 4, 5) of the result is element (4, 5, 6) of the operand.
  EXPECT_EQ(*moves.source->offset(Shape{6, 4, 5}), (4 * 6 + 5) * 7 + 6);
}

TEST(HloMovements, a_reshape_keeps_the_row_major_order_of_the_logical_arrays) {
  EXPECT_TRUE(last_movement("a = f32[4,6]{1,0} parameter(0)\nb = f32[2,12]{1,0} reshape(a)").is_free);
  const Movement moves = last_movement("a = f32[4,6]{0,1} parameter(0)\nb = f32[2,12]{1,0} reshape(a)");
  EXPECT_FALSE(moves.is_free);
  ASSERT_TRUE(moves.source.has_value());
  // Element (1, 7) is the 19th, which is (3, 1) of the column-major operand.
  EXPECT_EQ(*moves.source->offset(Shape{1, 7}), 3 + 4 * 1);
}

TEST(HloMovements, a_bitcast_is_free_and_has_no_conversion) {
  const Movement movement = last_movement("a = f32[4,6]{1,0} parameter(0)\nb = f32[6,4]{0,1} bitcast(a)");
  EXPECT_TRUE(movement.is_free);
  EXPECT_FALSE(movement.source.has_value());
  EXPECT_EQ(movement.bytes, 2 * 96);
}

TEST(HloMovements, an_asynchronous_copy_goes_from_the_operand_to_the_first_part_of_its_tuple) {
  const Movement movement = last_movement(R"(
a = bf16[16,128]{1,0:T(8,128)(2,1)} parameter(0)
s = (bf16[16,128]{1,0:T(8,128)(2,1)S(1)}, bf16[16,128]{1,0:T(8,128)(2,1)}, u32[]{:S(2)}) copy-start(a)
d = bf16[16,128]{1,0:T(8,128)(2,1)S(1)} copy-done(s))");
  EXPECT_EQ(movement.name, "s");
  EXPECT_EQ(movement.opcode, "copy-start");
  EXPECT_EQ(movement.source_shape, "bf16[16,128]{1,0:T(8,128)(2,1)}");
  EXPECT_EQ(movement.destination_shape, "bf16[16,128]{1,0:T(8,128)(2,1)S(1)}");
  EXPECT_EQ(movement.bytes, 2 * 4096);
  EXPECT_FALSE(movement.is_free);
}

TEST(HloMovements, tuples_are_taken_apart) {
  const auto all = movements_of(R"(
HloModule m, entry_computation_layout={(f32[2,3]{0,1}, (s8[5], token[]))->(f32[2,3]{1,0})}
ENTRY e {
  a = f32[2,3]{1,0} parameter(0)
  t = (s8[5]{0}, token[]) parameter(1)
  c = s8[5]{0:S(1)} copy(%t#0)
  g = s8[5]{0} get-tuple-element(t), index=0
  d = s8[5]{0:S(1)} copy(g)
  ROOT r = (f32[2,3]{1,0}) tuple(a)
})");
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all[0].source_shape, "f32[2,3]{1,0}");
  EXPECT_EQ(all[0].destination_shape, "f32[2,3]{0,1}");  // the header's, not the instruction's
  EXPECT_FALSE(all[0].is_free);
  EXPECT_EQ(all[1].name, "t#0");
  EXPECT_TRUE(all[1].is_free);
  EXPECT_EQ(all[2].name, "t#1");
  EXPECT_FALSE(all[2].note.empty());
  EXPECT_EQ(all[3].source_shape, "s8[5]{0}");
  EXPECT_EQ(all[4].source_shape, "s8[5]{0}");
  EXPECT_EQ(all[5].name, "r#0");
  EXPECT_EQ(all[5].opcode, "result");
}

TEST(HloMovements, what_cannot_be_converted_has_a_note) {
  EXPECT_NE(last_movement("a = token[] after-all()\nb = token[] copy(a)").note, "");
  EXPECT_NE(last_movement("b = f32[2]{0} copy(nowhere)").note, "");
  EXPECT_NE(last_movement("a = f32[2] parameter(0)\nb = nonsense[2]{0} copy(a)").note, "");
  EXPECT_NE(last_movement("a = f32[2] parameter(0)\nb = f32[2] transpose(a), dimensions={7}").note, "");
  EXPECT_NE(last_movement("a = f32[2] parameter(0)\nb = f32[3] reshape(a)").note, "");
  EXPECT_NE(last_movement("a = f32[?] parameter(0)\nb = f32[?] copy(a)").note, "");
}

}  // namespace
}  // namespace relayout::hlo
