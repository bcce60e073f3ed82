// Walks a network: per phase, for each setting of the slots that are not live, a group of vectors
// (emit_group.hpp). Settings are unrolled while a phase's code stays small (a cold 11 KiB kernel costs 120 to
// 260 us on its first call, Zen 5) and looped over otherwise.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "jit/emit_group.hpp"
#include "jit/emit_prefetch.hpp"
#include "jit/emit_run_copy.hpp"
#include "jit/emitter.hpp"
#include "jit/vector_groups.hpp"
#include "jit/vector_places.hpp"
#include "src/plan/kernels/streamed_runs.hpp"
#include "src/plan/plan_text.hpp"

namespace relayout::jit {
namespace {

using asmjit::x86::Gp;

// Bytes 64x64 on Zen 4: 99 GB/s in the first-level cache either way, but 14 instead of 34 us to compile than
// with 4 KiB.
constexpr std::size_t kMaxPhaseCodeBytes = 1024;
/// Of code for destinations that are not aligned, beside code for those that are.
constexpr std::size_t kMaxCompactCodeBytes = 256;
constexpr std::size_t kInstructionBytes = 8;  // a typical load or shuffle

const Gp kGroupCounter = registers::kTemporary[1];

class PermuteEmitter final : public KernelEmitter {
 public:
  /// \param vector_registers that it may use, from 0 up
  PermuteEmitter(const plan::Network& network, int vector_registers, bool in_runs)
      : network_(network),
        in_runs_(in_runs),
        places_(network, in_runs),
        groups_(network, places_, vector_registers) {
    if (!network.destination.pieces.empty()) places_.round(stored_parts());
  }
  PermuteEmitter(const PermuteEmitter&) = delete;  // groups_ refers to places_
  PermuteEmitter& operator=(const PermuteEmitter&) = delete;

  void prepare(Emitter& emitter) override {
    places_.lay_out_scratch(emitter.streaming());
    groups_.prepare(emitter);
  }

  void body(Emitter& emitter) override {
    if (network_.scratch_bytes > 0) places_.scratch().point_to_first(emitter, kScratchPointer);
    for (std::size_t p = 0; p < network_.phases.size(); ++p) emit_phase(emitter, p);
    if (in_runs_) emit_runs(emitter);
  }

 private:
  /// What the last phase writes, in the order of its stores.
  /// \pre it writes the destination, as tiles that were rounded up or have gaps do
  StoredParts stored_parts() const {
    const std::vector<int> inactive = places_.inactive_slots(network_.phases.back());
    StoredParts stored;
    for (unsigned group = 0; group < 1U << inactive.size(); ++group)
      for (const StoreTurn& turn :
           groups_.stores().turns_of(network_.phases.size() - 1, deposit(group, inactive)))
        for (const StoredParts& parts : {turn.before, turn.after})
          stored.insert(stored.end(), parts.begin(), parts.end());
    return stored;
  }

  void emit_phase(Emitter& emitter, std::size_t index) {
    const std::vector<int> inactive = places_.inactive_slots(network_.phases[index]);
    const std::size_t most_bytes = emitter.compact() ? kMaxCompactCodeBytes : kMaxPhaseCodeBytes;
    const std::size_t unrolled = unrolled_slots(index, inactive, most_bytes);
    const std::span looped = std::span(inactive).subspan(unrolled);
    const asmjit::Label top = emitter.assembler().newLabel();
    const GroupLoop groups = {std::int64_t{1} << unrolled, std::int64_t{1} << looped.size()};
    fetch_rows(emitter, index, [&](std::int64_t rows) { return groups.rows_before(rows); });
    if (!looped.empty()) emitter.assembler().xor_(kGroupCounter.r32(), kGroupCounter.r32());
    emitter.assembler().bind(top);
    for (unsigned group = 0; group < 1U << unrolled; ++group) {
      fetch_rows(emitter, index, [&](std::int64_t rows) { return groups.rows_of_copy(rows, group); });
      groups_.emit(emitter, index, deposit(group, inactive));
    }
    const StepEnds ends = {places_.source_end(index), places_.destination_end(index),
                           index > 0 && groups_.fetches_source(emitter, index)};
    for (std::size_t i = 0; i < looped.size(); ++i)
      emit_step(emitter, ends, looped[i], {static_cast<int>(i), top});
  }

