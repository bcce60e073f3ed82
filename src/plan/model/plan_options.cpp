#include "src/plan/model/plan_options.hpp"

namespace relayout::plan {

StreamingStores PlanOptions::wanted_streaming() const {
  if (choice == nullptr || !choice->stores) return streaming;
  return *choice->stores == StorePolicy::kStreaming ? StreamingStores::kAlways : StreamingStores::kNever;
}

std::optional<LoopWalk> PlanOptions::wanted_loops() const {
  return choice == nullptr ? std::nullopt : choice->loops;
}

std::optional<int> PlanOptions::wanted_vector_bytes() const {
  return choice == nullptr ? std::nullopt : choice->vector_bytes;
}

bool PlanOptions::may_prefetch() const {
  return choice == nullptr || choice->prefetch.value_or(true);
}

bool PlanOptions::is_kernel_forced() const {
  return kernel != KernelFamily::kAutomatic || (choice != nullptr && !choice->kernel.empty());
}

}  // namespace relayout::plan
