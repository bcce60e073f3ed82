#include <algorithm>
#include <initializer_list>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <variant>

#include <gtest/gtest.h>

#include "src/plan/cost_models/make_target.hpp"
#include "src/plan/model/kernel_access.hpp"
#include "src/plan/model/target.hpp"
#include "tests/plan/plans.hpp"

// What was measured on a Zen 3 (cost_models/zen3.cpp), and nothing else changes.

namespace relayout::plan {
namespace {

Nest nest_for(const char* model, const std::string& source, const std::string& destination) {
  return first_nest_for(model, source, destination, Isa::kAvx2);
}

bool is_staged(const std::string& source, const std::string& destination, const char* model = "zen3") {
  return nest_for(model, source, destination).staging.has_value();
}

/// Of the first nest; an empty one if it is not staged.
Staging staging_by(const Target& target, const std::string& source, const std::string& destination) {
  return first_nest_by(target, source, destination).staging.value_or(Staging());
}

TEST(Zen3Plans, a_few_places_of_one_memory_channel_are_not_streamed_a_line_at_a_time) {
  const auto store = [](const char* model, const std::string& source, const std::string& destination) {
    return nest_for(model, source, destination).store;
  };
  EXPECT_EQ(store("zen3", "f64[32,8,395,64][3, 2, 0, 1]", "[1, 3, 2, 0, 3 p(8)]"), StorePolicy::kTemporal)
      << "8 places";
  EXPECT_EQ(store("zen", "f64[32,8,395,64][3, 2, 0, 1]", "[1, 3, 2, 0, 3 p(8)]"), StorePolicy::kStreaming);
  EXPECT_EQ(store("zen3", "f64[33,8,395,64][3, 2, 0, 1]", "[1, 3, 2, 0, 3 p(8)]"), StorePolicy::kStreaming)
      << "the places are 6673920 bytes apart, not a multiple of 2 KiB";
  EXPECT_EQ(store("zen3", "f32[4096,4096][0, 1]", "[1, 0]"), StorePolicy::kStreaming) << "16 and more";
  EXPECT_EQ(store("zen3", "f32[121,64,1024]{2,1,0:T(8,128)}", "{2,1,0}"), StorePolicy::kStreaming)
      << "copies of 512 bytes";
}

TEST(Zen3Plans, few_places_of_one_memory_channel_are_streamed_where_the_last_cache_no_longer_helps) {
  const auto streams = [](const std::string& source, const std::string& destination) {
    return nest_for("zen3", source, destination).store == StorePolicy::kStreaming;
  };
  EXPECT_TRUE(streams("bf16[4096,4096]{1,0:T(4,128)(2,1)}", "{1,0}")) << "two places a call";
  EXPECT_TRUE(streams("u8[4096,4096]{1,0:T(4,128)(4,1)}", "{1,0}"))
      << "128 bytes to each of four, from one run";
  EXPECT_FALSE(streams("bf16[4096,4096]{1,0:T(8,128)(2,1)}", "{1,0}")) << "eight in turn, 64 MiB";
  EXPECT_FALSE(streams("u8[4096,4096]{1,0:T(8,128)(4,1)}", "{1,0}")) << "the same of bytes";
  EXPECT_TRUE(streams("u8[2880,4096]{1,0:T(4,128)(4,1)}", "{1,0}")) << "from one run, 22.5 MiB";
  EXPECT_FALSE(streams("u8[2880,4096]{1,0:T(8,128)(4,1)}", "{1,0}")) << "eight in turn, 22.5 MiB";
  EXPECT_TRUE(streams("bf16[4096,8192]{1,0:T(8,128)(2,1)}", "{1,0}")) << "of 128 MiB";
  EXPECT_TRUE(streams("f32[2048,4096]{1,0:T(8,128)(4,1)}", "{1,0}")) << "512 bytes to each";
  EXPECT_FALSE(streams("bf16[2200,7168]{1,0:T(8,32)(4,1)}", "{1,0}")) << "64 bytes to each";
  EXPECT_FALSE(streams("f64[8,148,84,16][3, 2, 0, 1, 2 p(4)]", "[2, 3, 1, 0]")) << "from several, of 24 MiB";
  EXPECT_TRUE(streams("f64[8,148,336,16][3, 2, 0, 1, 2 p(4)]", "[2, 3, 1, 0]")) << "of 97 MiB";
  EXPECT_FALSE(streams("f64[10,128,8,64,16]{3,2,0,4,1:T(16,1)}", "[0, 1, 2, 3, 4]")) << "eight";
  EXPECT_TRUE(streams("f64[16384,512]{1,0:T(8,8)(4,1)}", "{1,0}")) << "lines of one run";
  EXPECT_FALSE(streams("f64[43,236,256,4]{3,2,0,1}", "[3, 0, 1, 2, 1 p(4)]")) << "of several";
  EXPECT_TRUE(streams("c128[174,8,64,32][0, 2, 3, 1]", "{3,2,1,0}")) << "but for 16-byte elements";
  EXPECT_FALSE(streams("bf16[3,924,6,6144]{2,3,1,0}", "{3,2,1,0}")) << "table shuffles";
}

TEST(Zen3Plans, interleaved_rows_of_one_memory_channel_are_written_512_bytes_at_a_time) {
  const auto run_bytes = [](const char* model, const std::string& source,
                            StreamingStores streaming = StreamingStores::kAuto) {
    const Nest nest = first_nest_for(model, source, "{1,0}", Isa::kAvx2, {.streaming = streaming});
    const std::int64_t bytes = kernel_runs(nest).destination.front().bytes;
    EXPECT_TRUE(bytes < 512 || nest.store == StorePolicy::kStreaming) << source;
    return bytes;
  };
  EXPECT_EQ(run_bytes("zen3", "u8[4096,4096]{1,0:T(4,1)}"), 512);
  EXPECT_EQ(run_bytes("zen", "u8[4096,4096]{1,0:T(4,1)}"), 64);
  EXPECT_EQ(run_bytes("zen3", "f32[1024,4096]{1,0:T(16,1)}"), 512);
  EXPECT_EQ(run_bytes("zen3", "f64[5760,256]{1,0:T(7,1)}"), 512) << "one of eight is written twice";
  EXPECT_EQ(run_bytes("zen3", "u8[2820,4096]{1,0:T(4,1)}"), 512) << "just above 22 MiB";
  EXPECT_LT(run_bytes("zen3", "u8[2812,4096]{1,0:T(4,1)}"), 512) << "just below";
  EXPECT_LT(run_bytes("zen3", "u8[2880,4096]{1,0:T(4,1)}", StreamingStores::kNever), 512);
  EXPECT_LT(run_bytes("zen3", "f32[1029,4096]{1,0:T(7,1)}"), 512) << "four rows of seven are short to read";
  EXPECT_LT(run_bytes("zen3", "u8[4096,3072]{1,0:T(4,1)}"), 512) << "3 KiB apart";
  EXPECT_LT(run_bytes("zen3", "u8[4096,4096]{1,0:T(16,1)}"), 512) << "16 rows of bytes";
  EXPECT_LT(run_bytes("zen3", "u8[4096,4096]{1,0:T(2,1)}"), 512) << "two rows";
  EXPECT_LT(run_bytes("zen3", "f64[5760,256]{1,0:T(5,1)}"), 512) << "three of eight would be written twice";
  EXPECT_LT(run_bytes("zen3", "u8[4096,4096]{1,0:T(8,128)(4,1)}"), 512) << "rows of 128 bytes follow";
}

TEST(Zen3Plans, pieces_of_interleaved_rows_are_written_together_where_they_lie_far_from_one_another) {
  const auto run_bytes = [](const std::string& source, const char* destination = "{1,0}",
                            const char* model = "zen3") {
    const Nest nest = first_nest_for(model, source, destination);
    const std::int64_t bytes = kernel_runs(nest).destination.front().bytes;
    EXPECT_TRUE(bytes < 512 || nest.store == StorePolicy::kStreaming) << source;
    return bytes;
  };
  EXPECT_EQ(run_bytes("u8[4096,4096]{1,0:T(32,128)(4,1)}"), 512) << "4 KiB";
  EXPECT_LT(run_bytes("u8[4096,4096]{1,0:T(16,128)(4,1)}"), 512) << "2 KiB";
  EXPECT_EQ(run_bytes("bf16[4096,4096]{1,0:T(16,128)(4,1)}"), 512);
  EXPECT_LT(run_bytes("u8[4096,4096]{1,0:T(64,64)(4,1)}"), 512) << "pieces of 64 bytes of four rows";
  EXPECT_EQ(run_bytes("u8[4096,4096]{1,0:T(64,64)(2,1)}"), 512) << "of two rows";
  EXPECT_LT(run_bytes("u8[4096,4096]{1,0:T(32,256)(2,1)}"), 512) << "two rows, 256 bytes of each";
  EXPECT_EQ(run_bytes("u8[4096,4096]{1,0:T(32,128)(8,1)}"), 512) << "eight rows";
  EXPECT_EQ(run_bytes("bf16[4096,4096]{1,0:T(64,64)(8,1)}"), 512);
  EXPECT_EQ(run_bytes("u8[4096,4096]{1,0:T(32,256)(8,1)}"), 512) << "256 bytes of each";
  EXPECT_LT(run_bytes("bf16[4096,4096]{1,0:T(64,128)(8,1)}"), 512) << "256 bytes of each, 2-byte elements";
  EXPECT_EQ(run_bytes("u8[256,8,16,4,128][0, 3, 2, 4, 1]", "[0, 1, 2, 3, 4]"), 512) << "eight in turn";
  EXPECT_LT(run_bytes("u8[4096,4096]{1,0:T(16,128)(8,1)}"), 512) << "eight, 2 KiB";
  EXPECT_EQ(run_bytes("c128[1024,1024]{1,0:T(64,8)(2,1)}"), 512) << "elements of 16 bytes";
  EXPECT_LT(run_bytes("u8[4096,4096]{1,0:T(32,128)(4,1)}", "{1,0}", "zen"), 512);
  EXPECT_LT(run_bytes("u8[4096,4352]{1,0:T(32,128)(4,1)}"), 512) << "on several channels";
}

TEST(Zen3Plans, past_its_share_of_the_last_cache_what_is_written_is_fetched_as_well) {
  const Nest shared = nest_for("zen3", "f32[1000,1800][0, 1]", "[1, 0]");
  EXPECT_NE(shared.prefetch_source_bytes, 0);
  EXPECT_NE(shared.prefetch_destination_bytes, 0);
  const Nest own = nest_for("zen3", "f32[1000,1008][0, 1]", "[1, 0]");
  EXPECT_EQ(own.prefetch_source_bytes, 0) << "16 rows are followed";
  EXPECT_EQ(own.prefetch_destination_bytes, 0);
  const Nest many_rows = nest_for("zen3", "f32[512,2112][0, 1]", "[1, 0]");
  EXPECT_NE(many_rows.prefetch_source_bytes, 0) << "more are not";
  EXPECT_EQ(many_rows.prefetch_destination_bytes, 0);
}

TEST(Zen3Plans, nothing_is_fetched_into_sets_of_which_a_call_needs_half) {
  const auto ahead = [](std::int64_t Nest::*bytes, const std::string& source, bool keeps_out) {
    Target target = make_target(Isa::kAvx2, plan_machine("zen3"));
    if (!keeps_out) target.keeps_fetches_out_of_full_sets = false;
    return first_nest_by(target, source, "[0, 1]").*bytes;
  };
  EXPECT_EQ(ahead(&Nest::prefetch_source_bytes, "f64[16384,61][1, 0]", true), 0) << "eight rows, 4 MiB on";
  EXPECT_EQ(ahead(&Nest::prefetch_source_bytes, "f64[16384,61][1, 0]", false), 4 << 20);
  EXPECT_NE(ahead(&Nest::prefetch_source_bytes, "f64[16392,61][1, 0]", true), 0) << "spread rows";
  EXPECT_EQ(ahead(&Nest::prefetch_destination_bytes, "f32[1500,1024][1, 0]", true), 0) << "32 KiB on";
  EXPECT_EQ(ahead(&Nest::prefetch_destination_bytes, "f32[1500,1024][1, 0]", false), 32 << 10);
  const Nest far = nest_for("zen3", "f32[418,64,256]{2,0,1}", "[2, 1, 0]");
  EXPECT_EQ(far.prefetch_source_bytes, 128 << 10) << "52 MiB, past the last cache";
}

TEST(Zen3Plans, the_next_block_is_fetched_though_calls_read_or_write_one_run) {
  const auto fetched_ahead = [](const char* model, const char* source, const char* destination) {
    return nest_for(model, source, destination).prefetch_source_bytes;
  };
  EXPECT_EQ(fetched_ahead("zen3", "u8[355,32,100,16]{3,2,1,0}", "[0, 2, 3, 1]"), 51200) << "one written";
  EXPECT_EQ(fetched_ahead("zen", "u8[355,32,100,16]{3,2,1,0}", "[0, 2, 3, 1]"), 0);
  EXPECT_EQ(fetched_ahead("zen3", "f32[100000,16]{1,0}", "[1, 0]"), 1024) << "one read";
  EXPECT_EQ(fetched_ahead("zen", "f32[100000,16]{1,0}", "[1, 0]"), 0);
  EXPECT_NE(fetched_ahead("zen3", "u8[190000,64]{1,0}", "[0, 1, 0 p(4)]"), 0) << "both, 23 MiB";
  EXPECT_EQ(fetched_ahead("zen3", "u8[90000,64]{1,0}", "[0, 1, 0 p(4)]"), 0) << "both, 11 MiB";
  EXPECT_EQ(fetched_ahead("zen", "u8[190000,64]{1,0}", "[0, 1, 0 p(4)]"), 0);
}

TEST(Zen3Plans, table_shuffles_fetch_the_next_rows_past_its_share_of_the_last_cache) {
  const auto fetched_ahead = [](const char* model, const char* source) {
    const Nest nest = nest_for(model, source, "[0, 1, 2]");
    EXPECT_TRUE(std::holds_alternative<ShuffleKernel>(nest.kernel)) << model;
    return nest.prefetch_source_bytes;
  };
  EXPECT_EQ(fetched_ahead("zen3", "c128[8754,44,3][0, 2, 1]"), 3 * 44 * 16);
  EXPECT_EQ(fetched_ahead("zen3", "c128[1754,44,3][0, 2, 1]"), 0) << "7 MiB";
  EXPECT_EQ(fetched_ahead("zen", "c128[8754,44,3][0, 2, 1]"), 0);
}

TEST(Zen3Plans, short_sweeps_in_the_second_cache_walk_in_the_order_of_the_destination) {
  const auto inner_trips = [](const char* model) {
    return nest_for(model, "f32[80,160][1, 0]", "[0, 1]").loops.back().trips;
  };
  EXPECT_EQ(inner_trips("zen3"), 10) << "whole rows";
  EXPECT_LT(inner_trips("zen"), 10);
}

TEST(Zen3Plans, loops_of_few_unequal_blocks_are_one) {
  const auto loops = [](const char* model) {
    return nest_for(model, "f32[1024,8,213]{1,0,2}", "{2,1,0}").loops.size();
  };
  EXPECT_GT(loops("zen"), loops("zen3")) << "14 tiles in blocks of 4";
}

TEST(Zen3Plans, far_blocks_grow_longer_where_calls_read_many_runs) {
  const auto calls_in_block = [](const char* model, const std::string& shape) {
    const Nest nest = nest_for(model, shape + "[0, 1]", "[1, 0]");
    return nest.loops.back().trips * nest.loops[nest.loops.size() - 2].trips;
  };
  EXPECT_GT(calls_in_block("zen3", "f64[3432,1000]"), calls_in_block("zen", "f64[3432,1000]"));
  EXPECT_EQ(calls_in_block("zen3", "c128[3432,1000]"), calls_in_block("zen", "c128[3432,1000]"))
      << "4 runs a call";
}

TEST(Zen3Plans, many_rows_that_a_last_cache_just_holds_are_streamed) {
  const auto store = [](const std::string& source, const std::string& destination) {
    return nest_for("zen3", source, destination).store;
  };
  EXPECT_EQ(store("f32[512,5680][0, 1]", "[1, 0]"), StorePolicy::kStreaming) << "22.2 MiB";
  EXPECT_EQ(store("f32[512,5600][0, 1]", "[1, 0]"), StorePolicy::kTemporal) << "21.9 MiB";
  EXPECT_EQ(nest_for("zen", "f32[512,5680][0, 1]", "[1, 0]").store, StorePolicy::kTemporal);
  EXPECT_EQ(store("f64[8,24,63,128][0, 2, 3, 1]", "[1, 0, 2, 3]"), StorePolicy::kStreaming)
      << "24 places at a time";
  EXPECT_EQ(store("c128[99,5,24,4,16][2, 3, 4, 0, 1]", "[0, 2, 1, 3, 4, 2 p(4)]"),
            StorePolicy::kStreamingRuns)
      << "99 places on one channel, staged";
}

TEST(Zen3Plans, copies_that_a_last_cache_just_holds_are_streamed) {
  const auto store = [](const char* model, const std::string& source, const std::string& destination) {
    const Nest nest = nest_for(model, source, destination);
    EXPECT_TRUE(std::holds_alternative<CopyKernel>(nest.kernel)) << source;
    EXPECT_FALSE(nest.staging) << source;
    return nest.store;
  };
  EXPECT_EQ(store("zen3", "c128[128,5664][0, 1]", "[1, 0, 1 p(4)]"), StorePolicy::kStreaming) << "22.1 MiB";
  EXPECT_EQ(store("zen", "c128[128,5664][0, 1]", "[1, 0, 1 p(4)]"), StorePolicy::kTemporal);
  EXPECT_EQ(store("zen3", "c128[128,5600][0, 1]", "[1, 0, 1 p(4)]"), StorePolicy::kTemporal) << "21.9 MiB";
  EXPECT_EQ(store("zen3", "f32[4,87,64,128][0, 1, 2, 3]", "[1, 0, 2, 3]"), StorePolicy::kTemporal)
      << "21.75 MiB in runs of 32 KiB";
  EXPECT_EQ(store("zen3", "f32[4,89,64,128][0, 1, 2, 3]", "[1, 0, 2, 3]"), StorePolicy::kStreaming)
      << "22.25 MiB";
  EXPECT_EQ(store("zen3", "f32[8,1400,249][0, 1, 2]", "[1, 0, 2]"), StorePolicy::kTemporal)
      << "21.3 MiB in runs of 996 bytes, which begin anywhere";
  EXPECT_EQ(store("zen3", "f32[8,1500,249][0, 1, 2]", "[1, 0, 2]"), StorePolicy::kStreamingRuns)
      << "22.8 MiB";
}

TEST(Zen3Plans, rows_that_a_last_cache_just_holds_are_staged_as_past_it) {
  EXPECT_TRUE(is_staged("c128[145,12,438][0, 1, 2]", "[2, 1, 0]")) << "5280 places in turn";
  EXPECT_TRUE(is_staged("f32[248148,12][1, 0]", "[0, 1]")) << "one stretch";
  EXPECT_FALSE(is_staged("f32[40,1101,12]{2,1,0:T(8,128)}", "{1,2,0}")) << "21.5 MiB to 2, that stay";
}

TEST(Zen3Plans, lines_streamed_to_places_of_one_channel_out_of_parts_of_rows_are_staged_instead) {
  EXPECT_TRUE(is_staged("u8[7,8,908,512][2, 3, 1, 0]", "{3,2,1,0}"));
  EXPECT_FALSE(is_staged("u8[7,8,908,512][2, 3, 1, 0]", "{3,2,1,0}", "zen"));
  EXPECT_TRUE(is_staged("f32[17,1024,442][1, 2, 0]", "{2,1,0}"));
  EXPECT_FALSE(is_staged("f32[17,1040,442][1, 2, 0]", "{2,1,0}")) << "on several channels";
  EXPECT_FALSE(is_staged("f32[4096,4096]", "[1, 0]")) << "whole lines are read";
  const PlanOptions always{KernelFamily::kAutomatic, StreamingStores::kAlways};
  const Nest streamed = first_nest_for("zen3", "f32[17,1024,442][1, 2, 0]", "{2,1,0}", Isa::kAvx2, always);
  EXPECT_FALSE(streamed.staging) << "stores that are asked for";
}

TEST(Zen3Plans, all_lines_of_one_channel_at_a_time_are_streamed_where_the_last_cache_just_holds_them) {
  const Nest streamed = nest_for("zen3", "f32[3,32,191,160][0, 3, 1, 2]", "[2, 0, 3, 1, 3 p(32)]");
  EXPECT_EQ(streamed.store, StorePolicy::kStreaming) << "191 places 60 KiB apart, 22.4 MiB";
  EXPECT_FALSE(streamed.staging);
  EXPECT_EQ(kernel_runs(streamed).destination.front().bytes, 256);
}

TEST(Zen3Plans, rows_nearly_a_page_apart_are_written_in_long_runs) {
  const auto nest = [](bool counts_nearly_full_sets, const std::string& source) {
    Target target = make_target(Isa::kAvx2, plan_machine("zen3"));
    target.counts_nearly_full_sets = counts_nearly_full_sets;
    return first_nest_by(target, source, "[1, 0]");
  };
  const auto written = [&](bool counts_nearly_full_sets, const std::string& source) {
    return kernel_runs(nest(counts_nearly_full_sets, source)).destination.front().bytes;
  };
  for (const char* source : {"u8[4095,112]", "u8[6145,134]", "bf16[2051,43]", "bf16[6145,257]"}) {
    EXPECT_EQ(written(true, source), 256) << source;
    EXPECT_LT(written(false, source), 256) << source;
  }
  EXPECT_LT(written(true, "u8[4140,112]"), 256) << "rows that go on in other sets";
  EXPECT_EQ(nest(true, "bf16[16384,34]").loops, nest(false, "bf16[16384,34]").loops)
      << "longer runs that overlap less than whole lines do";
}

TEST(Zen3Plans, loops_in_the_second_cache_walk_as_fetches_the_fewest_lines_into_the_first) {
  const auto inner = [](bool counts_lines, const std::string& source, const std::string& destination) {
    Target target = make_target(Isa::kAvx2, plan_machine("zen3"));
    if (!counts_lines) target.first_cache_destination_line = 0;
    return first_nest_by(target, source, destination).loops.back();
  };
  const Loop swept = inner(false, "c128[37,256]{1,0:T(8)}", "[1, 0]");
  const Loop counted = inner(true, "c128[37,256]{1,0:T(8)}", "[1, 0]");
  EXPECT_EQ(swept.destination_step_bytes, 64) << "along rows to write, from rows 4 KiB apart";
  EXPECT_EQ(counted.source_step_bytes, 32) << "along those to read";
}

TEST(Zen3Plans, of_the_orders_in_the_second_cache_one_is_the_source_s) {
  const auto loops = [](bool in_source_order) {
    Target target = make_target(Isa::kAvx2, plan_machine("zen3"));
    target.counts_lines_in_source_order = in_source_order;
    return first_nest_by(target, "f64[48,307]", "[1, 0]").loops;
  };
  EXPECT_EQ(loops(true).back().source_step_bytes, 64) << "along rows to read";
  EXPECT_NE(loops(true), loops(false));
}

TEST(Zen3Plans, networks_store_neighbours_one_after_the_other) {
  const auto network = [](const char* model, const char* source) {
    return std::get<PermuteKernel>(nest_for(model, source, "[1, 0]").kernel).network;
  };
  EXPECT_TRUE(network("zen3", "u8[11,9056]").stores_by_address);
  EXPECT_FALSE(network("zen", "u8[11,9056]").stores_by_address);
  const auto says_so = [&](const char* source) {
    return to_string(network("zen3", source)).find("stored one after the other") != std::string::npos;
  };
  EXPECT_TRUE(says_so("u8[11,9056]"));
  EXPECT_FALSE(says_so("u8[300,1536]")) << "whole vectors";
}

TEST(Zen3Plans, rows_that_are_staged_whole_leave_no_notes_of_other_boxes) {
  PlanOptions options;
  options.reasons = true;
  const Problem problem = problem_of("f32[162,154087]{1,0:T(16,1)}", "{0,1}");
  const Plan plan = plan_for("zen3", problem, Isa::kAvx2, options);
  ASSERT_EQ(plan.nests.size(), 1U);
  EXPECT_NE(notes_of(plan).find("box 0: rows whose end does not exist"), std::string::npos);
  EXPECT_EQ(notes_of(plan).find("box 1"), std::string::npos) << notes_of(plan);
  EXPECT_EQ(notes_of(plan).find("chosen:"), std::string::npos) << notes_of(plan);
}

TEST(Zen3Plans, large_blocks_replace_usual_ones_of_short_runs) {
  const auto run_bytes = [](std::int64_t shortest_usual_bytes, const std::string& source,
                            const std::string& destination) {
    Target target = make_target(Isa::kAvx2, plan_machine("zen3"));
    target.shortest_usual_staged_run_bytes = shortest_usual_bytes;
    return staging_by(target, source, destination).run_bytes;
  };
  const std::int64_t shortest = make_target(Isa::kAvx2, plan_machine("zen3")).shortest_usual_staged_run_bytes;
  const std::string source = "f64[32,93,4,8,31][1, 2, 0, 4, 3]";
  EXPECT_EQ(run_bytes(0, source, "[4, 3, 0, 2, 1]"), 93 * 8);
  EXPECT_EQ(run_bytes(shortest, source, "[4, 3, 0, 2, 1]"), 4 * 93 * 8);
  EXPECT_EQ(run_bytes(0, "f32[253148,12][1, 0]", "[0, 1]"), 208 * 12 * 4);
  EXPECT_EQ(run_bytes(shortest, "f32[253148,12][1, 0]", "[0, 1]"), 208 * 12 * 4) << "long as it is";
}

TEST(Zen3Plans, rows_that_lines_would_overlap_are_read_in_equal_parts) {
  const auto run_bytes = [](std::optional<double> least_overlap, const std::string& source,
                            const std::string& destination) {
    Target target = make_target(Isa::kAvx2, plan_machine("zen3"));
    if (least_overlap) target.least_overlap_for_equal_parts = *least_overlap;
    return staging_by(target, source, destination).run_bytes;
  };
  const std::string by_75 = "bf16[200001,75]";
  EXPECT_EQ(run_bytes({}, by_75, "[1, 0]"), 273 * 2) << "of 75 rows, read whole";
  EXPECT_EQ(run_bytes(0, by_75, "[1, 0]"), 639 * 2) << "of 32, in three blocks that overlap";
  const std::string by_100 = "f64[4,15,100,8,32][0, 4, 1, 3, 2]";
  EXPECT_EQ(run_bytes({}, by_100, "[0, 2, 1, 3, 4]"), 640 * 8)
      << "800 bytes, of which 13 lines overlap by 4%";
  EXPECT_EQ(run_bytes(0.03, by_100, "[0, 2, 1, 3, 4]"), 192 * 8) << "quarters of such rows";
}

TEST(Zen3Plans, from_the_middle_of_the_next_block_on_is_fetched_as_the_runs_of_one_stretch_leave) {
  const Nest nest = nest_for("zen3", "f64[39,8192,47][2, 1, 0]", "[2, 1, 0, 1 p(4)]");
  ASSERT_TRUE(nest.staging);
  const std::int64_t block_bytes = nest.loops[0].source_step_bytes;
  EXPECT_EQ(nest.staging->all_runs() * nest.staging->run_bytes, block_bytes);
  EXPECT_EQ(nest.staging->fetch_bytes, block_bytes + block_bytes / 2);
  EXPECT_EQ(nest.prefetch_source_bytes, block_bytes) << "the kernel asks for all of the next block";

  const auto fetches = [](const char* model, const std::string& source, const std::string& destination) {
    const auto staging = nest_for(model, source, destination).staging;
    EXPECT_TRUE(staging) << source;
    return staging.value_or(Staging()).fetch_bytes != 0;
  };
  EXPECT_TRUE(fetches("zen3", "bf16[200001,75]", "[1, 0]")) << "75 runs";
  EXPECT_FALSE(fetches("zen3", "f32[300,2000,125]{2,1,0:T(8,128)}", "{0,1,2}")) << "rows far apart";
  EXPECT_FALSE(fetches("zen3", "f32[4096,103,52]{1,2,0:T(8,128)}", "[0, 1, 2]")) << "a fifth is padding";
  EXPECT_FALSE(fetches("zen", "bf16[200001,75]", "[1, 0]"));
}

TEST(Zen3Plans, blocks_that_do_not_go_on_along_the_source_fetch_nothing_as_runs_leave) {
  PlanChoice choice;
  choice.loops = LoopWalk::kDestination;
  PlanOptions options;
  options.choice = &choice;
  options.streaming = StreamingStores::kAlways;
  const Problem problem = problem_of("f32[16,64,301,17]", "[3, 1, 0, 2]");
  const Nest nest = plan_for("zen3", problem, Isa::kAvx2, options).nests.front();
  ASSERT_TRUE(nest.staging);
  const std::int64_t block_bytes = nest.staging->all_runs() * nest.staging->run_bytes;
  EXPECT_GT(nest.loops[nest.staging->first_loop - 1].source_step_bytes, 2 * block_bytes);
  EXPECT_EQ(nest.staging->fetch_bytes, 0);
}

TEST(Zen3Plans, nothing_is_fetched_as_runs_leave_where_prefetches_are_off) {
  const auto staging = [](const std::string& source, bool prefetch) {
    PlanChoice choice;
    choice.prefetch = prefetch;
    PlanOptions options;
    options.choice = &choice;
    const Problem problem = problem_of(source, "[1, 0]");
    return plan_for("zen3", problem, Isa::kAvx2, options).nests.front().staging.value_or(Staging());
  };
  EXPECT_NE(staging("bf16[200001,75]", true).fetch_bytes, 0);
  EXPECT_GT(staging("bf16[200001,75]", false).run_bytes, 0);
  EXPECT_EQ(staging("bf16[200001,75]", false).fetch_bytes, 0);
}

TEST(Zen3Plans, boxes_are_staged_in_large_blocks_however_few_lines_are_fetched_again) {
  const auto is_staged_from = [](double least_fetched) {
    Target target = make_target(Isa::kAvx2, plan_machine("zen3"));
    target.least_fetched_for_large_staging = least_fetched;
    return first_nest_by(target, "u8[16,61,45,128,12]{4,3,2,1,0}", "{1,2,0,4,3}").staging.has_value();
  };
  EXPECT_TRUE(is_staged_from(make_target(Isa::kAvx2, plan_machine("zen3")).least_fetched_for_large_staging));
  EXPECT_FALSE(is_staged_from(1.2));
}

TEST(Zen3Plans, a_scratch_keeps_clear_of_the_sets_of_streamed_lines) {
  const auto stripe_bytes = [](const char* model, const std::string& shape) {
    const Nest nest = nest_for(model, shape, "[1, 0]");
    EXPECT_EQ(nest.store, StorePolicy::kStreaming);
    return std::get<PermuteKernel>(nest.kernel).network.scratch_stripes.bytes;
  };
  EXPECT_EQ(stripe_bytes("zen3", "u8[4096,4096]"), 2048);
  EXPECT_EQ(stripe_bytes("zen3", "f32[4096,4096]"), 2048);
  EXPECT_EQ(stripe_bytes("zen3", "u8[4160,4160]"), 0) << "rows that spread over the sets";
  EXPECT_EQ(stripe_bytes("zen", "u8[4096,4096]"), 0);
}

TEST(Zen3Plans, streamed_bytes_are_written_two_lines_at_a_time_where_a_scratch_keeps_clear) {
  const auto written_bytes = [](const char* model, const std::string& shape) {
    return kernel_runs(nest_for(model, shape, "[1, 0]")).destination.front().bytes;
  };
  EXPECT_EQ(written_bytes("zen3", "u8[8192,3072]"), 128);
  EXPECT_EQ(written_bytes("zen3", "u8[4608,5632]"), 128) << "rows to write that spread over eight sets";
  EXPECT_EQ(written_bytes("zen", "u8[8192,3072]"), 64);
  EXPECT_EQ(written_bytes("zen3", "u8[1024,26112]"), 64) << "rows to write 1 KiB apart";
  EXPECT_EQ(written_bytes("zen3", "u8[4096,4096]"), 64) << "rows to read that share sets";
  EXPECT_EQ(written_bytes("zen3", "u8[4160,4160]"), 64) << "rows to write anywhere in the sets";
}

TEST(Zen3Plans, streamed_tiles_fetch_the_source_between_stores) {
  const auto fetches = [](const char* model, const std::string& source, const std::string& destination) {
    const Nest nest = nest_for(model, source, destination);
    EXPECT_NE(nest.prefetch_source_bytes, 0);
    return nest.source_fetches;
  };
  EXPECT_EQ(fetches("zen3", "f32[4096,4096]", "[1, 0]"), SourceFetches::kBetweenStores);
  EXPECT_EQ(fetches("zen3", "u8[4096,4096]", "[1, 0]"), SourceFetches::kBetweenStoresInOrder);
  EXPECT_EQ(fetches("zen3", "bf16[4128,4160]", "[1, 0]"), SourceFetches::kBetweenStores);
  EXPECT_EQ(fetches("zen3", "bf16[4096,4096]", "[1, 0]"), SourceFetches::kAfterLoads) << "with stripes";
  EXPECT_EQ(fetches("zen3", "u8[256,2048,64]", "[2, 1, 0]"), SourceFetches::kAfterLoads)
      << "64 rows to read in one set of the second cache";
  EXPECT_EQ(fetches("zen", "f32[4096,4096]", "[1, 0]"), SourceFetches::kAfterLoads);
}

TEST(Zen3Plans, rows_that_share_sets_are_written_by_rounded_tiles) {
  const auto is_rounded = [](const char* model, const std::string& source, const std::string& destination) {
    const Nest nest = nest_for(model, source, destination);
    const auto* const permute = std::get_if<PermuteKernel>(&nest.kernel);
    return permute != nullptr && !permute->network.destination.pieces.empty();
  };
  EXPECT_TRUE(is_rounded("zen3", "f32[5,35,8,1024]{1,2,3,0}", "[2, 1, 3, 0]"));
  EXPECT_FALSE(is_rounded("zen", "f32[5,35,8,1024]{1,2,3,0}", "[2, 1, 3, 0]")) << "rows 20 KiB apart";
}

TEST(Zen3Plans, short_rows_are_read_16_bytes_at_a_time) {
  const auto read_bytes = [](const char* model, const std::string& shape, const std::string& order) {
    return kernel_runs(nest_for(model, shape, order)).source.front().bytes;
  };
  EXPECT_EQ(read_bytes("zen3", "bf16[1059,52]", "[1, 0]"), 16);
  EXPECT_EQ(read_bytes("zen", "bf16[1059,52]", "[1, 0]"), 64);
  EXPECT_EQ(read_bytes("zen3", "bf16[1056,64]", "[1, 0]"), 64) << "nothing overlaps";
  EXPECT_EQ(read_bytes("zen3", "f64[1059,33]", "[1, 0]"), read_bytes("zen", "f64[1059,33]", "[1, 0]"));
  EXPECT_EQ(read_bytes("zen3", "bf16[3059,100]", "[1, 0]"), 16);
  EXPECT_EQ(read_bytes("zen3", "bf16[300059,100]", "[1, 0]"), 16) << "of blocks of whole rows";
  EXPECT_EQ(read_bytes("zen3", "u8[2,3227,41]", "{1,2,0}"), 16);
  EXPECT_EQ(read_bytes("zen3", "u8[76,256,8]{2,1,0:T(4,1)}", "[1, 2, 0]"), 64) << "32 rows 2 KiB apart";
  EXPECT_EQ(read_bytes("zen3", "bf16[168,512]", "[1, 0]"), 64) << "168 rows 1 KiB apart to read";
  EXPECT_EQ(read_bytes("zen3", "bf16[168,520]", "[1, 0]"), 16);
  EXPECT_EQ(read_bytes("zen3", "bf16[512,168]", "[1, 0]"), 64) << "168 rows 1 KiB apart to write";
  EXPECT_EQ(read_bytes("zen3", "bf16[256,200]", "[1, 0]"), 16) << "rows to write 512 bytes apart";
}

TEST(Zen3Plans, narrow_rows_that_share_sets_keep_long_runs_though_tiles_overlap) {
  const auto written_bytes = [](const char* model, const std::string& source) {
    return kernel_runs(nest_for(model, source, "[1, 0]")).destination.front().bytes;
  };
  EXPECT_EQ(written_bytes("zen3", "u8[4096,134][0, 1]"), 256) << "rows to write 4 KiB apart";
  EXPECT_EQ(written_bytes("zen", "u8[4096,134][0, 1]"), 32) << "32 rows";
  EXPECT_EQ(written_bytes("zen3", "u8[4192,134][0, 1]"), 32) << "rows to write anywhere in the sets";
  EXPECT_EQ(written_bytes("zen3", "bf16[4096,73][0, 1]"), 256);
  EXPECT_EQ(written_bytes("zen", "bf16[4096,73][0, 1]"), 32);
  EXPECT_EQ(written_bytes("zen3", "bf16[1024,105][0, 1]"), 256) << "16 rows 2 KiB apart fill two sets";
  EXPECT_EQ(written_bytes("zen", "bf16[1024,105][0, 1]"), 32);
  EXPECT_EQ(written_bytes("zen3", "f64[512,19][0, 1]"), written_bytes("zen", "f64[512,19][0, 1]"));
  PlanOptions options;
  options.streaming = StreamingStores::kAlways;
  EXPECT_EQ(kernel_runs(first_nest_for("zen3", "u8[4096,134][0, 1]", "[1, 0]", Isa::kAvx2, options))
                .destination.front()
                .bytes,
            64)
      << "whole lines are wanted";
}

TEST(Zen3Plans, tiles_of_2_byte_elements_read_halves_of_vectors_in_the_last_cache) {
  const auto read_bytes = [](const char* model, const std::string& source) {
    return kernel_runs(nest_for(model, source, "[1, 0]")).source.front().bytes;
  };
  EXPECT_EQ(read_bytes("zen3", "bf16[1100,1540][0, 1]"), 16);
  EXPECT_EQ(read_bytes("zen", "bf16[1100,1540][0, 1]"), 64);
  EXPECT_EQ(read_bytes("zen3", "bf16[1280,1540][0, 1]"), 64) << "rows to write a multiple of 512 bytes apart";
  EXPECT_EQ(read_bytes("zen3", "bf16[480,480][0, 1]"), 64) << "in the second cache";
  EXPECT_EQ(read_bytes("zen3", "f32[1100,1540][0, 1]"), 64);
  EXPECT_EQ(kernel_runs(nest_for("zen3", "bf16[1060,1540][0, 1]", "[1, 0, 1 p(4)]")).source.front().bytes,
            kernel_runs(nest_for("zen", "bf16[1060,1540][0, 1]", "[1, 0, 1 p(4)]")).source.front().bytes)
      << "runs of 8 bytes are written";
}

TEST(Zen3Plans, vectors_are_loaded_in_halves_where_that_saves_a_pass_through_the_scratch) {
  const auto network = [](const char* model, const std::string& source, const std::string& destination) {
    return std::get<PermuteKernel>(nest_for(model, source, destination).kernel).network;
  };
  const auto halves = [&](const char* model, const std::string& source, const std::string& destination) {
    const Network found = network(model, source, destination);
    return found.source.piece_bytes() == 16 && found.scratch_bytes == 0;
  };
  EXPECT_TRUE(halves("zen3", "bf16[160,160]", "[1, 0]")) << "in the second cache";
  EXPECT_EQ(network("zen", "bf16[160,160]", "[1, 0]").source.piece_bytes(), 32);
  EXPECT_TRUE(halves("zen3", "bf16[512,1632][0, 1]", "[1, 0]")) << "in the last cache";
  EXPECT_TRUE(halves("zen3", "f32[4352,4160]", "[1, 0]")) << "in memory";
  const auto takes_scratch = [&](const char* model, const char* source, const char* destination) {
    return network(model, source, destination).scratch_bytes > 0;
  };
  EXPECT_TRUE(takes_scratch("zen", "bf16[4,11,10]", "[2, 0, 1]")) << "a rounded tile";
  EXPECT_FALSE(takes_scratch("zen3", "bf16[4,11,10]", "[2, 0, 1]"));
  EXPECT_FALSE(network("zen3", "bf16[4,11,10]", "[2, 0, 1]").source.pieces.empty());
  EXPECT_EQ(network("zen3", "bf16[4,11,10]", "[2, 0, 1]").source.piece_bytes(), 16);
  EXPECT_TRUE(halves("zen3", "u8[32,32]", "[1, 0]")) << "half of the vectors after the other";
  EXPECT_TRUE(halves("zen3", "u8[300,1536]", "[1, 0]"));
  EXPECT_FALSE(halves("zen3", "u8[300,1024]", "[1, 0]")) << "32 rows of them fill few sets";
  EXPECT_TRUE(halves("zen3", "bf16[300,512]", "[1, 0]")) << "rows 1 KiB apart as well, but 16";
  EXPECT_FALSE(halves("zen3", "bf16[160,2048]", "[1, 0]")) << "rows to read share sets";
  EXPECT_FALSE(halves("zen3", "bf16[2048,160]", "[1, 0]")) << "rows to write share sets";
}

TEST(Zen3Plans, bytes_are_taken_half_by_half_wherever_that_saves_a_pass) {
  const auto network = [](const char* model, const char* source) {
    const bool is_matrix = std::ranges::count(std::string_view(source), ',') == 1;
    const Nest nest = nest_for(model, source, is_matrix ? "[1, 0]" : "[2, 1, 0]");
    return std::get<PermuteKernel>(nest.kernel).network;
  };
  for (const char* source : {"u8[32,32]", "u8[300,1536]", "u8[64,5,16]", "u8[640,16]"}) {
    EXPECT_EQ(network("zen3", source).phases.size(), 1U) << source;
    EXPECT_TRUE(network("zen3", source).phases.front().half_by_half) << source;
    for (const char* other : {"zen", "zen5", "intel"})
      EXPECT_EQ(network(other, source).phases.size(), 2U) << source << " on " << other;
  }
}

TEST(Zen3Plans, what_is_to_be_streamed_is_written_in_whole_lines_whatever_its_size) {
  const PlanOptions always{KernelFamily::kAutomatic, StreamingStores::kAlways};
  for (const char* source : {"u8[640,640]", "bf16[640,640]", "f32[640,640]"}) {
    const Nest nest = first_nest_for("zen3", source, "[1, 0]", Isa::kAvx2, always);
    ASSERT_EQ(nest.store, StorePolicy::kStreaming) << source;
    const Network network = std::get<PermuteKernel>(nest.kernel).network;
    const auto line = std::ranges::find(network.destination.register_stride_bytes, 32);
    ASSERT_NE(line, network.destination.register_stride_bytes.end()) << source;
    const auto slot = static_cast<int>(line - network.destination.register_stride_bytes.begin());
    const Phase& last = network.phases.back();
    EXPECT_FALSE(last.half_by_half) << source;
    EXPECT_NE(std::ranges::find(last.slots, slot), last.slots.end()) << source;
  }
}

TEST(Zen3Plans, lines_read_in_halves_are_not_fetched_ahead) {
  EXPECT_EQ(nest_for("zen3", "bf16[512,1632][0, 1]", "[1, 0]").prefetch_source_bytes, 0);
  EXPECT_NE(nest_for("zen3", "bf16[512,5632][0, 1]", "[1, 0]").prefetch_source_bytes, 0)
      << "11 MiB, past its share of the last cache";
}

TEST(Zen3Plans, tiles_with_padding_are_loaded_in_halves_like_others) {
  PlanOptions options;
  options.fill.resize(2);
  const auto network = [&](const char* model) {
    const Nest nest = first_nest_for(model, "bf16[16,34,26][1, 2, 0]", "{2,1,0:T(8)}", Isa::kAvx2, options);
    return std::get<PermuteKernel>(nest.kernel).network;
  };
  EXPECT_TRUE(network("zen").fills_padding);
  EXPECT_GT(network("zen").scratch_bytes, 0);
  EXPECT_TRUE(network("zen3").fills_padding);
  EXPECT_EQ(network("zen3").source.piece_bytes(), 16);
  EXPECT_EQ(network("zen3").scratch_bytes, 0);
}

TEST(Zen3Plans, lines_that_leave_a_last_cache_early_are_written_whole) {
  const auto writes_lines = [](const char* model, const std::string& source, StreamingStores streaming) {
    PlanOptions options;
    options.streaming = streaming;
    const Nest nest = first_nest_for(model, source, "[1, 0]", Isa::kAvx2, options);
    const Network& network = std::get<PermuteKernel>(nest.kernel).network;
    const auto& strides = network.destination.register_stride_bytes;
    const auto half = std::ranges::find(strides, 32);
    return half != strides.end() &&
           std::ranges::count(network.phases.back().slots, half - strides.begin()) == 1;
  };
  EXPECT_TRUE(writes_lines("zen3", "f32[2160,1360]", StreamingStores::kAuto)) << "22.4 MiB";
  EXPECT_FALSE(writes_lines("zen3", "f32[2160,1360]", StreamingStores::kNever));
  EXPECT_FALSE(writes_lines("zen3", "f32[2080,1360]", StreamingStores::kAuto)) << "21.6 MiB";
  EXPECT_FALSE(writes_lines("zen5", "f32[1600,1680]", StreamingStores::kAuto))
      << "20.5 MiB, where halves of lines are combined";
}

TEST(Zen3Plans, boxes_beside_one_another_are_moved_with_the_padding_behind_their_runs) {
  const auto fills = [](const char* model, const std::string& source, const std::string& destination) {
    const Problem problem = problem_of(source, destination);
    PlanOptions options;
    options.fill.resize(static_cast<std::size_t>(problem.element_bytes));
    const Plan plan = plan_for(model, problem, Isa::kAvx2, options);
    expect_right(problem, plan);
    return std::ranges::count_if(
        plan.nests, [](const Nest& nest) { return std::holds_alternative<FillKernel>(nest.kernel); });
  };
  const std::string rows = "bf16[48,21,3,32]{3,1,0,2:T(32,128)(4,1)}";
  EXPECT_EQ(fills("zen3", rows, "{3,2,1,0:T(4,1)}"), 0);
  EXPECT_EQ(fills("zen", rows, "{3,2,1,0:T(4,1)}"), 1) << "behind two boxes";
  EXPECT_EQ(fills("zen3", "u8[223,70,3]{2,0,1:T(16,1)}", "{0,2,1:T(4,1)}"), 0);
}

TEST(Zen3Plans, split_padding_is_written_once_whatever_the_tiles) {
  std::mt19937 random(20261127);
  const auto any = [&](std::initializer_list<const char*> of) {
    return *(of.begin() + random() % of.size());
  };
  for (int round = 0; round < 60; ++round) {
    const std::string shape = any({"u8[", "bf16[", "f32["}) + std::to_string(random() % 40 + 1) + ',' +
                              std::to_string(random() % 40 + 1) + ',' + std::to_string(random() % 40 + 1) +
                              ']';
    const std::string source =
        shape + any({"{2,1,0:T(8,8)}", "{1,2,0:T(4,1)}", "{0,2,1:T(16,1)}", "{1,0,2:T(8)}"});
    const std::string destination =
        any({"{2,1,0:T(4,1)}", "{0,1,2:T(8,16)}", "{2,0,1:T(8)}", "{1,2,0:T(8,16)(2,1)}"});
    const Problem problem = problem_of(source, destination);
    PlanOptions options;
    options.fill.resize(static_cast<std::size_t>(problem.element_bytes));
    options.streaming = round % 2 == 0 ? StreamingStores::kAuto : StreamingStores::kAlways;
    SCOPED_TRACE(source + " " + destination);
    expect_right(problem, plan_for("zen3", problem, Isa::kAvx2, options));
  }
}

TEST(Zen3Plans, rounded_tiles_are_taken_at_their_predicted_cycles) {
  const auto margin = [](const char* model) {
    return make_target(Isa::kAvx2, plan_machine(model)).rounded_margin;
  };
  EXPECT_LT(margin("zen3"), margin("zen"));
}

TEST(Zen3Plans, runs_of_rounded_tiles_go_on_past_a_line_in_the_caches) {
  const auto reads_whole_lines = [](const char* model, const std::string& source) {
    const Nest nest = nest_for(model, source, "{0,1,3,2}");
    const auto* const permute = std::get_if<PermuteKernel>(&nest.kernel);
    return permute != nullptr && permute->network.reads_whole_lines;
  };
  const std::string filters = "f32[60,65,3,3]{3,2,1,0}";
  EXPECT_TRUE(reads_whole_lines("zen3", filters));
  EXPECT_FALSE(reads_whole_lines("zen", filters));
  EXPECT_FALSE(reads_whole_lines("zen3", "f32[1260,1265,3,3]{3,2,1,0}")) << "122 MiB";
  EXPECT_FALSE(reads_whole_lines("zen3", "f32[64,64,2,4]{3,2,1,0}")) << "nothing is left over";
  const Problem problem = problem_of(filters, "{0,1,3,2}");
  expect_right(problem, plan_for("zen3", problem, Isa::kAvx2));
}

}  // namespace
}  // namespace relayout::plan
