#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "src/plan/cost_models/make_target.hpp"
#include "src/plan/model/target.hpp"
#include "src/plan/network/network.hpp"
#include "src/plan/network/network_moves.hpp"
#include "tests/plan/plans.hpp"

// What was measured on a Zen 4 (cost_models/zen4.cpp), and nothing else changes. "zen" is the common model.

namespace relayout::plan {
namespace {

Nest nest_for(const char* model, const std::string& source, const std::string& destination = "[1, 0]",
              Isa isa = Isa::kAvx512Vbmi) {
  return first_nest_for(model, source, destination, isa);
}

Network network_for(const char* model, const std::string& source, const std::string& destination = "[1, 0]",
                    Isa isa = Isa::kAvx512Vbmi) {
  return std::get<PermuteKernel>(nest_for(model, source, destination, isa).kernel).network;
}

TEST(Zen4Plans, permutes_by_two_tables_are_shuffles_like_others) {
  const auto uses_two_tables = [](const char* model) {
    return std::ranges::any_of(network_for(model, "bf16[4096,4]").stages, [](const Stage& stage) {
      return network::resource_of(stage.move) == network::Resource::kTwoTable;
    });
  };
  EXPECT_TRUE(uses_two_tables("zen4"));
  EXPECT_FALSE(uses_two_tables("zen"));
}

TEST(Zen4Plans, vectors_are_loaded_in_halves_where_that_saves_a_pass_and_lines_do_not_compete) {
  const auto is_in_halves = [](const char* model, const std::string& shape, Isa isa = Isa::kAvx512Vbmi) {
    const Network network = network_for(model, shape, "[1, 0]", isa);
    return network.source.piece(0, 16).offset_bytes != 16 && network.scratch_bytes == 0;
  };
  EXPECT_TRUE(is_in_halves("zen4", "u8[100,160]"));
  EXPECT_FALSE(is_in_halves("zen", "u8[100,160]"));
  EXPECT_TRUE(is_in_halves("zen4", "u8[128,128]")) << "the first cache holds both buffers";
  EXPECT_FALSE(is_in_halves("zen4", "u8[256,256]")) << "rows on lines past the first cache";
  EXPECT_TRUE(is_in_halves("zen4", "u8[256,300]")) << "rows to read that begin anywhere";
  EXPECT_TRUE(is_in_halves("zen4", "bf16[64,64]", Isa::kAvx2));
  EXPECT_FALSE(is_in_halves("zen4", "bf16[256,256]", Isa::kAvx2));
}

TEST(Zen4Plans, networks_in_halves_of_vectors_have_the_runs_of_narrow_ones) {
  EXPECT_EQ(runs_of_transpose("zen4", "bf16[256,288]"), (CallRuns{64, 64}));
  EXPECT_EQ(runs_of_transpose("zen", "bf16[256,288]"), (CallRuns{64, 128}));
  EXPECT_EQ(runs_of_transpose("zen4", "bf16[512,96]"), (CallRuns{64, 128})) << "rows to write 1 KiB apart";
  EXPECT_EQ(runs_of_transpose("zen4", "f64[64,512]"), (CallRuns{32, 64})) << "rows to read 4 KiB apart";
  EXPECT_EQ(runs_of_transpose("zen4", "f64[64,512]"), runs_of_transpose("zen", "f64[64,512]", Isa::kAvx2));
  EXPECT_EQ(runs_of_transpose("zen4", "u8[128,4096]"), (CallRuns{128, 64}))
      << "of bytes, where registers hold the tile";
  EXPECT_EQ(runs_of_transpose("zen4", "u8[4096,64]"), (CallRuns{16, 256}));
  EXPECT_EQ(runs_of_transpose("zen4", "bf16[1024,768]"), runs_of_transpose("zen", "bf16[1024,768]"))
      << "3 MiB";
}

TEST(Zen4Plans, elements_of_8_and_16_bytes_have_them_in_the_last_cache_as_well) {
  EXPECT_EQ(runs_of_transpose("zen4", "c128[777,257]"), (CallRuns{32, 64}));
  EXPECT_EQ(runs_of_transpose("zen", "c128[777,257]"), (CallRuns{64, 64}));
  EXPECT_EQ(runs_of_transpose("zen4", "c128[777,256]"), (CallRuns{16, 64})) << "4 KiB apart";
  EXPECT_EQ(runs_of_transpose("zen4", "f64[777,512]"), (CallRuns{32, 64}));
  EXPECT_EQ(runs_of_transpose("zen", "f64[777,512]"), (CallRuns{256, 256}));
  EXPECT_EQ(runs_of_transpose("zen4", "f64[768,512]"), runs_of_transpose("zen", "f64[768,512]"))
      << "rows share sets twice";
  EXPECT_EQ(runs_of_transpose("zen4", "f32[1025,776]"), runs_of_transpose("zen", "f32[1025,776]"))
      << "4 bytes";
}

TEST(Zen4Plans, tiles_of_spread_rows_are_streamed_without_a_scratch) {
  EXPECT_EQ(runs_of_transpose("zen4", "f32[3312,3056]"), (CallRuns{16, 64}));
  EXPECT_EQ(runs_of_transpose("zen", "f32[3312,3056]"), (CallRuns{64, 64}));
  EXPECT_EQ(runs_of_transpose("zen4", "f32[2096,1600]"), (CallRuns{16, 64})) << "26 MiB";
  EXPECT_EQ(runs_of_transpose("zen4", "f32[1584,2048]"), (CallRuns{64, 64})) << "rows to read share sets";
  EXPECT_EQ(runs_of_transpose("zen5", "f32[2096,1600]"), (CallRuns{64, 64}));
  EXPECT_EQ(runs_of_transpose("zen4", "f32[4096,4096]"), (CallRuns{64, 128})) << "rows to write share sets";
  EXPECT_EQ(runs_of_transpose("zen5", "f32[4096,4096]"), (CallRuns{16, 128}));
  EXPECT_EQ(runs_of_transpose("zen4", "u8[5248,9152]"), runs_of_transpose("zen", "u8[5248,9152]")) << "bytes";
  EXPECT_EQ(runs_of_transpose("zen5", "u8[5248,9152]"), (CallRuns{16, 128}));
  EXPECT_EQ(runs_of_transpose("zen4", "f32[4096,4096]", Isa::kAvx2), (CallRuns{64, 128}));
}

TEST(Zen4Plans, whole_lines_are_staged_past_the_last_cache) {
  const auto is_staged = [](const char* model, Isa isa) {
    return nest_for(model, "f32[256,67,512]{0,2,1:T(8)}", "{1,0,2}", isa).staging.has_value();
  };
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512Vbmi}) {
    EXPECT_TRUE(is_staged("zen4", isa));
    EXPECT_FALSE(is_staged("zen", isa));
  }
}

