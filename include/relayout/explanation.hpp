#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "relayout/compile.hpp"

namespace relayout {

/// What a plan's time is predicted to go into.
enum class Bound : std::uint8_t { kLoad, kShuffle, kStore, kMemory };
/// `load`, `shuffle`, `store`, `memory`.
std::string_view to_string(Bound bound) noexcept;

/// What a plan is predicted to cost in one of many calls, one thread, buffers in the caches that hold them. A
/// model with constants of one processor (src/plan/prediction.cpp): good for the order of plans, not for a
/// stopwatch.
struct Prediction {
  double cycles_per_element = 0;
  Bound bound = Bound::kMemory;
  // Cycles an element that each resource alone would take; `memory` is what the first cache misses.
  double load_cycles = 0;
  double shuffle_cycles = 0;
  double store_cycles = 0;
  double memory_cycles = 0;
  double instructions_per_element = 0;
  std::int64_t bytes = 0;         ///< read plus written by instructions, overlapping tails included
  std::int64_t lines = 0;         ///< cache lines touched, on both sides, once for each call of the kernel
  std::int64_t memory_lines = 0;  ///< lines that pass between the last cache and memory
};

/// Why a part of a plan is as it is.
struct Decision {
  std::string what;    ///< `kernel`, `vectors`, `loops`, `stores`, `prefetch` or `masks`
  std::string choice;  ///< in a few words
  std::string reason;
};

/// A plan that was not taken.
struct RejectedPlan {
  std::string choice;  ///< for CompileOptions::choice, which compiles it
  std::string reason;
  Prediction predicted;
};

/// Where elements go, step by step: a grid of `rows` (registers, or pieces of memory) by `columns`.
struct Wiring {
  struct Step {
    std::string instruction;
    std::int64_t instructions = 0;  ///< for one call of the kernel
    std::int64_t rows = 0;
    /// By row and column: the cell of the step before that comes here; -1 for none, or where elements are
    /// moved within bytes.
    std::vector<std::int64_t> from;
  };
  std::int64_t cell_bytes = 1;
  std::int64_t columns = 1;
  std::int64_t source_rows = 0;
  std::vector<Step> steps;
};

/// One nest of loops around one kernel.
struct KernelExplanation {
  std::string name;  ///< family: `copy`, `permute`, `gather`, `fill`
  std::int64_t elements = 0;
  std::vector<std::string> lines;  ///< of the plan's text: loops outermost first, then the kernel
  std::size_t loops = 0;           ///< how many of them are loops
  std::vector<Decision> decisions;
  Wiring wiring;  ///< no steps for kernels that rearrange nothing
};

/// Instructions from `offset` on belong to line `line` (from 1) of the plan.
struct CodeLine {
  std::size_t offset = 0;  ///< from the function's start, bytes
  int line = 0;
};

/// A generated function.
struct CodeFunction {
  std::string name;
  std::vector<std::uint8_t> code;
  std::vector<CodeLine> lines;
};

/// A compiled pair, for people: what was decided and why, and what it is predicted to cost.
struct Explanation {
  std::string stages;             ///< the stages up to the loop nest, as text
  std::vector<std::string> plan;  ///< the plan's text, by line
  std::string choice;             ///< as CompileOptions::choice has it; empty: all the cost model's own
  std::string portable_reason;    ///< why nothing was generated; then all below is empty
  Prediction predicted;
  std::vector<KernelExplanation> kernels;
  std::vector<RejectedPlan>
      rejected;  ///< by rising predicted cycles; each differs from the plan in one decision
  std::vector<CodeFunction> functions;
};

/// Plans the pair again in each other way and predicts what they cost: some 100 ms. Equal pairs on equal
/// machines give equal explanations. Thread safe. \error kSystem
Result<Explanation> explanation(const Relayout& relayout);

/// Stages 1 to 5 for people, with decisions, rejected plans and predictions; without the code.
std::string to_string(const Explanation& explanation);

}  // namespace relayout
