#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "src/plan/cost_models/make_target.hpp"
#include "src/plan/model/kernel_access.hpp"
#include "src/plan/model/target.hpp"
#include "src/plan/tiles/tile_rows.hpp"
#include "tests/plan/plans.hpp"

// What was measured on a Granite Rapids (cost_models/golden_cove.cpp), and nothing else changes.

namespace relayout::plan {
namespace {

Nest nest_for(const char* model, const std::string& source, const std::string& destination) {
  return first_nest_for(model, source, destination, Isa::kAvx512Vbmi);
}

TEST(GoldenCovePlans, past_the_last_cache_few_places_are_streamed_as_many_are) {
  const auto store = [](const char* model) {
    return nest_for(model, "f64[1000,5,4000]{2,1,0}", "{2,0,1}").store;
  };
  EXPECT_EQ(store("intel"), StorePolicy::kTemporal);
  EXPECT_EQ(store("golden_cove"), StorePolicy::kStreaming);
}

TEST(GoldenCovePlans, rows_that_crowd_sets_of_the_second_cache_are_streamed_though_the_last_one_holds_them) {
  const auto store = [](const char* model, const char* source) {
    return nest_for(model, source, "[0, 1]").store;
  };
  EXPECT_EQ(store("golden_cove", "f32[160,16384][1, 0]"), StorePolicy::kStreaming) << "rows 64 KiB apart";
  EXPECT_EQ(store("golden_cove", "f32[160,16400][1, 0]"), StorePolicy::kTemporal) << "64 bytes more";
  EXPECT_EQ(store("golden_cove", "f32[20,16384][1, 0]"), StorePolicy::kTemporal) << "2.5 MiB";
  EXPECT_EQ(store("intel", "f32[160,16384][1, 0]"), StorePolicy::kTemporal);
}

TEST(GoldenCovePlans, runs_of_which_only_the_lines_within_would_be_streamed_are_staged) {
  const auto is_staged = [](const char* model, const char* source, const char* destination, Isa isa) {
    return first_nest_for(model, source, destination, isa).staging.has_value();
  };
  EXPECT_TRUE(is_staged("golden_cove", "u8[38,12192,567]", "[1, 0, 2]", Isa::kAvx512Vbmi)) << "copies";
  EXPECT_FALSE(is_staged("intel", "u8[38,12192,567]", "[1, 0, 2]", Isa::kAvx512Vbmi));
  EXPECT_FALSE(is_staged("golden_cove", "u8[38,12192,640]", "[1, 0, 2]", Isa::kAvx512Vbmi)) << "whole lines";
  EXPECT_FALSE(is_staged("golden_cove", "u8[38,6096,1100]", "[1, 0, 2]", Isa::kAvx512Vbmi)) << "longer";
  EXPECT_TRUE(is_staged("golden_cove", "bf16[619,55181][0, 1]", "[1, 0]", Isa::kAvx2)) << "permutations";
}

TEST(GoldenCovePlans, rounded_tiles_write_what_others_would_extract_from_vectors) {
  const auto is_rounded = [](const char* source, const char* destination, double factor) {
    Target rules = make_target(Isa::kAvx512Vbmi, plan_machine("golden_cove"));
    EXPECT_EQ(rules.quarter_store_factor, 2);
    rules.quarter_store_factor = factor;
    rules.lane_insert_factor = 1;  // cheap inserts alone round this tile
    const Problem problem = problem_of(source, destination);
    const auto plan = make_plan(problem, *refine(problem), rules, PlanOptions());
    const auto* permute = std::get_if<PermuteKernel>(&plan->nests.at(0).kernel);
    return permute != nullptr && !permute->network.destination.pieces.empty();
  };
  EXPECT_TRUE(is_rounded("u8[14,4,50,32]{3,2,1,0}", "{0,2,3,1}", 2)) << "runs of 14 x 4";
  EXPECT_FALSE(is_rounded("u8[14,4,50,32]{3,2,1,0}", "{0,2,3,1}", 1)) << "of 8";
  EXPECT_FALSE(is_rounded("u8[1024,1024]", "[1, 0]", 2)) << "whole lines";
  EXPECT_EQ(make_target(Isa::kAvx2, plan_machine("golden_cove")).quarter_store_factor, 1);
  EXPECT_EQ(make_target(Isa::kAvx512Vbmi, plan_machine("intel")).quarter_store_factor, 1);
}

TEST(GoldenCovePlans, long_copies_in_the_second_cache_fetch_what_they_write) {
  const auto ahead = [](const char* model, const char* source, const char* destination) {
    return nest_for(model, source, destination).prefetch_destination_bytes;
  };
  EXPECT_EQ(ahead("golden_cove", "f32[100,1000]", "[0, 1]"), 1024);
  EXPECT_EQ(ahead("intel", "f32[100,1000]", "[0, 1]"), 0);
  EXPECT_NE(ahead("golden_cove", "f32[10,20,300]", "[1, 0, 2]"), 0) << "runs of 1200 bytes";
  EXPECT_EQ(ahead("golden_cove", "f32[10,400]", "[0, 1]"), 0) << "which the first cache holds";
}

TEST(GoldenCovePlans, halves_of_vectors_are_inserted_at_half_the_price_at_avx2_and_at_0_7_of_it_otherwise) {
  const auto factor = [](const char* model, Isa isa) {
    return make_target(isa, plan_machine(model)).lane_insert_factor;
  };
  EXPECT_EQ(factor("golden_cove", Isa::kAvx2), 0.5);
  EXPECT_EQ(factor("golden_cove", Isa::kAvx512), 0.7);
  EXPECT_EQ(factor("intel", Isa::kAvx2), 1);
}

TEST(GoldenCovePlans, bytes_in_the_second_cache_are_transposed_by_half_lines) {
  const auto runs = [](const char* model) { return runs_of_transpose(model, "u8[200,1003]"); };
  EXPECT_EQ(runs("golden_cove"), (CallRuns{32, 32}));
  EXPECT_EQ(runs("zen4"), (CallRuns{64, 64}));
}

/// The innermost loop on a machine of 48 KiB and 2 MiB.
Loop inner_loop(const std::string& source, const std::string& destination, bool counts_lines) {
  MachineInfo machine = plan_machine("golden_cove");
  machine.level1_data_bytes = 48 << 10;
  machine.level1_data_ways = 12;
  machine.level2_bytes = 2 << 20;
  Target target = make_target(Isa::kAvx512Vbmi, machine);
  EXPECT_EQ(target.first_cache_destination_line, 4);
  if (!counts_lines) target.first_cache_destination_line = 0;
  target.longest_rounded_run_bytes = 0;  // other tiles have other loops
  return first_nest_by(target, source, destination).loops.back();
}

TEST(GoldenCovePlans, rows_that_share_sets_are_written_along_in_the_second_cache) {
  const auto inner = [](bool counts_lines) {
    return inner_loop("bf16[5,128,78,4][1, 3, 0, 2]", "[2, 1, 0, 3]", counts_lines).destination_step_bytes;
  };
  EXPECT_EQ(inner(true), 32) << "78 rows of 5 KiB, in 4 sets of 64";
  EXPECT_EQ(inner(false), 16 * 5120);
}

TEST(GoldenCovePlans, copies_in_the_second_cache_keep_their_order) {
  for (const bool counts_lines : {false, true})
    EXPECT_EQ(inner_loop("bf16[363,17,9][0, 1, 2]", "[1, 0, 2]", counts_lines).destination_step_bytes, 18);
}

TEST(GoldenCovePlans, staged_runs_overlap_where_their_blocks_leave_room_for_it) {
  const auto staging = [](const char* source, const char* destination) {
    return nest_for("golden_cove", source, destination).staging.value_or(Staging{});
  };
  EXPECT_EQ(staging("f32[7,39,64,7,128][0, 4, 3, 1, 2]", "[2, 0, 4, 1, 3]").overlap_bytes, 84);
  const Staging pairs_of_lines = staging("f32[42,21,12,1024]{1,0,2,3:T(8,128)}", "[3, 1, 2, 0]");
  EXPECT_EQ(pairs_of_lines.overlap_bytes, 0) << "the second cache's sets do not hold five rows";
  EXPECT_EQ(pairs_of_lines.run_bytes, 4 * 168) << "four of them, 84 bytes at once, not 64";
}

TEST(GoldenCovePlans, staged_runs_leave_in_whole_vectors_and_other_copies_in_halves) {
  const auto widest = [](const char* model, const char* source, const char* destination) {
    return nest_for(model, source, destination).widest_copy_bytes;
  };
  EXPECT_EQ(widest("golden_cove", "f32[4095,4097]", "[1, 0]"), 64);
  EXPECT_EQ(widest("golden_cove", "f64[1000,20,640]", "[1, 0, 2]"), 32);
  EXPECT_EQ(widest("zen4", "f32[4095,4097]", "[1, 0]"), 32);
}

TEST(GoldenCovePlans, all_of_the_share_of_the_last_cache_is_followed) {
  const auto prefetch = [](const char* model) {
    return nest_for(model, "f32[1600,1616][0, 1]", "[1, 0]").prefetch_source_bytes;
  };
  EXPECT_NE(prefetch("intel"), 0) << "20 of 24 MiB";
  EXPECT_EQ(prefetch("golden_cove"), 0);
}

TEST(GoldenCovePlans, only_short_pieces_to_write_have_their_source_fetched_in_the_last_cache) {
  const auto prefetch = [](const char* source, const char* destination) {
    return nest_for("golden_cove", source, destination).prefetch_source_bytes;
  };
  EXPECT_NE(prefetch("f32[7,13,16,400,4]{4,3,2,1,0}", "[1, 4, 3, 2, 0]"), 0) << "18 MiB, pieces of 16 bytes";
  EXPECT_EQ(prefetch("f32[7,13,16,100,4]{4,3,2,1,0}", "[1, 4, 3, 2, 0]"), 0) << "4 MiB";
  EXPECT_EQ(prefetch("f32[16,13,16,200,4]{4,3,2,1,0}", "[1, 4, 3, 2, 0]"), 0) << "20 MiB, pieces of lines";
}

TEST(GoldenCovePlans, streamed_copies_fetch_their_source_ahead_where_it_goes_on) {
  const auto ahead = [](const char* model, const char* source, const char* destination) {
    const Nest nest = nest_for(model, source, destination);
    EXPECT_TRUE(std::holds_alternative<CopyKernel>(nest.kernel));
    return nest.prefetch_source_bytes;
  };
  EXPECT_EQ(ahead("golden_cove", "bf16[1574,32768]", "[0, 1]"), 2048) << "chunks of 32 KiB";
  EXPECT_EQ(ahead("golden_cove", "f64[1000,20,640]", "[1, 0, 2]"), 2048) << "rows of 5 KiB";
  EXPECT_EQ(ahead("golden_cove", "f64[36,100,3688]{2,1,0:T(8,128)}", "{2,1,0}"), 0) << "rows of tiles";
  EXPECT_EQ(ahead("golden_cove", "bf16[512,1024]", "[0, 1]"), 0) << "in the caches";
  EXPECT_EQ(ahead("intel", "bf16[1574,32768]", "[0, 1]"), 0);
}

TEST(GoldenCovePlans, far_blocks_have_runs_of_two_lines) {
  Target target = make_target(Isa::kAvx512Vbmi, plan_machine("golden_cove"));
  const auto loops = [&] {
    return first_nest_by(target, "f32[128,49,4096][2, 1, 0]", "[1, 0, 2, 0 p(4)]").loops.size();
  };
  EXPECT_EQ(loops(), 2U) << "a call writes a line and reads two";
  target.far_block_run_bytes = 256;
  EXPECT_EQ(loops(), 4U) << "blocks of two calls by four";
}

TEST(GoldenCovePlans, narrow_vectors_too_write_pairs_of_lines_of_4_and_8_bytes) {
  const auto notes = [](const char* source) {
    return notes_of(plan_for("golden_cove", problem_of(source, "{0,1}"), Isa::kAvx2));
  };
  EXPECT_NE(notes("f32[4096,4096]").find("runs of 64 bytes read and 128 written"), std::string::npos);
  EXPECT_NE(notes("f64[4096,4096]").find("runs of 64 bytes read and 128 written"), std::string::npos);
  EXPECT_EQ(notes("bf16[131072,480]").find("128 written"), std::string::npos) << "rows that are not fetched";
  EXPECT_EQ(notes("u8[262144,960]").find("128 written"), std::string::npos);
}

TEST(GoldenCovePlans, rows_off_the_lines_are_staged_even_if_little_is_fetched_again) {
  const auto is_staged = [](const char* model) {
    return nest_for(model, "f64[71,223182]{1,0}", "{0,1}").staging.has_value();
  };
  EXPECT_FALSE(is_staged("intel"));
  EXPECT_TRUE(is_staged("golden_cove"));
}

TEST(GoldenCovePlans, rows_of_4_and_8_bytes_that_begin_anywhere_are_staged_rather_than_their_blocks_fetched) {
  const auto is_staged = [](const char* source, const char* destination) {
    const Nest nest = nest_for("golden_cove", source, destination);
    EXPECT_NE(nest.staging.has_value(), nest.block_fetch.has_value()) << source;
    return nest.staging.has_value();
  };
  EXPECT_TRUE(is_staged("f64[97,59552]", "[1, 0]"));
  EXPECT_TRUE(is_staged("f64[649,10176]", "[1, 0]"));
  EXPECT_TRUE(is_staged("f32[222,8,5696]", "[2, 1, 0]"));
  EXPECT_FALSE(is_staged("bf16[757,29696]", "[1, 0]"));
}

TEST(GoldenCovePlans, rows_that_share_sets_of_the_second_cache_are_staged_unless_table_shuffles_move_them) {
  const auto is_staged = [](const char* model, const char* source, const char* destination) {
    return nest_for(model, source, destination).staging.has_value();
  };
  EXPECT_TRUE(is_staged("golden_cove", "f32[344,65536]", "[1, 0]"));
  EXPECT_FALSE(is_staged("zen5", "f32[344,65536]", "[1, 0]"));
  EXPECT_TRUE(is_staged("golden_cove", "bf16[512,4096,21][2, 0, 1, 0 p(8)]", "[0, 1, 2, 0 p(16)]"));
  EXPECT_FALSE(is_staged("golden_cove", "u8[3,87,512,1000][1, 2, 3, 0]", "{3,2,1,0:T(4,1)}"));
}

TEST(GoldenCovePlans, blocks_are_staged_whose_rows_lie_along_two_axes_or_whose_tiles_write_parts_of_vectors) {
  const auto staging = [](const char* model, const char* source, const char* destination) {
    return nest_for(model, source, destination).staging.value_or(Staging{});
  };
  const char* const packed = "f64[8,12,798,284][0, 2, 1, 3, 1 p(4)]";
  EXPECT_EQ(staging("golden_cove", packed, "[1, 0, 3, 2]").groups, 4);
  EXPECT_EQ(staging("zen5", packed, "[1, 0, 3, 2]").run_bytes, 0);
  const char* const rows = "f64[83457,13,21][1, 0, 2]";
  EXPECT_GT(staging("golden_cove", rows, "{1,2,0}").run_bytes, 8192) << "several of 2184 bytes";
  EXPECT_EQ(staging("intel", rows, "{1,2,0}").run_bytes, 0);
  const char* const costly = "u8[24,82,4240,2,8]{4,3,2,1,0:T(4,1)}";
  EXPECT_EQ(staging("golden_cove", costly, "{2,4,3,0,1}").run_bytes, 0) << "tiles of runs of two bytes";
}

TEST(GoldenCovePlans, short_copies_whole_line_shuffles_and_rounded_tiles_are_staged_where_no_network_is) {
  const auto staged = [](const char* model, const char* source, const char* destination, Isa isa) {
    const Nest nest = first_nest_for(model, source, destination, isa);
    return nest.staging ? std::optional(nest.kernel) : std::nullopt;
  };
  const auto copied = staged("golden_cove", "f32[117,506,16,15]{3,1,0,2}", "[1, 0, 2, 3]", Isa::kAvx512Vbmi);
  ASSERT_TRUE(copied);
  EXPECT_EQ(std::get<CopyKernel>(*copied).bytes, 60);
  EXPECT_FALSE(staged("zen5", "f32[117,506,16,15]{3,1,0,2}", "[1, 0, 2, 3]", Isa::kAvx512Vbmi));
  EXPECT_FALSE(staged("golden_cove", "f64[2,13,5,4096,133][1, 3, 2, 0, 4]", "[0, 1, 2, 3, 4]", Isa::kAvx512))
      << "copies of 1064 bytes";
  const char* const fours = "f32[97,32,64,60,5][0, 3, 2, 1, 4]";
  const auto shuffled = staged("golden_cove", fours, "[0, 3, 1, 2, 4]", Isa::kAvx512Vbmi);
  ASSERT_TRUE(shuffled);
  EXPECT_EQ(std::get<ShuffleKernel>(*shuffled).piece_bytes, 64);
  EXPECT_FALSE(staged("golden_cove", fours, "[0, 3, 1, 2, 4]", Isa::kAvx2)) << "pieces of 16 bytes";
  const auto rounded = staged("golden_cove", "u8[12,9085285]{1,0}", "[1, 0]", Isa::kAvx512Vbmi);
  ASSERT_TRUE(rounded);
  EXPECT_FALSE(std::get<PermuteKernel>(*rounded).network.source.pieces.empty());
}

TEST(GoldenCovePlans, boxes_beside_others_are_staged_where_their_rows_fill_lines_or_are_long) {
  const auto staged = [](const char* model, const char* source, const char* destination) {
    const Plan plan = plan_for(model, problem_of(source, destination), Isa::kAvx512Vbmi);
    EXPECT_GE(plan.nests.size(), 2U);
    return plan.nests[0].staging.has_value();
  };
  const char* const of_lines = "f32[254,16,141,8,8]{0,1,4,3,2:T(8,128)(2,1)}";
  EXPECT_TRUE(staged("golden_cove", of_lines, "[0, 4, 1, 3, 2]"));
  EXPECT_FALSE(staged("intel", of_lines, "[0, 4, 1, 3, 2]"));
  const char* const of_2_kib = "f32[847,36307]{1,0:T(8,128)(2,1)}";
  EXPECT_TRUE(staged("golden_cove", of_2_kib, "[1, 0]")) << "rows of 3388 bytes";
  EXPECT_FALSE(staged("intel", of_2_kib, "[1, 0]"));
}

/// With padding filled with this element.
Plan filled_plan(const Target& rules, const std::string& source, const std::string& destination,
                 std::vector<std::uint8_t> element) {
  const Problem problem = problem_of(source, destination);
  PlanOptions options;
  options.fill = std::move(element);
  return *make_plan(problem, *refine(problem), rules, options);
}

Plan filled_plan(const char* model, const std::string& source, const std::string& destination,
                 std::vector<std::uint8_t> element) {
  return filled_plan(make_target(Isa::kAvx512Vbmi, plan_machine(model)), source, destination,
                     std::move(element));
}

TEST(GoldenCovePlans, rows_are_staged_together_with_the_padding_behind_them) {
  const auto nests = [](const char* model, const char* source, const char* destination) {
    return filled_plan(model, source, destination, {1, 2, 3, 4}).nests;
  };
  const char* const rows = "f32[64,256,12,7,19]";
  const std::vector<Nest> together = nests("golden_cove", rows, "{4,3,2,1,0:T(8)}");
  ASSERT_EQ(together.size(), 1U);
  ASSERT_TRUE(together[0].staging);
  EXPECT_EQ(together[0].staging->background, (std::vector<std::uint8_t>{1, 2, 3, 4}));
  EXPECT_EQ(together[0].staging->run_bytes % (24 * 4), 0) << "whole rows";
  EXPECT_EQ(std::get<CopyKernel>(together[0].kernel).bytes, 19 * 4);
  EXPECT_EQ(nests("zen5", rows, "{4,3,2,1,0:T(8)}").size(), 2U);
  EXPECT_EQ(nests("golden_cove", "f32[64,12,7,19]", "{3,2,1,0:T(8)}").size(), 2U) << "in a cache";
}

TEST(GoldenCovePlans, so_are_those_of_boxes_that_have_their_lines_alone) {
  const auto holds_padding = [](const Nest& nest) {
    return nest.staging && !nest.staging->background.empty();
  };
  const std::vector<Nest> pairs =
      filled_plan("golden_cove", "u8[1136239,24]{1,0}", "{1,0:T(8,128)(2,1)}", {0}).nests;
  ASSERT_GE(pairs.size(), 2U) << "the last row is a box of its own";
  EXPECT_TRUE(holds_padding(pairs[0]));
  Target rules = make_target(Isa::kAvx512Vbmi, plan_machine("golden_cove"));
  const auto split_or_not = [&] {
    return filled_plan(rules, "f32[2000001,19]{1,0:T(4,1)}", "{1,0:T(8)}", {0, 0, 0, 0}).nests;
  };
  const std::vector<Nest> split = split_or_not();
  ASSERT_GE(split.size(), 2U);
  EXPECT_TRUE(holds_padding(split[0])) << "but for what lies behind the last row";
  rules.splits_padding = false;
  const std::vector<Nest> sharing = split_or_not();
  ASSERT_GE(sharing.size(), 3U);
  EXPECT_TRUE(std::ranges::none_of(sharing, holds_padding)) << "the next row begins in the same line";
}

TEST(GoldenCovePlans, rows_of_narrow_elements_are_staged_whole_instead_of_cut_at_their_last_line) {
  const auto notes = [](const char* source, const char* destination) {
    const auto zeros = static_cast<std::size_t>(problem_of(source, destination).element_bytes);
    return notes_of(filled_plan("golden_cove", source, destination, std::vector<std::uint8_t>(zeros, 0)));
  };
  const std::string cut = "cut at the last line";
  EXPECT_EQ(notes("u8[1024,123,512]{0,2,1:T(16,1)}", "{1,0,2:T(8,128)}").find(cut), std::string::npos);
  EXPECT_EQ(notes("f32[39,29,256,22][0, 3, 2, 1]", "{1,0,2,3:T(8,128)(2,1)}").find(cut), std::string::npos);
  EXPECT_NE(notes("f32[128,160,40,88][2, 3, 0, 1]", "{2,3,0,1:T(8,128)}").find(cut), std::string::npos)
      << "4 bytes, not interleaved";
  EXPECT_NE(notes("f64[210,57,153,112][2, 1, 3, 0]", "{2,3,0,1:T(8)}").find(cut), std::string::npos);
}

TEST(GoldenCovePlans, rows_that_tiles_do_not_divide_are_staged_whole_unless_their_boxes_are_streamed) {
  const auto nests = [](const char* model, const char* source, const char* destination) {
    return plan_for(model, problem_of(source, destination), Isa::kAvx512Vbmi).nests;
  };
  const char* const ragged = "f32[162,154087]{1,0:T(16,1)}";
  const std::vector<Nest> whole = nests("golden_cove", ragged, "[1, 0]");
  ASSERT_EQ(whole.size(), 1U);
  ASSERT_TRUE(whole[0].staging);
  EXPECT_EQ(whole[0].staging->run_bytes % (162 * 4), 0);
  EXPECT_EQ(whole[0].staging->slack_bytes, 14 * 4) << "176 places";
  EXPECT_EQ(nests("zen5", ragged, "[1, 0]").size(), 2U);
  for (const Nest& nest : nests("golden_cove", "c128[126,588,142]{2,1,0:T(8,128)(2,1)}", "{1,0,2}"))
    EXPECT_FALSE(nest.staging);
}

TEST(GoldenCovePlans, staged_blocks_read_two_lines_of_rows_that_begin_on_pairs_of_them) {
  const auto in_run = [](const char* model, const char* source) {
    const Nest nest = nest_for(model, source, "[1, 0]");
    return nest.staging ? nest.staging->runs * nest.staging->run_bytes : 0;
  };
  EXPECT_EQ(in_run("golden_cove", "f64[97,59552]"), 97 * 16 * 8);
  EXPECT_EQ(in_run("golden_cove", "f64[97,59553]"), 97 * 8 * 8) << "rows begin anywhere";
  EXPECT_EQ(in_run("zen5", "f64[97,59552]"), 97 * 8 * 8);
}

TEST(GoldenCovePlans, tiles_read_shorter_runs_where_longer_ones_would_overlap_much) {
  const auto runs = [](const char* model, const char* source, const char* destination) {
    const Nest nest = nest_for(model, source, destination);
    return std::get<PermuteKernel>(nest.kernel).network.source.piece_bytes();
  };
  const char* reversed = "[3, 2, 1, 0]";
  EXPECT_EQ(runs("golden_cove", "f32[64,64,512,16]", reversed), 64) << "no overlap";
  EXPECT_EQ(runs("golden_cove", "f32[64,64,512,18]", reversed), 16) << "20 of 18 written, not 32";
  EXPECT_EQ(runs("golden_cove", "f32[64,64,512,24]", reversed), 32) << "none left with half a line";
  EXPECT_EQ(runs("golden_cove", "f32[64,64,128,136]", reversed), 64) << "144 of 136";
  EXPECT_EQ(runs("golden_cove", "c128[64,64,512,6]", reversed), 32);
  EXPECT_EQ(runs("golden_cove", "c128[64,64,512,5]", reversed), 32) << "6 of 5, as elements are no runs";
  EXPECT_EQ(runs("zen5", "f32[64,64,512,18]", reversed), 64);
  EXPECT_EQ(nest_for("golden_cove", "f32[64,64,512,18]", reversed).store, StorePolicy::kStreaming);
}

TEST(GoldenCovePlans, so_do_those_that_the_second_cache_holds) {
  const auto reads_lines = [](const char* model, const char* source) {
    const std::string notes = notes_of(plan_for(model, problem_of(source, "{0,1}"), Isa::kAvx512Vbmi));
    return notes.substr(0, notes.find("rejected")).find("runs of 64 bytes read") != std::string::npos;
  };
  EXPECT_FALSE(reads_lines("golden_cove", "f32[1000,20]"));
  EXPECT_FALSE(reads_lines("golden_cove", "f32[1000,40]"));
  EXPECT_TRUE(reads_lines("golden_cove", "f32[1000,48]")) << "no overlap";
  EXPECT_TRUE(reads_lines("golden_cove", "f32[100000,40]")) << "the last cache holds them";
  EXPECT_TRUE(reads_lines("zen5", "f32[1000,20]"));
}

TEST(GoldenCovePlans, what_usual_blocks_cannot_hold_is_staged_in_large_ones) {
  const auto scratch = [](const char* model, const char* source, const char* destination) {
    const Nest nest = nest_for(model, source, destination);
    return nest.staging ? nest.staging->scratch_bytes() : 0;
  };
  const char* const bytes = "u8[1052,167,740]{2,1,0}";
  EXPECT_GT(scratch("golden_cove", bytes, "[2, 0, 1]"), 32 << 10);
  EXPECT_EQ(scratch("zen5", bytes, "[2, 0, 1]"), 0);
  EXPECT_GT(scratch("golden_cove", "u8[77,882,512]{2,1,0:T(8,128)}", "{0,1,2:T(16,1)}"), 32 << 10)
      << "although a plain nest fetches its lines once";
  const std::int64_t usual = scratch("golden_cove", "f64[71,223182]{1,0}", "{0,1}");
  EXPECT_GT(usual, 0);
  EXPECT_LE(usual, 14 << 10) << "a usual block holds it";
}

TEST(GoldenCovePlans, blocks_of_2_bytes_that_are_fetched_write_a_line_of_each_row_that_begins_anywhere) {
  const auto written = [](const char* source) {
    const Nest nest = nest_for("golden_cove", source, "[1, 0]");
    EXPECT_TRUE(nest.block_fetch) << source;
    return tile_rows(std::get<PermuteKernel>(nest.kernel).network.destination).run_bytes;
  };
  EXPECT_EQ(written("bf16[1293,45824]"), 64);
  EXPECT_EQ(written("bf16[1312,45824]"), 128) << "whole lines, which are streamed";
}

TEST(GoldenCovePlans, second_cache_is_used_as_by_other_processors_of_the_maker) {
  const auto plan_of = [](const char* model) {
    return first_nest_for(model, "f32[80,160][1, 0]", "[0, 1]", Isa::kAvx512Vbmi);
  };
  EXPECT_EQ(plan_of("intel").prefetch_destination_bytes, plan_of("golden_cove").prefetch_destination_bytes);
  EXPECT_NE(plan_of("golden_cove").prefetch_destination_bytes, 0);
}

TEST(GoldenCovePlans, blocks_give_way_to_the_destinations_order_where_the_first_cache_has_no_sets_for_them) {
  const auto inner_trips = [](const char* model, const char* source) {
    return nest_for(model, source, "[0, 1]").loops.back().trips;
  };
  const char* const rows_1_kib_apart = "f32[256,417]{0,1}";
  EXPECT_EQ(inner_trips("golden_cove", rows_1_kib_apart), 27) << "the whole row";
  EXPECT_EQ(inner_trips("intel", rows_1_kib_apart), 4);
  EXPECT_EQ(inner_trips("golden_cove", "f32[256,1000]{0,1}"), 4) << "past the second cache";
}

TEST(GoldenCovePlans, rows_that_share_sets_are_written_by_tiles_that_odd_extents_fill) {
  const auto longest_written = [](const char* model, const char* source, const char* destination) {
    const Nest nest = nest_for(model, source, destination);
    const auto& pieces = std::get<PermuteKernel>(nest.kernel).network.destination.pieces;
    int longest = 0;
    for (const SidePiece& piece : pieces) longest = std::max(longest, piece.bytes);
    return longest;
  };
  const char* const rows_224_kib_apart = "bf16[7,256,32,85]{3,2,1,0:T(8,128)}";
  EXPECT_EQ(longest_written("golden_cove", rows_224_kib_apart, "[3, 1, 2, 0]"), 56) << "7 x 4 elements";
  EXPECT_EQ(longest_written("intel", rows_224_kib_apart, "[3, 1, 2, 0]"), 0) << "4 of 7, twice";
  EXPECT_EQ(longest_written("golden_cove", "u8[32768,29][1, 0]", "[0, 1]"), 29)
      << "64 rows to read share sets";
}

TEST(GoldenCovePlans, whole_lines_are_written_to_rows_that_share_sets_however_much_tiles_overlap) {
  const auto written = [](const char* model, const char* source, const char* destination) {
    const Nest nest = nest_for(model, source, destination);
    return std::get<PermuteKernel>(nest.kernel).network.destination.piece_bytes();
  };
  const char* const rows_78_kib_apart = "u8[4,64,100,4,78][1, 4, 0, 3, 2]";
  EXPECT_EQ(written("golden_cove", rows_78_kib_apart, "[2, 1, 0, 3, 4]"), 64);
  EXPECT_EQ(written("intel", rows_78_kib_apart, "[2, 1, 0, 3, 4]"), 16);
  EXPECT_EQ(written("golden_cove", "u8[4,63,100,4,78][1, 4, 0, 3, 2]", "[2, 1, 0, 3, 4]"), 16)
      << "other sets";
}

/// With zeros in the padding, checked by the plan's interpreter.
std::vector<Nest> checked_nests(const Target& rules, const std::string& source,
                                const std::string& destination) {
  const Problem problem = problem_of(source, destination);
  const auto zeros = static_cast<std::size_t>(problem.element_bytes);
  const Plan plan = filled_plan(rules, source, destination, std::vector<std::uint8_t>(zeros, 0));
  expect_right(problem, plan);
  return plan.nests;
}

TEST(GoldenCovePlans, longer_runs_to_rows_that_share_sets_pay_for_what_they_overlap_themselves) {
  const auto written_bytes = [](const std::string& source, const std::string& destination, bool keeps_runs) {
    Target rules = make_target(Isa::kAvx512Vbmi, plan_machine("golden_cove"));
    EXPECT_TRUE(rules.keeps_runs_of_shared_sets);
    rules.keeps_runs_of_shared_sets = keeps_runs;
    rules.quarter_store_factor = 1;  // the shortest runs are an example's
    return kernel_runs(checked_nests(rules, source, destination).at(0)).destination.front().bytes;
  };
  EXPECT_EQ(written_bytes("u8[73,32768][0, 1]", "[1, 0]", true), 64) << "of 73";
  EXPECT_EQ(written_bytes("u8[73,32768][0, 1]", "[1, 0]", false), 16);
  EXPECT_EQ(written_bytes("f32[2048,153][1, 0]", "{1,0}", true), 64) << "256 of 612 overlap more";
  EXPECT_EQ(written_bytes("f32[2048,153][1, 0]", "{1,0}", false), 256);
  for (const bool keeps_runs : {false, true})
    EXPECT_EQ(written_bytes("f32[2080,153][1, 0]", "{1,0}", keeps_runs), 64) << "other sets";
}

TEST(GoldenCovePlans, boxes_share_a_piece_of_padding_that_lies_behind_several_of_them) {
  const auto fills = [](Isa isa, bool splits_padding) {
    Target rules = make_target(isa, plan_machine("golden_cove"));
    EXPECT_TRUE(rules.splits_padding);
    rules.splits_padding = splits_padding;
    const auto nests = checked_nests(rules, "f32[2113,8,3,4]{2,0,3,1:T(4,1)}", "{3,2,1,0:T(4,1)}");
    return std::ranges::count_if(nests, writes_padding);
  };
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512Vbmi}) {
    EXPECT_EQ(fills(isa, true), 2) << "2112 rows of whole tiles, and the last one";
    EXPECT_EQ(fills(isa, false), 0);
  }
}

