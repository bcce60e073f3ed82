#include <string>

#include <gtest/gtest.h>

#include "relayout/hlo.hpp"

namespace relayout::hlo {
namespace {

Module only_module(std::string_view text) {
  auto modules = parse(text);
  EXPECT_TRUE(modules.ok()) << (modules.ok() ? "" : modules.error().message);
  if (!modules.ok() || modules->size() != 1) return {};
  return std::move(modules->front());
}

/// The only computation of the only module, given its instructions.
Computation computation_of(const std::string& instructions) {
  const Module module = only_module("HloModule m\nENTRY main {\n" + instructions + "\n}\n");
  return module.computations.empty() ? Computation{} : module.computations.front();
}

Instruction last_instruction(const std::string& instructions) {
  const Computation computation = computation_of(instructions);
  return computation.instructions.empty() ? Instruction{} : computation.instructions.back();
}

std::string error_of(std::string_view text) {
  const auto modules = parse(text);
  return modules.ok() ? "" : modules.error().message;
}

TEST(HloParse, example) {
  const Module module = only_module(R"(
HloModule weights, is_scheduled=true, entry_computation_layout={(f32[4,6]{1,0})->f32[6,4]{1,0}}

ENTRY %main (p: f32[4,6]) -> f32[6,4] {
  %p = f32[4,6]{1,0} parameter(0)
  ROOT %t = f32[6,4]{1,0} transpose(%p), dimensions={1,0}, metadata={op_name="jit(f)/transpose{"}
}
)");
  EXPECT_EQ(module.name, "weights");
  ASSERT_TRUE(module.entry_layout.has_value());
  EXPECT_EQ(module.entry_layout->parameters, std::vector<std::string>{"f32[4,6]{1,0}"});
  EXPECT_EQ(module.entry_layout->result, "f32[6,4]{1,0}");
  ASSERT_EQ(module.computations.size(), 1u);
  EXPECT_EQ(module.computations[0].name, "main");
  EXPECT_TRUE(module.computations[0].is_entry);
  ASSERT_EQ(module.computations[0].instructions.size(), 2u);
  const Instruction& transpose = module.computations[0].instructions[1];
  EXPECT_EQ(transpose.name, "t");
  EXPECT_EQ(transpose.opcode, "transpose");
  EXPECT_EQ(transpose.shape, "f32[6,4]{1,0}");
  EXPECT_EQ(transpose.dimensions, (std::vector<std::int64_t>{1, 0}));
  EXPECT_EQ(transpose.operands.at(0).name, "p");
  EXPECT_TRUE(transpose.is_root);
  EXPECT_EQ(transpose.line, 6);
}

TEST(HloParse, percent_signs_and_printed_operand_shapes_may_be_missing) {
  const Instruction with =
      last_instruction("%a = f32[2]{0} parameter(0)\n%b = f32[2]{0:S(1)} copy(f32[2]{0} %a)");
  const Instruction without = last_instruction("a = f32[2]{0} parameter(0)\nb = f32[2]{0:S(1)} copy(a)");
  EXPECT_EQ(with.name, without.name);
  EXPECT_EQ(with.operands.at(0).name, without.operands.at(0).name);
  EXPECT_EQ(with.operands.at(0).shape, "f32[2]{0}");
  EXPECT_EQ(without.operands.at(0).shape, "");
}

TEST(HloParse, names_may_be_quoted_and_touch_the_equals_sign) {
  EXPECT_EQ(last_instruction("%\"a/b c\"= f32[2] parameter(0)").name, "a/b c");
  EXPECT_EQ(last_instruction("%x=f32[2] parameter(0)").name, "x");
  EXPECT_EQ(last_instruction("ROOT = f32[2] parameter(0)").name, "ROOT");
}

TEST(HloParse, line_breaks_and_comments_mean_nothing) {
  const Instruction instruction = last_instruction(R"(
a = f32[2,3]{1,
  0} /* a = f32[9] */ parameter(
  0) // b = f32[7] copy(a)
ROOT
  t /*}*/ = f32[ 3, 2 ]{ 1,0 : T(8,128) }
    transpose( // }
    a)
    , dimensions={1, /*index=1*/ 0})");
  EXPECT_EQ(instruction.name, "t");
  EXPECT_EQ(instruction.shape, "f32[3,2]{1,0:T(8,128)}");
  EXPECT_EQ(instruction.dimensions, (std::vector<std::int64_t>{1, 0}));
  EXPECT_EQ(instruction.line, 7);
}

TEST(HloParse, tuples_are_kept_whole) {
  const Instruction instruction = last_instruction(
      "s = (f32[2]{0:T(128)S(1)}, (f32[2]{0}, /*index=1*/ u32[]{:S(2)}), b(f32[3])) custom-call(), "
      "custom_call_target=\"x\"");
  EXPECT_EQ(instruction.shape, "(f32[2]{0:T(128)S(1)},(f32[2]{0},u32[]{:S(2)}),b(f32[3]))");
}

TEST(HloParse, an_operand_may_be_a_part_of_a_tuple) {
  const Instruction instruction =
      last_instruction("t = (f32[2], (f32[3], f32[4])) parameter(0)\nx = f32[4] copy(%t#1#1)");
  EXPECT_EQ(instruction.operands.at(0).name, "t");
  EXPECT_EQ(instruction.operands.at(0).tuple_index, (std::vector<std::int64_t>{1, 1}));
}

TEST(HloParse, an_operand_may_be_an_operation_in_place) {
  const Computation computation =
      computation_of("sum = f32[2] add(f32[2] copy(f32[2]{0} parameter(0)), f32[2] constant({1, 2}))");
  ASSERT_EQ(computation.instructions.size(), 4u);
  EXPECT_EQ(computation.instructions[1].opcode, "copy");
  EXPECT_EQ(computation.instructions[1].operands.at(0).name, computation.instructions[0].name);
  EXPECT_EQ(computation.instructions[3].name, "sum");
  EXPECT_EQ(computation.instructions[3].operands.size(), 2u);
}

TEST(HloParse, missing_result_shapes_follow_from_the_operands) {
  const std::string head = "a = f32[2,3,4]{0,2,1:T(2,128)} parameter(0)\n";
  EXPECT_EQ(last_instruction(head + "b = copy(a)").shape, "f32[2,3,4]{0,2,1:T(2,128)}");
  EXPECT_EQ(last_instruction(head + "b = add(a, a)").shape, "f32[2,3,4]{0,2,1:T(2,128)}");
  EXPECT_EQ(last_instruction(head + "b = copy-start(a)\nc = copy-done(b)").shape,
            "f32[2,3,4]{0,2,1:T(2,128)}");
  EXPECT_EQ(last_instruction(head + "b = tuple(a, a)\nc = get-tuple-element(b), index=1").shape,
            "f32[2,3,4]{0,2,1:T(2,128)}");
  // New dimension i is old dimension p_i: 4, 2, 3. Old order 0, 2, 1 is new order 1, 0, 2.
  EXPECT_EQ(last_instruction(head + "b = transpose(a), dimensions={2,0,1}").shape,
            "f32[4,2,3]{1,0,2:T(2,128)}");
}

TEST(HloParse, a_transpose_without_shape_and_layout_is_the_one_that_moves_nothing) {
  EXPECT_EQ(last_instruction("a = f32[2,3] parameter(0)\nb = transpose(a), dimensions={1,0}").shape,
            "f32[3,2]{0,1}");
  EXPECT_EQ(last_instruction("a = f32[2,3] parameter(0)\nb = transpose(a), dimensions={1,1}").shape, "");
}

TEST(HloParse, names_belong_to_their_computation) {
  const Module module =
      only_module("f { a = f32[2] parameter(0)\n b = copy(a) }\ng { a = s8[7] parameter(0)\n b = copy(a) }");
  ASSERT_EQ(module.computations.size(), 2u);
  EXPECT_EQ(module.computations[0].instructions[1].shape, "f32[2]");
  EXPECT_EQ(module.computations[1].instructions[1].shape, "s8[7]");
}

TEST(HloParse, several_modules_and_computations_without_one) {
  const auto modules = parse(R"(
// HloModule commented_out
bare { a = f32[2] parameter(0) }
HloModule first
helper { a = f32[2] parameter(0) }, execution_thread="host"
ENTRY e { a = f32[2] parameter(0) }
// -----
HloModule second, num_partitions=8, replica_groups=[2,4] <= [8], x={devices=[1,8]<=[8]}
last { a = f32[2] parameter(0) }
)");
  ASSERT_TRUE(modules.ok()) << modules.error().message;
  ASSERT_EQ(modules->size(), 3u);
  EXPECT_EQ((*modules)[0].name, std::nullopt);
  EXPECT_EQ((*modules)[1].name, "first");
  EXPECT_EQ((*modules)[2].name, "second");
  EXPECT_TRUE((*modules)[0].computations[0].is_entry);
  EXPECT_FALSE((*modules)[1].computations[0].is_entry);
  EXPECT_TRUE((*modules)[1].computations[1].is_entry);
  EXPECT_TRUE((*modules)[2].computations[0].is_entry);
}

TEST(HloParse, instructions_may_stand_alone) {
  const Module module = only_module("%c = f32[2,2]{0,1} copy(f32[2,2]{1,0} %p)");
  ASSERT_EQ(module.computations.size(), 1u);
  EXPECT_EQ(module.computations[0].name, "");
  EXPECT_EQ(module.computations[0].instructions.at(0).operands.at(0).shape, "f32[2,2]{1,0}");
}

TEST(HloParse, tables_of_source_positions_are_passed_over) {
  const Module module = only_module(R"(
HloModule m, debug_attributes={x="}"}

FileNames
1 "model.py"
2 "layer.py"

FunctionNames
1 "f"

FileLocations
1 {file_name_id=1 function_name_id=1 line=3 end_line=3 column=1 end_column=5}

StackFrames
1 {file_location_id=1 parent_frame_id=1}

ENTRY e { a = f32[2] parameter(0) }
)");
  ASSERT_EQ(module.computations.size(), 1u);
  EXPECT_EQ(module.computations[0].name, "e");
}

TEST(HloParse, attributes_of_all_forms_are_passed_over) {
  const Computation computation = computation_of(R"(
a = f32[2,2] parameter(0), sharding={devices=[1,8]<=[8]}, metadata={op_name="a\"}" source_line=3}
b = f32[2,2] convolution(a, a), window={size=1x1 pad=0_0x-1_0}, dim_labels=b01f_01oi->b01f
c = f32[2,2] custom-call(b), custom_call_target="__x$y", backend_config={"k": ["}", 1]}
d = f32[2,2] all-gather(c), replica_groups=[2,4]<=[4,2]T(1,0), dimensions={0}, use_global_device_ids=true
e = f32[2] slice(d), slice={[0:1], [0:2:1]}
f = f32[] constant(-inf), frontend_attributes={a="b"}
g = f32[2,2] constant({ {1, -2.5e3}, /*i1=1*/ {nan, inf} })
)");
  ASSERT_EQ(computation.instructions.size(), 7u);
  EXPECT_EQ(computation.instructions[3].dimensions, std::vector<std::int64_t>{0});
}

TEST(HloParse, an_empty_file_holds_no_module) {
  EXPECT_TRUE(parse("")->empty());
  EXPECT_TRUE(parse("// only a comment")->empty());
}

TEST(HloParse, errors_name_the_line_and_what_was_expected) {
  EXPECT_EQ(error_of("# text"), "line 1: expected a name, found \"# text\"");
  EXPECT_EQ(error_of("HloModule m\n\nf {\n  a = f32[2] parameter(x)\n}"),
            "line 4: expected an integer, found \"x\"");
  EXPECT_EQ(error_of("f {\n a = f32[2] add(b c)\n}"), "line 2: expected ',' or ')', found \"c\"");
  EXPECT_EQ(error_of("f {\n a = f32[2] add(b"), "line 2: a bracket that is not closed");
  EXPECT_EQ(error_of("f {\n a = f32[2] add(b]\n}"), "line 2: expected ')', found \"]\"");
  EXPECT_EQ(error_of("f {\n a = f32[2] add(b), x=\"y\n}"), "line 2: a quoted text that does not end");
  EXPECT_EQ(error_of("f {\n a = f32[2] add(b)\n"), "line 3: expected a name, found the end");
  EXPECT_EQ(error_of("HloModule m, entry_computation_layout={(f32[2])}"),
            "line 1: expected '->', found the end");
}

TEST(HloParse, tuples_of_tuples_have_no_shape_past_a_limit) {
  std::string doubling = "t0 = f32[2] parameter(0)\n";
  std::string nested = doubling;
  for (int i = 1; i <= 100; ++i) {
    const std::string name = "t" + std::to_string(i) + " = tuple(t" + std::to_string(i - 1);
    doubling += name + ", t" + std::to_string(i - 1) + ")\n";
    nested += name + ")\n";
  }
  const Computation wide = computation_of(doubling);
  EXPECT_EQ(wide.instructions.at(2).shape, "((f32[2],f32[2]),(f32[2],f32[2]))");
  EXPECT_FALSE(wide.instructions.at(10).shape.empty());
  EXPECT_TRUE(wide.instructions.at(20).shape.empty());
  EXPECT_TRUE(wide.instructions.back().shape.empty());
  const Computation deep = computation_of(nested);
  EXPECT_EQ(deep.instructions.at(2).shape, "((f32[2]))");
  EXPECT_TRUE(deep.instructions.back().shape.empty());
}

TEST(HloParse, brackets_nest_to_a_limit) {
  const std::string open(100000, '{');
  EXPECT_EQ(error_of("f {\n a = f32[2] add(b), x=" + open), "line 2: brackets nest too deeply");
  std::string nested = "parameter(0)";
  for (int i = 0; i < 150; ++i) nested = "copy(f32[2] " + nested + ")";
  EXPECT_EQ(computation_of("a = f32[2] " + nested).instructions.size(), 151u);
}

}  // namespace
}  // namespace relayout::hlo