TEST(Zen4Plans, staged_runs_that_would_meet_within_lines_overlap) {
  const auto overlap = [](const char* model, Isa isa) {
    return nest_for(model, "bf16[3,7,1000,960][0, 3, 2, 1, 3 p(16)]", "[0, 1, 3, 2]", isa)
        .staging.value_or(Staging{})
        .overlap_bytes;
  };
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512Vbmi}) {
    EXPECT_EQ(overlap("zen4", isa), 64);
    EXPECT_EQ(overlap("zen3", isa), 0);
  }
}

TEST(Zen4Plans,
     runs_of_which_only_the_lines_within_would_be_streamed_are_staged_in_runs_of_1536_bytes_and_more) {
  const auto staged_run = [](const char* model, const char* source, const char* destination,
                             Isa isa = Isa::kAvx512Vbmi) {
    return nest_for(model, source, destination, isa).staging.value_or(Staging{.run_bytes = 0}).run_bytes;
  };
  EXPECT_EQ(staged_run("zen4", "bf16[1635,54,356][1, 2, 0]", "[2, 1, 0, 2 p(4)]"), 1635 * 4 * 2)
      << "a row of tiles";
  EXPECT_EQ(staged_run("zen4", "f32[4738,962]{0,1:T(32,128)(4,1)}", "{1,0}"), 2048) << "parts of eight rows";
  EXPECT_EQ(staged_run("zen4", "bf16[11326,1004]{1,0}", "[1, 0]"), 0) << "short ones of 32 rows";
  Target target = make_target(Isa::kAvx512Vbmi, plan_machine("zen4"));
  target.shortest_run_staged_instead_bytes = 1;
  const Nest of_short_runs = first_nest_by(target, "bf16[11326,1004]{1,0}", "[1, 0]");
  EXPECT_EQ(of_short_runs.staging.value_or(Staging{}).run_bytes, 318);
  EXPECT_EQ(staged_run("zen", "bf16[1635,54,356][1, 2, 0]", "[2, 1, 0, 2 p(4)]"), 0);
  EXPECT_EQ(staged_run("zen4", "bf16[1635,54,356][1, 2, 0]", "[2, 1, 0, 2 p(4)]", Isa::kAvx2), 0);
}

TEST(Zen4Plans,
     few_rows_of_16_bytes_to_read_that_share_sets_as_those_to_write_do_go_in_the_destinations_order) {
  const auto steps = [](const Nest& nest) {
    std::vector<std::int64_t> found;
    for (const Loop& loop : nest.loops) found.push_back(loop.destination_step_bytes);
    return found;
  };
  Target target = make_target(Isa::kAvx512, plan_machine("zen4"));
  target.follows_few_rows = false;
  PlanOptions in_its_order;
  PlanChoice choice;
  choice.loops = LoopWalk::kDestination;
  in_its_order.choice = &choice;
  const auto follows = [&](const char* source, const char* destination) {
    const auto chosen = steps(nest_for("zen4", source, destination, Isa::kAvx512));
    EXPECT_NE(steps(first_nest_for("zen4", source, destination, Isa::kAvx512, in_its_order)),
              steps(first_nest_by(target, source, destination)))
        << source << ": the order matters";
    return chosen == steps(first_nest_for("zen4", source, destination, Isa::kAvx512, in_its_order));
  };
  EXPECT_TRUE(follows("c128[384,6,24][1, 0, 2]", "[2, 0, 1]")) << "six rows, 24 to write";
  EXPECT_TRUE(follows("c128[512,40,7][2, 0, 1]", "[1, 0, 2]")) << "seven rows, 40 to write";
  EXPECT_FALSE(follows("c128[384,24,40][1, 0, 2]", "[2, 0, 1]")) << "24 rows";
  EXPECT_FALSE(follows("f64[512,80,14][2, 0, 1]", "[1, 0, 2]")) << "elements of 8 bytes";
  EXPECT_FALSE(follows("c128[380,6,24][1, 0, 2]", "[2, 0, 1]")) << "rows spread over sets";
}

TEST(Zen4Plans, few_rows_of_16_bytes_to_write_get_128_bytes_of_as_many_as_divide_them) {
  const auto runs = [](const char* source, const char* destination) {
    return runs_of_call(nest_for("zen4", source, destination));
  };
  EXPECT_EQ(runs("c128[256,72,5][1, 0, 2]", "[2, 0, 1]"), (CallRuns{16, 128})) << "five rows";
  EXPECT_EQ(runs("c128[384,96,6][1, 0, 2]", "[2, 0, 1]"), (CallRuns{32, 128})) << "six";
  EXPECT_EQ(runs("c128[256,40,12][1, 0, 2]", "[2, 0, 1]"), (CallRuns{64, 128})) << "twelve";
  EXPECT_NE(runs("c128[256,40,24][1, 0, 2]", "[2, 0, 1]"), (CallRuns{64, 128})) << "24";
}

