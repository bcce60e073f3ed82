// Walks a network: per phase, for each setting of the slots that are not live, load the live vectors, run the
// stages, store them. Settings are unrolled while a phase's code stays small (a cold 11 KiB kernel costs 120
// to 260 us on its first call, Zen 5) and looped over otherwise.
//
// Vector registers: the live vectors and two spares from 0 up, index tables from the top down. Half by half
// all of them hold vectors but one, and there are no tables.

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <numeric>
#include <optional>
#include <tuple>

#include "jit/emit_pieces.hpp"
#include "jit/emit_prefetch.hpp"
#include "jit/emit_run_copy.hpp"
#include "jit/emitter.hpp"
#include "jit/permute_stages.hpp"
#include "jit/rounded_access.hpp"
#include "jit/scratch_places.hpp"
#include "jit/stage_tables.hpp"
#include "jit/store_turns.hpp"
#include "src/expr/small_vector.hpp"
#include "src/plan/line.hpp"
#include "src/plan/plan_text.hpp"
#include "src/plan/streamed_runs.hpp"

namespace relayout::jit {
namespace {

using asmjit::x86::Gp;

// Bytes 64x64 on Zen 4: 99 GB/s in the first-level cache either way, but 14 instead of 34 us to compile than
// with 4 KiB.
constexpr std::size_t kMaxPhaseCodeBytes = 1024;
/// Of code for destinations that are not aligned, beside code for those that are.
constexpr std::size_t kMaxCompactCodeBytes = 256;
constexpr std::size_t kInstructionBytes = 8;  // a typical load or shuffle
constexpr int kSpareRegisters = 2;
/// Of padded tiles that read past their data, all but the last of it, so that no vector's code is another's.
/// Whole pieces and a mask instead of parts of pieces: 60 pairs in the second cache 1.10 times as fast, 60 in
/// the last one 1.04 times, 30 in memory 1.05 times (AVX2, Zen 4).
constexpr int kMostSlotsToReadPast = 3;

const Gp kGroupCounter = registers::kTemporary[1];
const Gp kScratchPointer = registers::kTemporary[2];

/// One end of a phase: a side of the tile, or the scratch.
struct PhaseEnd {
  Gp base;
  const plan::Side* side = nullptr;  ///< null for the scratch
  int piece_bytes = 0;               ///< of the side
};

/// A vector of a group and where it is stored.
struct StoredVector {
  std::int64_t offset_bytes = 0;
  std::size_t index = 0;
};

using VectorNumbers = expr::SmallVector<unsigned, 16>;
using StoreOrder = expr::SmallVector<StoredVector, 16>;

/// Vectors that came to be and are stored part by part.
class HeldVectors {
 public:
  void add(unsigned number, int register_index, std::size_t parts) {
    held_.push_back({number, register_index, parts});
    if (parts == 0) free_.push_back(register_index);
  }
  /// The register of a vector of which one more part is stored.
  int store_part(unsigned number) {
    const auto held = std::ranges::find(held_, number, &Held::number);
    if (--held->parts == 0) free_.push_back(held->register_index);
    return held->register_index;
  }
  /// A register whose vector is stored; nothing if there is none.
  std::optional<int> take_free() {
    if (free_.empty()) return std::nullopt;
    const int index = free_.back();
    free_.pop_back();
    return index;
  }

 private:
  struct Held {
    unsigned number = 0;
    int register_index = 0;
    std::size_t parts = 0;  ///< that are not stored yet
  };

  std::vector<Held> held_;
  std::vector<int> free_;
};

/// What the System V ABI leaves to functions that call none.
constexpr int kBytesBelowStack = 128;

int most_live_vectors(const plan::Network& network) {
  std::size_t most_slots = 0;
  for (const plan::Phase& phase : network.phases) most_slots = std::max(most_slots, phase.slots.size());
  return 1 << most_slots;
}

class PermuteEmitter final : public KernelEmitter {
 public:
  /// \param vector_registers that it may use, from 0 up
  PermuteEmitter(const plan::Network& network, int vector_registers, bool in_runs)
      : network_(network),
        vector_registers_(vector_registers),
        in_runs_(in_runs),
        source_piece_bytes_(network.source.piece_bytes()),
        destination_piece_bytes_(network.destination.piece_bytes()),
        tables_(network, vector_registers, most_live_vectors(network) + kSpareRegisters) {
    live_.vector_bytes = network.vector_bytes;
    if (!network.destination.pieces.empty()) round(network.phases.back());
    if (network.fills_padding && !rounded_) find_slots_to_padding();
  }

