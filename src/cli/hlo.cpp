// relayout hlo: what the layout changes of a dumped HLO module cost.

#include <fmt/format.h>
#include <memory>

#include "src/cli/command.hpp"
#include "src/cli/hlo_html.hpp"
#include "src/cli/mapped_file.hpp"
#include "src/cli/module_report.hpp"
#include "src/cli/progress.hpp"
#include "src/cli/request.hpp"
#include "src/cli/table.hpp"
#include "src/cli/text_file.hpp"

namespace relayout::cli {
namespace {

struct HloOptions {
  OutputOptions output;
  std::string path;
  std::string html;
  MovementTasks tasks;
};

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

void put_times(double bytes, const MovementTimes& times, Json& object) {
  object["us"] = rounded(times.seconds * 1e6);
  object["gbps"] = rounded(bytes / times.seconds / 1e9);
  object["memcpy_us"] = rounded(times.memcpy_seconds * 1e6);
  object["memcpy_gbps"] = rounded(bytes / times.memcpy_seconds / 1e9);
  object["over_memcpy"] = rounded(times.memcpy_seconds / times.seconds);
}

Json to_json(const ModuleReport& module, const MovementReport& report) {
  const hlo::Movement& movement = report.movement;
  Json object{{"module", movement.module ? Json(*movement.module) : Json(nullptr)},
              {"computation", movement.computation},
              {"name", movement.name},
              {"opcode", movement.opcode},
              {"src", movement.source_shape},
              {"dst", movement.destination_shape},
              {"bytes", movement.bytes},
              {"free", movement.is_free},
              {"kernel", text_or_null(report.kernel)},
              {"verified", report.verified ? Json(*report.verified) : Json(nullptr)}};
  if (!movement.note.empty()) object["note"] = movement.note;
  if (report.times) {
    put_times(static_cast<double>(movement.bytes), *report.times, object);
    object["share"] = rounded(module.share(report));
  }
  return object;
}

/// What all timed movements of one module take together.
Json sum_of(const ModuleReport& module) {
  Json sum{{"module", module.name ? Json(*module.name) : Json(nullptr)}, {"bytes", module.timed_bytes}};
  put_times(static_cast<double>(module.timed_bytes), module.sum, sum);
  return sum;
}

Result<std::vector<hlo::Module>> read_modules(const std::string& path) {
  const auto text = read_text_file(path);
  if (!text) return text.error();
  auto modules = hlo::parse(*text);
  if (!modules) return prefixed(path, modules.error());
  return modules;
}

using Movements = std::vector<std::vector<hlo::Movement>>;

std::int64_t count_of(const Movements& movements) {
  std::int64_t count = 0;
  for (const auto& of_module : movements) count += static_cast<std::int64_t>(of_module.size());
  return count;
}

/// `written` says whether the page could be.
Result<Json> answer_hlo(const HloOptions& options, Status& written) {
  if (const Status checked = check_output(options.html, options.path); !checked) return checked.error();
  const auto modules = read_modules(options.path);
  if (!modules) return modules.error();
  Json answer{{"module", nullptr}, {"instructions", Json::array()}};
  Json sums = Json::array();
  Movements movements;
  for (const hlo::Module& module : *modules) {
    if (answer["module"].is_null() && module.name) answer["module"] = *module.name;
    movements.push_back(hlo::movements(module));
  }
  MovementReporter reporter(options.tasks);
  Progress progress(count_of(movements));
  for (std::size_t i = 0; i < modules->size(); ++i) {
    const ModuleReport module =
        report_module((*modules)[i].name, std::move(movements[i]), reporter, [&] { progress.step(); });
    for (const MovementReport& report : module.movements) {
      answer["instructions"].push_back(to_json(module, report));
    }
    if (options.tasks.bench) sums.push_back(sum_of(module));
  }
  if (options.tasks.bench) answer["sums"] = std::move(sums);
  if (options.html.empty()) return answer;
  written = write_text_file(options.html, movements_page(options.path, answer));
  if (written) answer["html"] = options.html;
  return answer;
}

std::string fixed(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() || !found->is_number() ? "-" : fmt::format("{:.2f}", found->get<double>());
}

std::string share_text(const Json& one) {
  const auto share = one.find("share");
  return share == one.end() || !share->is_number() ? "-" : fmt::format("{:.1f}%", share->get<double>() * 100);
}

std::string verdict(const Json& verified) {
  if (verified.is_null()) return "-";
  return verified.get<bool>() ? "proved" : "WRONG";
}

Row row_of(const Json& one, const MovementTasks& tasks) {
  Row row{one["computation"].get<std::string>(),
          one["name"].get<std::string>(),
          one["opcode"].get<std::string>(),
          one["src"].get<std::string>(),
          one["dst"].get<std::string>(),
          one["bytes"].dump(),
          one["free"].get<bool>() ? "free" : "moves",
          one["kernel"].is_null() ? "-" : one["kernel"].get<std::string>()};
  if (tasks.verify) row.push_back(verdict(one["verified"]));
  if (tasks.bench) {
    for (const char* key : {"gbps", "us", "memcpy_us"}) row.push_back(fixed(one, key));
    row.push_back(share_text(one));
  }
  row.push_back(one.value("note", ""));
  return row;
}

Row heading(const MovementTasks& tasks) {
  Row row{"computation", "instruction", "opcode", "source", "destination", "bytes", "free", "kernel"};
  if (tasks.verify) row.push_back("proof");
  if (tasks.bench) row.insert(row.end(), {"GB/s", "us", "memcpy us", "share"});
  row.push_back("");
  return row;
}

std::string render_sum(const Json& sum) {
  const std::string module = sum["module"].is_null() ? "" : " of " + sum["module"].get<std::string>();
  return fmt::format("sum{}: {} bytes in {} us, {} GB/s; memcpy {} us\n", module, sum["bytes"].dump(),
                     fixed(sum, "us"), fixed(sum, "gbps"), fixed(sum, "memcpy_us"));
}

std::string render_hlo(const Json& answer, const MovementTasks& tasks) {
  std::vector<Row> rows{heading(tasks)};
  std::int64_t free = 0;
  std::int64_t moved_bytes = 0;
  for (const Json& one : answer["instructions"]) {
    rows.push_back(row_of(one, tasks));
    free += one["free"].get<bool>() ? 1 : 0;
    moved_bytes += one["free"].get<bool>() ? 0 : one["bytes"].get<std::int64_t>();
  }
  std::string text = to_text({"", rows});
  if (answer.contains("sums")) {
    for (const Json& sum : answer["sums"]) text += render_sum(sum);
  }
  return text + fmt::format("{} instructions, {} of them free; the others read and write {} bytes",
                            answer["instructions"].size(), free, moved_bytes);
}

int hlo_exit_code(const Json& answer) {
  for (const Json& one : answer["instructions"]) {
    if (one["verified"].is_boolean() && !one["verified"].get<bool>()) return kExitFailedVerify;
  }
  return kExitOk;
}

}  // namespace

void add_hlo(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("hlo", "What the copies, transposes and other layout changes of an HLO module cost");
  const auto options = std::make_shared<HloOptions>();
  command->add_option("FILE", options->path, "HLO text: modules, or computations without a module")
      ->required();
  command->add_flag("--verify", options->tasks.verify, "Prove the kernel of each");
  command->add_flag("--bench", options->tasks.bench, "Time each beside memcpy; sums, and the share of each");
  command->add_option("--html", options->html, "Write it all into a page, too, with the dearest as bars")
      ->type_name("PAGE")
      ->check(refuse_empty);
  add_json_option(*command, options->output);
  command->footer(examples({"relayout hlo examples/attention.hlo",
                            "relayout hlo examples/attention.hlo --bench --verify --json"}));
  command->callback([=, &exit_code] {
    const auto written = std::make_shared<Status>();
    const auto answer = [=](const Json&) { return answer_hlo(*options, *written); };
    const auto render = [options](const Json& found) { return render_hlo(found, options->tasks); };
    exit_code = run_command({answer, render, hlo_exit_code, written}, options->output, Json::object());
  });
}

}  // namespace relayout::cli
