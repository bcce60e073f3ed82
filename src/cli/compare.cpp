// relayout compare: a conversion's speed beside everything else that could do it.

#include <cmath>
#include <fmt/format.h>
#include <memory>

#include "src/cli/command.hpp"
#include "src/cli/comparison.hpp"
#include "src/cli/request.hpp"

namespace relayout::cli {
namespace {

/// `value` to five significant digits; null for none.
Json number(std::optional<double> value) {
  if (!value || !std::isfinite(*value)) return nullptr;
  return std::stod(fmt::format("{:.5g}", *value));
}

Json to_json(const Json& request, const Comparison& result) {
  return Json{{"src", request["src"]},
              {"dst", request["dst"]},
              {"isa", to_string(result.isa)},
              {"kernel", result.kernel},
              {"bytes", result.bytes},
              {"jit_gbps", number(result.jit_gbps)},
              {"memcpy_gbps", number(result.memcpy_gbps)},
              {"streaming_gbps", number(result.streaming_gbps)},
              {"jit_over_memcpy", number(result.jit_over_memcpy)},
              {"interpreted_gbps", number(result.interpreted_gbps)},
              {"vectorised_gbps", number(result.vectorised_gbps)},
              {"interpreted_elements", result.interpreted_elements},
              {"naive_gbps", number(result.naive_gbps)},
              {"compile_us", number(result.compile_us)},
              {"hit_us", number(result.hit_us)},
              {"call_ns", number(result.call_ns)},
              {"code_bytes", result.code_bytes},
              {"breakeven_calls", number(result.breakeven_calls)},
              {"page_kib", result.page_kib},
              {"threads", 1}};
}

Result<Json> answer_compare(const Json& request, BufferPair& buffers) {
  const auto pair = read_pair(request);
  if (!pair) return pair.error();
  const ComparisonJob job{request["src"].get<std::string>(), request["dst"].get<std::string>(), pair->source,
                          pair->destination, pair->options};
  const auto result = compare_pair(job, buffers);
  if (!result) return result.error();
  return to_json(request, *result);
}

std::string render_row(std::string_view name, const Json& gbps, const Json& jit_gbps) {
  if (!gbps.is_number()) return fmt::format("  {:<24}{:>10}\n", name, "-");
  return fmt::format("  {:<24}{:>10.2f}{:>12.2f}\n", name, gbps.get<double>(),
                     jit_gbps.get<double>() / gbps.get<double>());
}

std::string render_rates(const Json& answer) {
  const Json& jit = answer["jit_gbps"];
  return fmt::format("  {:<24}{:>10}{:>12}\n", "", "GB/s", "JIT is x") +  //
         render_row("JIT", jit, jit) + render_row("memcpy", answer["memcpy_gbps"], jit) +
         render_row("streaming copy", answer["streaming_gbps"], jit) +
         render_row("naive loop", answer["naive_gbps"], jit) +
         render_row("vectorised interpreter", answer["vectorised_gbps"], jit) +
         render_row("scalar interpreter", answer["interpreted_gbps"], jit);
}

std::string render_compare(const Json& answer) {
  const Json& breakeven = answer["breakeven_calls"];
  return fmt::format("{} -> {}: {} bytes read and written, {} on {}, {} KiB pages, 1 thread\n",
                     answer["src"].get<std::string>(), answer["dst"].get<std::string>(),
                     answer["bytes"].get<std::int64_t>(), answer["kernel"].get<std::string>(),
                     answer["isa"].get<std::string>(), answer["page_kib"].get<int>()) +
         render_rates(answer) +
         fmt::format("  compile {} us, cache hit {} us, call {} ns, {} bytes of code, pays after {} calls",
                     answer["compile_us"].dump(), answer["hit_us"].dump(), answer["call_ns"].dump(),
                     answer["code_bytes"].dump(), breakeven.is_null() ? "-" : breakeven.dump());
}

struct CompareOptions {
  OutputOptions output;
  CodeOptions code;
  BufferPair buffers;
};

}  // namespace

void add_compare(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "compare", "Time a conversion beside memcpy, a streaming copy, a naive loop, interpreters");
  const auto options = std::make_shared<CompareOptions>();
  const PairArguments pair = add_pair_arguments(*command);
  add_code_options(*command, options->code);
  add_output_options(*command, options->output, "\"src\", \"dst\", optional \"isa\" and \"kernel\"");
  command->footer(examples({"relayout compare 'f32[4096,4096]' '[1, 0]'",
                            "relayout compare 'u8[64,64]' '[0, 1, 0 p(4)]' --isa avx2 --json"}));
  command->callback([=, &exit_code] {
    Json request = Json::object();
    put_pair(pair, options->output.batch, request);
    put_code_options(options->code, request);
    const auto answer = [options](const Json& one) { return answer_compare(one, options->buffers); };
    exit_code = run_command({answer, render_compare}, options->output, request);
  });
}

}  // namespace relayout::cli
