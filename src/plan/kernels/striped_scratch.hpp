#pragma once

#include "src/plan/model/target.hpp"
#include "src/plan/network/network.hpp"

namespace relayout::plan {

/// Puts the scratch of a network whose lines are streamed into stripes, clear of the sets of the first cache
/// through which these lines pass. Nothing changes where that many sets take them, or where the stripes would
/// need more room than a call has.
void stripe_scratch(Network& network, const Target& target);

}  // namespace relayout::plan
