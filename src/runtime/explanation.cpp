#include "relayout/explanation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "relayout/machine.hpp"
#include "src/layout/memory_guard.hpp"
#include "src/plan/candidates.hpp"
#include "src/plan/cost_models/make_target.hpp"
#include "src/plan/model/kernel_access.hpp"
#include "src/plan/plan_text.hpp"
#include "src/runtime/announce.hpp"
#include "src/runtime/compiled_relayout.hpp"
#include "src/runtime/decisions.hpp"
#include "src/runtime/fork_gate.hpp"
#include "src/runtime/wiring.hpp"

namespace relayout {
namespace runtime {
namespace {

constexpr std::array<std::string_view, 4> kBoundNames = {"load", "shuffle", "store", "memory"};

Prediction prediction_of(const plan::Work& work, std::int64_t elements) {
  const std::array cycles = {work.load_cycles, work.shuffle_cycles, work.store_cycles, work.memory_cycles};
  const auto each = static_cast<double>(std::max<std::int64_t>(1, elements));
  Prediction prediction;
  prediction.cycles_per_element = work.cycles / each;
  prediction.bound = static_cast<Bound>(std::ranges::max_element(cycles) - cycles.begin());
  prediction.load_cycles = work.load_cycles / each;
  prediction.shuffle_cycles = work.shuffle_cycles / each;
  prediction.store_cycles = work.store_cycles / each;
  prediction.memory_cycles = work.memory_cycles / each;
  prediction.instructions_per_element = work.instructions / each;
  prediction.bytes = std::llround(work.moved_bytes);
  prediction.lines = std::llround(work.lines);
  prediction.memory_lines = std::llround(work.far_lines);
  return prediction;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

/// Elements that a nest writes, overlapping tails included.
std::int64_t elements_of(const plan::Nest& nest, std::int64_t element_bytes) {
  return std::llround(plan::written_bytes(nest) / static_cast<double>(element_bytes));
}

class Explainer {
 public:
  explicit Explainer(const CompiledRelayout& compiled)
      : compiled_(compiled), target_(plan::make_target(compiled.isa, machine_info())) {}

  Result<Explanation> run() {
    explanation_.stages = stages_text(compiled_);
    explanation_.choice = compiled_.options.choice;
    if (!compiled_.code) {
      explanation_.portable_reason =
          compiled_.portable_reason.empty() ? "the portable level was asked for" : compiled_.portable_reason;
      return std::move(explanation_);
    }
    explain_plan();
    if (auto status = add_candidates(); !status) return status.error();
    if (auto status = add_code(); !status) return status.error();
    return std::move(explanation_);
  }

 private:
  void explain_plan() {
    const plan::NumberedText text = plan::numbered_text(compiled_.plan);
    explanation_.plan = lines_of(text.text);
    for (std::size_t i = 0; i < compiled_.plan.nests.size(); ++i) {
      explanation_.kernels.push_back(kernel(compiled_.plan.nests[i], text, i));
    }
  }

  KernelExplanation kernel(const plan::Nest& nest, const plan::NumberedText& text, std::size_t index) const {
    KernelExplanation kernel;
    kernel.name = kernel_family(nest.kernel);
    kernel.elements = elements_of(nest, compiled_.plan.element_bytes);
    kernel.loops = nest.loops.size();
    const bool last = index + 1 == text.nest_lines.size();
    const auto begin = static_cast<std::size_t>(text.nest_lines[index]);
    const std::size_t end = last ? explanation_.plan.size() - compiled_.plan.notes.size()
                                 : static_cast<std::size_t>(text.nest_lines[index + 1]) - 1;
    for (std::size_t line = begin; line < end; ++line) kernel.lines.push_back(explanation_.plan[line]);
    while (!kernel.lines.empty() && kernel.lines.back().empty()) kernel.lines.pop_back();
    kernel.decisions = decisions_of(compiled_.plan, nest, target_, choice());
    kernel.wiring = wiring_of(nest.kernel, compiled_.plan.element_bytes);
    return kernel;
  }

  Status add_candidates() {
    if (compiled_.plan.nests.empty()) return {};
    const auto options = plan_options(compiled_);
    if (!options) return options.error();
    const auto list = plan::plan_candidates(compiled_.problem, compiled_.loop_nest, target_, *options);
    if (!list) return list.error();
    const std::int64_t elements = compiled_.source.element_count();
    explanation_.predicted = prediction_of(list->chosen.work, elements);
    for (const plan::Candidate& candidate : list->others) {
      explanation_.rejected.push_back({plan::to_string(candidate.choice), rejection(candidate, list->chosen),
                                       prediction_of(candidate.work, elements)});
    }
    std::ranges::stable_sort(explanation_.rejected, {},
                             [](const RejectedPlan& plan) { return plan.predicted.cycles_per_element; });
    return {};
  }

  /// The same code again, with notes of which instructions belong to which lines of the plan.
  Status add_code() {
    CompiledRelayout marked = compiled_;
    auto code = jit::compile(compiled_.plan, {.marks = true});
    if (!code) return code.error();
    marked.code = std::move(*code);
    const profile::CodeDescription description = describe(marked);
    for (const profile::FunctionDescription& function : description.functions) {
      CodeFunction shown{function.name, {function.code.begin(), function.code.end()}, {}};
      for (const profile::LineMark& mark : function.lines) shown.lines.push_back({mark.offset, mark.line});
      explanation_.functions.push_back(std::move(shown));
    }
    return {};
  }

  plan::PlanChoice choice() const { return compiled_.choice.value_or(plan::PlanChoice{}); }

  const CompiledRelayout& compiled_;
  plan::Target target_;
  Explanation explanation_;
};

}  // namespace

Result<Explanation> explanation(const CompiledRelayout& compiled) {
  const auto explained = with_reasons(compiled);
  if (!explained) return explained.error();
  return Explainer(*explained).run();
}

}  // namespace runtime

std::string_view to_string(Bound bound) noexcept {
  return runtime::kBoundNames[static_cast<std::size_t>(bound)];
}

Result<Explanation> explanation(const Relayout& relayout) {
  return layout::without_exceptions([&]() -> Result<Explanation> {
    const runtime::ForkPass pass;
    return runtime::explanation(relayout.compiled());
  });
}

}  // namespace relayout
