#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "src/plan/model/plan.hpp"

namespace relayout::jit {

/// A shuffle kernel whose pieces of 16 bytes come in twins: what becomes of one becomes of the other, so that
/// both fit one register of 32 bytes and share the shuffles.
struct TwinShuffle {
  plan::ShuffleKernel first;                    ///< the first of each twins
  std::vector<std::int64_t> source_apart;       ///< bytes from a source piece of `first` to its twin
  std::vector<std::int64_t> destination_apart;  ///< the same of its destination pieces
};

/// Nothing unless all destination pieces are whole and have twins, and all pieces they read are whole.
/// Quadratic in the pieces.
std::optional<TwinShuffle> find_twins(const plan::ShuffleKernel& kernel);

}  // namespace relayout::jit