TEST(Zen4Plans, blocks_of_blocks_do_not_cut_the_loop_along_a_row_whose_staged_runs_overlap) {
  const auto overlap = [](Isa isa) {
    return nest_for("zen4", "bf16[512,55064][1, 0]", "[0, 1]", isa).staging.value_or(Staging{}).overlap_bytes;
  };
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512Vbmi}) EXPECT_EQ(overlap(isa), 64);
  Target target = make_target(Isa::kAvx512Vbmi, plan_machine("zen4"));
  target.orders_blocks_to_overlap = false;
  const Nest cut = first_nest_by(target, "bf16[512,55064][1, 0]", "[0, 1]");
  ASSERT_TRUE(cut.staging);
  EXPECT_EQ(cut.staging->overlap_bytes, 0);
}

TEST(Zen4Plans, bytes_in_a_nearly_full_last_cache_are_moved_by_long_tiles_to_rows_that_begin_anywhere) {
  EXPECT_EQ(runs_of_transpose("zen4", "u8[47536,192]"), (CallRuns{32, 256})) << "17.4 MiB";
  EXPECT_EQ(nest_for("zen4", "u8[47536,192]").store, StorePolicy::kStreamingRuns);
  EXPECT_EQ(runs_of_transpose("zen4", "u8[23209,478]"), (CallRuns{32, 256}))
      << "21 MiB, where blocks are staged";
  EXPECT_EQ(runs_of_transpose("zen4", "u8[2774,3042]"), (CallRuns{64, 64})) << "rows to read 3 KiB apart";
  EXPECT_EQ(nest_for("zen4", "u8[2774,3042]").store, StorePolicy::kTemporal);
  EXPECT_EQ(runs_of_transpose("zen4", "u8[27536,192]"), (CallRuns{16, 64})) << "10 MiB";
  EXPECT_EQ(runs_of_transpose("zen4", "u8[180003,47]"), (CallRuns{16, 64})) << "short rows to read";
  EXPECT_EQ(runs_of_transpose("zen4", "u8[1000,9001]"), (CallRuns{16, 64})) << "short rows to write";
  EXPECT_EQ(runs_of_transpose("zen4", "u8[41024,221]"), (CallRuns{16, 64})) << "rows to write on lines";
  EXPECT_EQ(runs_of_transpose("zen", "u8[47536,192]"), (CallRuns{16, 64}));
}

TEST(Zen4Plans, rows_are_streamed_from_14_MiB_and_copies_from_18) {
  const auto streams = [](const char* model, const char* source, const char* destination) {
    return nest_for(model, source, destination).store == StorePolicy::kStreaming;
  };
  EXPECT_TRUE(streams("zen4", "f32[1440,1344]", "[1, 0]")) << "14.8 MiB";
  EXPECT_FALSE(streams("zen4", "f32[1344,1344]", "[1, 0]")) << "13.8 MiB";
  EXPECT_FALSE(streams("zen", "f32[1440,1344]", "[1, 0]"));
  EXPECT_TRUE(streams("zen4", "f32[32,1180,64]", "[1, 0, 2]")) << "copies of 256 bytes, 18.4 MiB";
  EXPECT_FALSE(streams("zen4", "f32[32,1130,64]", "[1, 0, 2]")) << "17.7 MiB";
}

TEST(Zen4Plans, up_to_16_rows_are_streamed_from_18_MiB) {
  Target target = make_target(Isa::kAvx512Vbmi, plan_machine("zen4"));
  const auto store = [&](const char* source, const char* destination) {
    return first_nest_by(target, source, destination).store;
  };
  EXPECT_EQ(store("f32[2,1000,1000][1, 0, 2, 1 p(8)]", "[1, 0, 2]"), StorePolicy::kTemporal) << "15.3 MiB";
  EXPECT_EQ(store("f32[2,1240,1000][1, 0, 2, 1 p(8)]", "[1, 0, 2]"), StorePolicy::kStreaming) << "18.9 MiB";
  EXPECT_EQ(store("f32[1440,1344]", "[1, 0]"), StorePolicy::kStreaming) << "more rows, 14.8 MiB";
  EXPECT_EQ(first_nest_for("zen4", "f32[2,1000,1000][1, 0, 2, 1 p(8)]", "[1, 0, 2]", Isa::kAvx2).store,
            StorePolicy::kTemporal);
  for (const std::int64_t most : {7, 8}) {
    target.most_rows_before_blocks_are_staged = most;
    EXPECT_EQ(store("f32[2,1000,1000][1, 0, 2, 1 p(8)]", "[1, 0, 2]") == StorePolicy::kTemporal, most == 8)
        << "eight rows";
  }
}

TEST(Zen4Plans, what_stays_in_a_nearly_full_cache_is_planned_as_if_that_held_it_with_room_to_spare) {
  Target target = make_target(Isa::kAvx512Vbmi, plan_machine("zen4"));
  const char* const source = "bf16[4096,32,32][0, 1, 2]";
  const char* const destination = "[0, 1, 2, 0 p(32)]";
  const Nest nearly = first_nest_by(target, source, destination);
  target.streamed_rows_from_bytes = target.streaming_threshold_bytes;
  const Nest held = first_nest_by(target, source, destination);
  EXPECT_EQ(nearly.store, StorePolicy::kTemporal);
  EXPECT_EQ(runs_of_call(nearly), runs_of_call(held));
  target = make_target(Isa::kAvx512Vbmi, plan_machine("zen4"));
  target.most_rows_before_blocks_are_staged = 0;
  EXPECT_NE(runs_of_call(first_nest_by(target, source, destination)), runs_of_call(held));
}

