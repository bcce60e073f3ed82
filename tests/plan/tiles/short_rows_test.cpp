#include "src/plan/tiles/short_rows.hpp"

#include <bit>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "src/plan/cost_models/make_target.hpp"
#include "src/plan/machine/line.hpp"
#include "src/plan/tiles/row_sets.hpp"
#include "src/plan/tiles/short_row_rules.hpp"
#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

/// Of a matrix of pixels, whose channels take so many bytes each, to rows of all channels of a pixel.
struct Image {
  std::int64_t element_bytes = 1;
  std::int64_t channels = 24;
  std::int64_t channel_bytes = 65536;
};

Box box_to_pixels(const Image& image) {
  Box box;
  box.axes = {{.extent = image.channels,
               .source_stride = image.channel_bytes,
               .destination_stride = image.element_bytes},
              {.extent = image.channel_bytes / image.element_bytes,
               .source_stride = image.element_bytes,
               .destination_stride = image.channels * image.element_bytes}};
  return box;
}

Box box_to_channels(const Image& image) {
  Box box = box_to_pixels(image);
  for (Axis& axis : box.axes) std::swap(axis.source_stride, axis.destination_stride);
  std::swap(box.axes[0], box.axes[1]);
  return box;
}

CallRuns runs_for(const Box& box, const PairSizes& sizes, Isa isa = Isa::kAvx512Vbmi) {
  const auto runs =
      runs_of_short_rows(box, {{16, 16}, 64, 64}, sizes, make_target(isa, plan_machine("zen4")));
  return runs ? CallRuns{runs->limits.source_bytes, runs->limits.destination_bytes} : CallRuns{};
}

PairSizes in_last_cache(std::int64_t element_bytes) {
  return {element_bytes, Residence::kLastCache};
}

TEST(ShortRows, are_written_a_few_channels_of_many_pixels_at_a_time) {
  EXPECT_EQ(runs_for(box_to_pixels({1, 24, 65536}), in_last_cache(1)), (CallRuns{128, 8}));
  EXPECT_EQ(runs_for(box_to_pixels({1, 48, 65536}), in_last_cache(1)), (CallRuns{256, 16}));
  EXPECT_EQ(runs_for(box_to_pixels({2, 48, 65536}), in_last_cache(2)), (CallRuns{256, 32}));
  EXPECT_EQ(runs_for(box_to_pixels({2, 48, 65536}), in_last_cache(2), Isa::kAvx2), (CallRuns{256, 32}));
}

TEST(ShortRows, are_read_a_few_channels_of_many_pixels_at_a_time) {
  EXPECT_EQ(runs_for(box_to_channels({1, 24, 65536}), in_last_cache(1)), (CallRuns{8, 256}));
  EXPECT_EQ(runs_for(box_to_channels({2, 32, 32768}), in_last_cache(2)), CallRuns{}) << "a line each";
  EXPECT_EQ(runs_for(box_to_channels({2, 24, 32768}), in_last_cache(2)), (CallRuns{16, 256}));
  EXPECT_EQ(runs_for(box_to_channels({4, 12, 65536}), in_last_cache(4)), (CallRuns{16, 512}));
}

TEST(ShortRows, have_usual_runs_where_the_others_are_spread) {
  EXPECT_EQ(runs_for(box_to_pixels({1, 24, 65600}), in_last_cache(1)), CallRuns{});
  EXPECT_EQ(runs_for(box_to_channels({1, 24, 65600}), in_last_cache(1)), CallRuns{});
  EXPECT_EQ(runs_for(box_to_pixels({1, 48, 50 * 1024}), in_last_cache(1)), (CallRuns{64, 16})) << "2 KiB";
  EXPECT_EQ(runs_for(box_to_pixels({1, 200, 65536}), in_last_cache(1)), (CallRuns{128, 32}));
  EXPECT_EQ(runs_for(box_to_pixels({1, 300, 65536}), in_last_cache(1)), CallRuns{}) << "long rows";
}

