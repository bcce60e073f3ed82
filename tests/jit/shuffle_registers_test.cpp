#include "jit/shuffle_registers.hpp"

#include <set>

#include <gtest/gtest.h>

namespace relayout::jit {
namespace {

using plan::ShuffleKernel;

constexpr int kFirst = 2;
constexpr int kReach = 16;

/// A kernel of one destination piece per list, whose terms read these pieces by the table of their number.
ShuffleKernel kernel_of(int sources, const std::vector<std::vector<std::pair<int, int>>>& terms) {
  ShuffleKernel kernel;
  for (int i = 0; i < sources; ++i) kernel.sources.push_back({16 * i, 16});
  for (const auto& list : terms) {
    kernel.destinations.push_back({16 * static_cast<std::int64_t>(kernel.destinations.size()), 16});
    auto& of_destination = kernel.terms.emplace_back();
    for (const auto& [source, table] : list)
      of_destination.push_back({source, std::vector<std::uint8_t>(16, static_cast<std::uint8_t>(table))});
  }
  return kernel;
}

int loads_of(const ShuffleRegisters& assigned) {
  int loads = 0;
  for (const auto& term : assigned.terms)
    loads += static_cast<int>(term.loads_source) +
             static_cast<int>(assigned.tables[term.table].register_number < 0);
  return loads;
}

/// Runs the terms: each must find its piece in its register, and no table may be overwritten.
void expect_sound(const ShuffleKernel& kernel, const ShuffleRegisters& assigned, int registers) {
  std::set<int> of_tables;
  for (const auto& table : assigned.tables) {
    if (table.register_number < 0) continue;
    EXPECT_TRUE(of_tables.insert(table.register_number).second) << "two tables in one register";
    EXPECT_GE(table.register_number, kFirst);
    EXPECT_LT(table.register_number, registers);
  }
  std::vector<int> held(static_cast<std::size_t>(registers), -1);
  std::size_t at = 0;
  for (const auto& of_destination : kernel.terms) {
    for (const auto& term : of_destination) {
      const auto& use = assigned.terms.at(at++);
      EXPECT_GE(use.source_register, kFirst);
      EXPECT_LT(use.source_register, std::min(registers, kReach));
      EXPECT_FALSE(of_tables.contains(use.source_register));
      int& holds = held[static_cast<std::size_t>(use.source_register)];
      if (use.loads_source) holds = term.source_piece;
      EXPECT_EQ(holds, term.source_piece);
      EXPECT_EQ(*assigned.tables.at(use.table).index, term.index);
    }
  }
  EXPECT_EQ(at, assigned.terms.size());
}

/// Planes of bytes out of RGB, 64 pixels a call: in groups of three pieces, with the same nine tables.
ShuffleKernel rgb_to_planes() {
  std::vector<std::vector<std::pair<int, int>>> terms;
  for (int plane = 0; plane < 3; ++plane) {
    for (int group = 0; group < 4; ++group) {
      auto& list = terms.emplace_back();
      for (int piece = 0; piece < 3; ++piece) list.push_back({3 * group + piece, 3 * plane + piece});
    }
  }
  return kernel_of(12, terms);
}

TEST(ShuffleRegisters, equal_tables_share_a_register) {
  const ShuffleKernel kernel = rgb_to_planes();
  const ShuffleRegisters assigned = assign_registers(kernel, kFirst, kReach, 16);
  EXPECT_EQ(assigned.tables.size(), 9U);
  EXPECT_LE(loads_of(assigned), 36) << "of 48 without any register for tables";
  expect_sound(kernel, assigned, 16);
}

TEST(ShuffleRegisters, registers_past_the_reach_of_shuffles_hold_tables_only) {
  const ShuffleKernel kernel = rgb_to_planes();
  const ShuffleRegisters assigned = assign_registers(kernel, kFirst, kReach, 32);
  EXPECT_EQ(loads_of(assigned), 12) << "each source piece once";
  expect_sound(kernel, assigned, 32);
}

TEST(ShuffleRegisters, are_sound_however_many_tables_and_sources_there_are) {
  for (int sources = 1; sources < 40; sources += 3) {
    for (int tables = 1; tables < 40; tables += 4) {
      std::vector<std::vector<std::pair<int, int>>> terms(7);
      for (int i = 0; i < 70; ++i)
        terms[static_cast<std::size_t>(i % 7)].push_back({i * 11 % sources, i * 5 % tables});
      const ShuffleKernel kernel = kernel_of(sources, terms);
      for (const int registers : {16, 32})
        expect_sound(kernel, assign_registers(kernel, kFirst, kReach, registers), registers);
      if (HasFailure()) return;
    }
  }
}

TEST(ShuffleRegisters, a_kernel_that_writes_zeros_only_needs_none) {
  const ShuffleRegisters assigned = assign_registers(kernel_of(0, {{}}), kFirst, kReach, 16);
  EXPECT_TRUE(assigned.tables.empty());
  EXPECT_TRUE(assigned.terms.empty());
}

}  // namespace
}  // namespace relayout::jit