TEST(Zen4Plans, long_runs_are_copied_through_the_last_cache_as_long_as_it_holds_them) {
  const auto store = [](const char* model, const char* source, const char* destination) {
    return nest_for(model, source, destination).store;
  };
  EXPECT_EQ(store("zen4", "f32[999,3087][0, 1]", "[0, 1]"), StorePolicy::kTemporal) << "23.5 MiB";
  EXPECT_NE(store("zen3", "f32[999,3087][0, 1]", "[0, 1]"), StorePolicy::kTemporal);
  EXPECT_NE(store("zen4", "f32[1089,3087][0, 1]", "[0, 1]"), StorePolicy::kTemporal) << "25.6 MiB";
  EXPECT_EQ(store("zen4", "f32[10,60,4096]", "[1, 0, 2]"), StorePolicy::kTemporal) << "runs of 16 KiB";
  EXPECT_EQ(store("zen4", "f32[10,120,2048]", "[1, 0, 2]"), StorePolicy::kStreaming) << "runs of 8 KiB";
}

TEST(Zen4Plans, blocks_are_staged_from_18_MiB) {
  const auto is_staged = [](const char* source, const char* destination) {
    return nest_for("zen4", source, destination).staging.has_value();
  };
  EXPECT_TRUE(is_staged("f64[14,90,5,24,8][0, 1, 3, 4, 2]", "[2, 3, 0, 4, 1]")) << "18.5 MiB";
  EXPECT_FALSE(is_staged("f64[13,90,5,24,8][0, 1, 3, 4, 2]", "[2, 3, 0, 4, 1]")) << "17.1 MiB";
}

TEST(Zen4Plans,
     what_writes_and_reads_few_places_is_staged_from_20_MiB_and_one_place_by_slow_kernels_from_32) {
  Target target = make_target(Isa::kAvx512Vbmi, plan_machine("zen4"));
  const auto is_staged = [&](const char* source, const char* destination) {
    return first_nest_by(target, source, destination).staging.has_value();
  };
  const char* const fast = "u8[128,64,100,12][3, 1, 2, 0]";
  const char* const slow = "bf16[609050,12][1, 0]";
  EXPECT_FALSE(is_staged(fast, "[3, 1, 2, 0, 1 p(16)]")) << "18.8 MiB";
  EXPECT_TRUE(is_staged("u8[128,64,124,12][3, 1, 2, 0]", "[3, 1, 2, 0, 1 p(16)]")) << "23.3 MiB";
  EXPECT_FALSE(is_staged(slow, "[0, 1]")) << "27.9 MiB, by a slower kernel";
  EXPECT_TRUE(is_staged("bf16[809050,12][1, 0]", "[0, 1]")) << "37 MiB";
  EXPECT_TRUE(is_staged("bf16[207500,24][1, 0]", "[0, 1]")) << "19 MiB, out of more than 16 places";
  EXPECT_FALSE(first_nest_for("zen4", slow, "[0, 1]", Isa::kAvx2).staging);
  target.few_places_followed_up_to_bytes = target.one_place_followed_beside_slow_blocks_up_to_bytes = 0;
  EXPECT_TRUE(is_staged(fast, "[3, 1, 2, 0, 1 p(16)]"));
  EXPECT_TRUE(is_staged(slow, "[0, 1]"));
}

TEST(Zen4Plans, destinations_of_narrow_elements_beside_larger_sources_are_staged_from_8_MiB) {
  const auto is_staged = [](const char* model, const char* source) {
    return nest_for(model, source, "[0, 3, 2, 1, 2 p(16)]").staging.has_value();
  };
  EXPECT_TRUE(is_staged("zen4", "u8[270,9,32,144]{3,2,1,0:T(8,128)(2,1)}")) << "10.7 of 29.7 MiB";
  EXPECT_FALSE(is_staged("zen3", "u8[270,9,32,144]{3,2,1,0:T(8,128)(2,1)}"));
  EXPECT_FALSE(is_staged("zen4", "u8[200,9,32,144]{3,2,1,0:T(32,128)(4,1)}")) << "7.9 MiB";
}

TEST(Zen4Plans, what_is_to_be_streamed_is_written_in_whole_lines_whatever_its_size) {
  const PlanOptions always{KernelFamily::kAutomatic, StreamingStores::kAlways};
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512Vbmi}) {
    for (const char* source : {"u8[640,640]", "bf16[480,512]", "f32[320,352]"}) {
      const Nest nest = first_nest_for("zen4", source, "[1, 0]", isa, always);
      ASSERT_EQ(nest.store, StorePolicy::kStreaming) << source;
      const Network network = std::get<PermuteKernel>(nest.kernel).network;
      ASSERT_EQ(network.vector_bytes, 32) << source;
      const auto& strides = network.destination.register_stride_bytes;
      const auto line = static_cast<int>(std::ranges::find(strides, 32) - strides.begin());
      const std::vector<int>& slots = network.phases.back().slots;
      EXPECT_NE(std::ranges::find(slots, line), slots.end()) << source;
    }
  }
}