  void prepare(Emitter& emitter) override {
    scratch_.emplace(network_, in_runs_,
                     emitter.streaming() ? network_.scratch_stripes : plan::ScratchStripes());
    order_fetches(emitter);
    tables_.prepare(emitter);
  }

  void body(Emitter& emitter) override {
    if (network_.scratch_bytes > 0) scratch_->point_to_first(emitter, kScratchPointer);
    for (std::size_t p = 0; p < network_.phases.size(); ++p) emit_phase(emitter, p);
    if (in_runs_) emit_runs(emitter);
  }

 private:
  std::vector<int> inactive_slots(const plan::Phase& phase) const {
    std::vector<int> inactive;
    for (int slot = 0; slot < network_.slots; ++slot)
      if (std::find(phase.slots.begin(), phase.slots.end(), slot) == phase.slots.end() &&
          holds_data(slot, phase))
        inactive.push_back(slot);
    const bool is_first = &phase == &network_.phases.front();
    const bool to_scratch = in_runs_ || &phase != &network_.phases.back();
    const bool by_lines = to_scratch || (is_first && network_.reads_whole_lines);
    const auto key = [&](int slot) {
      return std::tuple(is_first && !leads_to_padding(slot), by_lines && !continues_line(slot),
                        network_.destination.reach_bytes(slot));
    };
    std::sort(inactive.begin(), inactive.end(), [&](int a, int b) { return key(a) < key(b); });
    return inactive;
  }
  /// Whether this slot's vectors are the rest of lines that are being read. These come next where the order
  /// is free: rows that share a set of the first cache have evicted them before long (AVX2 on a Zen 4, over
  /// memcpy: bytes 1024x1024 0.43 and 0.53, 2-byte elements 0.32 and 0.57, f32 1024x1024 0.24 and 0.35).
  bool continues_line(int slot) const { return network_.source.reach_bytes(slot) < plan::kLineBytes; }

  /// Whether vectors with this slot's bit set hold anything at some time in a phase: they come to be where
  /// bytes are split, and cease to where they are joined.
  bool holds_data(int slot, const plan::Phase& phase) const {
    for (int s = 0; s < static_cast<int>(network_.stages.size()); ++s) {
      const plan::Stage& stage = network_.stages[static_cast<std::size_t>(s)];
      if (stage.slot != slot) continue;
      if (stage.move == plan::Move::kSplitBits && s >= phase.last_stage) return false;
      if (stage.move == plan::Move::kJoinBits && s < phase.first_stage) return false;
    }
    return true;
  }

  /// Bits of the register number whose vectors hold nothing before a phase.
  unsigned slots_split_in(const plan::Phase& phase) const {
    unsigned slots = 0;
    for (int s = phase.first_stage; s < phase.last_stage; ++s) {
      const plan::Stage& stage = network_.stages[static_cast<std::size_t>(s)];
      if (stage.move == plan::Move::kSplitBits) slots |= 1U << stage.slot;
    }
    return slots;
  }

  PhaseEnd source_end(std::size_t phase) const {
    if (phase == 0) return {registers::kSource, &network_.source, source_piece_bytes_};
    return {kScratchPointer, nullptr};
  }
  PhaseEnd destination_end(std::size_t phase) const {
    if (phase + 1 == network_.phases.size() && !in_runs_)
      return {registers::kDestination, &network_.destination, destination_piece_bytes_};
    return {kScratchPointer, nullptr};
  }

