#include "src/cli/compare/answer.hpp"

namespace relayout::cli {
namespace {

/// The spread of a timing, in microseconds; null where nothing moves.
Json statistics_json(const Timing& timing) {
  if (!timing.gbps()) return nullptr;
  const Statistics& seconds = timing.seconds;
  return Json{{"samples", seconds.samples},
              {"median_us", rounded(seconds.median * 1e6)},
              {"minimum_us", rounded(seconds.minimum * 1e6)},
              {"lower_quartile_us", rounded(seconds.lower_quartile * 1e6)},
              {"upper_quartile_us", rounded(seconds.upper_quartile * 1e6)},
              {"spread", rounded(seconds.spread())},
              {"unstable", seconds.is_unstable()}};
}

Json all_statistics(const Comparison& result) {
  return Json{{"jit", statistics_json(result.jit)},
              {"memcpy", statistics_json(result.memcpy)},
              {"streaming", statistics_json(result.streaming)},
              {"naive", result.naive ? statistics_json(*result.naive) : Json(nullptr)},
              {"vectorised", statistics_json(result.vectorised)},
              {"interpreted", statistics_json(result.interpreted)}};
}

std::optional<double> ratio(const Timing& slower, const Timing& faster) {
  if (!faster.gbps()) return std::nullopt;
  return slower.seconds.median / faster.seconds.median;
}

Json level_json(const LevelTiming& level) {
  return Json{{"isa", to_string(level.isa)},
              {"kernel", level.kernel},
              {"gbps", rounded(level.jit.gbps())},
              {"over_memcpy", rounded(level.over_memcpy)},
              {"compile_us", rounded(level.compile_us)},
              {"code_bytes", level.code_bytes},
              {"statistics", statistics_json(level.jit)}};
}

Json thread_json(const ThreadTiming& one, const ThreadTiming& single) {
  return Json{{"threads", one.threads},
              {"gbps", rounded(one.jit.gbps())},
              {"over_one", rounded(ratio(single.jit, one.jit))},
              {"memcpy_gbps", rounded(one.memcpy.gbps())},
              {"memcpy_over_one", rounded(ratio(single.memcpy, one.memcpy))},
              {"statistics", statistics_json(one.jit)}};
}

Json cold_json(const ColdTiming& cold) {
  return Json{{"jit_gbps", rounded(cold.jit.gbps())},
              {"memcpy_gbps", rounded(cold.memcpy.gbps())},
              {"streaming_gbps", rounded(cold.streaming.gbps())},
              {"jit_over_memcpy", rounded(ratio(cold.memcpy, cold.jit))},
              {"call_ns", rounded(cold.jit.seconds.median * 1e9)},
              {"statistics", statistics_json(cold.jit)}};
}

Json peer_json(const PeerTiming& peer) {
  Json object{{"name", peer.name}};
  object["gbps"] = rounded(peer.timing ? peer.timing->gbps() : std::nullopt);
  object["over_memcpy"] = peer.timing ? rounded(peer.over_memcpy) : Json(nullptr);
  object["jit_over_peer"] = peer.timing ? rounded(peer.jit_over_peer) : Json(nullptr);
  object["statistics"] = peer.timing ? statistics_json(*peer.timing) : Json(nullptr);
  if (!peer.error.empty()) object["error"] = peer.error;
  return object;
}

template <class Items, class ToJson>
Json array_of(const Items& items, ToJson to_json_of) {
  Json array = Json::array();
  for (const auto& item : items) array.push_back(to_json_of(item));
  return array;
}

void put_tasks(const Comparison& result, Json& object) {
  if (!result.levels.empty()) object["levels"] = array_of(result.levels, level_json);
  if (!result.threads.empty()) {
    const auto one = [&](const ThreadTiming& timing) { return thread_json(timing, result.threads.front()); };
    object["thread_scaling"] = array_of(result.threads, one);
  }
  if (result.cold) object["cold"] = cold_json(*result.cold);
  if (!result.peers.empty()) object["peers"] = array_of(result.peers, peer_json);
}

}  // namespace

Json to_json(const Comparison& result) {
  Json object{{"isa", to_string(result.isa)},
              {"kernel", result.kernel},
              {"bytes", result.bytes},
              {"jit_gbps", rounded(result.jit.gbps())},
              {"memcpy_gbps", rounded(result.memcpy.gbps())},
              {"streaming_gbps", rounded(result.streaming.gbps())},
              {"jit_over_memcpy", rounded(ratio(result.memcpy, result.jit))},
              {"interpreted_gbps", rounded(result.interpreted.gbps())},
              {"vectorised_gbps", rounded(result.vectorised.gbps())},
              {"interpreted_elements", result.interpreted_elements},
              {"naive_gbps", rounded(result.naive ? result.naive->gbps() : std::nullopt)},
              {"jit_over_naive", rounded(result.jit_over_naive)},
              {"compile_us", rounded(result.compile_us)},
              {"hit_us", rounded(result.hit_us)},
              {"call_ns", rounded(result.jit.seconds.median * 1e9)},
              {"code_bytes", result.code_bytes},
              {"breakeven_calls", rounded(result.breakeven_calls)},
              {"page_kib", result.page_kib},
              {"threads", 1},
              {"first_call_us", rounded(result.first_call_us)},
              {"unstable", result.jit.seconds.is_unstable() || result.memcpy.seconds.is_unstable()},
              {"statistics", all_statistics(result)}};
  put_tasks(result, object);
  return object;
}

}  // namespace relayout::cli