TEST(Zen4Plans, tiles_of_bytes_are_streamed_in_halves_of_vectors_whose_lines_are_put_together) {
  const Network network = network_for("zen4", "u8[4096,4096]");
  EXPECT_EQ(network.vector_bytes, 32);
  EXPECT_GT(network.scratch_bytes, 0);
  EXPECT_EQ(network_for("zen", "u8[4096,4096]").vector_bytes, 64);
  EXPECT_EQ(network_for("zen4", "f32[3312,3056]").scratch_bytes, 0);
  EXPECT_GT(network_for("zen4", "f32[4096,4096]", "[1, 0]", Isa::kAvx2).scratch_bytes, 0);
}

TEST(Zen4Plans, staged_blocks_are_put_together_in_halves_of_vectors_unless_rows_to_read_share_sets) {
  const auto staged_vector_bytes = [](const std::string& source, const std::string& destination) {
    const Nest nest = nest_for("zen4", source, destination);
    EXPECT_TRUE(nest.staging) << source;
    return std::get<PermuteKernel>(nest.kernel).network.vector_bytes;
  };
  EXPECT_EQ(staged_vector_bytes("f32[256,45500]{0,1:T(8,128)(2,1)}", "[0, 1]"), 32);
  EXPECT_EQ(staged_vector_bytes("f32[64,2048,73][0, 2, 1, 0 p(8)]", "[0, 1, 2]"), 64) << "rows share sets";
  EXPECT_EQ(staged_vector_bytes("f32[319,50000]", "[1, 0]"), 32) << "a block's rows fill lines";
  EXPECT_EQ(staged_vector_bytes("u8[3649,41,128,3]", "[2, 0, 3, 1]"), 64)
      << "no network writes whole vectors";
}

TEST(Zen4Plans, staged_blocks_are_put_together_by_rounded_tiles_that_are_faster) {
  const auto is_rounded = [](const Nest& nest) {
    EXPECT_TRUE(nest.staging);
    return nest.reason.find("rounded up to") != std::string::npos;
  };
  const char* const bytes = "u8[5,640,237,16][3, 2, 1, 0]";
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512Vbmi}) {
    const Nest rounded = nest_for("zen4", bytes, "[3, 0, 2, 1, 3 p(8)]", isa);
    EXPECT_TRUE(is_rounded(rounded)) << "of five rows others take four twice";
    EXPECT_EQ(rounded.chosen_for, ChosenFor::kRoundedBlock);
  }
  Target target = make_target(Isa::kAvx512Vbmi, plan_machine("zen4"));
  EXPECT_FALSE(is_rounded(first_nest_by(target, "f64[54,21,47,26][1, 2, 0, 3]", "[2, 3, 0, 1]")))
      << "not twice as fast";
  target.rounds_tiles_of_blocks = false;
  EXPECT_FALSE(is_rounded(first_nest_by(target, bytes, "[3, 0, 2, 1, 3 p(8)]")));
}

TEST(Zen4Plans, rows_of_16_byte_elements_that_begin_anywhere_on_both_sides_are_staged) {
  EXPECT_TRUE(nest_for("zen4", "c128[1057,1227]", "[1, 0]").staging);
  EXPECT_FALSE(nest_for("zen", "c128[1057,1227]", "[1, 0]").staging);
  EXPECT_FALSE(nest_for("zen4", "c128[1056,1227]", "[1, 0]").staging) << "rows to write begin on lines";
}

TEST(Zen4Plans, long_rows_of_narrow_elements_are_streamed_in_halves_of_vectors) {
  EXPECT_EQ(network_for("zen4", "f32[256,512,256]", "[2, 1, 0]").vector_bytes, 32);
  EXPECT_EQ(network_for("zen", "f32[256,512,256]", "[2, 1, 0]").vector_bytes, 64);
  EXPECT_EQ(network_for("zen4", "f32[48,32,24,20,16]{4,3,2,1,0}", "{0,3,1,2,4}").vector_bytes, 64)
      << "rows to write of three lines";
  EXPECT_EQ(network_for("zen4", "f32[96,100,1000]", "[2, 1, 0]").vector_bytes, 64)
      << "rows to write are spread over the sets";
  EXPECT_EQ(network_for("zen4", "f64[2064,2000]").vector_bytes, 64) << "8 bytes";
  EXPECT_EQ(network_for("zen4", "bf16[128,256,64,16]{3,2,1,0}", "{2,0,1,3}").vector_bytes, 64)
      << "rows to read of 32 bytes";
  EXPECT_EQ(network_for("zen4", "f32[1024,1024]").vector_bytes, 64) << "the last cache holds both buffers";
  EXPECT_EQ(runs_of_transpose("zen4", "bf16[4096,4096]"), (CallRuns{64, 64})) << "rows share sets twice";
}

TEST(Zen4Plans, what_takes_a_scratch_in_whole_vectors_is_streamed_in_halves) {
  const std::string columns = "{0,1:T(8,128)(2,1)}";
  EXPECT_EQ(network_for("zen4", "u8[86730,372]", columns).vector_bytes, 32);
  EXPECT_EQ(network_for("zen", "u8[86730,372]", columns).vector_bytes, 64);
  EXPECT_EQ(network_for("zen4", "u8[128,256,32,32]{3,2,1,0}", "{0,2,1,3}").vector_bytes, 32)
      << "rows to read of 32 bytes";
  EXPECT_EQ(network_for("zen", "u8[128,256,32,32]{3,2,1,0}", "{0,2,1,3}").vector_bytes, 64);
}