  std::int64_t slot_stride_bytes(const PhaseEnd& end, int slot) const {
    if (end.side == nullptr) return scratch_->stride_bytes()[static_cast<std::size_t>(slot)];
    return end.side->register_stride_bytes[static_cast<std::size_t>(slot)];
  }
  std::int64_t offset_bytes(const PhaseEnd& end, unsigned number) const {
    const auto& strides = end.side == nullptr ? scratch_->stride_bytes() : end.side->register_stride_bytes;
    std::int64_t offset = 0;
    for (unsigned left = number; left != 0; left &= left - 1)
      offset += strides[static_cast<std::size_t>(std::countr_zero(left))];
    return offset;
  }

  void emit_phase(Emitter& emitter, std::size_t index) {
    const plan::Phase& phase = network_.phases[index];
    const std::vector<int> inactive = inactive_slots(phase);
    const std::size_t most_bytes = emitter.compact() ? kMaxCompactCodeBytes : kMaxPhaseCodeBytes;
    const std::size_t unrolled = unrolled_slots(index, inactive.size(), most_bytes);
    const std::span looped = std::span(inactive).subspan(unrolled);
    const asmjit::Label top = emitter.assembler().newLabel();
    const GroupLoop groups = {std::int64_t{1} << unrolled, std::int64_t{1} << looped.size()};
    fetch_rows(emitter, index, [&](std::int64_t rows) { return groups.rows_before(rows); });
    if (!looped.empty()) emitter.assembler().xor_(kGroupCounter.r32(), kGroupCounter.r32());
    emitter.assembler().bind(top);
    for (unsigned group = 0; group < 1U << unrolled; ++group) {
      fetch_rows(emitter, index, [&](std::int64_t rows) { return groups.rows_of_copy(rows, group); });
      emit_group(emitter, index, deposit(group, inactive));
    }
    for (std::size_t i = 0; i < looped.size(); ++i)
      emit_step(emitter, ends_of(emitter, index), looped[i], {static_cast<int>(i), top});
  }

  /// How many of the inactive slots are unrolled.
  std::size_t unrolled_slots(std::size_t index, std::size_t inactive, std::size_t most_bytes) const {
    const plan::Phase& phase = network_.phases[index];
    const auto accesses = [&](const PhaseEnd& end) {
      const int pieces = end.side == nullptr ? 1 : network_.vector_bytes / end.piece_bytes;
      return static_cast<std::size_t>(std::max(pieces, 1));
    };
    const auto stages = static_cast<std::size_t>(phase.last_stage - phase.first_stage);
    const std::size_t per_vector = accesses(source_end(index)) + accesses(destination_end(index)) + stages;
    const std::size_t group_bytes = (per_vector << phase.slots.size()) * kInstructionBytes;
    if (rounded_) return inactive;  // their pieces have no strides to loop over
    std::size_t unrolled = index == 0 ? inactive_slots_to_padding(phase) : 0;
    while (unrolled < inactive && group_bytes << (unrolled + 1) <= most_bytes) ++unrolled;
    return unrolled;
  }

  /// Slots that are not live, of which one setting reads data and the other one padding: none to loop over.
  std::size_t inactive_slots_to_padding(const plan::Phase& phase) const {
    std::size_t count = 0;
    for (const int slot : inactive_slots(phase)) count += leads_to_padding(slot) ? 1 : 0;
    return count;
  }
  bool leads_to_padding(int slot) const { return (slots_to_padding_ >> slot & 1) != 0; }

  void find_slots_to_padding() {
    for (const plan::SidePiece& piece : network_.source.pieces) data_.push_back(piece.bytes);
    readable_ = network_.slots <= kMostSlotsToReadPast ? touched_at_source(network_) : data_;
    for (int slot = 0; slot < network_.slots; ++slot)
      for (unsigned number = 0; number < 1U << network_.slots; ++number)
        if (!std::ranges::equal(of_register(readable_, number), of_register(readable_, number ^ 1U << slot)))
          slots_to_padding_ |= 1U << slot;
  }

