#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "jit/emit_pieces.hpp"
#include "jit/emit_prefetch.hpp"
#include "jit/emitter.hpp"
#include "jit/padded_reads.hpp"
#include "jit/rounded_access.hpp"
#include "jit/scratch_places.hpp"
#include "jit/store_turns.hpp"
#include "jit/vector_groups.hpp"
#include "src/plan/network/network.hpp"

namespace relayout::jit {

/// One end of a phase: a side of the tile, or the scratch.
struct PhaseEnd {
  asmjit::x86::Gp base;
  const plan::Side* side = nullptr;  ///< null for the scratch
  int piece_bytes = 0;               ///< of the side
};

/// Points to the scratch's vectors. (The first temporary is every access's, the second counts groups:
/// emit_permute.cpp.)
inline const asmjit::x86::Gp kScratchPointer = registers::kTemporary[2];

/// Where a network's vectors lie at either end of its phases, what is touched of them, and, which follows
/// from that, in which order groups of them are taken.
class VectorPlaces {
 public:
  /// \param in_runs the last phase writes the scratch, too
  VectorPlaces(const plan::Network& network, bool in_runs);

  /// Touches of a rounded tile, or of one with gaps, what exists. \param stored its parts in the order in
  /// which they are stored
  void round(std::span<const StoredPart> stored) { rounded_.emplace(network_, stored); }
  /// The scratch's places in code that streams, or does not. To be called before any code is emitted.
  void lay_out_scratch(bool streaming);

  PhaseEnd source_end(std::size_t phase) const;
  PhaseEnd destination_end(std::size_t phase) const;

  const ScratchPlaces& scratch() const { return *scratch_; }
  const std::optional<RoundedAccess>& rounded() const { return rounded_; }
  const std::optional<PaddedReads>& padded() const { return padded_; }

  /// The slots that are not live in a phase, which tell its groups apart: the next group differs from one in
  /// the first of them, as far as it can.
  std::vector<int> inactive_slots(const plan::Phase& phase) const;

  std::int64_t stride_bytes(const PhaseEnd& end, int slot) const;
  std::int64_t offset_bytes(const PhaseEnd& end, unsigned number) const;
  VectorPlace place(const PhaseEnd& end, unsigned number) const;

  /// Of the vectors `numbers` of a side. Where groups load halves of lines, each fetches the line: with one
  /// fetch a line transposes ran at 0.95 of that rate (Zen 3, f32 and 16-bit 4096x4096).
  TouchedRuns touched_runs(const PhaseEnd& end, const VectorNumbers& numbers) const;

 private:
  const plan::Network& network_;
  bool in_runs_;
  int source_piece_bytes_;
  int destination_piece_bytes_;
  std::optional<ScratchPlaces> scratch_;
  std::optional<RoundedAccess> rounded_;  ///< of tiles that were rounded up or have gaps
  std::optional<PaddedReads> padded_;     ///< of other padded tiles
};

}  // namespace relayout::jit