TEST(Zen4Plans, a_choice_of_vectors_goes_before_all_these_rules) {
  PlanChoice choice;
  choice.vector_bytes = 64;
  PlanOptions options;
  options.choice = &choice;
  for (const auto& [source, destination] :
       std::vector<std::pair<const char*, const char*>>{{"f32[256,45500]{0,1:T(8,128)(2,1)}", "[0, 1]"},
                                                        {"f32[256,512,256]", "[2, 1, 0]"},
                                                        {"u8[86730,372]", "{0,1:T(8,128)(2,1)}"}}) {
    const Nest nest = first_nest_for("zen4", source, destination, Isa::kAvx512Vbmi, options);
    EXPECT_EQ(std::get<PermuteKernel>(nest.kernel).network.vector_bytes, 64) << source;
  }
}

TEST(Zen4Plans, the_source_is_fetched_ahead_along_loops_of_eight_trips_and_more) {
  const auto fetched_ahead = [](const char* model, const std::string& source, Isa isa) {
    return nest_for(model, source, "[1, 0]", isa).prefetch_source_bytes;
  };
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512Vbmi}) {
    for (const std::int64_t rows : {4000, 40000}) {
      const std::string source = "f64[" + std::to_string(rows) + ",160]";
      EXPECT_GT(fetched_ahead("zen4", source, isa), 160 * 8) << source << ": a row has few blocks";
      EXPECT_GT(fetched_ahead("zen", source, isa), 0) << source;
      EXPECT_LT(fetched_ahead("zen", source, isa), 160 * 8) << source;
    }
    EXPECT_GT(fetched_ahead("zen4", "f64[4000,4000]", isa), 0);
    EXPECT_LT(fetched_ahead("zen4", "f64[4000,4000]", isa), 4000 * 8);
  }
}

TEST(Zen4Plans, blocks_of_bytes_do_not_grow_past_the_last_cache) {
  const auto bytes_a_row = [](const char* model, const char* source) {
    return nest_for(model, source, "[1, 0, 2, 1 p(8)]").prefetch_source_bytes;
  };
  EXPECT_EQ(bytes_a_row("zen4", "u8[239,512,128][2, 0, 1]"), 256);
  EXPECT_EQ(bytes_a_row("zen", "u8[239,512,128][2, 0, 1]"), 1024);
}

TEST(Zen4Plans, streamed_copies_fetch_their_source_8_KiB_ahead_where_it_goes_on) {
  const auto ahead = [](const char* source, const char* destination) {
    const Nest nest = nest_for("zen4", source, destination);
    EXPECT_TRUE(std::holds_alternative<CopyKernel>(nest.kernel)) << source;
    return nest.prefetch_source_bytes;
  };
  EXPECT_EQ(ahead("bf16[1574,32768]", "[0, 1]"), 8192) << "chunks of one stretch";
  EXPECT_EQ(ahead("f64[1000,20,640]", "[1, 0, 2]"), 8192) << "rows of 5 KiB one after the other";
  EXPECT_EQ(ahead("f64[36,100,3688]{2,1,0:T(8,128)}", "{2,1,0}"), 8192) << "in the order of the source";
  EXPECT_EQ(ahead("bf16[512,1024]", "[0, 1]"), 0) << "in the caches";
}

TEST(Zen4Plans, copies_of_lines_to_rows_that_begin_anywhere_go_on_along_a_row_before_they_take_the_next_one) {
  const auto inner_step = [](const char* source, Isa isa = Isa::kAvx512Vbmi) {
    const Nest nest = first_nest_for("zen4", source, "[1, 0]", isa);
    EXPECT_TRUE(std::holds_alternative<CopyKernel>(nest.kernel)) << source;
    return nest.loops.back().destination_step_bytes;
  };
  // Four elements of a column side by side, in rows of 1683 or 1684 elements of 16 bytes.
  EXPECT_EQ(inner_step("c128[1683,512]{1,0:T(32,128)(4,1)}"), 64);
  EXPECT_EQ(inner_step("c128[1683,512]{1,0:T(32,128)(4,1)}", Isa::kAvx2), 64);
  EXPECT_EQ(inner_step("c128[1684,512]{1,0:T(32,128)(4,1)}"), 1684 * 16) << "streamed, in the source's order";
}

TEST(Zen4Plans, boxes_and_tiles_are_cut_and_grow_as_on_a_zen_3_at_either_level) {
  const std::string filters = "f32[60,65,3,3]{3,2,1,0}";
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512Vbmi}) {
    const Problem narrow = problem_of("u8[4096,33][1, 0]", "[0, 1]");
    EXPECT_EQ(plan_for("zen4", narrow, isa).nests.size(), 2U) << "the last column is a box of its own";
    EXPECT_EQ(plan_for("zen", narrow, isa).nests.size(), 1U);
    expect_right(narrow, plan_for("zen4", narrow, isa));
    EXPECT_TRUE(network_for("zen4", filters, "{0,1,3,2}", isa).reads_whole_lines) << "runs past a line";
    EXPECT_FALSE(network_for("zen", filters, "{0,1,3,2}", isa).reads_whole_lines);
    const Problem filter_problem = problem_of(filters, "{0,1,3,2}");
    expect_right(filter_problem, plan_for("zen4", filter_problem, isa));
    EXPECT_TRUE(network_for("zen4", "u8[100,160]", "[1, 0]", isa).stores_by_address);
    EXPECT_FALSE(network_for("zen", "u8[100,160]", "[1, 0]", isa).stores_by_address);
  }
}

TEST(Zen4Plans, loops_keep_their_order_in_the_caches_unless_another_makes_written_runs_longer) {
  const auto outermost = [](const char* model, const char* source, const char* destination) {
    return nest_for(model, source, destination).loops.front().trips;
  };
  const char* pixels = "f32[4,3,256,256]{1,3,2,0}";
  EXPECT_EQ(outermost("zen4", pixels, "{3,2,1,0}"), 4) << "picture by picture";
  EXPECT_EQ(outermost("zen", pixels, "{3,2,1,0}"), 4096);
  EXPECT_EQ(outermost("zen4", "f32[4,3,96,96]{1,3,2,0}", "{3,2,1,0}"), 4) << "in the second cache";
  for (const char* model : {"zen4", "zen"})
    EXPECT_EQ(outermost(model, "f32[260,7,374][1, 0, 2]", "{2,1,0}"), 260) << "copies, seven of which meet";
}