  /// Bit i of `value` goes to bit slots[i] of the result.
  static unsigned deposit(unsigned value, std::span<const int> slots) {
    unsigned number = 0;
    for (std::size_t i = 0; i < slots.size(); ++i) number |= (value >> i & 1U) << slots[i];
    return number;
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
    const PhaseEnds ends = {{kScratchPointer, nullptr}, {registers::kDestination, &network_.destination}};
    for (std::size_t i = 0; i < rows.size(); ++i)
      emit_step(emitter, ends, rows[i], {static_cast<int>(i), top});
  }

  struct LoopPosition {
    int counter_bit;
    asmjit::Label top;
  };
  struct PhaseEnds {
    PhaseEnd source;
    PhaseEnd destination;
    bool fetches = false;  ///< of a later phase than the first: the lines that the first one loads
  };

  /// Counts one looped slot: on the way up both pointers move by its stride, on the way down they move back.
  void emit_step(Emitter& emitter, const PhaseEnds& ends, int slot, const LoopPosition& loop) {
    auto& assembler = emitter.assembler();
    const asmjit::Label down = assembler.newLabel();
    assembler.btc(kGroupCounter.r32(), loop.counter_bit);
    assembler.jc(down);
    move_pointers(emitter, ends, slot, 1);
    assembler.jmp(loop.top);
    assembler.bind(down);
    move_pointers(emitter, ends, slot, -1);
  }

  void move_pointers(Emitter& emitter, const PhaseEnds& ends, int slot, int direction) const {
    emitter.add_immediate(ends.source.base, direction * slot_stride_bytes(ends.source, slot));
    if (ends.destination.base != ends.source.base)
      emitter.add_immediate(ends.destination.base, direction * slot_stride_bytes(ends.destination, slot));
    if (ends.fetches)
      emitter.add_immediate(
          registers::kSource,
          direction * slot_stride_bytes(source_end(0), fetched_slots_[static_cast<std::size_t>(slot)]));
  }

  /// Which slot of the source is counted along with each slot of the phase that fetches: its own, or the one
  /// that comes as far on in the source's order as this one in the order of stores.
  void order_fetches(const Emitter& emitter) {
    fetched_slots_.resize(static_cast<std::size_t>(network_.slots));
    std::iota(fetched_slots_.begin(), fetched_slots_.end(), 0);
    if (rounded_ || emitter.source_fetches() != plan::SourceFetches::kBetweenStoresInOrder) return;
    const plan::Phase& last = network_.phases.back();
    std::vector<int> stored = last.slots;
    std::ranges::copy(inactive_slots(last), std::back_inserter(stored));
    std::vector<int> read = stored;
    std::ranges::stable_sort(read, {}, [this](int slot) { return network_.source.reach_bytes(slot); });
    for (std::size_t i = 0; i < stored.size(); ++i)
      fetched_slots_[static_cast<std::size_t>(stored[i])] = read[i];
  }
  /// The vectors whose lines are fetched along with `numbers`.
  VectorNumbers fetched_by(const VectorNumbers& numbers) const {
    VectorNumbers fetched;
    for (const unsigned number : numbers) fetched.push_back(deposit(number, fetched_slots_));
    return fetched;
  }
  bool fetches_between_stores(const Emitter& emitter) const {
    return emitter.source_fetches() != plan::SourceFetches::kAfterLoads && !rounded_;
  }
  /// Whether the groups of a phase fetch the source's lines.
  bool fetches_source(const Emitter& emitter, std::size_t index) const {
    const std::size_t fetching = fetches_between_stores(emitter) ? network_.phases.size() - 1 : 0;
    return index == fetching && emitter.prefetch_source_bytes() != 0;
  }
  PhaseEnds ends_of(const Emitter& emitter, std::size_t index) const {
    return {source_end(index), destination_end(index), index > 0 && fetches_source(emitter, index)};
  }

