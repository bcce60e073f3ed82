#include "src/plan/loops/rounds.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <string>

#include "src/plan/loops/lines_fetched.hpp"
#include "src/plan/loops/turns.hpp"
#include "src/plan/model/kernel_access.hpp"

namespace relayout::plan {
namespace {

/// How many rounds' source and destination the second-level cache has room for.
constexpr std::int64_t kRoundsPerCache = 4;

/// Footprints, in first-level caches, from which on shares of nests are worth their calls. Measured on a Zen
/// 5 for tiles that are transposed into Sw<3,2,3> and Sw<3,3,3> and back: 128 to 256 KiB move 1.3 to 1.7
/// times as fast, 64 KiB 0.85 times.
constexpr std::int64_t kFirstCaches = 2;

/// The same of pieces of padding, which lie beside one another: of 128 random pairs that the second cache
/// holds 18 run faster by a twentieth and six slower, smaller ones 0.97 times as fast (Granite Rapids).
constexpr std::int64_t kFirstCachesOfPadding = 4;

/// Of the destination, per second cache, that turns pay by.
constexpr std::int64_t kRoundsThatPay = 2;

bool has_parts_of_lines(const std::vector<Extent>& runs, const Target& target) {
  return total_bytes(runs) < target.line_bytes * std::ssize(runs);
}

bool shared_lines_leave_first_cache(const std::vector<Nest>& nests, const PlanInputs& inputs) {
  const auto shares = [&](const Nest& nest) {
    const KernelAccess access = kernel_runs(nest);
    return has_parts_of_lines(access.source, inputs.target) ||
           has_parts_of_lines(access.destination, inputs.target);
  };
  return inputs.sizes.footprint_bytes() >= kFirstCaches * inputs.target.level1_data_bytes &&
         std::ranges::any_of(nests, shares);
}

/// Written in one of them.
std::int64_t short_round_bytes(const Target& target) {
  return target.level1_data_bytes / 3 * 2;
}

std::int64_t best_rounds(const PlanInputs& inputs) {
  return inputs.sizes.destination_bytes / short_round_bytes(inputs.target) + 1;
}

std::int64_t least_rounds(const PlanInputs& inputs) {
  return inputs.sizes.destination_bytes / (inputs.target.level2_bytes / kRoundsThatPay) + 1;
}

bool has_short_rounds(const PlanInputs& inputs) {
  return inputs.target.rounds_in_first_cache && inputs.sizes.residence == Residence::kLastCache;
}

/// What nests share a loop in rounds for, and how much of the destination they write in one.
struct SharedRounds {
  SharedLoop loop;
  std::int64_t bytes = 1;
  bool in_first_cache = false;  ///< which holds these bytes
  const char* purpose = "";
};

/// A loop over less than half of the destination is one within others, or along the rows of a block: short
/// shares of it would leave short runs (f32[805,8192] out of (16,1) tiles 0.98 and 0.56).
SharedRounds shared_rounds(const std::vector<Nest>& nests, const PlanInputs& inputs, std::int64_t places) {
  const Target& target = inputs.target;
  const SharedLoop lines = loop_of_shared_lines(nests);
  if (has_short_rounds(inputs)) {
    const SharedLoop loop = lines.trips > 1 ? lines : loop_of_neighbours(nests);
    if (2 * places * loop.destination_bytes >= inputs.sizes.destination_bytes)
      return {loop, short_round_bytes(target), true,
              "several nests write beside each other and take turns, so that lines stay in the first cache"};
  }
  return {
      lines, target.level2_bytes / 2, false,
      "several nests write parts of the same lines and take turns, so that these stay in the second cache"};
}

/// A round goes through all trips of the loops around the one that is cut. Where these are at least so many,
/// and it walks over shorter stretches than this in each of those places, it comes back to them in the next
/// round: of 1880 random pairs with rounds 113 whose nest that writes most is so, 0.92 of memcpy with them,
/// 1.15 without, 83 faster by a twentieth and 12 slower (c128[7593,1070] out of (4,1) into (32,128)(4,1)
/// tiles 0.40 and 1.62); of 99 with longer stretches 38 gain and 29 lose, of 51 in two to seven places 23 and
/// 12 (Zen 4). Rounds that the first cache holds are worth it: 26 pairs 0.92 and, without, 0.85, six and 15
/// (Granite Rapids). Nests that together write less than this share of all may be so.
constexpr double kManyPlaces = 8;
constexpr double kShortStretchBytes = 2048;
constexpr double kSmallShare = 0.1;

/// Whether a nest's share of a round is scattered over many places, in short stretches of a side.
bool is_scattered(const Nest& nest, std::int64_t rounds) {
  const std::vector<double> trips = mean_trips(nest);
  double places = 1;
  for (std::size_t i = 0; i < nest.cut_loop; ++i) places *= trips[i];
  if (places < kManyPlaces) return false;
  // With fewer trips than rounds some of these have one, the others none.
  const double in_round = std::max(trips[nest.cut_loop] / static_cast<double>(rounds), 1.0);
  const auto is_short = [&](std::int64_t step_bytes) {
    return static_cast<double>(std::abs(step_bytes)) * in_round < kShortStretchBytes;
  };
  const Loop& cut = nest.loops[nest.cut_loop];
  const bool reads = cut.source_step_bytes != 0;  // padding does not
  return is_short(cut.destination_step_bytes) || (reads && is_short(cut.source_step_bytes));
}

bool scatters_much(const std::vector<Nest>& nests, std::int64_t rounds) {
  double all = 0;
  double scattered = 0;
  for (const Nest& nest : nests) {
    const double bytes = written_bytes(nest);
    all += bytes;
    if (is_scattered(nest, rounds)) scattered += bytes;
  }
  return scattered > kSmallShare * all;
}

std::int64_t most_cut_trips(const std::vector<Nest>& nests) {
  std::int64_t trips = 1;
  for (const Nest& nest : nests) trips = std::max(trips, nest.loops[nest.cut_loop].trips);
  return trips;
}

FetchedLines lines_of_all(const std::vector<Nest>& nests, const Target& target) {
  FetchedLines all;
  for (const Nest& nest : nests) {
    const FetchedLines lines = lines_fetched_by_sets(nest, target);
    all.source += lines.source;
    all.destination += lines.destination;
  }
  return all;
}

bool reads_many_more_lines(const Plan& turns, const Plan& plan, const Target& target) {
  const double most = target.most_source_lines_added_by_turns;
  if (most == 0) return false;
  const FetchedLines without = lines_of_all(plan.nests, target);
  return lines_of_all(turns.nests, target).source - without.source > most * without.both();
}

}  // namespace

/// What one round moves should stay in the cache until the last nest has been there.
std::int64_t rounds_of_interleaved(const std::vector<Nest>& nests, const PlanInputs& inputs,
                                   PlanNotes& notes) {
  const Target& target = inputs.target;
  const bool far = inputs.is_past_second_cache();
  if (nests.size() < 2 || (!far && !shared_lines_leave_first_cache(nests, inputs))) return 1;
  const std::int64_t room = far ? target.level2_bytes / kRoundsPerCache : target.level1_data_bytes;
  const std::int64_t rounds = std::min(most_cut_trips(nests), inputs.sizes.footprint_bytes() / room + 1);
  if (rounds == 1) return 1;
  notes.add("rounds", [&] {
    return "the nests lie between one another and take turns, " + std::to_string(rounds) +
           " times a share of a loop, so that lines stay in the " + (far ? "second" : "first") + " cache";
  });
  return rounds;
}

/// Lines that several nests write parts of stay in the cache until the last of them has been there. On a
/// Zen 4 with 32-byte vectors, 151 random pairs with padding: 1.023 times as fast, those past the last
/// cache up to 1.4 times (bf16[287369,98] into (8,128) tiles); shorter rounds gained less. On a Cascade Lake
/// with vectors of 64, 57 pairs in the last cache ran at 0.83 of memcpy with, at 0.79 without. Rounds that
/// write two thirds of the first cache, of pairs in the last: 260 random pairs 0.94 and 0.98, 362 at AVX2
/// 0.96 and 0.99 (u8[2,17527,16] into (8,128) tiles 0.72 and 0.93; f32[805,8192] out of (16,1) tiles 0.74 and
/// 0.55, three more a fifth slower); past it they gain nothing (67 pairs; Granite Rapids).
std::int64_t rounds_of_shared_lines(const std::vector<Nest>& nests, const PlanInputs& inputs,
                                    PlanNotes& notes, std::int64_t places) {
  const Target& target = inputs.target;
  const std::int64_t cache_bytes =
      target.rounds_in_last_cache ? target.level2_bytes : target.streaming_threshold_bytes;
  if (nests.size() < 2 || inputs.sizes.footprint_bytes() <= cache_bytes) return 1;
  const SharedRounds shared = shared_rounds(nests, inputs, places);
  const std::int64_t rounds = std::min(shared.loop.trips, inputs.sizes.destination_bytes / shared.bytes + 1);
  if (rounds == 1) return 1;
  if (target.avoids_scattered_rounds && !shared.in_first_cache && scatters_much(nests, rounds)) {
    notes.add("rounds", [] { return "none, which would come back to many places for a few lines each"; });
    return 1;
  }
  notes.add("rounds", [&] {
    return std::string(shared.purpose) + ": " + std::to_string(rounds) + " times a share of a loop";
  });
  return rounds;
}

/// What is filled in two passes, or in places far apart, takes longer than a `memset` of all of it: of random
/// pairs whose destinations are mostly padding some ran at 0.9 of the naive loop. One place after the other,
/// 226 of 24000 random pairs 0.82 and 0.84, 65 faster and four slower. Past the last cache 100 of 3655 pairs
/// are 0.98 times as fast, seven slower (Granite Rapids).
std::int64_t rounds_of_padding(std::vector<Nest>& nests, const PlanInputs& inputs, PlanNotes& notes) {
  const Target& target = inputs.target;
  if (!target.padding_takes_turns || nests.size() < 2 || inputs.is_past_last_cache() ||
      inputs.sizes.footprint_bytes() < kFirstCachesOfPadding * target.level1_data_bytes)
    return 1;
  std::vector<Nest> turned = nests;
  const std::int64_t places = take_turns_in_places(turned, inputs);
  const SharedLoop loop = loop_of_neighbours(turned);
  const std::int64_t rounds = std::min(loop.trips, best_rounds(inputs));
  if (rounds < std::max<std::int64_t>(least_rounds(inputs), 2) ||
      2 * places * loop.destination_bytes < inputs.sizes.destination_bytes)
    return 1;
  nests = std::move(turned);
  notes.add("rounds", [&] {
    return "pieces of padding take turns, so that what is filled is one place after the other: " +
           std::to_string(rounds) + " times a share of a loop";
  });
  return rounds;
}

std::int64_t take_turns_in_places(std::vector<Nest>& nests, const PlanInputs& inputs) {
  const Target& target = inputs.target;
  if (target.most_places_of_turns == 0) return 1;
  for (const std::int64_t rounds : {best_rounds(inputs), least_rounds(inputs)})
    if (const std::int64_t places = cut_in_places(nests, rounds, target.most_places_of_turns)) return places;
  return 1;
}

/// Padding is one long run after another, whose lines the processor fetches; data then find theirs in the
/// cache, instead of waiting for one here and there: 60 random pairs 0.82 and 0.83 of memcpy, 31 with 1.5 to
/// 8 times the source's bytes 0.88 and 0.90, 55 with less 0.92 and 0.91 (Granite Rapids).
bool padding_goes_first(const PlanInputs& inputs) {
  return has_short_rounds(inputs) && 2 * inputs.sizes.destination_bytes >= 3 * inputs.sizes.source_bytes;
}

/// 60 random pairs 0.83 and 0.87 of memcpy, at AVX2 30 of them 0.80 and 0.85, the slowest 0.96 times as fast
/// (u8[5,93,18,2,32] into (8,128)(2,1) tiles 0.64 and 0.85, f64[2,4,9,8,16] 0.80 and 0.96; Granite Rapids).
/// A Zen 5 gains from less padding and larger sources on: 33 of 120 random pairs with 0.3 to 0.9 of padding
/// 0.57 and 0.62, at AVX2 34 of them 0.50 and 0.55 (f64[9,43,64,8]{0,2,1,3} into (8,128) tiles 0.29 and 0.83,
/// f32[15,62,9,9] 0.76 and 0.48).
bool may_turns_pay(const PlanInputs& inputs) {
  const PairSizes& sizes = inputs.sizes;
  const Target& target = inputs.target;
  return target.turns_from_source_sizes > 0 && sizes.residence == Residence::kLastCache &&
         !inputs.options.fill.empty() && sizes.destination_bytes > target.level2_bytes &&
         static_cast<double>(sizes.destination_bytes) >=
             target.turns_from_source_sizes * static_cast<double>(sizes.source_bytes) &&
         sizes.source_bytes <= target.turns_up_to_second_caches * target.level2_bytes;
}

/// f32[2,7,4491,5] into (8,128) tiles, ten rounds of 2.3 MiB: 0.72 and 0.63.
bool pays_for_turns(const Plan& turns, const Plan& plan, const Target& target) {
  const bool has_more = plan.first_in_rounds > 0 || turns.rounds >= plan.rounds;
  return turns.rounds > 1 && turns.first_in_rounds == 0 && has_more &&
         turns.rounds * target.level2_bytes / kRoundsThatPay >= turns.destination_bytes &&
         !reads_many_more_lines(turns, plan, target);
}

}  // namespace relayout::plan
