#pragma once

#include <span>

#include "src/expr/small_vector.hpp"
#include "src/plan/network/network.hpp"

namespace relayout::jit {

using VectorNumbers = expr::SmallVector<unsigned, 16>;

/// Bit i of `value` goes to bit slots[i] of the result.
unsigned deposit(unsigned value, std::span<const int> slots);

/// The vectors that a group loads at a time: all that these slots tell apart beside `group`.
VectorNumbers vectors_of_group(unsigned group, std::span<const int> slots);

/// The slots that tell apart the vectors of a group that are loaded at a time: all, or all but the last.
std::span<const int> slots_at_a_time(const plan::Phase& phase);

/// Bits of the register number whose vectors hold nothing before a phase.
unsigned slots_split_in(const plan::Network& network, const plan::Phase& phase);

}  // namespace relayout::jit
