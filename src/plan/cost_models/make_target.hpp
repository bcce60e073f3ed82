#pragma once

#include "relayout/isa.hpp"
#include "relayout/machine.hpp"
#include "src/plan/model/target.hpp"

namespace relayout::plan {

/// What plans for a level of a machine are made for: what is common, and what the model of its family, as
/// MachineInfo::cost_model names it, wants otherwise. \pre isa != kPortable
Target make_target(Isa isa, const MachineInfo& machine);

}  // namespace relayout::plan