  /// One group: the vectors whose inactive slots are set as in `group`.
  void emit_group(Emitter& emitter, std::size_t index, unsigned group) {
    const plan::Phase& phase = network_.phases[index];
    if (phase.half_by_half) return emit_group_half_by_half(emitter, index, group);
    const VectorNumbers numbers = numbers_of(group, phase.slots);
    const auto count = static_cast<int>(numbers.size());
    live_.registers.resize(numbers.size());
    std::iota(live_.registers.begin(), live_.registers.end(), 0);
    live_.spare = {count, count + 1};
    load_vectors(emitter, index, numbers);
    const std::vector<std::int64_t> fetched = fetched_lines(emitter, index, numbers);
    const bool between_stores = fetches_between_stores(emitter);
    if (!between_stores) prefetch_source_lines(emitter, fetched);
    prefetch_destination(emitter, index, numbers);
    emit_stages(emitter, phase, phase.last_stage, numbers);
    emitter.mark_kernel(plan::kDestinationSideRow);
    if (!orders_parts(destination_end(index))) {
      std::size_t stored = 0;
      for (const auto& [offset, i] : store_order(destination_end(index), numbers)) {
        if (between_stores) prefetch_source_lines(emitter, share_of(fetched, stored++, numbers.size()));
        if (live_.present[i]) store_vector(emitter, index, numbers[i], registers_of(i));
      }
      return;
    }
    const StoredParts parts = turns_of(index, group).front().after;
    for (std::size_t stored = 0; stored < parts.size(); ++stored) {
      if (between_stores) prefetch_source_lines(emitter, share_of(fetched, stored, parts.size()));
      const std::size_t i = index_of(numbers, parts[stored].register_number);
      if (live_.present[i]) store_part(emitter, index, parts[stored], registers_of(i));
    }
  }

  /// A group of a phase that takes the vectors half by half. Those of the first half that find no register
  /// wait below the stack pointer, until one is free because its vector is stored. The first pair's never do.
  void emit_group_half_by_half(Emitter& emitter, std::size_t index, unsigned group) {
    const plan::Phase& phase = network_.phases[index];
    const std::span slots = slots_at_a_time(phase);
    const VectorNumbers first = numbers_of(group, slots);
    const VectorNumbers second = numbers_of(group | 1U << phase.slots.back(), slots);
    const std::size_t count = first.size();
    const std::size_t kept = vectors_kept(count);
    if (kept == 0 || (count - kept) * static_cast<std::size_t>(network_.vector_bytes) > kBytesBelowStack)
      return emitter.fail("a phase half by half has more vectors than registers and stack hold");
    std::vector<int> free(static_cast<std::size_t>(vector_registers_));
    std::iota(free.begin(), free.end(), 0);
    emit_half(emitter, index, first, free);
    const LiveVectors before = live_;
    const StoreOrder order = store_order(destination_end(index), first);
    emitter.mark_kernel(plan::kDestinationSideRow);
    for (std::size_t turn = 0; turn < count; ++turn) {
      const std::size_t i = order[turn].index;
      if (turn < kept)
        std::erase(free, before.registers[i]);
      else if (before.present[i])
        emitter.store(waiting_place(turn - kept), vector(before.registers[i]));
    }
    emit_half(emitter, index, second, free);
    const LiveVectors after = live_;
    const auto fetched = fetched_lines(emitter, index, numbers_of(group, phase.slots));
    const std::vector<StoreTurn> turns = turns_of(index, group);
    HeldVectors held;
    for (std::size_t turn = 0; turn < count; ++turn) {
      const std::size_t i = order[turn].index;
      prefetch_source_lines(emitter, share_of(fetched, turn, count));
      store_held(emitter, index, turns[turn].before, held);
      if (!before.present[i]) continue;
      int waited = before.registers[i];
      if (turn >= kept) {
        const auto free_register = held.take_free();
        if (!free_register) return emitter.fail("a vector that waits in memory finds no register");
        waited = *free_register;
        emitter.load(vector(waited), waiting_place(turn - kept));
      }
      live_.registers = {waited, after.registers[i]};
      live_.present = {true, after.present[i]};
      emit_last_stage(emitter, phase, {first[i], second[i]});
      held.add(first[i], live_.registers[0], parts_to(destination_end(index), first[i]).size());
      held.add(second[i], live_.registers[1], parts_to(destination_end(index), second[i]).size());
      emitter.mark_kernel(plan::kDestinationSideRow);
      store_held(emitter, index, turns[turn].after, held);
    }
  }

