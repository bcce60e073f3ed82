#include <cstdio>

#include "relayout/explanation.hpp"

namespace relayout {
namespace {

std::string fixed(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", value);
  return text;
}

std::string prediction_lines(const Prediction& predicted) {
  return "predicted: " + fixed(predicted.cycles_per_element) + " cycles an element, bound by " +
         std::string(to_string(predicted.bound)) + "; alone: load " + fixed(predicted.load_cycles) +
         ", shuffle " + fixed(predicted.shuffle_cycles) + ", store " + fixed(predicted.store_cycles) +
         ", memory " + fixed(predicted.memory_cycles) + "\n           " +
         fixed(predicted.instructions_per_element) + " instructions an element, " +
         std::to_string(predicted.bytes) + " bytes and " + std::to_string(predicted.lines) +
         " lines moved, " + std::to_string(predicted.memory_lines) + " lines to or from memory\n";
}

std::string kernel_lines(const KernelExplanation& kernel, std::size_t index) {
  std::string text =
      "nest " + std::to_string(index) + ", " + std::to_string(kernel.elements) + " elements moved\n";
  for (const Decision& decision : kernel.decisions) {
    text += "  " + decision.what + ": " + decision.choice + ", because " + decision.reason + "\n";
  }
  for (const Wiring::Step& step : kernel.wiring.steps) {
    text +=
        "  step: " + step.instruction + ", " + std::to_string(step.instructions) + " instructions a call\n";
  }
  return text;
}

}  // namespace

std::string to_string(const Explanation& explanation) {
  std::string text = explanation.stages + "\n5. Plan\n";
  if (!explanation.portable_reason.empty()) {
    return text + "portable: the index expressions are interpreted, because " + explanation.portable_reason +
           "\n";
  }
  for (const std::string& line : explanation.plan) text += line + "\n";
  if (explanation.kernels.empty()) return text;
  text += "\n";
  if (!explanation.choice.empty()) text += "choice: " + explanation.choice + "\n";
  text += prediction_lines(explanation.predicted);
  for (std::size_t i = 0; i < explanation.kernels.size(); ++i)
    text += kernel_lines(explanation.kernels[i], i);
  for (const RejectedPlan& plan : explanation.rejected) {
    text += "rejected " + plan.choice + ": " + plan.reason + " (" + fixed(plan.predicted.cycles_per_element) +
            " cycles, bound by " + std::string(to_string(plan.predicted.bound)) + ")\n";
  }
  return text;
}

}  // namespace relayout