  /// How many of the inactive slots are unrolled. Those of which one setting reads data and the other one
  /// padding are none to loop over.
  std::size_t unrolled_slots(std::size_t index, const std::vector<int>& inactive,
                             std::size_t most_bytes) const {
    if (places_.rounded()) return inactive.size();  // their pieces have no strides to loop over
    const plan::Phase& phase = network_.phases[index];
    const auto accesses = [&](const PhaseEnd& end) {
      const int pieces = end.side == nullptr ? 1 : network_.vector_bytes / end.piece_bytes;
      return static_cast<std::size_t>(std::max(pieces, 1));
    };
    const auto stages = static_cast<std::size_t>(phase.last_stage - phase.first_stage);
    const std::size_t per_vector =
        accesses(places_.source_end(index)) + accesses(places_.destination_end(index)) + stages;
    const std::size_t group_bytes = (per_vector << phase.slots.size()) * kInstructionBytes;
    std::size_t unrolled = 0;
    if (index == 0 && places_.padded())
      unrolled = static_cast<std::size_t>(std::ranges::count_if(
          inactive, [this](int slot) { return places_.padded()->leads_to_padding(slot); }));
    while (unrolled < inactive.size() && group_bytes << (unrolled + 1) <= most_bytes) ++unrolled;
    return unrolled;
  }

  /// The source's rows of the next block in the first phase, the destination's in the last.
  template <class Count>
  void fetch_rows(Emitter& emitter, std::size_t index, Count count) const {
    const auto& fetch = emitter.block_fetch();
    if (!fetch) return;
    if (index == 0) fetch_source_rows(emitter, fetch->source, count(fetch->source.rows_per_call));
    if (index + 1 == network_.phases.size())
      fetch_destination_rows(emitter, *fetch, count(fetch->destination.rows_per_call));
  }

  /// Copies the destination's runs out of the scratch.
  void emit_runs(Emitter& emitter) {
    const std::int64_t run_bytes = plan::written_run_bytes(network_);
    std::vector<int> rows;  // shorter strides are those of a run's own vectors
    for (int slot = 0; slot < network_.slots; ++slot)
      if (network_.destination.reach_bytes(slot) >= run_bytes) rows.push_back(slot);
    std::ranges::sort(rows, {}, [this](int slot) { return network_.destination.reach_bytes(slot); });
    emitter.mark_kernel(plan::kDestinationSideRow);
    const asmjit::Label top = emitter.assembler().newLabel();
    if (!rows.empty()) emitter.assembler().xor_(kGroupCounter.r32(), kGroupCounter.r32());
    emitter.assembler().bind(top);
    emit_run_copy(emitter, {kScratchPointer, registers::kDestination, run_bytes, emitter.next_run_bytes()});
    const StepEnds ends = {{kScratchPointer, nullptr}, {registers::kDestination, &network_.destination}};
    for (std::size_t i = 0; i < rows.size(); ++i)
      emit_step(emitter, ends, rows[i], {static_cast<int>(i), top});
  }

  struct LoopPosition {
    int counter_bit;
    asmjit::Label top;
  };
  struct StepEnds {
    PhaseEnd source;
    PhaseEnd destination;
    bool fetches = false;  ///< of a later phase than the first: the lines that the first one loads
  };

  /// Counts one looped slot: on the way up both pointers move by its stride, on the way down they move back.
  void emit_step(Emitter& emitter, const StepEnds& ends, int slot, const LoopPosition& loop) {
    auto& assembler = emitter.assembler();
    const asmjit::Label down = assembler.newLabel();
    assembler.btc(kGroupCounter.r32(), loop.counter_bit);
    assembler.jc(down);
    move_pointers(emitter, ends, slot, 1);
    assembler.jmp(loop.top);
    assembler.bind(down);
    move_pointers(emitter, ends, slot, -1);
  }

  void move_pointers(Emitter& emitter, const StepEnds& ends, int slot, int direction) const {
    emitter.add_immediate(ends.source.base, direction * places_.stride_bytes(ends.source, slot));
    if (ends.destination.base != ends.source.base)
      emitter.add_immediate(ends.destination.base, direction * places_.stride_bytes(ends.destination, slot));
    if (ends.fetches)
      emitter.add_immediate(registers::kSource, direction * places_.stride_bytes(places_.source_end(0),
                                                                                 groups_.fetched_slot(slot)));
  }

  const plan::Network& network_;
  bool in_runs_;
  VectorPlaces places_;
  GroupEmitter groups_;
};

}  // namespace

std::unique_ptr<KernelEmitter> make_permute_emitter(const plan::PermuteKernel& kernel, int vector_registers,
                                                    bool in_runs) {
  return std::make_unique<PermuteEmitter>(kernel.network, vector_registers, in_runs);
}

}  // namespace relayout::jit
