#pragma once

#include <cstdint>
#include <vector>

#include "jit/emitter.hpp"
#include "src/plan/network/network.hpp"

namespace relayout::jit {

/// Where a network's vectors lie in the scratch.
class ScratchPlaces {
 public:
  /// \param in_runs the last phase writes the scratch, too, and a run's vectors follow one another there
  /// \param stripes as of streaming code
  ScratchPlaces(const plan::Network& network, bool in_runs, const plan::ScratchStripes& stripes);

  /// Per slot, from vector to vector.
  const std::vector<std::int64_t>& stride_bytes() const { return stride_bytes_; }

  /// Has `pointer` point to the first vector.
  void point_to_first(Emitter& emitter, const asmjit::x86::Gp& pointer) const;

 private:
  plan::ScratchStripes stripes_;
  std::vector<std::int64_t> stride_bytes_;
};

}  // namespace relayout::jit
