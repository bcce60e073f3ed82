#include "src/plan/tiles/runs_by_row_sets.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "src/plan/cost_models/make_target.hpp"
#include "src/plan/tiles/row_set_rules.hpp"
#include "src/plan/tiles/row_sets.hpp"
#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

/// Bytes that rows of a transpose lie apart.
struct Rows {
  std::int64_t read = 0;
  std::int64_t written = 0;
};

Target target_of(Isa isa) {
  return make_target(isa, plan_machine("zen4"));
}

/// Of a transpose of rows that fill what they are apart.
std::optional<PreferredRuns> runs_of(std::int64_t element_bytes, Rows rows,
                                     Residence residence = Residence::kLastCache,
                                     Isa isa = Isa::kAvx512Vbmi) {
  Box box;
  box.axes = {{.extent = rows.written / element_bytes,
               .source_stride = rows.read,
               .destination_stride = element_bytes},
              {.extent = rows.read / element_bytes,
               .source_stride = element_bytes,
               .destination_stride = rows.written}};
  const std::int64_t line = 64 / element_bytes;
  return runs_by_row_sets(box, {{line, line}, 64, 64}, {element_bytes, residence}, target_of(isa));
}

CallRuns limits_of(const std::optional<PreferredRuns>& runs) {
  return runs ? CallRuns{runs->limits.source_bytes, runs->limits.destination_bytes} : CallRuns{};
}

std::vector<std::span<const RowSetRule>> all_rules() {
  std::vector<std::span<const RowSetRule>> all;
  for (const Residence residence : {Residence::kSecondCache, Residence::kLastCache, Residence::kMemory})
    for (const int vector_bytes : {32, 64})
      for (const auto of : {row_set_rules, row_set_rules_of_units, rules_of_rows_nearly_so_far_apart})
        all.push_back(of(residence, vector_bytes));
  return all;
}

TEST(RunsByRowSets, of_spread_rows_are_the_usual_ones) {
  for (const std::int64_t bytes : {1, 2, 4, 8, 16})
    for (const Residence residence : {Residence::kSecondCache, Residence::kLastCache})
      for (const Isa isa : {Isa::kAvx2, Isa::kAvx512Vbmi})
        EXPECT_FALSE(runs_of(bytes, {4160, 4288}, residence, isa)) << bytes;
}

TEST(RunsByRowSets, read_several_lines_of_rows_of_bytes_1_or_2_KiB_apart) {
  for (const std::int64_t read : {1024, 2048, 3 * 1024, 6 * 1024})
    EXPECT_EQ(limits_of(runs_of(1, {read, 4160})), (CallRuns{128, 64})) << read;
  EXPECT_EQ(limits_of(runs_of(1, {2048, 1024})), (CallRuns{64, 128}))
      << "or write them, where both sides lie so";
}

TEST(RunsByRowSets, write_long_runs_of_few_rows_4_KiB_apart_fewer_where_those_read_begin_within_lines) {
  EXPECT_EQ(limits_of(runs_of(4, {4160, 4096})), (CallRuns{64, 512}));
  EXPECT_EQ(limits_of(runs_of(4, {4164, 4096})), (CallRuns{32, 512}));
  EXPECT_EQ(limits_of(runs_of(8, {4168, 8192})), (CallRuns{16, 512}));
  EXPECT_EQ(limits_of(runs_of(4, {4164, 4096}, Residence::kSecondCache)), (CallRuns{16, 512}));
  EXPECT_EQ(limits_of(runs_of(2, {4162, 4096}, Residence::kSecondCache)), (CallRuns{16, 512}));
}

TEST(RunsByRowSets, are_few_of_rows_of_less_than_a_line_that_have_more_elements_than_a_set_has_ways) {
  EXPECT_EQ(runs_of_transpose("zen4", "f32[4096,11]"), (CallRuns{16, 512}));
  EXPECT_EQ(runs_of_transpose("zen4", "f32[4096,7]"), (CallRuns{16 * 28, 64})) << "one set holds all seven";
  EXPECT_EQ(runs_of_transpose("zen4", "bf16[4096,11]"), (CallRuns{16, 64}))
      << "rows of 11 by none; cut in eight, of which a set has room for the lines, and three";
  EXPECT_EQ(runs_of_transpose("zen4", "bf16[4200,11]"), (CallRuns{32 * 22, 64})) << "rows in many sets";
}

TEST(RunsByRowSets, come_with_the_order_of_the_side_whose_rows_share_sets) {
  const auto to_write = runs_of(16, {4160, 4096});
  EXPECT_EQ(limits_of(to_write), (CallRuns{64, 64}));
  EXPECT_EQ(to_write->walk, LoopWalk::kDestination);
  EXPECT_EQ(runs_of(8, {2048, 4160})->walk, LoopWalk::kSource);
  EXPECT_FALSE(runs_of(4, {4160, 4096})->walk) << "or blocks";
}

