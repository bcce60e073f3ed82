// Negative controls: a proof must fail, and blame the stage that was broken.

#include "src/runtime/prove.hpp"

#include <memory>
#include <variant>

#include <gtest/gtest.h>

#include "relayout/relayout.hpp"
#include "relayout/strided.hpp"

namespace relayout::runtime {
namespace {

constexpr const char* kSource = "f32[64,96]";

/// A compiled transpose that tests may break.
CompiledRelayout compiled_transpose() {
  const Layout source = *Layout::parse(kSource);
  const auto compiled = compile_pair(source, *Layout::parse_destination("[1, 0]", source), {}, machine_isa());
  EXPECT_TRUE(compiled);
  return **compiled;
}

plan::Network& network_of(plan::Plan& plan) {
  return std::get<plan::PermuteKernel>(plan.nests.front().kernel).network;
}

Proof prove_broken(CompiledRelayout& broken) {
  if (broken.code) broken.code = *jit::compile(broken.plan);
  const auto proof = prove_compiled(broken, nullptr, {});
  EXPECT_TRUE(proof) << proof.error().message;
  EXPECT_FALSE(proof->ok);
  EXPECT_FALSE(proof->message.empty());
  return *proof;
}

class NegativeControl : public ::testing::Test {
 protected:
  void SetUp() override {
    if (machine_isa() == Isa::kPortable) GTEST_SKIP() << "no generated code on this machine";
  }
};

TEST_F(NegativeControl, an_unbroken_pair_is_proved) {
  const auto proof = prove_compiled(compiled_transpose(), nullptr, {});
  ASSERT_TRUE(proof);
  EXPECT_TRUE(proof->ok) << proof->message;
  EXPECT_GT(proof->runs, 4);
}

TEST_F(NegativeControl, two_swapped_stages_of_a_network_are_blamed_on_the_plan) {
  CompiledRelayout broken = compiled_transpose();
  auto& stages = network_of(broken.plan).stages;
  ASSERT_GE(stages.size(), 2U);
  std::swap(stages.front(), stages.back());
  EXPECT_EQ(prove_broken(broken).stage, "plan");
}

TEST_F(NegativeControl, a_dropped_tail_is_blamed_on_the_plan) {
  const Layout source = *Layout::parse("f32[24,24][0, 1, 0 p(4)]");
  const auto compiled =
      compile_pair(source, *Layout::parse_destination("[0, 1, 0 p(6)]", source), {}, machine_isa());
  ASSERT_TRUE(compiled);
  CompiledRelayout broken = **compiled;
  ASSERT_GE(broken.plan.nests.size(), 2U);
  broken.plan.nests.pop_back();
  EXPECT_EQ(prove_broken(broken).stage, "plan");
}

TEST_F(NegativeControl, a_shifted_offset_is_blamed_on_the_loop_nest) {
  CompiledRelayout broken = compiled_transpose();
  broken.loop_nest.factors.front().pieces.front().iterators.front().extent -= 1;
  broken.plan.nests.front().source_base_bytes += 4;
  broken.plan.source_bytes += 4;
  EXPECT_EQ(prove_broken(broken).stage, "loop nest");
}

TEST_F(NegativeControl, code_of_another_plan_is_blamed_on_the_machine_code) {
  CompiledRelayout broken = compiled_transpose();
  plan::Plan other = broken.plan;
  std::swap(network_of(other).stages.front(), network_of(other).stages.back());
  broken.code = *jit::compile(other);
  const auto proof = prove_compiled(broken, nullptr, {});
  ASSERT_TRUE(proof);
  EXPECT_FALSE(proof->ok);
  EXPECT_EQ(proof->stage, "machine code");
  EXPECT_GE(proof->wrong_byte, 0);
}

TEST_F(NegativeControl, of_strides_that_cut_elements_the_plan_is_blamed_too) {
  const ElementType type = *ElementType::parse("f32");
  const Layout source = *strided(type, {.shape = {4, 6}, .stride_bytes = {25, 4}});
  const auto compiled = compile_pair(source, *Layout::parse("f32[4,6]"), {}, machine_isa());
  ASSERT_TRUE(compiled) << compiled.error().message;
  CompiledRelayout broken = **compiled;
  ASSERT_NE(broken.problem.destination_elements, broken.destination.physical_elements());
  ASSERT_FALSE(broken.plan.nests.empty());
  broken.plan.nests.pop_back();
  EXPECT_EQ(prove_broken(broken).stage, "plan");
}

struct Pair {
  const char* source;
  const char* destination;
};

Result<Proof> proof_of(const Pair& pair, Isa isa, const std::string& choice) {
  const Layout source = *Layout::parse(pair.source);
  CompileOptions options;
  options.isa = isa;
  options.choice = choice;
  return prove(source, *Layout::parse_destination(pair.destination, source), options);
}

TEST(Proof, holds_for_networks_with_tables_under_masks) {
  // At AVX2 the masks are in a vector, beside the tables.
  const Pair pairs[] = {{"u8[64,64,4]", "[0, 2, 1]"},
                        {"bf16[64,64,2]", "[0, 2, 1]"},
                        {"bf16[256,256]{1,0:T(8,128)(2,1)}", "{1,0}"},
                        {"u8[128,64]", "[0, 1 oe(64)]"},
                        {"u8[32,8,8]", "[0, 2, 1]"}};
  for (const Isa isa : runnable_isas()) {
    if (isa == Isa::kPortable) continue;
    for (const Pair& pair : pairs) {
      const auto proof = proof_of(pair, isa, "masks=on");
      ASSERT_TRUE(proof) << pair.source << ": " << proof.error().message;
      EXPECT_TRUE(proof->ok) << pair.source << " at " << to_string(isa) << ": " << proof->message;
    }
  }
}

TEST(Proof, is_of_kernels_that_are_none_for_streams) {
  if (machine_isa() == Isa::kPortable) GTEST_SKIP() << "no generated code on this machine";
  const auto proof = proof_of({"bf16 (33):(5)", "bf16 (33):(1)"}, Isa::kAvx2, "kernel=network-16");
  ASSERT_TRUE(proof) << proof.error().message;
  EXPECT_TRUE(proof->ok) << proof->message;
}

TEST(Proof, is_of_the_function_that_compile_returns) {
  const Layout source = *Layout::parse("u16[48,80]");
  const Layout destination = *Layout::parse("u16[48,80][1, 0]");
  CompileOptions options;
  options.bypass_cache = true;
  options.streaming = StreamingStores::kNever;  // so that nothing else needs a proof
  options.prove = true;
  const auto before = cache_statistics().compilations;
  ASSERT_TRUE(compile(source, destination, options));
  EXPECT_EQ(cache_statistics().compilations - before, 1U);
}

}  // namespace
}  // namespace relayout::runtime
