#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "relayout/result.hpp"
#include "src/plan/model/plan.hpp"

namespace relayout::interpret {

/// The buffers of one run of a plan. Sizes are the plan's.
struct PlanBuffers {
  const std::byte* source = nullptr;
  std::byte* destination = nullptr;
  /// Entry b counts the writes of destination byte b, up to 255; sized by the first run. May be null.
  std::vector<std::uint8_t>* write_counts = nullptr;
};

/// Executes a plan byte by byte as plan.hpp defines it. Slow and obvious; allocates.
/// \error kInternal if an index of the plan is out of range, or an access leaves a buffer: names the nest,
/// the trips of its loops, and the bytes
Status run_plan(const plan::Plan& plan, const PlanBuffers& buffers);

/// The same for callers that have only pointers.
Status run_plan(const plan::Plan& plan, const std::byte* source, std::byte* destination,
                std::vector<std::uint8_t>* write_counts = nullptr);

/// Part `index` of `count` of every nest: the same share of each loop that is cut.
Status run_plan_part(const plan::Plan& plan, const PlanBuffers& buffers, std::int64_t index,
                     std::int64_t count);

}  // namespace relayout::interpret