  /// Loads half of a group's vectors into registers of `free` and passes all stages but the last.
  void emit_half(Emitter& emitter, std::size_t index, const VectorNumbers& numbers,
                 const std::vector<int>& free) {
    const plan::Phase& phase = network_.phases[index];
    live_.registers.assign(free.begin(), free.begin() + static_cast<std::ptrdiff_t>(numbers.size()));
    live_.spare = {free[numbers.size()], free[numbers.size()]};
    load_vectors(emitter, index, numbers);
    prefetch_destination(emitter, index, numbers);
    emit_stages(emitter, phase, phase.last_stage - 1, numbers);
  }

  /// The last stage of a phase on one pair of vectors.
  void emit_last_stage(Emitter& emitter, const plan::Phase& phase, std::array<unsigned, 2> pair) {
    const int last = phase.last_stage - 1;
    if (rounded_) live_.wanted = rounded_->wanted_after(last, pair);
    emitter.mark_kernel(plan::stage_row(network_, last));
    emit_stage(emitter, network_.stages[static_cast<std::size_t>(last)], {.pair_bit = 0, .tables = {}},
               live_);
  }

  void store_held(Emitter& emitter, std::size_t index, const StoredParts& parts, HeldVectors& held) {
    for (const StoredPart& part : parts)
      store_part(emitter, index, part,
                 {held.store_part(part.register_number), live_.spare[0], network_.vector_bytes});
  }

  /// Of half of the vectors of a phase half by half, those that wait in registers.
  std::size_t vectors_kept(std::size_t count) const {
    const auto registers = static_cast<std::size_t>(vector_registers_);
    return registers > count ? std::min(count, registers - 1 - count) : 0;
  }

  asmjit::x86::Mem waiting_place(std::size_t number) const {
    const int bytes = static_cast<int>(number + 1) * network_.vector_bytes;
    return asmjit::x86::ptr(asmjit::x86::rsp, -bytes, static_cast<std::uint32_t>(network_.vector_bytes));
  }
  asmjit::x86::Vec vector(int number) const { return Emitter::vector(number, network_.vector_bytes); }

  /// The slots that tell apart the vectors of a group that are loaded at a time: all, or all but the last.
  static std::span<const int> slots_at_a_time(const plan::Phase& phase) {
    return std::span(phase.slots).first(phase.slots.size() - (phase.half_by_half ? 1 : 0));
  }
  /// The vectors of a group that these slots tell apart.
  static VectorNumbers numbers_of(unsigned group, std::span<const int> slots) {
    VectorNumbers numbers;
    for (unsigned i = 0; i < 1U << slots.size(); ++i) numbers.push_back(group | deposit(i, slots));
    return numbers;
  }