TEST(RunsByRowSets, differ_by_vectors_and_caches) {
  EXPECT_EQ(limits_of(runs_of(1, {2048, 4162})), (CallRuns{128, 64}));
  EXPECT_EQ(limits_of(runs_of(1, {2048, 4162}, Residence::kLastCache, Isa::kAvx2)), (CallRuns{128, 32}));
  EXPECT_EQ(limits_of(runs_of(2, {4160, 1024}, Residence::kLastCache)), (CallRuns{64, 256}));
  EXPECT_FALSE(runs_of(2, {4160, 1024}, Residence::kSecondCache));
}

TEST(RunsByRowSets, are_the_usual_ones_of_rows_that_are_too_short) {
  EXPECT_EQ(limits_of(runs_of(4, {4160, 4096})), (CallRuns{64, 512}));
  EXPECT_FALSE(runs_of(4, {32, 4096})) << "to read";
  EXPECT_EQ(limits_of(runs_of(4, {4096, 320})), (CallRuns{256, 64}));
  EXPECT_FALSE(runs_of(4, {4096, 32})) << "to write";
}

TEST(RunsByRowSets, are_the_usual_ones_of_rows_that_they_would_overlap_much) {
  const auto of_rows = [](std::int64_t columns) {
    Box box;
    box.axes = {{.extent = columns, .source_stride = 4160, .destination_stride = 4},
                {.extent = 1040, .source_stride = 4, .destination_stride = 4096}};
    return runs_by_row_sets(box, {{16, 16}, 64, 64}, {4, Residence::kLastCache}, target_of(Isa::kAvx512Vbmi))
        .has_value();
  };
  EXPECT_TRUE(of_rows(256));
  EXPECT_FALSE(of_rows(136)) << "544 bytes in runs of 512";
}

TEST(RunsByRowSets, are_the_usual_ones_of_tiles_of_more_than_two_axes) {
  const auto runs = [](std::int64_t layers) {
    Box box;
    box.axes = {{.extent = 4160, .source_stride = 2048, .destination_stride = 1},
                {.extent = 2048, .source_stride = 1, .destination_stride = 4160},
                {.extent = 2, .source_stride = 2048 * 4160, .destination_stride = 2048 * 4160}};
    return runs_by_row_sets(box, {{64, 64, layers}, 64, 64}, {1, Residence::kLastCache},
                            target_of(Isa::kAvx512Vbmi));
  };
  EXPECT_TRUE(runs(1));
  EXPECT_FALSE(runs(2));
}

TEST(RunsByRowSets, are_for_units_of_several_elements_as_well) {
  // Packs of 32 columns of bytes, of 1024 rows that lie 4160 bytes apart, and the packs 32 KiB.
  Box box;
  box.axes = {{.extent = 32, .source_stride = 1, .destination_stride = 1},
              {.extent = 1024, .source_stride = 4160, .destination_stride = 32},
              {.extent = 130, .source_stride = 32, .destination_stride = 32768}};
  const auto runs = [&](std::int64_t columns, Residence residence) {
    return limits_of(runs_by_row_sets(box, {{columns, 2, 2}, 64, 64}, {1, residence}, target_of(Isa::kAvx2)));
  };
  EXPECT_EQ(runs(32, Residence::kLastCache), (CallRuns{64, 512}));
  EXPECT_EQ(runs(32, Residence::kSecondCache), (CallRuns{64, 512}));
  EXPECT_EQ(runs(32, Residence::kMemory), CallRuns{});
  EXPECT_EQ(runs(16, Residence::kLastCache), CallRuns{}) << "a part of each unit";
}

TEST(RunsByRowSets, are_for_rows_nearly_so_far_apart_as_well) {
  EXPECT_EQ(limits_of(runs_of(8, {4312, 4104})), (CallRuns{16, 512}));
  EXPECT_EQ(limits_of(runs_of(8, {4312, 4096 - 16})), (CallRuns{16, 512}));
  EXPECT_EQ(limits_of(runs_of(1, {4100, 4321})), (CallRuns{256, 32}));
  EXPECT_FALSE(runs_of(1, {4101, 4321})) << "in several sets";
  EXPECT_EQ(runs_of(16, {4320, 4112})->walk, LoopWalk::kDestination);
  EXPECT_FALSE(runs_of(8, {4312, 4104}, Residence::kMemory));
}

TEST(RunsByRowSets, of_rows_of_which_one_side_nearly_shares_sets_are_not_those_of_spread_rows) {
  for (const Rows rows : {Rows{4096, 4104}, Rows{4104, 4096}})
    EXPECT_EQ(limits_of(runs_of(8, rows)), (CallRuns{128, 512}));
}

