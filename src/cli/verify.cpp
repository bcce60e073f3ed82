// relayout verify: proves the compiled kernel, at one or every level that the machine can run.

#include <fmt/format.h>
#include <memory>

#include "src/cli/command.hpp"
#include "src/cli/request.hpp"
#include "src/cli/transposer_terms.hpp"

namespace relayout::cli {
namespace {

/// Without a level asked for, all that can run; strict leaves out the portable one, which always interprets,
/// unless there is no other.
std::vector<Isa> levels_asked_for(const CompileOptions& options) {
  if (options.isa) return {*options.isa};
  std::vector<Isa> levels = runnable_isas();
  if (options.strict && levels.size() > 1) std::erase(levels, Isa::kPortable);
  return levels;
}

Json failure(const Proof& proof, const Json& proved) {
  return Json{{"ok", false},
              {"isas", proved},
              {"isa", to_string(proof.isa)},
              {"kernel", proof.kernel},
              {"wrong_byte", proof.wrong_byte},
              {"stage", proof.stage},
              {"message", proof.message}};
}

/// Proves each level in turn, up to the first that fails. The kernel reported is that of the last level.
Result<Json> answer_verify(const Json& request) {
  const auto pair = has_transposer_terms(request) ? read_transposer_terms(request) : read_pair(request);
  if (!pair) return pair.error();
  const auto thorough = optional_flag(request, "thorough");
  if (!thorough) return thorough.error();
  Json proved = Json::array();
  std::string kernel;
  for (const Isa isa : levels_asked_for(pair->options)) {
    CompileOptions options = pair->options;
    options.isa = isa;
    const auto proof = prove(pair->source, pair->destination, options, ProofOptions{*thorough});
    if (!proof) return prefixed(to_string(isa), proof.error());
    if (!proof->ok) return failure(*proof, proved);
    proved.push_back(to_string(isa));
    kernel = proof->kernel;
  }
  return Json{{"ok", true}, {"isas", proved}, {"kernel", kernel}};
}

std::string render_verify(const Json& answer) {
  if (answer["ok"].get<bool>()) {
    return fmt::format("proved for {} ({})", fmt::join(answer["isas"].get<std::vector<std::string>>(), ", "),
                       answer["kernel"].get<std::string>());
  }
  return fmt::format("WRONG at {}: destination byte {}, fault in stage \"{}\": {}",
                     answer["isa"].get<std::string>(), answer["wrong_byte"].get<std::int64_t>(),
                     answer["stage"].get<std::string>(), answer["message"].get<std::string>());
}

int verify_exit_code(const Json& answer) {
  return answer["ok"].get<bool>() ? kExitOk : kExitFailedVerify;
}

struct VerifyOptions {
  OutputOptions output;
  CodeOptions code;
  bool thorough = false;
};

}  // namespace

void add_verify(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("verify", "Prove the compiled kernel of a conversion");
  const auto options = std::make_shared<VerifyOptions>();
  const PairArguments pair = add_pair_arguments(*command);
  add_code_options(*command, options->code);
  command->add_flag("--thorough", options->thorough,
                    "Every combination of alignment, store policy and part split, not each once");
  add_output_options(
      *command, options->output,
      "\"src\" and \"dst\", or \"elem_size_bytes\", \"dims\", \"permutation\", ... as XLA's transposer "
      "has them; optional \"isa\", \"kernel\" and \"thorough\"");
  command->footer(examples({"relayout verify 'f32[64,64]' '[1, 0]'",
                            "relayout verify 'u8[64,64]' '[0, 1, 0 p(4)]' --isa avx2 --thorough"}));
  command->callback([=, &exit_code] {
    Json request = Json::object();
    put_pair(pair, options->output.batch, request);
    put_code_options(options->code, request);
    if (options->thorough) request["thorough"] = true;
    exit_code = run_command({answer_verify, render_verify, verify_exit_code}, options->output, request);
  });
}

}  // namespace relayout::cli
