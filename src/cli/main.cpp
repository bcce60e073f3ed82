#include <csignal>
#include <exception>
#include <iostream>

#include "relayout/log.hpp"
#include "src/cli/command.hpp"
#include "src/cli/terminal.hpp"

namespace relayout::cli {
namespace {

void add_commands(CLI::App& app, int& exit_code) {
  add_parse(app, exit_code);
  add_offsets(app, exit_code);
  add_describe(app, exit_code);
  add_draw(app, exit_code);
  add_simplify(app, exit_code);
  add_explain(app, exit_code);
  add_verify(app, exit_code);
  add_compare(app, exit_code);
  add_convert(app, exit_code);
  add_hlo(app, exit_code);
  add_cute(app, exit_code);
}

int run_tool(int argc, char** argv) {
  CLI::App app("Converts n-d arrays between memory layouts with kernels compiled at run time.", "relayout");
  app.footer(examples({"relayout offsets 'f32[6,8][1, 0, 1 p(4)]'", "relayout explain 'f32[64,64]' '[1, 0]'",
                       "relayout convert in.npy out.npy --from 'f32[64,64]' --to '[1, 0]'"}));
  bool version = false;
  OutputOptions output;
  app.add_flag("--version", version, "Print the version; with --json also what is known of the machine");
  add_json_option(app, output);
  int exit_code = kExitBadInput;
  add_commands(app, exit_code);
  app.require_subcommand(0, 1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    print_error(error.what());
    return kExitBadInput;
  }
  if (version) return print_version(output.json);
  if (app.get_subcommands().empty()) std::cout << app.help() << std::flush;
  return exit_code;
}

}  // namespace
}  // namespace relayout::cli

int main(int argc, char** argv) {
  std::signal(SIGPIPE,
              SIG_DFL);  // a closed pipe ends the tool quietly even where the parent ignores the signal
  try {
    relayout::set_log_sink(relayout::standard_error_sink());
    return relayout::cli::run_tool(argc, argv);
  } catch (const std::exception& error) {
    relayout::cli::print_error(error.what());
    return relayout::cli::kExitBadInput;
  }
}
