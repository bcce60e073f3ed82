#include <string>

#include "src/layout/layout_data.hpp"
#include "src/plan/cost_models/make_target.hpp"
#include "src/plan/model/scratch.hpp"
#include "src/plan/planner.hpp"
#include "src/plan/refinement/injective.hpp"
#include "src/runtime/announce.hpp"
#include "src/runtime/compiled_relayout.hpp"
#include "src/runtime/counters.hpp"
#include "src/runtime/fork_gate.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/padding_value.hpp"
#include "src/runtime/pair.hpp"
#include "src/runtime/verbose.hpp"

namespace relayout::runtime {
namespace {

#ifdef NDEBUG
constexpr bool kValidateInstructions = false;
#else
constexpr bool kValidateInstructions = true;
#endif

/// What padding is filled with, in elements of the problem; empty if it is to be left alone.
/// \error kUnsupported where byte strides cut the fill value into unequal parts
Result<std::vector<std::uint8_t>> fill_element(const CompiledRelayout& compiled) {
  std::vector<std::uint8_t> element;
  if (compiled.options.padding == PaddingPolicy::kLeaveUntouched) return element;
  if (compiled.packed_widths) {
    element.push_back(*packed_fill(compiled.options, *compiled.packed_widths));
    return element;
  }
  element.assign(static_cast<std::size_t>(compiled.destination.type().storage_bytes()), 0);
  for (std::size_t i = 0; i < compiled.options.fill.size(); ++i) {
    element[i] = static_cast<std::uint8_t>(compiled.options.fill[i]);
  }
  const auto unit = static_cast<std::size_t>(compiled.problem.element_bytes);
  for (std::size_t i = unit; i < element.size(); ++i) {
    if (element[i] != element[i - unit]) {
      return Error{ErrorCode::kUnsupported,
                   "a fill value of unequal bytes between strides that cut elements"};
    }
  }
  element.resize(unit);
  return element;
}

/// The vectorised interpreter as the compiled form.
Status use_portable(CompiledRelayout& compiled, std::string reason) {
  auto problem = simplified_problem(compiled.source, compiled.destination);
  if (!problem) return problem.error();
  // `portable` means no generated code; the interpreter still uses the widest vectors allowed.
  auto program = interpret::VectorisedProgram::build(*problem, default_isa());
  if (!program) return program.error();
  compiled.portable = std::move(*program);
  auto fill = fill_element(compiled);
  if (!fill) return fill.error();
  if (!fill->empty()) {
    auto pieces = plan::padding_pieces(compiled.problem);
    if (!pieces) return pieces.error();
    compiled.portable_padding = PortablePadding(std::move(*pieces), std::move(*fill));
  }
  compiled.isa = Isa::kPortable;
  compiled.kernel = "portable";
  compiled.plan = {};
  compiled.scratch_bytes = 0;
  compiled.portable_reason = std::move(reason);
  return {};
}

/// Moves elements narrower than a byte without generated code.
Status use_packed(CompiledRelayout& compiled, std::string reason) {
  auto packed =
      PackedPair::make(compiled.source, compiled.destination, *compiled.packed_widths, compiled.options);
  if (!packed) return packed.error();
  compiled.packed = std::move(*packed);
  compiled.isa = Isa::kPortable;
  compiled.kernel = "portable";
  compiled.plan = {};
  compiled.scratch_bytes = 0;
  compiled.portable_reason = std::move(reason);
  return {};
}

plan::PackedSpacing spacing_of(const CompiledRelayout& compiled) {
  if (!compiled.packed_widths) return {};
  return {compiled.packed_widths->source_spacing_bits, compiled.packed_widths->destination_spacing_bits};
}

Status without_code(CompiledRelayout& compiled, const std::string& reason) {
  if (compiled.options.strict) {
    return Error{ErrorCode::kUnsupported,
                 "strict: the pair is interpreted, because " +
                     (reason.empty() ? std::string("the portable level was asked for") : reason)};
  }
  return compiled.packed_widths ? use_packed(compiled, reason) : use_portable(compiled, reason);
}

/// \error kUnsupported if elements are moved one by one
Status check_strict(const plan::Plan& plan) {
  for (std::size_t i = 0; i < plan.nests.size(); ++i) {
    if (!std::holds_alternative<plan::GatherKernel>(plan.nests[i].kernel)) continue;
    return Error{ErrorCode::kUnsupported, "strict: nest " + std::to_string(i) + " of " +
                                              std::to_string(plan.nests.size()) +
                                              " moves single elements, by " + plan.nests[i].reason};
  }
  return {};
}

Status generate(CompiledRelayout& compiled, Isa isa) {
  Stopwatch watch;
  auto options = plan_options(compiled);
  if (!options) return options.error();
  const bool announced = profile::Registry::instance().chosen().any();
  options->reasons = announced || compiled.options.strict;  // to be read right away; see with_reasons
  auto plan =
      plan::make_plan(compiled.problem, compiled.loop_nest, plan::make_target(isa, machine_info()), *options);
  if (!plan) return plan.error();
  if (compiled.options.strict) {
    if (auto status = check_strict(*plan); !status) return status;
  }
  compiled.plan = std::move(*plan);
  compiled.times.plan = watch.lap();
  compiled.scratch_bytes = static_cast<std::size_t>(plan::scratch_bytes(compiled.plan));
  if (compiled.scratch_bytes > plan::kMostScratchBytes) {
    return Error{ErrorCode::kUnsupported,
                 "a nest wants " + std::to_string(compiled.scratch_bytes) + " bytes of scratch"};
  }
  auto code = jit::compile(
      compiled.plan, {.validate = kValidateInstructions, .marks = announced, .unique_addresses = announced});
  if (!code) return code.error();
  compiled.times.emit = watch.lap();
  compiled.code = std::move(*code);
  compiled.isa = isa;
  compiled.kernel = plan::kernel_names(compiled.plan);
  return {};
}

Status check_fill(const CompileOptions& options, const Layout& destination) {
  if (options.fill.empty() ||
      static_cast<std::int64_t>(options.fill.size()) == destination.type().storage_bytes()) {
    return {};
  }
  return Error{ErrorCode::kBadArgument, "the fill value has " + std::to_string(options.fill.size()) +
                                            " bytes, an element has " +
                                            std::to_string(destination.type().storage_bytes())};
}

Status read_choice(CompiledRelayout& compiled) {
  if (compiled.options.choice.empty()) return {};
  auto choice = plan::parse_choice(compiled.options.choice);
  if (!choice) return choice.error();
  compiled.choice = std::move(*choice);
  return {};
}

Status fill_stages(CompiledRelayout& compiled, Isa isa) {
  if (auto status = read_choice(compiled); !status) return status;
  if (auto status = check_fill(compiled.options, compiled.destination); !status) return status;
  if (compiled.options.fill.empty()) {
    auto fill = padding_value_bytes(compiled.destination);
    if (!fill) return fill.error();
    compiled.options.fill = std::move(*fill);
  }
  Stopwatch watch;
  auto problem = raw_problem(compiled.source, compiled.destination);
  if (!problem) return problem.error();
  compiled.problem = std::move(*problem);
  if (compiled.destination.data().span_bytes) {
    if (auto status = plan::check_injective(compiled.problem); !status) return status;
  }
  compiled.times.problem = watch.lap();
  if (compiled.source.element_count() > 0) {
    auto nest = plan::refine(compiled.problem);
    if (!nest) return nest.error();
    compiled.loop_nest = std::move(*nest);
  }
  compiled.times.refine = watch.lap();
  if (is_packed_pair(compiled.source, compiled.destination)) {
    auto widths = packed_widths(compiled.source, compiled.destination);
    if (!widths) return widths.error();
    compiled.packed_widths = *widths;
  }
  if (isa == Isa::kPortable) return without_code(compiled, "");
  if (!jit::executable_memory_available()) {
    log(LogLevel::kWarning, "the system allows no executable memory: interpreting " +
                                compiled.source.to_string() + " to " + compiled.destination.to_string());
    return without_code(compiled, "the system allows no executable memory");
  }
  auto status = generate(compiled, isa);
  const bool forced =
      compiled.options.kernel != KernelFamily::kAutomatic || compiled.options.strict || compiled.choice;
  if (status || forced || status.error().code != ErrorCode::kUnsupported) return status;
  log(LogLevel::kWarning, "interpreting " + compiled.source.to_string() + " to " +
                              compiled.destination.to_string() + ": " + status.error().message);
  return without_code(compiled, status.error().message);
}

}  // namespace

Result<plan::PlanOptions> plan_options(const CompiledRelayout& compiled) {
  auto fill = fill_element(compiled);
  if (!fill) return fill.error();
  plan::PlanOptions options{compiled.options.kernel, compiled.options.streaming, std::move(*fill),
                            spacing_of(compiled)};
  if (compiled.choice) options.choice = &*compiled.choice;
  return options;
}

Result<CompiledRelayout> with_reasons(const CompiledRelayout& compiled) {
  CompiledRelayout explained = compiled;
  if (!compiled.code) return explained;
  const auto options = plan_options(compiled);
  if (!options) return options.error();
  auto plan = plan::make_plan(compiled.problem, compiled.loop_nest,
                              plan::make_target(compiled.isa, machine_info()), *options);
  if (!plan) return plan.error();
  explained.plan = std::move(*plan);
  return explained;
}

Result<Isa> choose_isa(const CompileOptions& options) {
  if (!options.isa) return default_isa();
  if (*options.isa <= machine_isa()) return *options.isa;
  return Error{ErrorCode::kIsaUnavailable, "this machine has no " + std::string(to_string(*options.isa)) +
                                               ", at most " + std::string(to_string(machine_isa()))};
}

Result<std::shared_ptr<const CompiledRelayout>> compile_pair(const Layout& source, const Layout& destination,
                                                             const CompileOptions& options, Isa isa) {
  const ForkPass pass;
  Stopwatch watch;
  auto compiled = std::make_shared<CompiledRelayout>(source, destination);
  compiled->options = options;
  const Status status = fill_stages(*compiled, isa);
  compiled->times.total = watch.lap();
  count_compilation(compiled->code_bytes(), compiled->times.total);
  if (!status) {
    report_failure({source.to_string(), destination.to_string(), to_string(isa)}, status.error().message);
    return status.error();
  }
  const CallObserver::Choice observed = CallObserver::choose(options);
  if (observed.any()) compiled->observer = std::make_shared<CallObserver>(observed);
  announce(*compiled);
  report_compilation(*compiled);
  return std::shared_ptr<const CompiledRelayout>(std::move(compiled));
}

}  // namespace relayout::runtime
