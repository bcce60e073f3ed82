// relayout explain: all six stages of a conversion.

#include <fmt/format.h>
#include <memory>

#include "src/cli/command.hpp"
#include "src/cli/disassembly.hpp"
#include "src/cli/explain_html.hpp"
#include "src/cli/explain_json.hpp"
#include "src/cli/packed.hpp"
#include "src/cli/plan_measurement.hpp"
#include "src/cli/request.hpp"
#include "src/cli/text_file.hpp"

namespace relayout::cli {
namespace {

/// `source o destination^-1` as a layout, or why it is none.
Json offset_map_answer(const PairRequest& pair) {
  const auto map = offset_map(pair.source, pair.destination);
  if (!map) return Json{{"error", map.error().message}};
  return Json{{"layout", cute::to_string(map->layout)},
              {"contiguous_elements", map->contiguous_elements},
              {"contiguous_bytes", map->contiguous_bytes}};
}

/// The pair as nests of plain loops, innermost first, in elements; null where it is no such thing, or
/// elements share bytes.
Json boxes_answer(const PairRequest& pair) {
  const auto boxes = loop_boxes(pair.source, pair.destination);
  if (!boxes || is_packed(pair.source) || is_packed(pair.destination)) return nullptr;
  Json answer = Json::array();
  for (const LoopBox& box : *boxes) {
    Json loops = Json::array();
    for (const LoopDimension& loop : box.loops) {
      loops.push_back({{"extent", loop.extent},
                       {"src_stride", loop.source_stride},
                       {"dst_stride", loop.destination_stride}});
    }
    answer.push_back({{"src_base", box.source_base}, {"dst_base", box.destination_base}, {"loops", loops}});
  }
  return answer;
}

Result<std::optional<PlanMeasurement>> measure(const PairRequest& pair, const Explanation& explained) {
  std::vector<std::string> choices = {explained.choice};
  for (const RejectedPlan& plan : explained.rejected) choices.push_back(plan.choice);
  auto measured = measure_plans(pair, choices);
  if (!measured) return measured.error();
  return std::optional(std::move(*measured));
}

std::string measured_lines(const Json& answer) {
  const auto line = [](const std::string& name, const Json& plan) {
    return fmt::format(
        "  {:<34}{:>12.3f}{:>12.3f}  {}\n", name, plan["predicted"]["cycles_per_element"].get<double>(),
        plan["measured"]["cycles_per_element"].get<double>(), plan["predicted"]["bound"].get<std::string>());
  };
  std::string text = fmt::format("\ncycles an element at {} GHz, {} KiB pages\n  {:<34}{:>12}{:>12}  {}\n",
                                 answer["measured"]["gigahertz"].dump(),
                                 answer["measured"]["page_kib"].dump(), "", "predicted", "measured", "bound");
  text += line("the plan", answer);
  for (const Json& plan : answer["rejected"]) text += line(plan["choice"].get<std::string>(), plan);
  return text;
}

/// All six stages, the last as Zydis reads it.
std::string explanation_text(const Explanation& explained, const Relayout& convert, const Json& answer) {
  std::string text = to_string(explained);
  if (answer.contains("measured")) text += measured_lines(answer);
  text += "\n6. Code\n";
  if (explained.functions.empty()) return text + "none is generated\n";
  return text + fmt::format("{} bytes, tables included\n", convert.code_bytes()) + annotated_code(explained);
}

Status write_page(const std::string& path, const PairRequest& pair, const Relayout& convert,
                  const Explanation& explained, const std::optional<PlanMeasurement>& measured) {
  const auto page = explanation_page(pair, convert, explained, measured);
  return page ? write_text_file(path, *page) : page.error();
}

/// `written` says whether the page could be.
Result<Json> answer_explain(const Json& request, bool measuring, Status& written) {
  const auto pair = read_pair(request);
  if (!pair) return pair.error();
  const auto convert = compile(pair->source, pair->destination, pair->options);
  if (!convert) return convert.error();
  const auto explained = explanation(*convert);
  if (!explained) return explained.error();
  std::optional<PlanMeasurement> measured;
  if (measuring && !explained->kernels.empty()) {
    auto times = measure(*pair, *explained);
    if (!times) return times.error();
    measured = std::move(*times);
  }
  Json answer{{"src", request["src"]},
              {"dst", request["dst"]},
              {"isa", to_string(convert->isa())},
              {"kernel", convert->kernel()},
              {"code_bytes", convert->code_bytes()},
              {"offset_map", offset_map_answer(*pair)},
              {"boxes", boxes_answer(*pair)}};
  put_explanation(*explained, measured, pair->source.element_count(), answer);
  const auto path = optional_text(request, "html");
  if (!path) return path.error();
  if (*path) {
    written = write_page(**path, *pair, *convert, *explained, measured);
    if (written) answer["html"] = **path;
  }
  answer["explanation"] = explanation_text(*explained, *convert, answer);
  return answer;
}

std::string render_explain(const Json& answer) {
  if (answer.contains("html")) return "wrote " + answer["html"].get<std::string>();
  std::string text = answer["explanation"].get<std::string>();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

struct ExplainOptions {
  OutputOptions output;
  CodeOptions code;
  bool measure = false;
  std::string html;
};

}  // namespace

void add_explain(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "explain", "Show all six stages: layouts, expressions, simplified expressions, loops, plan, code");
  const auto options = std::make_shared<ExplainOptions>();
  const PairArguments pair = add_pair_arguments(*command);
  add_code_options(*command, options->code);
  command->add_flag("--measure", options->measure,
                    "Time the plan and those rejected, beside what was predicted");
  command->add_option("--html", options->html, "Write it all into FILE, as a page with pictures")
      ->type_name("FILE")
      ->check(refuse_empty);
  add_json_option(*command, options->output);
  command->footer(examples({"relayout explain 'f32[64,64]' '[1, 0]'",
                            "relayout explain 'f32[1024,1024]' '[1, 0]' --measure",
                            "relayout explain 'f32[1024,1024]' '[1, 0]' --html page.html",
                            "relayout explain 'u8[64,64]' '[0, 1, 0 p(4)]' --isa avx2"}));
  command->callback([=, &exit_code] {
    Json request = Json::object();
    put_pair(pair, options->output.batch, request);
    put_code_options(options->code, request);
    if (!options->html.empty()) request["html"] = options->html;
    Command answering;
    const auto written = std::make_shared<Status>();
    answering.answer = [=](const Json& one) { return answer_explain(one, options->measure, *written); };
    answering.render = render_explain;
    answering.report_status = written;
    exit_code = run_command(answering, options->output, request);
  });
}

}  // namespace relayout::cli