int vector_bytes(const char* model, const std::string& source, const std::string& destination) {
  return std::get<PermuteKernel>(nest_for(model, source, destination).kernel).network.vector_bytes;
}

TEST(GoldenCovePlans, blocks_go_on_along_the_source_first) {
  const auto inner = [](const char* model) {
    return nest_for(model, "f32[8,90,56,56]", "[0, 2, 3, 1]").loops.back();
  };
  EXPECT_EQ(inner("golden_cove").source_step_bytes, 64) << "the next line of the same 16 rows";
  EXPECT_EQ(inner("zen5").destination_step_bytes, 64);
}

TEST(GoldenCovePlans, in_the_last_cache_shares_of_the_longest_loop_go_around_few_trips) {
  const auto outer = [](const char* model) {
    return nest_for(model, "c128[2000,128][1, 0]", "{1,0}").loops.front();
  };
  EXPECT_EQ(outer("intel").trips, 8);
  EXPECT_EQ(outer("golden_cove").trips, 125) << "of the 500 tiles of 4 rows, 4 each";
}

TEST(GoldenCovePlans, wide_elements_are_written_in_order_where_rows_share_sets_of_the_first_cache) {
  const auto inner = [](const char* model, const char* source) {
    return nest_for(model, source, "[1, 0]").loops.back().trips;
  };
  EXPECT_EQ(inner("golden_cove", "f64[1024,24]"), 128) << "the whole row of 8 KiB";
  EXPECT_EQ(inner("intel", "f64[1024,24]"), 4);
  EXPECT_EQ(inner("golden_cove", "f64[1032,24]"), 3) << "a block: rows of other sets";
  EXPECT_EQ(inner("golden_cove", "f32[2048,24]"), 64)
      << "narrower ones as the first cache does not hold a block";
}

