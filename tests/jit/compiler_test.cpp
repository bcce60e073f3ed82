#include "jit/compiler.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <gtest/gtest.h>

#include "tests/jit/check_nest.hpp"
#include "tests/jit/decode.hpp"

namespace relayout::testing {
namespace {

plan::CopyKernel run_of(std::int64_t bytes) {
  plan::CopyKernel kernel;
  kernel.bytes = bytes;
  return kernel;
}

plan::Plan two_nests() {
  plan::Plan plan = plan_of(
      nest_of(run_of(8), {.trips = 2, .source_step_bytes = 8, .destination_step_bytes = 16}), Isa::kAvx2);
  plan.nests.push_back(
      nest_of(run_of(8), {.trips = 2, .source_step_bytes = 8, .destination_step_bytes = 16}));
  plan.nests[1].destination_base_bytes = 8;
  return plan;
}

TEST(Compiler, example) {
  const auto code = jit::compile(two_nests());
  ASSERT_TRUE(code.ok()) << code.error().message;
  ASSERT_EQ(code.value()->nests().size(), 2u);
  const std::array<std::uint64_t, 2> source = {1, 2};
  std::array<std::uint64_t, 4> destination = {};
  for (const jit::NestCode& nest : code.value()->nests()) {
    nest.temporal(source.data(), destination.data(), 0, 2, nullptr);
  }
  EXPECT_EQ(destination, (std::array<std::uint64_t, 4>{1, 1, 2, 2}));
}

TEST(Compiler, places_functions_and_constants_where_it_says) {
  plan::Plan plan = plan_of(nest_of(run_of(4), {.table = 0}), Isa::kAvx2);
  plan.nests[0].tables.push_back({{0x1122334455667788, 8, 16}});
  const auto code = jit::compile(plan);
  ASSERT_TRUE(code.ok());
  const jit::CompiledCode& compiled = *code.value();
  EXPECT_EQ(compiled.nests()[0].temporal_offset, 0u);
  EXPECT_EQ(compiled.nests()[0].end_offset, compiled.instruction_bytes());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(compiled.nests()[0].temporal),
            reinterpret_cast<std::uintptr_t>(compiled.bytes().data()));
  const std::array<std::int64_t, 3> entry = {0x1122334455667788, 8, 16};
  const std::size_t table_offset = (compiled.instruction_bytes() + 63) / 64 * 64;
  ASSERT_EQ(compiled.bytes().size(), table_offset + sizeof entry);
  EXPECT_EQ(std::memcmp(compiled.bytes().data() + table_offset, entry.data(), sizeof entry), 0);
}

TEST(Compiler, stores_equal_constants_once) {
  plan::Plan one = plan_of(nest_of(run_of(4), {.table = 0}), Isa::kAvx2);
  one.nests[0].tables.push_back(plan::RunTable(100, {1, 0, 0}));
  plan::Plan two = one;
  two.nests.push_back(two.nests[0]);
  const auto constant_bytes = [](const plan::Plan& plan) {
    const auto code = jit::compile(plan);
    return code.value()->bytes().size() - (code.value()->instruction_bytes() + 63) / 64 * 64;
  };
  EXPECT_EQ(constant_bytes(one), 2400u);
  EXPECT_EQ(constant_bytes(two), 2400u);
}

TEST(Compiler, emits_the_same_code_with_and_without_validation) {
  const auto plain = jit::compile(two_nests());
  const auto validated = jit::compile(two_nests(), {.validate = true});
  ASSERT_TRUE(plain.ok() && validated.ok());
  EXPECT_TRUE(std::ranges::equal(plain.value()->bytes(), validated.value()->bytes()));
}

TEST(Compiler, has_no_code_for_the_portable_level) {
  const auto code = jit::compile(plan_of(nest_of(run_of(4)), Isa::kPortable));
  ASSERT_FALSE(code.ok());
  EXPECT_EQ(code.error().code, ErrorCode::kInternal);
}

TEST(Compiler, accepts_a_plan_without_nests) {
  plan::Plan plan;
  plan.isa = Isa::kAvx2;
  const auto code = jit::compile(plan);
  ASSERT_TRUE(code.ok());
  EXPECT_TRUE(code.value()->nests().empty());
}

TEST(Compiler, preserves_the_registers_that_the_caller_owns) {
  const auto code = jit::compile(two_nests());
  ASSERT_TRUE(code.ok());
  const std::vector<std::string> names =
      mnemonics(code.value()->bytes().first(code.value()->nests()[0].end_offset));
  EXPECT_EQ(std::ranges::count(names, "push"), 6);
  EXPECT_EQ(std::ranges::count(names, "pop"), 6);
  EXPECT_EQ(std::ranges::count(names, "vzeroupper"), 1);
}

TEST(Compiler, pads_in_front_of_loops_by_few_instructions) {
  for (std::int64_t trips = 2; trips < 40; ++trips) {  // lengths of immediates move the loop
    plan::Plan plan = two_nests();
    plan.nests[0].loops.insert(plan.nests[0].loops.begin(),
                               {.trips = trips, .source_step_bytes = trips * trips * trips * trips});
    const auto code = jit::compile(plan);
    ASSERT_TRUE(code.ok());
    const std::vector<std::string> names =
        mnemonics(code.value()->bytes().first(code.value()->nests()[0].end_offset));
    EXPECT_LE(std::ranges::count(names, "nop"), 8) << trips;  // 63 bytes, 9 and more at a time
  }
}

TEST(Listing, names_the_loops_and_the_body) {
  plan::Plan plan = two_nests();
  plan.nests[0].reason = "equal runs";
  const std::string text = jit::listing(plan);
  EXPECT_NE(text.find("temporal: equal runs"), std::string::npos) << text;
  EXPECT_NE(text.find("loop 0: 2 trips, source step 8, destination step 16"), std::string::npos) << text;
  EXPECT_NE(text.find("body"), std::string::npos) << text;
  EXPECT_NE(text.find("mov rcx, qword ptr [rdi]"), std::string::npos) << text;
}

TEST(Decoder, finds_instructions_above_the_level) {
  const std::vector<std::uint8_t> vpermb = {0x62, 0xF2, 0x75, 0x48, 0x8D, 0xC2};     // AVX-512 VBMI
  const std::vector<std::uint8_t> vmovdqu32 = {0x62, 0xF1, 0x7E, 0x48, 0x6F, 0x07};  // AVX-512 F
  const std::vector<std::uint8_t> vmovdqu = {0xC5, 0xFE, 0x6F, 0x07};                // AVX
  const std::vector<std::uint8_t> kxnorw = {0xC5, 0xF4, 0x46, 0xC9};  // AVX-512 F, encoded as VEX
  EXPECT_FALSE(find_foreign_instruction(vpermb, Isa::kAvx512Vbmi));
  EXPECT_TRUE(find_foreign_instruction(vpermb, Isa::kAvx512));
  EXPECT_FALSE(find_foreign_instruction(vmovdqu32, Isa::kAvx512));
  EXPECT_TRUE(find_foreign_instruction(vmovdqu32, Isa::kAvx2));
  EXPECT_TRUE(find_foreign_instruction(kxnorw, Isa::kAvx2));
  EXPECT_FALSE(find_foreign_instruction(vmovdqu, Isa::kAvx2));
  const std::vector<std::uint8_t> truncated = {0xC5, 0xFE};
  EXPECT_TRUE(find_foreign_instruction(truncated, Isa::kAvx512Vbmi));
}

}  // namespace
}  // namespace relayout::testing
