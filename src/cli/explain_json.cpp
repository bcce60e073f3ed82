#include "src/cli/explain_json.hpp"

namespace relayout::cli {
namespace {

Json prediction_json(const Prediction& predicted) {
  return Json{{"cycles_per_element", rounded(predicted.cycles_per_element)},
              {"bound", to_string(predicted.bound)},
              {"load_cycles", rounded(predicted.load_cycles)},
              {"shuffle_cycles", rounded(predicted.shuffle_cycles)},
              {"store_cycles", rounded(predicted.store_cycles)},
              {"memory_cycles", rounded(predicted.memory_cycles)},
              {"instructions_per_element", rounded(predicted.instructions_per_element)},
              {"bytes", predicted.bytes},
              {"lines", predicted.lines},
              {"memory_lines", predicted.memory_lines}};
}

Json measured_json(const PlanMeasurement& measured, std::size_t index, std::int64_t elements) {
  const double seconds = measured.seconds[index];
  const double nanoseconds = seconds * 1e9 / static_cast<double>(std::max<std::int64_t>(1, elements));
  return Json{{"us", rounded(seconds * 1e6)},
              {"cycles_per_element", rounded(nanoseconds * measured.gigahertz)},
              {"gigahertz", rounded(measured.gigahertz)},
              {"page_kib", measured.page_kib}};
}

Json kernel_json(const KernelExplanation& kernel) {
  Json decisions = Json::object();
  for (const Decision& decision : kernel.decisions)
    decisions[decision.what] = Json{{"choice", decision.choice}, {"reason", decision.reason}};
  Json steps = Json::array();
  for (const Wiring::Step& step : kernel.wiring.steps)
    steps.push_back(Json{{"instruction", step.instruction}, {"instructions", step.instructions}});
  return Json{
      {"name", kernel.name}, {"elements", kernel.elements}, {"decisions", decisions}, {"steps", steps}};
}

}  // namespace

void put_explanation(const Explanation& explanation, const std::optional<PlanMeasurement>& measured,
                     std::int64_t elements, Json& answer) {
  const bool planned = !explanation.kernels.empty();
  answer["choice"] = explanation.choice;
  answer["bound"] = planned ? Json(to_string(explanation.predicted.bound)) : Json();
  answer["predicted"] = planned ? prediction_json(explanation.predicted) : Json();
  if (measured) answer["measured"] = measured_json(*measured, 0, elements);
  answer["kernels"] = Json::array();
  for (const KernelExplanation& kernel : explanation.kernels)
    answer["kernels"].push_back(kernel_json(kernel));
  answer["rejected"] = Json::array();
  for (std::size_t i = 0; i < explanation.rejected.size(); ++i) {
    const RejectedPlan& plan = explanation.rejected[i];
    Json rejected{
        {"choice", plan.choice}, {"reason", plan.reason}, {"predicted", prediction_json(plan.predicted)}};
    if (measured) rejected["measured"] = measured_json(*measured, i + 1, elements);
    answer["rejected"].push_back(std::move(rejected));
  }
}

}  // namespace relayout::cli
