#pragma once

#include "src/plan/model/target.hpp"

// What families of processors want otherwise than Target has it by default. Every constant was measured, and
// the figure that made it is beside it: "60 pairs 0.65 and 0.81, 43 faster and ten slower" are 60 pairs whose
// plans change, their mean speed over memcpy's without and with the rule, and how many of them became faster
// and slower by a twentieth. Examples, and what was tried in its place: docs/cost_models.md.

namespace relayout::plan {

/// AMD's Zen 3.
void set_zen3(Target& target);

/// AMD's Zen 4.
void set_zen4(Target& target);

/// AMD's Zen 5.
void set_zen5(Target& target);

/// Intel's servers before Sapphire Rapids, measured on a Cascade Lake ("intel" in MachineInfo::cost_model).
void set_cascade_lake(Target& target);

/// Intel's servers from Sapphire Rapids on, whose cores are Golden Cove or its successors.
void set_golden_cove(Target& target);

/// How a Golden Cove, a Zen 3 and a Zen 4 write whole lines, mostly by staging past the last cache, and move
/// less twice.
void set_whole_lines(Target& target);

/// What serves both a Zen 3 and a Zen 4, measured on each.
void set_zen3_and_zen4(Target& target);

/// What serves both a Zen 4 and a Zen 5, measured on each.
void set_zen4_and_zen5(Target& target);

/// What serves both of Intel's families, measured on a Cascade Lake.
void set_intel_common(Target& target);

}  // namespace relayout::plan