TEST(Zen4Plans, rows_of_a_tile_are_written_together_in_the_last_cache) {
  const auto rows_in_turn = [](const char* model, const char* source) {
    const Nest nest = nest_for(model, source, "{1,0:T(8,128)(2,1)}");
    return nest.loops[nest.loops.size() - 2].trips;
  };
  EXPECT_EQ(rows_in_turn("zen4", "bf16[1024,1024]"), 4) << "pairs of rows, of the tile's 8";
  EXPECT_EQ(rows_in_turn("zen", "bf16[1024,1024]"), 2);
  EXPECT_EQ(rows_in_turn("zen4", "bf16[256,512]"), 2) << "in the second cache";
}

TEST(Zen4Plans, places_that_share_sets_are_written_one_after_the_other_in_the_last_cache) {
  const auto innermost_write = [](const char* model, const char* source, const char* destination) {
    return nest_for(model, source, destination).loops.back().destination_step_bytes;
  };
  const auto trips = [](const char* model, const char* source, const char* destination) {
    return nest_for(model, source, destination).loops.back().trips;
  };
  const char* packed = "[1, 0, 1 p(8)]";
  EXPECT_EQ(trips("zen4", "f32[8192,128]", packed), 4096) << "16 rows 256 KiB apart";
  EXPECT_EQ(trips("zen", "f32[8192,128]", packed), 4);
  EXPECT_EQ(trips("zen4", "f32[8200,128]", packed), 4) << "rows that share no sets";
  EXPECT_EQ(trips("zen4", "f32[8192,1024]", packed), 4) << "rows to read too far apart";
  EXPECT_EQ(trips("zen4", "f32[512,128]", packed), 4) << "in the second cache";
  const char* channels = "c128[4,16,80,80]{1,3,2,0}";
  EXPECT_EQ(innermost_write("zen4", channels, "{3,2,1,0}"), 64) << "with runs of one line";
  EXPECT_GT(innermost_write("zen", channels, "{3,2,1,0}"), 256);
}

TEST(Zen4Plans, rows_are_staged_with_all_of_their_padding_instead_of_moved_with_a_part_of_it) {
  PlanOptions filled;
  filled.fill = {0, 0};
  const auto plan_with_padding = [&](const char* model, const char* source) {
    return plan_for(model, problem_of(source, "{0,1,2:T(8,128)(2,1)}"), Isa::kAvx512Vbmi, filled);
  };
  const Plan staged = plan_with_padding("zen4", "bf16[7,256,512]{1,0,2}");
  ASSERT_EQ(staged.nests.size(), 1U) << to_string(staged);
  ASSERT_TRUE(staged.nests.front().staging);
  EXPECT_EQ(staged.nests.front().store, StorePolicy::kStreamingRuns);
  const Plan parted = plan_with_padding("zen4", "bf16[70,256,512]{1,0,2}");
  EXPECT_FALSE(parted.nests.front().staging) << "most of the places are data";
  PlanOptions through_caches = filled;
  through_caches.streaming = StreamingStores::kNever;
  const Plan cached = plan_for("zen4", problem_of("bf16[7,256,512]{1,0,2}", "{0,1,2:T(8,128)(2,1)}"),
                               Isa::kAvx512Vbmi, through_caches);
  EXPECT_FALSE(cached.nests.front().staging);
}

TEST(Zen4Plans, units_of_up_to_15_bytes_are_spread) {
  const auto is_spread = [](const char* model, const char* source, Isa isa = Isa::kAvx512Vbmi) {
    const Nest nest = nest_for(model, source, "{2,0,1}", isa);
    return std::holds_alternative<PermuteKernel>(nest.kernel);
  };
  EXPECT_TRUE(is_spread("zen4", "f32[300,400,3]{2,1,0}"));
  EXPECT_TRUE(is_spread("zen4", "bf16[300,400,7]{2,1,0}"));
  EXPECT_TRUE(is_spread("zen4", "bf16[300,400,7]{2,1,0}", Isa::kAvx2));
  EXPECT_FALSE(is_spread("zen", "f32[300,400,3]{2,1,0}"));
  EXPECT_FALSE(is_spread("zen4", "f32[300,400,5]{2,1,0}")) << "20 bytes";
}

TEST(Zen4Plans, shuffles_of_few_terms_store_halves_in_the_last_cache) {
  const auto stores_halves = [](const char* model, const char* source) {
    return std::get<ShuffleKernel>(nest_for(model, source, "{1,2,0}").kernel).stores_halves;
  };
  EXPECT_TRUE(stores_halves("zen4", "u8[1,3,2073600]{2,1,0}"));
  EXPECT_FALSE(stores_halves("zen", "u8[1,3,2073600]{2,1,0}"));
  EXPECT_FALSE(stores_halves("zen4", "u8[1,3,20736]{2,1,0}")) << "the second cache";
  EXPECT_FALSE(stores_halves("zen4", "u8[1,5,1073600]{2,1,0}")) << "five a piece";
}