TEST(ShortRows, go_past_the_last_cache_where_whole_lines_are_written) {
  const PairSizes far{2, Residence::kMemory};
  EXPECT_EQ(runs_for(box_to_channels({2, 24, 65536}), far), (CallRuns{16, 512}));
  EXPECT_EQ(runs_for(box_to_pixels({2, 24, 65536}), far), CallRuns{});
  PairSizes staged{2, Residence::kLastCache};
  staged.of_staged_block = true;
  EXPECT_EQ(runs_for(box_to_channels({2, 24, 65536}), staged), CallRuns{}) << "blocks have their own";
}

int vector_bytes_of(const char* model, const char* source, const char* destination) {
  const Nest nest = first_nest_for(model, source, destination, Isa::kAvx512Vbmi);
  return std::get<PermuteKernel>(nest.kernel).network.vector_bytes;
}

TEST(ShortRows, say_which_vectors_go_with_their_runs) {
  EXPECT_EQ(vector_bytes_of("zen4", "u8[1,48,256,256]{3,2,1,0}", "{1,3,2,0}"), 32);
  EXPECT_EQ(vector_bytes_of("zen4", "bf16[1,24,256,256]{3,2,1,0}", "{1,3,2,0}"), 64);
  PlanOptions options;
  PlanChoice choice;
  choice.vector_bytes = 64;
  options.choice = &choice;
  const Nest nest =
      first_nest_for("zen4", "u8[1,48,256,256]{3,2,1,0}", "{1,3,2,0}", Isa::kAvx512Vbmi, options);
  EXPECT_EQ(std::get<PermuteKernel>(nest.kernel).network.vector_bytes, 64) << "unless others are asked for";
}

TEST(ShortRows, are_moved_right) {
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512, Isa::kAvx512Vbmi}) {
    for (const std::string source :
         {"u8[2,24,8192]", "u8[2,50,16384]", "bf16[2,36,16384]", "f32[3,12,2048]"}) {
      for (const auto& [from, to] : {std::pair{"{2,1,0}", "{1,2,0}"}, std::pair{"{1,2,0}", "{2,1,0}"}}) {
        const Problem problem = problem_of(source + from, to);
        expect_right(problem, plan_for("zen4", problem, isa));
      }
    }
  }
}

struct ShortRowTable {
  std::span<const ShortRowRule> rules;
  ShortRowCase of;
  bool to_read = false;  ///< of short rows to read
};

std::vector<ShortRowTable> all_tables() {
  std::vector<ShortRowTable> all;
  for (const Residence residence : {Residence::kSecondCache, Residence::kLastCache, Residence::kMemory})
    for (const bool early : {false, true})
      for (const bool wide : {false, true})
        for (const std::int64_t span : {1024, 2048, 4096}) {
          const ShortRowCase of{residence, early, wide, span};
          all.push_back({rules_of_short_rows_to_read(of), of, true});
          all.push_back({rules_of_short_rows_to_write(of), of, false});
        }
  return all;
}

bool is_power_of_two(std::int64_t bytes) {
  return std::has_single_bit(static_cast<std::uint64_t>(bytes));
}

TEST(ShortRows, have_runs_of_powers_of_two_within_rows_that_fit_the_stack) {
  for (const ShortRowTable& table : all_tables()) {
    for (const ShortRowRule& rule : table.rules) {
      const auto [read, written] = rule.limits;
      EXPECT_TRUE(is_power_of_two(read) && is_power_of_two(written));
      EXPECT_LE(read * written / rule.element_bytes, kMaximumPreferredTileBytes);
      EXPECT_LE(table.to_read ? read : written, rule.least_row_bytes);
      EXPECT_TRUE(table.of.wide || table.of.residence == Residence::kMemory || !rule.in_half_vectors);
    }
  }
}

TEST(ShortRows, have_one_rule_for_each_length) {
  for (const auto& [rules, of, to_read] : all_tables())
    for (std::size_t i = 0; i < rules.size(); ++i) {
      EXPECT_LE(rules[i].least_row_bytes, rules[i].most_row_bytes);
      for (std::size_t j = 0; j < i; ++j)
        EXPECT_TRUE(rules[i].element_bytes != rules[j].element_bytes ||
                    rules[i].least_row_bytes > rules[j].most_row_bytes ||
                    rules[i].most_row_bytes < rules[j].least_row_bytes)
            << rules[i].element_bytes << " bytes, rows of " << rules[i].least_row_bytes;
    }
}

}  // namespace
}  // namespace relayout::plan
