#pragma once

#include <functional>
#include <istream>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "src/cli/batch.hpp"

namespace relayout::cli {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailedVerify = 1;
inline constexpr int kExitBadInput = 2;

/// How a command answers.
struct Command {
  Answer answer;
  std::function<std::string(const Json& answer)> render;  ///< the answer as text for people
  std::function<int(const Json& answer)> exit_code = [](const Json&) { return kExitOk; };
  /// Where `answer` notes that a report could not be written. Its answer is printed all the same, then this.
  std::shared_ptr<const Status> report_status = std::make_shared<const Status>();
};

/// `--json` and `--batch` of a command.
struct OutputOptions {
  bool json = false;
  bool batch = false;
};

/// Answers `request`, or every line of standard input with `request` as the defaults. Returns the exit code.
int run_command(const Command& command, const OutputOptions& output, const Json& request);

/// Answers every line of `lines` with `defaults` under its keys. \return kExitFailedVerify if a proof of any
/// line failed; kExitBadInput if lines cannot be read or answers cannot be written, which it says; an error
/// that is a line's answer is none of the batch
int answer_lines(const Command& command, const Json& defaults, std::istream& lines);

/// Adds `--json` to `app`.
void add_json_option(CLI::App& app, OutputOptions& output);
/// Adds `--json` and `--batch`; `keys` says what a line of the batch holds.
void add_output_options(CLI::App& app, OutputOptions& output, const std::string& keys);

/// For CLI::Option::check: refuses a value of no characters, which would count as none given.
std::string refuse_empty(const std::string& value);

/// `--isa`, `--kernel`, `--choice`, `--strict` and `--tune`; empty if not given.
struct CodeOptions {
  std::string isa;
  std::string kernel;
  std::string choice;
  bool strict = false;
  bool tune = false;
};
void add_code_options(CLI::App& app, CodeOptions& options);
/// Puts what was given into `request`.
void put_code_options(const CodeOptions& options, Json& request);

/// The source and destination arguments of a command.
struct PairArguments {
  CLI::Option* source = nullptr;
  CLI::Option* destination = nullptr;
};
PairArguments add_pair_arguments(CLI::App& app);
/// Puts both into `request`; in a batch they may be missing. \pre called after parsing; throws
/// CLI::RequiredError
void put_pair(const PairArguments& arguments, bool batch, Json& request);

/// Puts an argument into `request` under `key`; unless in a batch, it has to be there.
void put_argument(const CLI::Option* argument, const char* key, bool batch, Json& request);

/// Help text below the options: examples, one a line.
std::string examples(std::initializer_list<const char*> lines);

/// Each adds its command to `app`; running it sets `exit_code`.
void add_parse(CLI::App& app, int& exit_code);
void add_offsets(CLI::App& app, int& exit_code);
void add_describe(CLI::App& app, int& exit_code);
void add_draw(CLI::App& app, int& exit_code);
void add_simplify(CLI::App& app, int& exit_code);
void add_explain(CLI::App& app, int& exit_code);
void add_verify(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_convert(CLI::App& app, int& exit_code);
void add_hlo(CLI::App& app, int& exit_code);
void add_cute(CLI::App& app, int& exit_code);

/// Prints the version, and what the library knows of the machine if `json`.
int print_version(bool json);

}  // namespace relayout::cli
