// relayout convert: converts the array in a file.

#include <fmt/format.h>
#include <memory>
#include <optional>

#include "src/cli/command.hpp"
#include "src/cli/conversion.hpp"
#include "src/cli/request.hpp"

namespace relayout::cli {
namespace {

struct ConvertOptions {
  OutputOptions output;
  CodeOptions code;
  std::string fill;
  bool raw = false;
  int repetitions = 1;
  int threads = 1;
};

Result<ConversionJob> read_job(const Json& request, const ConvertOptions& options) {
  const auto pair = read_pair(request);
  if (!pair) return pair.error();
  const auto source_path = required_text(request, "in");
  if (!source_path) return source_path.error();
  const auto destination_path = required_text(request, "out");
  if (!destination_path) return destination_path.error();
  const auto fill = options.fill.empty() ? std::nullopt : std::optional(options.fill);
  return ConversionJob{*source_path, *destination_path, pair->source,        pair->destination, pair->options,
                       fill,         options.raw,       options.repetitions, options.threads};
}

Result<ConversionReport> convert_request(const Json& request, const ConvertOptions& options) {
  const auto job = read_job(request, options);
  if (!job) return job.error();
  return convert_file(*job);
}

std::string conversion_text(const ConversionReport& report) {
  const double gigabytes_per_second =
      report.seconds > 0 ? static_cast<double>(report.bytes) / report.seconds / 1e9 : 0;
  return fmt::format("{} bytes read and written in {:.3f} ms: {:.2f} GB/s ({}, {})", report.bytes,
                     report.seconds * 1e3, gigabytes_per_second, report.kernel, to_string(report.isa));
}

/// The report for people takes another way than the answer, which is {"ok":true} alone.
Command convert_command(const ConvertOptions& options) {
  const auto report = std::make_shared<ConversionReport>();
  Command command;
  command.answer = [=](const Json& request) -> Result<Json> {
    auto converted = convert_request(request, options);
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
      ->type_name("V");
  command.add_option("--repeat", options.repetitions, "Convert N times in memory and report the median")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000'000));
  command.add_option("--threads", options.threads, "Threads to use, 1 if not given")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  add_output_options(command, options.output,
                     "\"src\", \"dst\", \"in\", \"out\", optional \"isa\" and \"kernel\"");
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
    exit_code = run_command(convert_command(*options), options->output, request);
  });
}

}  // namespace relayout::cli
