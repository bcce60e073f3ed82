#include "src/cli/command.hpp"

#include <iostream>

#include "src/cli/terminal.hpp"

namespace relayout::cli {
namespace {

constexpr const char* kSpecHelp =
    "SPEC is TYPE[dims] (row-major), TYPE[dims][physical dimensions] in Morello's notation, slowest first: a "
    "bare number is all that is left of that logical dimension, p(n) a pack, oe(n) an odd-even strip; "
    "TYPE[dims]{minor_to_major:attributes} in XLA's, such as {1,0:T(8,128)(2,1)}; or TYPE shape:stride in "
    "CuTe's, such as f32 (6,(4,2)):(4,(1,24)). A destination may be the layout alone.";

int run_once(const Command& command, bool json, const Json& request) {
  const Result<Json> answer = command.answer(request);
  if (!answer) {
    print_error(answer.error().message);
    return kExitBadInput;
  }
  if (!write_line(json ? to_line(*answer) : command.render(*answer))) {
    print_error("standard output: cannot write");
    return kExitBadInput;
  }
  if (!*command.report_status) {
    print_error(command.report_status->error().message);
    return kExitBadInput;
  }
  return command.exit_code(*answer);
}

}  // namespace

int answer_lines(const Command& command, const Json& defaults, std::istream& lines) {
  bool proof_failed = false;
  const auto answer = [&](const Json& request) {
    Result<Json> answered = command.answer(request);
    if (answered && command.exit_code(*answered) == kExitFailedVerify) proof_failed = true;
    return answered;
  };
  if (!run_batch(answer, defaults, lines, write_line)) {
    print_error("standard output: cannot write");
    return kExitBadInput;
  }
  if (lines.bad()) {
    print_error("standard input: cannot read");
    return kExitBadInput;
  }
  return proof_failed ? kExitFailedVerify : kExitOk;
}

int run_command(const Command& command, const OutputOptions& output, const Json& request) {
  if (!output.batch) return run_once(command, output.json, request);
  std::ios::sync_with_stdio(false);
  return answer_lines(command, request, std::cin);
}

void add_json_option(CLI::App& app, OutputOptions& output) {
  app.add_flag("--json", output.json, "Answer with one JSON object");
}

void add_output_options(CLI::App& app, OutputOptions& output, const std::string& keys) {
  add_json_option(app, output);
  app.add_flag("--batch", output.batch,
               "Read one JSON object per line of standard input (" + keys +
                   ") and answer each with one line; a bad one is answered by {\"error\":...}");
}

std::string refuse_empty(const std::string& value) {
  return value.empty() ? "the value is empty" : "";
}

void add_code_options(CLI::App& app, CodeOptions& options) {
  app.add_option("--isa", options.isa, "Instruction set: portable, avx2, avx512 or avx512_vbmi")
      ->type_name("L")
      ->check(refuse_empty);
  app.add_option("--kernel", options.kernel, "Kernel family: automatic, copy, permute or gather")
      ->type_name("K")
      ->check(refuse_empty);
  app.add_option("--choice", options.choice,
                 "Plan otherwise than the cost model would: kernel=NAME, loops=source, vectors=32, "
                 "stores=temporal, prefetch=off, masks=off, joined by commas; relayout explain lists them")
      ->type_name("C")
      ->check(refuse_empty);
  app.add_flag("--strict", options.strict, "Fail where elements would be moved one by one or interpreted");
  app.add_flag("--tune", options.tune, "Time several plans when compiling and keep the fastest");
}

void put_code_options(const CodeOptions& options, Json& request) {
  if (!options.isa.empty()) request["isa"] = options.isa;
  if (!options.kernel.empty()) request["kernel"] = options.kernel;
  if (!options.choice.empty()) request["choice"] = options.choice;
  if (options.strict) request["strict"] = true;
  if (options.tune) request["tune"] = true;
}

void put_argument(const CLI::Option* argument, const char* key, bool batch, Json& request) {
  if (argument->count() > 0) {
    request[key] = argument->results().front();
  } else if (!batch) {
    throw CLI::RequiredError(argument->get_name());
  }
}

PairArguments add_pair_arguments(CLI::App& app) {
  return {app.add_option("SRC", "Layout of the source, such as 'f32[6,8]'"),
          app.add_option("DST", "Layout of the destination, such as '[1, 0, 1 p(4)]'")};
}

void put_pair(const PairArguments& arguments, bool batch, Json& request) {
  put_argument(arguments.source, "src", batch, request);
  put_argument(arguments.destination, "dst", batch, request);
}

std::string examples(std::initializer_list<const char*> lines) {
  std::string text = "Examples:\n";
  for (const char* line : lines) text.append("  ").append(line).append("\n");
  return text + "\n" + kSpecHelp;
}

}  // namespace relayout::cli