TEST(GoldenCovePlans, copies_of_whole_lines_go_in_the_destinations_order_in_the_second_cache) {
  const auto inner_trips = [](const char* model, const char* source, const char* destination) {
    return nest_for(model, source, destination).loops.back().trips;
  };
  EXPECT_EQ(inner_trips("golden_cove", "c128[32,8,4,8]", "{3,0,1,2:T(8)}"), 32) << "a row of 32 runs of 128";
  EXPECT_EQ(inner_trips("intel", "c128[32,8,4,8]", "{3,0,1,2:T(8)}"), 4) << "blocks of 512 bytes";
  EXPECT_EQ(inner_trips("golden_cove", "f64[24,512,16]", "{2,0,1}"), 2) << "3 MiB";
}

TEST(GoldenCovePlans, narrow_vectors_are_used_where_their_two_ports_shuffle_faster) {
  EXPECT_EQ(vector_bytes("golden_cove", "f32[128,128]", "[1, 0]"), 32);
  EXPECT_EQ(vector_bytes("intel", "f32[128,128]", "[1, 0]"), 64);
  EXPECT_EQ(vector_bytes("golden_cove", "f32[128,123]", "[1, 0]"), 32) << "rows of 512 bytes to write";
  EXPECT_EQ(vector_bytes("golden_cove", "f32[123,128]", "[1, 0]"), 64) << "rows do not begin on lines";
  EXPECT_EQ(vector_bytes("golden_cove", "u8[256,256]", "[1, 0]"), 64) << "little is gained";
  EXPECT_EQ(vector_bytes("golden_cove", "u8[5,25833]{0,1}", "{1,0}"), 32) << "5 bytes are written at once";
  EXPECT_EQ(vector_bytes("golden_cove", "u8[30,1000,20]{0,1,2}", "{1,2,0}"), 64) << "30 and 20 bytes";
  EXPECT_EQ(vector_bytes("golden_cove", "u8[652,307]", "[1, 0]"), 64) << "half lines are moved in one pass";
  EXPECT_EQ(vector_bytes("golden_cove", "f32[1024,1008]", "[1, 0]"), 64) << "lines are what takes the time";
  EXPECT_EQ(vector_bytes("golden_cove", "f32[14,250]", "[1, 0]"), 32) << "a rounded tile, in the first cache";
  EXPECT_EQ(vector_bytes("golden_cove", "f32[14,3790]", "[1, 0]"), 32) << "in the second";
  EXPECT_EQ(vector_bytes("golden_cove", "f32[4096,9]", "[1, 0]"), 32) << "9 rows of 16";
  EXPECT_EQ(vector_bytes("golden_cove", "bf16[30,2000]", "[1, 0]"), 64) << "30 of 32, in no fewer shuffles";
  EXPECT_EQ(vector_bytes("golden_cove", "f32[131072,9]", "[1, 0]"), 64) << "in the last";
  EXPECT_EQ(vector_bytes("golden_cove", "bf16[19,5,4,14,32]{4,2,3,0,1:T(8,1)}", "[3, 1, 2, 0, 4]"), 32)
      << "8 bytes are read at once";
}

