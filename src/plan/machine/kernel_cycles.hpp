#pragma once

namespace relayout::plan {

// What every kernel does, in cycles relative to one vector load and store; from the instruction tables of a
// Zen 5 (one 64-byte store, two loads, four vector operations per cycle). Only their order decides.
inline constexpr double kLoad = 0.5;
inline constexpr double kStore = 1.0;
inline constexpr double kCall = 2.5;  ///< loop control around one kernel body

}  // namespace relayout::plan
