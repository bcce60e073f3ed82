#pragma once

#include "src/cli/json.hpp"

namespace relayout::cli {

/// Version, levels, caches: what the library knows of itself and the machine.
Json machine_json();

/// What a measurement needs to be understood elsewhere: machine_json() and commit, compiler, operating
/// system, page and frequency policies, and the seed of the buffers' contents. Null where the system does
/// not say.
Json environment_json();

}  // namespace relayout::cli
