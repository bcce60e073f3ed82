#include "src/cli/compare/tables.hpp"

#include <cmath>
#include <fmt/format.h>

#include "src/cli/compare/report.hpp"

namespace relayout::cli {
namespace {

std::string figure(const Json& value, int decimals = 2) {
  return value.is_number() ? fmt::format("{:.{}f}", value.get<double>(), decimals) : "-";
}

std::string percent(const Json& share) {
  return share.is_number() ? fmt::format("{:.0f}%", share.get<double>() * 100) : "-";
}

/// `~` in front of what varied too much to be trusted.
std::string marked(const std::string& text, bool unstable) {
  return (unstable ? "~" : "") + text;
}

std::string marked(const std::string& text, const Json& statistics) {
  return marked(text, statistics.is_object() && statistics["unstable"].get<bool>());
}

Json ratio(const Json& numerator, const Json& denominator) {
  if (!numerator.is_number() || !denominator.is_number()) return nullptr;
  return numerator.get<double>() / denominator.get<double>();
}

/// Over the values that are numbers above 0; null if there are none.
Json geometric_mean(const std::vector<Json>& values) {
  double sum = 0;
  int count = 0;
  for (const Json& value : values) {
    if (!value.is_number() || value.get<double>() <= 0) continue;
    sum += std::log(value.get<double>());
    ++count;
  }
  return count == 0 ? Json(nullptr) : Json(std::exp(sum / count));
}

Row contender_row(const char* name, const Json& gbps, const Json& jit_gbps, const Json& statistics) {
  if (!statistics.is_object()) return {name, "-", "-", "-", "-", "-"};
  return {name,
          marked(figure(gbps), statistics),
          figure(ratio(jit_gbps, gbps)),
          figure(statistics["median_us"], 3),
          figure(statistics["minimum_us"], 3),
          percent(statistics["spread"])};
}

Row pair_row(const Json& pair) {
  return {label_of(pair),
          pair["kernel"].get<std::string>(),
          figure(ratio(pair["bytes"], 1 << 20), 1),
          marked(figure(pair["jit_gbps"]), pair["unstable"].get<bool>()),
          figure(pair["jit_over_memcpy"]),
          figure(ratio(pair["jit_gbps"], pair["streaming_gbps"])),
          figure(pair["memcpy_gbps"]),
          figure(pair["streaming_gbps"]),
          figure(pair["naive_gbps"]),
          figure(pair["vectorised_gbps"]),
          figure(pair["interpreted_gbps"]),
          figure(pair["compile_us"], 1),
          figure(pair["first_call_us"], 1),
          figure(pair["breakeven_calls"], 1)};
}

Row mean_row(const std::vector<Json>& pairs) {
  std::vector<Json> over_memcpy;
  std::vector<Json> over_streaming;
  for (const Json& pair : pairs) {
    over_memcpy.push_back(pair["jit_over_memcpy"]);
    over_streaming.push_back(ratio(pair["jit_gbps"], pair["streaming_gbps"]));
  }
  Row row(14, "-");
  row[0] = fmt::format("geometric mean of {}", pairs.size());
  row[4] = figure(geometric_mean(over_memcpy));
  row[5] = figure(geometric_mean(over_streaming));
  return row;
}

/// A table with a row for each entry of `key` in each pair.
template <class ToRow>
Table entry_table(const std::vector<Json>& pairs, const char* key, const char* title, Row heading,
                  ToRow to_row) {
  Table table{title, {std::move(heading)}};
  for (const Json& pair : pairs) {
    if (!pair.contains(key)) continue;
    for (const Json& entry : pair[key]) {
      Row row = to_row(entry);
      row.insert(row.begin(), label_of(pair));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

Table level_table(const std::vector<Json>& pairs) {
  return entry_table(pairs, "levels", "Instruction set levels",
                     {"pair", "level", "kernel", "GB/s", "over memcpy", "compile us", "code bytes"},
                     [](const Json& level) -> Row {
                       return {level["isa"].get<std::string>(),
                               level["kernel"].get<std::string>(),
                               marked(figure(level["gbps"]), level["statistics"]),
                               figure(level["over_memcpy"]),
                               figure(level["compile_us"], 1),
                               level["code_bytes"].dump()};
                     });
}

Table thread_table(const std::vector<Json>& pairs) {
  return entry_table(
      pairs, "thread_scaling", "Threads",
      {"pair", "threads", "GB/s", "over one", "memcpy GB/s", "memcpy over one"}, [](const Json& one) -> Row {
        return {one["threads"].dump(), marked(figure(one["gbps"]), one["statistics"]),
                figure(one["over_one"]), figure(one["memcpy_gbps"]), figure(one["memcpy_over_one"])};
      });
}

Table cold_table(const std::vector<Json>& pairs) {
  Table table{"Cold caches",
              {{"pair", "GB/s", "over memcpy", "memcpy GB/s", "streaming GB/s", "call us", "warm call us"}}};
  for (const Json& pair : pairs) {
    if (!pair.contains("cold")) continue;
    const Json& cold = pair["cold"];
    table.rows.push_back({label_of(pair), marked(figure(cold["jit_gbps"]), cold["statistics"]),
                          figure(cold["jit_over_memcpy"]), figure(cold["memcpy_gbps"]),
                          figure(cold["streaming_gbps"]), figure(ratio(cold["call_ns"], 1000), 3),
                          figure(ratio(pair["call_ns"], 1000), 3)});
  }
  return table;
}

std::string peer_cell(const Json& peer) {
  if (peer.contains("error")) return peer["error"].get<std::string>();
  return marked(figure(peer["over_memcpy"]), peer["statistics"]);
}

/// The fastest peer's entry, null if none ran.
Json best_peer(const Json& pair) {
  Json best = nullptr;
  for (const Json& peer : pair["peers"]) {
    if (peer["over_memcpy"].is_number() && (best.is_null() || peer["over_memcpy"] > best["over_memcpy"])) {
      best = peer;
    }
  }
  return best;
}

Row peer_row(const Json& pair) {
  Row row{label_of(pair), figure(pair["jit_over_memcpy"])};
  for (const Json& peer : pair["peers"]) row.push_back(peer_cell(peer));
  const Json best = best_peer(pair);
  row.push_back(best.is_null() ? "-" : best["name"].get<std::string>());
  row.push_back(best.is_null() ? "-" : figure(best["jit_over_peer"]));
  return row;
}

Row peer_mean_row(const std::vector<Json>& pairs) {
  const std::size_t peers = pairs.front()["peers"].size();
  Row row{fmt::format("geometric mean of {}", pairs.size()), ""};
  std::vector<std::vector<Json>> columns(peers + 2);
  for (const Json& pair : pairs) {
    columns[0].push_back(pair["jit_over_memcpy"]);
    for (std::size_t i = 0; i < peers; ++i) columns[i + 1].push_back(pair["peers"][i]["over_memcpy"]);
    const Json best = best_peer(pair);
    columns[peers + 1].push_back(best.is_null() ? Json(nullptr) : best["jit_over_peer"]);
  }
  row[1] = figure(geometric_mean(columns[0]));
  for (std::size_t i = 1; i <= peers; ++i) row.push_back(figure(geometric_mean(columns[i])));
  row.push_back("-");
  row.push_back(figure(geometric_mean(columns[peers + 1])));
  return row;
}

/// Ratios to memcpy, so that a column can be read down; a dash where a peer cannot express the pair.
Table peer_table(const std::vector<Json>& pairs) {
  Table table{"Peers, over memcpy", {{"pair", "JIT"}}};
  if (pairs.empty() || !pairs.front().contains("peers")) return table;
  for (const Json& peer : pairs.front()["peers"]) table.rows[0].push_back(peer["name"].get<std::string>());
  table.rows[0].insert(table.rows[0].end(), {"best peer", "JIT over best"});
  for (const Json& pair : pairs) table.rows.push_back(peer_row(pair));
  if (pairs.size() > 1) table.rows.push_back(peer_mean_row(pairs));
  return table;
}

}  // namespace

Table contender_table(const Json& pair) {
  const Json& jit = pair["jit_gbps"];
  const Json& statistics = pair["statistics"];
  return {"",
          {{"", "GB/s", "JIT is x", "median us", "minimum us", "spread"},
           contender_row("JIT", jit, jit, statistics["jit"]),
           contender_row("memcpy", pair["memcpy_gbps"], jit, statistics["memcpy"]),
           contender_row("streaming copy", pair["streaming_gbps"], jit, statistics["streaming"]),
           contender_row("naive loop", pair["naive_gbps"], jit, statistics["naive"]),
           contender_row("vectorised interpreter", pair["vectorised_gbps"], jit, statistics["vectorised"]),
           contender_row("scalar interpreter", pair["interpreted_gbps"], jit, statistics["interpreted"])}};
}

Table pair_table(const std::vector<Json>& pairs) {
  Table table{"",
              {{"pair", "kernel", "MiB", "GB/s", "over memcpy", "over streaming", "memcpy", "streaming",
                "naive", "vectorised", "scalar", "compile us", "first call us", "pays after"}}};
  for (const Json& pair : pairs) table.rows.push_back(pair_row(pair));
  if (pairs.size() > 1) table.rows.push_back(mean_row(pairs));
  return table;
}

std::vector<Table> task_tables(const std::vector<Json>& pairs) {
  std::vector<Table> tables;
  for (Table table : {level_table(pairs), thread_table(pairs), cold_table(pairs), peer_table(pairs)}) {
    if (table.rows.size() > 1) tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace relayout::cli