TEST(Zen4Plans, the_last_rows_of_tiles_are_read_with_the_places_behind_them) {
  const auto reads = [](const char* model, const std::string& source, const std::string& destination,
                        Isa isa = Isa::kAvx512Vbmi) {
    const Problem problem = problem_of(source, destination);
    const Plan plan = plan_for(model, problem, isa);
    if (problem.extents.back() < 2000) expect_right(problem, plan);
    return reads_gaps(plan);
  };
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512, Isa::kAvx512Vbmi}) {
    EXPECT_TRUE(reads("zen4", "u8[5,128,300]{1,0,2:T(4,1)}", "[1, 0, 2]", isa)) << "one of four";
    EXPECT_TRUE(reads("zen4", "bf16[7,128,300]{1,0,2:T(8,128)(2,1)}", "[1, 0, 2]", isa)) << "one of two";
  }
  EXPECT_FALSE(reads("zen", "bf16[7,128,300]{1,0,2:T(8,128)(2,1)}", "[1, 0, 2]"));
  EXPECT_FALSE(reads("zen4", "bf16[8,128,300]{1,0,2:T(8,128)(2,1)}", "[1, 0, 2]")) << "whole tiles";
  EXPECT_FALSE(reads("zen4", "f32[7,128,300]{1,0,2:T(8,128)(2,1)}", "[1, 0, 2]")) << "wide elements";
  EXPECT_FALSE(reads("zen4", "bf16[7,512,9000]{1,0,2:T(8,128)(2,1)}", "[1, 0, 2]")) << "past the last cache";
}

TEST(Zen4Plans, gaps_are_read_by_lines_where_rows_fill_sets) {
  const auto bytes_read = [](const char* source) {
    const Nest nest = nest_for("zen4", source, "[1, 0, 2]");
    return std::get<PermuteKernel>(nest.kernel).network.tile_bytes();
  };
  EXPECT_EQ(bytes_read("u8[3,500,300]{1,0,2:T(4,1)}"), 1024) << "64 rows of 16 bytes, 2000 bytes apart";
  EXPECT_EQ(bytes_read("u8[3,512,300]{1,0,2:T(4,1)}"), 4096) << "of a line, 2 KiB apart";
}

TEST(Zen4Plans, kernels_that_read_gaps_can_be_asked_for_and_others_as_well) {
  const Problem problem = problem_of("u8[3,128,300]{1,0,2:T(4,1)}", "[1, 0, 2]");
  std::vector<std::string> names;
  PlanOptions listing;
  listing.kernels = &names;
  const Plan plan = plan_for("zen4", problem, Isa::kAvx512Vbmi, listing);
  EXPECT_TRUE(reads_gaps(plan));
  EXPECT_EQ(plan.nests.size(), 1U) << "not cut where the last of the tiles of 64 would overlap";
  const auto name_with = [&](const std::string& text) {
    return *std::ranges::find_if(names, [&](const std::string& name) { return name.starts_with(text); });
  };
  ASSERT_TRUE(std::ranges::any_of(names, [](const std::string& name) { return name.starts_with("gapped"); }));
  const auto plan_by = [&](const std::string& kernel) {
    PlanChoice choice;
    choice.kernel = kernel;
    PlanOptions options;
    options.choice = &choice;
    return plan_for("zen4", problem, Isa::kAvx512Vbmi, options);
  };
  EXPECT_TRUE(reads_gaps(plan_by(name_with("gapped"))));
  EXPECT_FALSE(reads_gaps(plan_by("scalar")));
}

TEST(Zen4Plans, wide_elements_are_moved_one_by_one_where_tiles_would_overlap_much) {
  const auto is_scalar = [](const char* model, const std::string& source) {
    return std::holds_alternative<GatherKernel>(nest_for(model, source, "[2, 1, 0]").kernel);
  };
  EXPECT_TRUE(is_scalar("zen4", "c128[5,1320,5]")) << "eight for five";
  EXPECT_FALSE(is_scalar("zen", "c128[5,1320,5]"));
  EXPECT_FALSE(is_scalar("zen4", "c128[8,1320,8]"));
  EXPECT_FALSE(is_scalar("zen4", "f64[5,1320,5]"));
  EXPECT_FALSE(is_scalar("zen4", "c128[5,132000,5]")) << "past the last cache";
}

TEST(Zen4Plans, most_of_whose_lines_are_of_one_side_follow_that_side_in_the_last_cache) {
  const auto says_so = [](const char* model, const char* source, const char* destination) {
    const Problem problem = problem_of(source, destination);
    const Plan plan = plan_for(model, problem, Isa::kAvx512Vbmi);
    expect_right(problem, plan);
    return notes_of(plan).find("in the order of the side with most lines") != std::string::npos;
  };
  const char* out_of_tiles = "u8[200,5,50]{1,2,0:T(16,128)(2,1)}";
  EXPECT_TRUE(says_so("zen4", out_of_tiles, "{1,0,2}"));
  EXPECT_FALSE(says_so("zen", out_of_tiles, "{1,0,2}"));
}

TEST(Zen4Plans, padding_is_followed_in_the_last_cache_where_that_fetches_hardly_more_lines) {
  const auto follows = [](const char* model, const char* source, const char* destination) {
    const Problem problem = problem_of(source, destination);
    PlanOptions filled;
    filled.fill.resize(static_cast<std::size_t>(problem.element_bytes));
    const Plan plan = plan_for(model, problem, Isa::kAvx512Vbmi, filled);
    return notes_of(plan).find("which is that of the padding") != std::string::npos;
  };
  EXPECT_TRUE(follows("zen4", "f32[4,3,22,69][1, 2, 3, 0]", "{1,2,0,3:T(8,128)}"));
  EXPECT_FALSE(follows("zen", "f32[4,3,22,69][1, 2, 3, 0]", "{1,2,0,3:T(8,128)}"));
}

}  // namespace
}  // namespace relayout::plan
