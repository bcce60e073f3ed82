// relayout compare: a conversion's speed beside everything else that could do it.

#include <memory>

#include "src/cli/command.hpp"
#include "src/cli/compare/answer.hpp"
#include "src/cli/compare/pair_list.hpp"
#include "src/cli/compare/report.hpp"
#include "src/cli/compare/report_file.hpp"
#include "src/cli/environment.hpp"
#include "src/cli/mapped_file.hpp"
#include "src/cli/progress.hpp"
#include "src/cli/request.hpp"

namespace relayout::cli {
namespace {

constexpr int kMostThreads = 1024;

struct CompareOptions {
  OutputOptions output;
  CodeOptions code;
  std::string list;
  std::string only;
  bool levels = false;
  bool cold = false;
  int threads = 1;
  std::vector<std::string> peer_files;
  std::vector<std::string> reports;
};

/// What lasts from pair to pair.
struct Laboratory {
  BufferPair buffers;
  std::vector<Peer> peers;
};

Status load_all_peers(const std::vector<std::string>& files, std::vector<Peer>& peers) {
  for (const std::string& file : files) {
    auto loaded = load_peers(file);
    if (!loaded) return loaded.error();
    peers.insert(peers.end(), loaded->begin(), loaded->end());
  }
  return {};
}

Result<ComparisonTasks> read_tasks(const Json& request, const Laboratory& laboratory) {
  const auto levels = optional_flag(request, "levels");
  if (!levels) return levels.error();
  const auto cold = optional_flag(request, "cold");
  if (!cold) return cold.error();
  const auto threads = optional_integer(request, "threads", 1, kMostThreads);
  if (!threads) return threads.error();
  return ComparisonTasks{*levels, *threads, *cold, laboratory.peers, {}};
}

/// The pair's own keys, then what was measured.
Json merged_answer(const Json& request, const Json& measured) {
  Json answer = Json::object();
  if (request.contains("name")) answer["name"] = request["name"];
  answer["src"] = request["src"];
  answer["dst"] = request["dst"];
  answer.update(measured);
  return answer;
}

Result<Json> answer_pair(const Json& request, Laboratory& laboratory,
                         const std::function<void()>& stage_done) {
  const auto pair = read_pair(request);
  if (!pair) return pair.error();
  auto tasks = read_tasks(request, laboratory);
  if (!tasks) return tasks.error();
  tasks->stage_done = stage_done;
  const ComparisonJob job{request["src"].get<std::string>(),
                          request["dst"].get<std::string>(),
                          pair->source,
                          pair->destination,
                          pair->options,
                          *tasks};
  const auto result = compare_pair(job, laboratory.buffers);
  if (!result) return result.error();
  return merged_answer(request, to_json(*result));
}

/// One pair alone, with what it was measured on.
Result<Json> answer_one(const Json& request, Laboratory& laboratory,
                        const std::function<void()>& stage_done) {
  auto answer = answer_pair(request, laboratory, stage_done);
  if (answer) (*answer)["environment"] = environment_json();
  return answer;
}

/// All pairs; one that fails does not stop the others.
Json answer_all(const std::vector<Json>& requests, Laboratory& laboratory,
                const std::function<void()>& stage_done) {
  Json results{{"environment", environment_json()}, {"pairs", Json::array()}};
  for (const Json& request : requests) {
    const auto answer = answer_pair(request, laboratory, stage_done);
    results["pairs"].push_back(answer ? *answer
                                      : merged_answer(request, Json{{"error", answer.error().message}}));
  }
  return results;
}

/// The form of several pairs, whatever the number.
Json as_results(const Json& answer) {
  if (answer.contains("pairs")) return answer;
  Json pair = answer;
  pair.erase("environment");
  return Json{{"environment", answer["environment"]}, {"pairs", Json::array({pair})}};
}

int compare_exit_code(const Json& answer) {
  if (!answer.contains("pairs")) return kExitOk;
  for (const Json& pair : answer["pairs"]) {
    if (pair.contains("error")) return kExitFailedVerify;
  }
  return kExitOk;
}

/// No report may replace the list of pairs.
Status check_reports(const CompareOptions& options) {
  for (const std::string& path : options.reports) {
    if (auto checked = check_output(path, options.list); !checked) return checked;
  }
  return {};
}

/// Writes all that can be written. \error of the first that cannot
Status write_reports(const std::vector<std::string>& paths, const Json& answer) {
  Status all_written;
  for (const std::string& path : paths) {
    if (auto written = write_report(path, as_results(answer)); !written && all_written) all_written = written;
  }
  return all_written;
}

/// What is asked for: the defaults of all pairs, and the pairs on the command line.
struct Questions {
  Json defaults;
  std::vector<Json> pairs;
};

/// Each pair's own keys over the defaults.
Result<std::vector<Json>> read_requests(const CompareOptions& options, const Questions& questions) {
  std::vector<Json> pairs;
  if (!options.list.empty()) {
    auto listed = read_pair_list(options.list, options.only);
    if (!listed) return listed.error();
    pairs = std::move(*listed);
  }
  pairs.insert(pairs.end(), questions.pairs.begin(), questions.pairs.end());
  for (Json& pair : pairs) {
    Json request = questions.defaults;
    request.update(pair);
    pair = std::move(request);
  }
  return pairs;
}

/// `written` says whether the reports could be.
Result<Json> answer_compare(const CompareOptions& options, const Questions& questions, Status& written) {
  if (const Status checked = check_reports(options); !checked) return checked.error();
  const auto requests = read_requests(options, questions);
  if (!requests) return requests.error();
  Laboratory laboratory;
  if (const Status loaded = load_all_peers(options.peer_files, laboratory.peers); !loaded)
    return loaded.error();
  const auto tasks = read_tasks(questions.defaults, laboratory);
  if (!tasks) return tasks.error();
  Progress progress(static_cast<std::int64_t>(requests->size()) * stage_count(*tasks));
  const auto stage_done = [&] { progress.step(); };
  const bool alone = requests->size() == 1 && options.list.empty();
  auto answer = alone ? answer_one(requests->front(), laboratory, stage_done)
                      : Result<Json>(answer_all(*requests, laboratory, stage_done));
  if (answer) written = write_reports(options.reports, *answer);
  return answer;
}

int run_lines(const CompareOptions& options, const Json& defaults) {
  Laboratory laboratory;
  Status loaded = load_all_peers(options.peer_files, laboratory.peers);
  const auto answer = [&](const Json& request) -> Result<Json> {
    if (!loaded) return loaded.error();
    return answer_one(request, laboratory, {});
  };
  return run_command({answer, {}}, options.output, defaults);
}

int run_compare(const CompareOptions& options, const Questions& questions) {
  if (options.output.batch) return run_lines(options, questions.defaults);
  const auto written = std::make_shared<Status>();
  const auto answer = [&](const Json&) { return answer_compare(options, questions, *written); };
  const auto render = [](const Json& found) { return report_text(as_results(found)); };
  return run_command({answer, render, compare_exit_code, written}, options.output, questions.defaults);
}

void add_task_options(CLI::App& command, CompareOptions& options) {
  command.add_flag("--levels", options.levels, "Also time every instruction set level, side by side");
  command.add_option("--threads", options.threads, "Also time 1 to N threads")
      ->type_name("N")
      ->check(CLI::Range(1, kMostThreads));
  command.add_flag("--cold", options.cold, "Also time calls whose buffers are in no cache");
  command
      .add_option(
          "--peer", options.peer_files,
          "Also time the implementations in a shared object (src/cli/compare/peer_interface.h); its code is "
          "run. Repeatable")
      ->type_name("FILE")
      ->expected(1)
      ->take_all();
}

void add_list_options(CLI::App& command, CompareOptions& options) {
  command
      .add_option("--list", options.list, "File of pairs, one JSON object per line: src, dst, optional name")
      ->type_name("FILE")
      ->check(refuse_empty);
  command.add_option("--only", options.only, "Pairs of the list whose name contains this")->type_name("TEXT");
  command.add_option("-o,--output", options.reports, "Also write a report: .json, .md or .svg. Repeatable")
      ->type_name("FILE")
      ->expected(1)
      ->take_all()
      ->check([](const std::string& path) {
        return is_report_path(path) ? "" : path + ": ends in none of .json, .md, .svg";
      });
}

Json defaults_of(const CompareOptions& options) {
  Json defaults = Json::object();
  put_code_options(options.code, defaults);
  if (options.levels) defaults["levels"] = true;
  if (options.cold) defaults["cold"] = true;
  if (options.threads > 1) defaults["threads"] = options.threads;
  return defaults;
}

/// Further pairs are what CLI11 has no name for: an option of its for several texts takes `[1, 0]` apart.
void put_further_pairs(const std::vector<std::string>& layouts, std::vector<Json>& pairs) {
  for (const std::string& layout : layouts) {
    if (layout.starts_with('-')) throw CLI::ExtrasError({layout});
  }
  if (layouts.size() % 2 != 0)
    throw CLI::ValidationError(layouts.back() + ": a source without its destination");
  for (std::size_t i = 0; i < layouts.size(); i += 2) {
    pairs.push_back(Json{{"src", layouts[i]}, {"dst", layouts[i + 1]}});
  }
}

Questions questions_of(const PairArguments& pair, const CompareOptions& options,
                       const std::vector<std::string>& further) {
  Questions questions{defaults_of(options), {}};
  if (options.output.batch) {
    put_pair(pair, true, questions.defaults);
  } else if (options.list.empty() || pair.source->count() > 0) {
    Json& first = questions.pairs.emplace_back(Json::object());
    put_pair(pair, false, first);
  }
  put_further_pairs(further, questions.pairs);
  return questions;
}

}  // namespace

void add_compare(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "compare",
      "Time conversions (SRC DST, further pairs after it) beside memcpy, a streaming copy, a naive loop, "
      "interpreters, other libraries");
  const auto options = std::make_shared<CompareOptions>();
  const PairArguments pair = add_pair_arguments(*command);
  command->allow_extras();
  add_list_options(*command, *options);
  add_task_options(*command, *options);
  add_code_options(*command, options->code);
  add_output_options(*command, options->output,
                     "\"src\", \"dst\", optional \"isa\", \"kernel\", \"levels\", \"threads\" and \"cold\"");
  command->footer(
      examples({"relayout compare 'f32[4096,4096]' '[1, 0]'",
                "relayout compare 'u8[64,64]' '[0, 1, 0 p(4)]' 'u8[64,64]' '[1, 0]' --isa avx2 --json",
                "relayout compare --list perf/shapes/suite.jsonl --only b_ --levels -o b.md -o b.svg"}));
  command->callback([=, &exit_code] {
    exit_code = run_compare(*options, questions_of(pair, *options, command->remaining()));
  });
}

}  // namespace relayout::cli
