#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "jit/emitter.hpp"
#include "jit/group_stores.hpp"
#include "jit/held_vectors.hpp"
#include "jit/permute_stages.hpp"
#include "jit/stage_tables.hpp"
#include "jit/vector_places.hpp"

namespace relayout::jit {

/// Emits the groups of a network's phases: the vectors of a group are loaded, pass the phase's stages, and
/// are stored, while lines of the source and of the destination are fetched ahead.
///
/// Vector registers: the live vectors and two spares from 0 up, index tables from the top down. Half by half
/// all of them hold vectors but one, and there are no tables.
class GroupEmitter {
 public:
  /// \param vector_registers that it may use, from 0 up
  GroupEmitter(const plan::Network& network, const VectorPlaces& places, int vector_registers);

  /// Loads tables, and looks which lines are fetched along with which vectors.
  void prepare(Emitter& emitter);

  /// One group of a phase: the vectors whose inactive slots are set as in `group`.
  void emit(Emitter& emitter, std::size_t index, unsigned group);

  const GroupStores& stores() const { return stores_; }

  /// Whether the groups of a phase fetch the source's lines.
  bool fetches_source(const Emitter& emitter, std::size_t phase) const;
  /// Which slot of the source is counted along with a slot of the phase that fetches: its own, or the one
  /// that comes as far on in the source's order as this one in the order of stores.
  int fetched_slot(int slot) const { return fetched_slots_[static_cast<std::size_t>(slot)]; }

 private:
  void emit_half_by_half(Emitter& emitter, std::size_t index, unsigned group);
  void emit_half(Emitter& emitter, std::size_t index, const VectorNumbers& numbers,
                 const std::vector<int>& free);
  void emit_last_stage(Emitter& emitter, const plan::Phase& phase, std::array<unsigned, 2> pair);
  void store_held(Emitter& emitter, std::size_t index, const StoredParts& parts, HeldVectors& held);
  asmjit::x86::Mem waiting_place(std::size_t number) const;

  void load_vectors(Emitter& emitter, std::size_t index, const VectorNumbers& numbers);
  void emit_stages(Emitter& emitter, const plan::Phase& phase, int last, const VectorNumbers& numbers);
  void emit_one_stage(Emitter& emitter, const plan::Phase& phase, std::size_t index);
  void store_vectors(Emitter& emitter, std::size_t index, const VectorNumbers& numbers,
                     std::span<const std::int64_t> fetched);
  void store_parts_in_order(Emitter& emitter, std::size_t index, const VectorNumbers& numbers,
                            std::span<const std::int64_t> fetched);
  void store_vector(Emitter& emitter, std::size_t index, unsigned number, const VectorRegisters& registers);
  void store_part(Emitter& emitter, std::size_t index, const StoredPart& part,
                  const VectorRegisters& registers);

  bool fetches_between_stores(const Emitter& emitter) const;
  std::vector<std::int64_t> fetched_lines(const Emitter& emitter, std::size_t index,
                                          const VectorNumbers& numbers) const;
  void prefetch_destination(Emitter& emitter, std::size_t index, const VectorNumbers& numbers) const;

  VectorRegisters registers_of(std::size_t index) const {
    return {live_.registers[index], live_.spare[0], network_.vector_bytes};
  }

  const plan::Network& network_;
  const VectorPlaces& places_;
  int vector_registers_;
  StageTables tables_;
  GroupStores stores_;
  std::vector<int> fetched_slots_;  ///< per slot
  LiveVectors live_;
};

}  // namespace relayout::jit
