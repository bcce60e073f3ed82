#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/plan/planner.hpp"

// Plans of layouts written as text, for a machine of 32 KiB, 1 MiB and 32 MiB of cache.

namespace relayout::plan {

MachineInfo plan_machine(const std::string& cost_model = "zen");

Problem problem_of(const std::string& source, const std::string& destination);

Plan plan_of(const Problem& problem, Isa isa = Isa::kAvx512, const PlanOptions& options = {});

/// What a processor of this family (MachineInfo::cost_model) gets.
Plan plan_for(const std::string& cost_model, const Problem& problem, Isa isa = Isa::kAvx512,
              const PlanOptions& options = {});

/// Its first nest.
Nest first_nest_for(const std::string& cost_model, const std::string& source, const std::string& destination,
                    Isa isa = Isa::kAvx512, const PlanOptions& options = {});

/// The first nest that a model gets of which fields differ from its processor's.
Nest first_nest_by(const Target& target, const std::string& source, const std::string& destination);

/// One that copies runs of so many bytes in these loops, from the start of either buffer.
Nest nest_of_copies(std::int64_t bytes, std::vector<Loop> loops);

/// What one call reads and writes of a row, bytes.
struct CallRuns {
  std::int64_t source_bytes = 0;
  std::int64_t destination_bytes = 0;
  bool operator==(const CallRuns&) const = default;
};

CallRuns runs_of_call(const Nest& nest);

/// Of the transpose of a matrix such as `f32[64,64]`.
CallRuns runs_of_transpose(const std::string& cost_model, const std::string& matrix,
                           Isa isa = Isa::kAvx512Vbmi);

/// Whether one of its networks reads groups of elements with the gaps behind them.
bool reads_gaps(const Plan& plan);

/// Whether its network writes zeros where the source has nothing.
bool writes_padding(const Nest& nest);

/// One a line.
std::string notes_of(const Plan& plan);

/// The plan's interpreter against the raw expressions.
void expect_right(const Problem& problem, const Plan& plan);

}  // namespace relayout::plan