  void load_vectors(Emitter& emitter, std::size_t index, const VectorNumbers& numbers) {
    const plan::Phase& phase = network_.phases[index];
    const unsigned absent = slots_split_in(phase);
    const PhaseEnd from = source_end(index);
    live_.present.resize(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
      live_.present[i] =
          rounded_ ? rounded_->holds(phase.first_stage, numbers[i]) : (numbers[i] & absent) == 0;
    emitter.mark_kernel(plan::kSourceSideRow);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (live_.present[i]) emit_load(emitter, place(from, numbers[i]), registers_of(i));
  }

  /// The source's lines that a group of these vectors fetches ahead; none if its phase does not.
  std::vector<std::int64_t> fetched_lines(const Emitter& emitter, std::size_t index,
                                          const VectorNumbers& numbers) const {
    if (!fetches_source(emitter, index)) return {};
    return touched_runs(source_end(0), fetched_by(numbers)).offsets();
  }

  void prefetch_destination(Emitter& emitter, std::size_t index, const VectorNumbers& numbers) const {
    const PhaseEnd to = destination_end(index);
    if (to.side != nullptr && emitter.prefetch_destination_bytes() != 0)
      touched_runs(to, numbers).prefetch_destination(emitter);
  }

  /// The stages of a phase up to `last`.
  void emit_stages(Emitter& emitter, const plan::Phase& phase, int last, const VectorNumbers& numbers) {
    for (int s = phase.first_stage; s < last; ++s) {
      emitter.mark_kernel(plan::stage_row(network_, s));
      if (rounded_) live_.wanted = rounded_->wanted_after(s, numbers);
      emit_one_stage(emitter, phase, static_cast<std::size_t>(s));
    }
  }

  void store_vector(Emitter& emitter, std::size_t index, unsigned number, const VectorRegisters& registers) {
    const PhaseEnd to = destination_end(index);
    if (rounded_ && !rounded_->wants(network_.phases[index].last_stage, number)) return;
    const int parts = to.side == nullptr ? 1 : parts_of_vector(*to.side, network_.vector_bytes);
    for (int part = 0; part < parts; ++part) store_part(emitter, index, {number, part}, registers);
  }

  void store_part(Emitter& emitter, std::size_t index, const StoredPart& part,
                  const VectorRegisters& registers) {
    const PhaseEnd to = destination_end(index);
    emit_store(emitter, place(to, part.register_number), part.part, registers, to.side != nullptr);
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

  /// Of the vectors `numbers` of a side. Where groups load halves of lines, each fetches the line: with one
  /// fetch a line transposes ran at 0.95 of that rate (Zen 3, f32 and 16-bit 4096x4096).
  TouchedRuns touched_runs(const PhaseEnd& end, const VectorNumbers& numbers) const {
    TouchedRuns runs;
    for (const unsigned number : numbers) {
      const VectorPlace vector = place(end, number);
      const int piece_bytes = vector.piece_bytes(network_.vector_bytes);
      for (int byte = 0; byte < network_.vector_bytes; byte += piece_bytes) {
        const int touched = vector.touched(byte, network_.vector_bytes);
        if (touched > 0) runs.add(vector.offset_bytes + vector.byte_offset(byte), touched);
      }
    }
    return runs;
  }

  static std::span<const std::int64_t> share_of(std::span<const std::int64_t> all, std::size_t index,
                                                std::size_t count) {
    const std::size_t begin = all.size() * index / count;
    return all.subspan(begin, all.size() * (index + 1) / count - begin);
  }

  VectorPlace place(const PhaseEnd& end, unsigned number) const {
    const auto register_number = static_cast<int>(number);
    if (end.side == nullptr || end.side->pieces.empty())
      return {end.base, offset_bytes(end, number), end.side, end.piece_bytes, register_number, {}, {}};
    const bool source = end.side == &network_.source;
    if (rounded_)
      return {end.base, 0, end.side, end.piece_bytes, register_number, rounded_->touched(source, number), {}};
    const std::span<const int> touched = of_register(readable_, number);
    return {end.base, 0, end.side, end.piece_bytes, register_number, touched, of_register(data_, number)};
  }
  /// Of a padded tile's register, the bytes of each piece.
  std::span<const int> of_register(const std::vector<int>& bytes, unsigned number) const {
    const std::size_t count = bytes.size() >> network_.slots;
    return std::span(bytes).subspan(number * count, count);
  }
  static std::size_t index_of(const VectorNumbers& numbers, unsigned number) {
    return static_cast<std::size_t>(std::ranges::find(numbers, number) - numbers.begin());
  }
  VectorRegisters registers_of(std::size_t index) const {
    return {live_.registers[index], live_.spare[0], network_.vector_bytes};
  }

  /// Vectors by ascending destination address, so that lines are filled one after the other.
  StoreOrder store_order(const PhaseEnd& to, const VectorNumbers& numbers) const {
    const bool placed = to.side != nullptr && !to.side->pieces.empty();
    StoreOrder order;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const unsigned number = numbers[i];
      order.push_back(
          {placed ? to.side->piece(static_cast<int>(number), 0).offset_bytes : offset_bytes(to, number), i});
    }
    std::ranges::sort(
        order, {}, [](const StoredVector& vector) { return std::pair(vector.offset_bytes, vector.index); });
    return order;
  }

  /// Whether the parts of vectors are not stored as they come.
  bool orders_parts(const PhaseEnd& to) const {
    return network_.stores_by_address && to.side != nullptr && to.piece_bytes < network_.vector_bytes;
  }

  /// The parts of a vector that are stored in a phase: those of which a piece exists.
  StoredParts parts_to(const PhaseEnd& to, unsigned number) const {
    if (to.side == nullptr) return {{number, 0, offset_bytes(to, number)}};
    const int part_bytes = network_.vector_bytes / parts_of_vector(*to.side, network_.vector_bytes);
    StoredParts parts;
    for (int byte = 0; byte < network_.vector_bytes; byte += to.piece_bytes) {
      const plan::SidePiece piece = to.side->piece(static_cast<int>(number), byte);
      const int part = byte / part_bytes;
      if (piece.bytes > 0 && (parts.empty() || parts.back().part != part))
        parts.push_back({number, part, piece.offset_bytes});
    }
    return parts;
  }

  /// The order in which a phase stores the vectors of a group.
  std::vector<StoreTurn> turns_of(std::size_t index, unsigned group) const {
    const plan::Phase& phase = network_.phases[index];
    const PhaseEnd to = destination_end(index);
    const VectorNumbers numbers = numbers_of(group, slots_at_a_time(phase));
    std::vector<StoredParts> made;
    for (const auto& [offset, i] : store_order(to, numbers)) {
      if (phase.half_by_half || made.empty()) made.emplace_back();
      std::ranges::copy(parts_to(to, numbers[i]), std::back_inserter(made.back()));
      if (phase.half_by_half)
        std::ranges::copy(parts_to(to, numbers[i] | 1U << phase.slots.back()),
                          std::back_inserter(made.back()));
    }
    const std::size_t kept = phase.half_by_half ? vectors_kept(numbers.size()) : made.size();
    return store_turns(made, kept, orders_parts(to));
  }

  void emit_one_stage(Emitter& emitter, const plan::Phase& phase, std::size_t index) {
    const plan::Stage& stage = network_.stages[index];
    StageOperands operands;
    const auto slot = std::find(phase.slots.begin(), phase.slots.end(), stage.slot);
    operands.pair_bit = static_cast<int>(slot - phase.slots.begin());
    operands.tables = tables_.of_stage(emitter, index);
    emit_stage(emitter, stage, operands, live_);
  }

  /// \pre the last phase writes the destination, as tiles that were rounded up do
  void round(const plan::Phase& last) {
    const std::vector<int> inactive = inactive_slots(last);
    StoredParts stored;
    for (unsigned group = 0; group < 1U << inactive.size(); ++group)
      for (const StoreTurn& turn : turns_of(network_.phases.size() - 1, deposit(group, inactive)))
        for (const StoredParts& parts : {turn.before, turn.after})
          stored.insert(stored.end(), parts.begin(), parts.end());
    rounded_.emplace(network_, stored);
  }

  const plan::Network& network_;
  int vector_registers_;
  bool in_runs_;
  int source_piece_bytes_;
  int destination_piece_bytes_;
  StageTables tables_;
  std::optional<ScratchPlaces> scratch_;  ///< from prepare on
  std::vector<int> fetched_slots_;        ///< per slot
  std::optional<RoundedAccess> rounded_;  ///< of tiles that were rounded up
  std::vector<int> data_;                 ///< bytes of each of the source's pieces, of padded tiles
  std::vector<int> readable_;             ///< the same with what may be read behind them
  unsigned slots_to_padding_ = 0;         ///< bits
  LiveVectors live_;
};

}  // namespace

std::unique_ptr<KernelEmitter> make_permute_emitter(const plan::PermuteKernel& kernel, int vector_registers,
                                                    bool in_runs) {
  return std::make_unique<PermuteEmitter>(kernel.network, vector_registers, in_runs);
}

}  // namespace relayout::jit
