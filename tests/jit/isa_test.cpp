#include "relayout/isa.hpp"

#include <algorithm>
#include <cstdlib>
#include <unistd.h>

#include <gtest/gtest.h>

namespace relayout::testing {
namespace {

/// Expects default_isa() to give `expected` in a fresh process with this environment: the variable is read
/// once, and this style of death test runs the program anew.
void expect_default_isa_with(const char* limit, Isa expected) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  setenv("RELAYOUT_MAX_ISA", limit, 1);
  EXPECT_EXIT(_exit(static_cast<int>(default_isa())), ::testing::ExitedWithCode(static_cast<int>(expected)),
              "");
  unsetenv("RELAYOUT_MAX_ISA");
}

TEST(Isa, names_are_read_back) {
  for (Isa isa : kAllIsas) EXPECT_EQ(parse_isa(to_string(isa)), isa);
  EXPECT_EQ(to_string(Isa::kAvx512Vbmi), "avx512_vbmi");
}

TEST(Isa, other_names_are_refused) {
  for (const char* name : {"", "AVX2", "avx", "avx5122"}) EXPECT_EQ(parse_isa(name), std::nullopt) << name;
}

TEST(Isa, agrees_with_the_compilers_detection) {
  EXPECT_EQ(machine_isa() >= Isa::kAvx2, static_cast<bool>(__builtin_cpu_supports("avx2")));
  EXPECT_EQ(machine_isa() >= Isa::kAvx512,
            __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"));
}

TEST(Isa, runnable_levels_go_from_portable_to_the_machines) {
  const std::vector<Isa> isas = runnable_isas();
  EXPECT_EQ(isas.front(), Isa::kPortable);
  EXPECT_EQ(isas.back(), machine_isa());
  EXPECT_TRUE(std::ranges::is_sorted(isas));
}

TEST(IsaDeathTest, default_is_lowered_by_the_environment) {
  expect_default_isa_with("portable", Isa::kPortable);
  expect_default_isa_with("avx2", std::min(Isa::kAvx2, machine_isa()));
}

TEST(IsaDeathTest, default_is_never_raised_by_the_environment) {
  expect_default_isa_with("avx512_vbmi", machine_isa());
}

TEST(IsaDeathTest, default_ignores_an_unknown_name) {
  expect_default_isa_with("avx1024", machine_isa());
}

}  // namespace
}  // namespace relayout::testing