TEST(GoldenCovePlans, table_shuffles_of_many_masks_give_way_to_rounded_tiles) {
  const auto shuffles = [](const char* model) {
    const Nest nest = nest_for(model, "bf16[16,2,11,9,13]{4,0,2,3,1:T(16,1)}", "[1, 3, 2, 0, 4]");
    return std::holds_alternative<ShuffleKernel>(nest.kernel);
  };
  EXPECT_TRUE(shuffles("intel"));
  EXPECT_FALSE(shuffles("golden_cove"));
}

TEST(GoldenCovePlans,
     table_shuffles_of_whole_lines_are_preferred_past_the_last_cache_to_what_is_not_streamed) {
  const auto streamed = [](const char* model, const char* source) {
    const Nest nest = nest_for(model, source, "{0,1}");
    return std::holds_alternative<ShuffleKernel>(nest.kernel) && nest.store == StorePolicy::kStreaming &&
           !nest.staging;
  };
  EXPECT_TRUE(streamed("golden_cove", "f32[7,4662499]"));
  EXPECT_FALSE(streamed("intel", "f32[7,4662499]"));
  EXPECT_FALSE(streamed("golden_cove", "f32[7,4662]")) << "in a cache";
  EXPECT_FALSE(streamed("golden_cove", "u8[12,9085285]")) << "more than 0.35 cycles a byte";
  EXPECT_FALSE(streamed("golden_cove", "f64[8,4662499]")) << "a network's lines are streamed";
}

