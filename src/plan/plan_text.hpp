#pragma once

#include <string>
#include <vector>

#include "src/plan/model/plan.hpp"

namespace relayout::plan {

/// to_string(plan), and the line (from 1) at which each nest begins.
struct NumberedText {
  std::string text;
  std::vector<int> nest_lines;
};
NumberedText numbered_text(const Plan& plan);

// Rows of a nest's text, from 0 at its first line.
inline constexpr int kNestRow = 0;
constexpr int loop_row(std::size_t depth) {
  return 1 + static_cast<int>(depth);
}
inline int kernel_row(const Nest& nest) {
  return loop_row(nest.loops.size());
}

// Rows of a permutation kernel's text, from 0 at its first line.
inline constexpr int kSourceSideRow = 2;
inline constexpr int kDestinationSideRow = 3;
inline constexpr int kFirstPhaseRow = 4;
/// The row of stage `stage`. \pre 0 <= stage < network.stages.size()
int stage_row(const Network& network, int stage);

}  // namespace relayout::plan
