#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "relayout/result.hpp"
#include "src/plan/model/plan.hpp"

namespace relayout::plan {

/// In which order a nest's loops walk its tiles.
enum class LoopWalk : std::uint8_t {
  kBlocked,      ///< in blocks of a few lines on either side
  kSource,       ///< in the source's order
  kDestination,  ///< in the destination's order
  kTurns,        ///< in the destination's order, the outermost loop being the one that rounds share
};

/// Decisions to take otherwise than the planner would. As text, `name=value` joined by commas, such as
/// `kernel=scalar,loops=source`:
/// - `kernel`: as in kernel_name, of the largest box;
/// - `loops`: `blocked`, `source`, `destination` or `turns`;
/// - `vectors`: 32 or 64 bytes, of networks;
/// - `stores`: `temporal` or `streaming`;
/// - `prefetch`: `on` or `off`;
/// - `masks`: `on` or `off`, of loads and stores (masked_access.hpp).
struct PlanChoice {
  std::string kernel;  ///< empty: the cheapest that is predicted
  std::optional<LoopWalk> loops;
  std::optional<int> vector_bytes;
  std::optional<StorePolicy> stores;
  std::optional<bool> prefetch;
  std::optional<bool> masks;
};

/// \error kBadArgument, naming the part that is none of the above
Result<PlanChoice> parse_choice(std::string_view text);
/// Only what differs from the default.
std::string to_string(const PlanChoice& choice);

}  // namespace relayout::plan
