// relayout convert: converts the array in a file.

#include <array>
#include <fmt/format.h>
#include <memory>
#include <string_view>

#include "src/cli/command.hpp"
#include "src/cli/conversion.hpp"
#include "src/cli/request.hpp"

namespace relayout::cli {
namespace {

constexpr int kMostRepetitions = 1'000'000'000;
constexpr int kMostTeamThreads = 1024;

struct ConvertOptions {
  OutputOptions output;
  CodeOptions code;
  std::string fill;
  bool raw = false;
  int repetitions = 1;
  int threads = 1;
};

/// What a line of a batch may hold; `name` is the list's own.
constexpr std::array<std::string_view, 14> kKeys = {"name", "src",    "dst",     "in",     "out",
                                                    "isa",  "kernel", "choice",  "strict", "tune",
                                                    "fill", "raw",    "threads", "repeat"};

Status read_paths(const Json& request, ConversionJob& job) {
  auto source = required_path(request, "in");
  if (!source) return source.error();
  auto destination = required_path(request, "out");
  if (!destination) return destination.error();
  job.source_path = std::move(*source);
  job.destination_path = std::move(*destination);
  return {};
}

/// How the conversion runs: `fill`, `raw`, `repeat` and `threads`, all optional.
Status read_execution(const Json& request, ConversionJob& job) {
  auto fill = optional_text(request, "fill");
  if (!fill) return fill.error();
  const auto raw = optional_flag(request, "raw");
  if (!raw) return raw.error();
  const auto repetitions = optional_integer(request, "repeat", 1, kMostRepetitions);
  if (!repetitions) return repetitions.error();
  const auto threads = optional_integer(request, "threads", 1, kMostTeamThreads);
  if (!threads) return threads.error();
  job.fill = std::move(*fill);
  job.raw = *raw;
  job.repetitions = *repetitions;
  job.threads = *threads;
  return {};
}

Result<ConversionReport> convert_request(const Json& request) {
  if (const Status known = check_keys(request, kKeys); !known) return known.error();
  const auto pair = read_pair(request);
  if (!pair) return pair.error();
  ConversionJob job{{}, {}, pair->source, pair->destination, pair->options, {}};
  if (const Status paths = read_paths(request, job); !paths) return paths.error();
  if (const Status execution = read_execution(request, job); !execution) return execution.error();
  return convert_file(job);
}

std::string conversion_text(const ConversionReport& report) {
  const double gigabytes_per_second =
      report.seconds > 0 ? static_cast<double>(report.bytes) / report.seconds / 1e9 : 0;
  return fmt::format("{} bytes read and written in {:.3f} ms: {:.2f} GB/s ({}, {})", report.bytes,
                     report.seconds * 1e3, gigabytes_per_second, report.kernel, to_string(report.isa));
}

/// The report for people takes another way than the answer, which is {"ok":true} alone.
Command convert_command() {
  const auto report = std::make_shared<ConversionReport>();
  Command command;
  command.answer = [=](const Json& request) -> Result<Json> {
    auto converted = convert_request(request);
    if (!converted) return converted.error();
    *report = std::move(*converted);
    return Json{{"ok", true}};
  };
  command.render = [=](const Json&) { return conversion_text(*report); };
  return command;
}

struct ConvertArguments {
  CLI::Option* in;
  CLI::Option* out;
  CLI::Option* from;
  CLI::Option* to;
};

ConvertArguments add_convert_arguments(CLI::App& command, ConvertOptions& options) {
  const ConvertArguments arguments{
      command.add_option("IN", "File to read"),
      command.add_option("OUT", "File to write; replaced if it exists"),
      command.add_option("--from", "Layout of the array in IN")->type_name("SPEC"),
      command.add_option("--to", "Layout of the array in OUT")->type_name("SPEC")};
  add_code_options(command, options.code);
  command.add_flag("--raw", options.raw, "Files are bare buffers of exactly the layouts' bytes, not .npy");
  command
      .add_option("--fill", options.fill, "Value to put into the destination's padding, or its bits as 0x...")
      ->type_name("V")
      ->check(refuse_empty);
  command.add_option("--repeat", options.repetitions, "Convert N times in memory and report the median")
      ->type_name("N")
      ->check(CLI::Range(1, kMostRepetitions));
  command.add_option("--threads", options.threads, "Threads to use, 1 if not given")
      ->type_name("N")
      ->check(CLI::Range(1, kMostTeamThreads));
  add_output_options(
      command, options.output,
      "\"src\", \"dst\", \"in\", \"out\", optional \"fill\", \"raw\", \"threads\", \"repeat\", \"isa\", "
      "\"kernel\", \"choice\", \"strict\", \"tune\" and \"name\"");
  return arguments;
}

}  // namespace

void add_convert(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("convert", "Convert the array in a .npy file or a bare buffer");
  const auto options = std::make_shared<ConvertOptions>();
  const ConvertArguments arguments = add_convert_arguments(*command, *options);
  command->footer(
      examples({"relayout convert in.npy out.npy --from 'f32[64,64]' --to '[1, 0, 1 p(16)]'",
                "relayout convert in.bin out.bin --raw --from 'u8[64,64]' --to '[1, 0]' --threads 2"}));
  command->callback([=, &exit_code] {
    const bool batch = options->output.batch;
    Json request = Json::object();
    put_argument(arguments.in, "in", batch, request);
    put_argument(arguments.out, "out", batch, request);
    put_argument(arguments.from, "src", batch, request);
    put_argument(arguments.to, "dst", batch, request);
    put_code_options(options->code, request);
    if (!options->fill.empty()) request["fill"] = options->fill;
    if (options->raw) request["raw"] = true;
    request["repeat"] = options->repetitions;
    request["threads"] = options->threads;
    exit_code = run_command(convert_command(), options->output, request);
  });
}

}  // namespace relayout::cli
