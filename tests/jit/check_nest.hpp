#pragma once

#include <span>

#include "src/plan/model/plan.hpp"

namespace relayout::testing {

/// Compiles the nest at every level, decodes the code, and where the level runs compares what it does with
/// the naive loop: buffers flush against inaccessible pages at the end and at the front, in one part and in
/// several, temporal and, where the plan has it, streaming. The nest's bases are set so that both buffers
/// start with the first byte touched, and the buffers end with the last one.
void expect_moves_as_the_naive_loop(plan::Nest nest);

/// The levels that have machine code.
inline constexpr Isa kCompiledIsas[] = {Isa::kAvx2, Isa::kAvx512, Isa::kAvx512Vbmi};

/// The same at these levels only, for kernels that not every level has.
void expect_moves_as_the_naive_loop_at(plan::Nest nest, std::span<const Isa> levels);

/// A nest of this kernel under `trips` trips.
plan::Nest nest_of(plan::Kernel kernel, plan::Loop loop = {});

/// A plan of this nest alone. Buffer sizes are not set.
plan::Plan plan_of(plan::Nest nest, Isa isa);

}  // namespace relayout::testing