/// Bytes of a piece on both sides, and stages.
struct Shape {
  int read_bytes = 0;
  int written_bytes = 0;
  std::size_t stages = 0;
  friend bool operator==(const Shape&, const Shape&) = default;
};

/// On a first cache of 48 KiB.
Shape shape_for(const char* model, const char* source, const char* destination) {
  MachineInfo machine = plan_machine(model);
  machine.level1_data_bytes = 48 << 10;
  const Problem problem = problem_of(source, destination);
  const auto plan = make_plan(problem, *refine(problem), make_target(Isa::kAvx512Vbmi, machine), {});
  const auto& network = std::get<PermuteKernel>(plan->nests.at(0).kernel).network;
  return {network.source.piece_bytes(), network.destination.piece_bytes(), network.stages.size()};
}

TEST(GoldenCovePlans, vectors_are_stored_in_halves_where_four_fifths_of_the_first_cache_hold_both_buffers) {
  EXPECT_EQ(shape_for("golden_cove", "f32[64,64]", "[1, 0]"), (Shape{32, 32, 2})) << "32 KiB";
  EXPECT_EQ(shape_for("intel", "f32[64,64]", "[1, 0]"), (Shape{32, 64, 3}));
  EXPECT_EQ(shape_for("golden_cove", "f32[80,64]", "[1, 0]"), (Shape{16, 32, 2})) << "40 KiB";
}

TEST(GoldenCovePlans, vectors_are_stored_in_halves_in_the_first_cache_however_far_apart_their_rows_are) {
  EXPECT_EQ(shape_for("golden_cove", "f32[16,16,2,8]", "[3, 2, 1, 0]"), (Shape{32, 32, 2})) << "2 KiB";
}

}  // namespace
}  // namespace relayout::plan
