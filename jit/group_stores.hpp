#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "jit/store_turns.hpp"
#include "jit/vector_places.hpp"
#include "src/expr/small_vector.hpp"

namespace relayout::jit {

/// A vector of a group and where it is stored.
struct StoredVector {
  std::int64_t offset_bytes = 0;
  std::size_t index = 0;
};

using StoreOrder = expr::SmallVector<StoredVector, 16>;

/// In which order the vectors of a network's groups are stored.
class GroupStores {
 public:
  /// \param vector_registers that the code may use
  GroupStores(const plan::Network& network, const VectorPlaces& places, int vector_registers)
      : network_(network), places_(places), vector_registers_(vector_registers) {}

  /// Vectors by ascending destination address, so that lines are filled one after the other.
  StoreOrder by_address(const PhaseEnd& to, const VectorNumbers& numbers) const;

  /// Whether the parts of vectors are not stored as they come.
  bool orders_parts(const PhaseEnd& to) const;

  /// The parts of a vector that are stored in a phase: those of which a piece exists.
  StoredParts parts_to(const PhaseEnd& to, unsigned number) const;

  /// The order in which a phase stores the vectors of a group.
  std::vector<StoreTurn> turns_of(std::size_t phase_index, unsigned group) const;

  /// Of half of the vectors of a phase half by half, those that wait in registers.
  std::size_t vectors_kept(std::size_t count) const;

 private:
  const plan::Network& network_;
  const VectorPlaces& places_;
  int vector_registers_;
};

}  // namespace relayout::jit