TEST(RunsByRowSets, are_those_of_streamed_lines_past_the_last_cache) {
  EXPECT_EQ(limits_of(runs_of(2, {8192, 8256}, Residence::kMemory)), (CallRuns{64, 64}));
  EXPECT_EQ(limits_of(runs_of(8, {8192, 8256}, Residence::kMemory)), (CallRuns{16, 64}));
  EXPECT_EQ(limits_of(runs_of(4, {8256, 8192}, Residence::kMemory)), (CallRuns{32, 512}));
  EXPECT_FALSE(runs_of(1, {8192, 8256}, Residence::kMemory));
}

TEST(RunsByRowSets, are_the_usual_ones_of_staged_blocks_and_of_wide_elements_that_leave_the_cache_early) {
  Box box;
  box.axes = {{.extent = 1000, .source_stride = 8192, .destination_stride = 8},
              {.extent = 1024, .source_stride = 8, .destination_stride = 8192}};
  PairSizes sizes{8, Residence::kLastCache};
  const auto have_runs = [&] {
    return runs_by_row_sets(box, {{8, 8}, 64, 64}, sizes, target_of(Isa::kAvx512Vbmi)).has_value();
  };
  EXPECT_TRUE(have_runs());
  sizes.wants_whole_lines = true;
  EXPECT_FALSE(have_runs());
  sizes.wants_whole_lines = false;
  sizes.of_staged_block = true;
  EXPECT_FALSE(have_runs());
}

TEST(RunsByRowSets, are_whole_lines_where_those_are_wanted) {
  Box box;
  box.axes = {{.extent = 1001, .source_stride = 4096, .destination_stride = 4},
              {.extent = 1024, .source_stride = 4, .destination_stride = 4004}};
  PairSizes sizes{4, Residence::kLastCache};
  const auto runs = [&] {
    return limits_of(runs_by_row_sets(box, {{16, 16}, 64, 64}, sizes, target_of(Isa::kAvx512Vbmi)));
  };
  EXPECT_EQ(runs(), (CallRuns{128, 32}));
  sizes.wants_whole_lines = true;
  EXPECT_EQ(runs(), CallRuns{});
}

TEST(RunsByRowSets, are_for_tiles_that_fit_what_a_call_may_use_of_the_stack) {
  for (const auto rules : all_rules())
    for (const RowSetRule& rule : rules) {
      EXPECT_LE(rule.limits.source_bytes * rule.limits.destination_bytes / rule.unit_bytes,
                kMaximumPreferredTileBytes);
      EXPECT_GT(rule.read.most + rule.written.most, 0) << "spread on both sides";
    }
}

TEST(RunsByRowSets, are_those_of_a_Zen_4) {
  EXPECT_EQ(runs_of_transpose("zen4", "u8[1000,2048]"), (CallRuns{128, 64}));
  EXPECT_EQ(runs_of_transpose("zen", "u8[1000,2048]").source_bytes, 16);
}

TEST(RunsByRowSets, have_their_loops_in_the_order_that_comes_with_them) {
  const auto steps_on = [](const char* cost_model) {
    const Nest nest = first_nest_for(cost_model, "c128[1024,200]", "[1, 0]", Isa::kAvx512Vbmi);
    return nest.loops.back().destination_step_bytes;
  };
  EXPECT_EQ(steps_on("zen4"), 64) << "a line to write after another";
  EXPECT_NE(steps_on("zen"), 64);
}

TEST(RunsByRowSets, have_them_in_the_order_that_is_asked_for_instead) {
  PlanChoice choice;
  choice.loops = LoopWalk::kSource;
  PlanOptions options;
  options.choice = &choice;
  const Nest nest = first_nest_for("zen4", "c128[1024,200]", "[1, 0]", Isa::kAvx512Vbmi, options);
  EXPECT_EQ(nest.loops.back().source_step_bytes, 64) << "a line to read after another";
}

TEST(RunsByRowSets, differ_for_each_class_of_rows) {
  // A rule that another goes before for all rows would not be what was measured.
  const auto is_within = [](const RowSpans& one, const RowSpans& other) {
    return other.least <= one.least && one.most <= other.most;
  };
  for (const auto rules : all_rules())
    for (std::size_t i = 0; i < rules.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        EXPECT_FALSE(
            rules[i].unit_bytes == rules[j].unit_bytes && is_within(rules[i].read, rules[j].read) &&
            is_within(rules[i].written, rules[j].written) &&
            (rules[j].lesser_rows == RowsBegin::kAnywhere || rules[j].lesser_rows == rules[i].lesser_rows))
            << "rule " << i << " behind " << j << " of " << rules[i].unit_bytes << " bytes";
}

}  // namespace
}  // namespace relayout::plan
