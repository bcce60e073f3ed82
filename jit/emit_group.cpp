#include "jit/emit_group.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "jit/emit_pieces.hpp"
#include "jit/emit_prefetch.hpp"
#include "src/plan/plan_text.hpp"

namespace relayout::jit {
namespace {

constexpr int kSpareRegisters = 2;
/// What the System V ABI leaves to functions that call none.
constexpr int kBytesBelowStack = 128;

int most_live_vectors(const plan::Network& network) {
  std::size_t most_slots = 0;
  for (const plan::Phase& phase : network.phases) most_slots = std::max(most_slots, phase.slots.size());
  return 1 << most_slots;
}

std::span<const std::int64_t> share_of(std::span<const std::int64_t> all, std::size_t index,
                                       std::size_t count) {
  const std::size_t begin = all.size() * index / count;
  return all.subspan(begin, all.size() * (index + 1) / count - begin);
}

std::size_t index_of(const VectorNumbers& numbers, unsigned number) {
  return static_cast<std::size_t>(std::ranges::find(numbers, number) - numbers.begin());
}

}  // namespace

GroupEmitter::GroupEmitter(const plan::Network& network, const VectorPlaces& places, int vector_registers)
    : network_(network),
      places_(places),
      vector_registers_(vector_registers),
      tables_(network, vector_registers, most_live_vectors(network) + kSpareRegisters),
      stores_(network, places, vector_registers) {
  live_.vector_bytes = network.vector_bytes;
}

void GroupEmitter::prepare(Emitter& emitter) {
  fetched_slots_.resize(static_cast<std::size_t>(network_.slots));
  std::iota(fetched_slots_.begin(), fetched_slots_.end(), 0);
  if (!places_.rounded() && emitter.source_fetches() == plan::SourceFetches::kBetweenStoresInOrder) {
    const plan::Phase& last = network_.phases.back();
    std::vector<int> stored = last.slots;  // in the order of stores
    std::ranges::copy(places_.inactive_slots(last), std::back_inserter(stored));
    std::vector<int> read = stored;
    std::ranges::stable_sort(read, {}, [this](int slot) { return network_.source.reach_bytes(slot); });
    for (std::size_t i = 0; i < stored.size(); ++i)
      fetched_slots_[static_cast<std::size_t>(stored[i])] = read[i];
  }
  tables_.prepare(emitter);
}

void GroupEmitter::emit(Emitter& emitter, std::size_t index, unsigned group) {
  const plan::Phase& phase = network_.phases[index];
  if (phase.half_by_half) return emit_half_by_half(emitter, index, group);
  const VectorNumbers numbers = vectors_of_group(group, phase.slots);
  const auto count = static_cast<int>(numbers.size());
  live_.registers.resize(numbers.size());
  std::iota(live_.registers.begin(), live_.registers.end(), 0);
  live_.spare = {count, count + 1};
  load_vectors(emitter, index, numbers);
  std::vector<std::int64_t> fetched = fetched_lines(emitter, index, numbers);
  if (!fetches_between_stores(emitter)) {
    prefetch_source_lines(emitter, fetched);
    fetched.clear();
  }
  prefetch_destination(emitter, index, numbers);
  emit_stages(emitter, phase, phase.last_stage, numbers);
  emitter.mark_kernel(plan::kDestinationSideRow);
  if (stores_.orders_parts(places_.destination_end(index)))
    store_parts_in_order(emitter, index, numbers, fetched);
  else
    store_vectors(emitter, index, numbers, fetched);
}

// A group of a phase that takes the vectors half by half. Those of the first half that find no register wait
// below the stack pointer, until one is free because its vector is stored. The first pair's never do.
void GroupEmitter::emit_half_by_half(Emitter& emitter, std::size_t index, unsigned group) {
  const plan::Phase& phase = network_.phases[index];
  const PhaseEnd to = places_.destination_end(index);
  const std::span slots = slots_at_a_time(phase);
  const VectorNumbers first = vectors_of_group(group, slots);
  const VectorNumbers second = vectors_of_group(group | 1U << phase.slots.back(), slots);
  const std::size_t count = first.size();
  const std::size_t kept = stores_.vectors_kept(count);
  if (kept == 0 || (count - kept) * static_cast<std::size_t>(network_.vector_bytes) > kBytesBelowStack)
    return emitter.fail("a phase half by half has more vectors than registers and stack hold");
  std::vector<int> free(static_cast<std::size_t>(vector_registers_));
  std::iota(free.begin(), free.end(), 0);
  emit_half(emitter, index, first, free);
  const LiveVectors before = live_;
  const StoreOrder order = stores_.by_address(to, first);
  emitter.mark_kernel(plan::kDestinationSideRow);
  for (std::size_t turn = 0; turn < count; ++turn) {
    const std::size_t i = order[turn].index;
    if (turn < kept)
      std::erase(free, before.registers[i]);
    else if (before.present[i])
      emitter.store(waiting_place(turn - kept), Emitter::vector(before.registers[i], network_.vector_bytes));
  }
  emit_half(emitter, index, second, free);
  const LiveVectors after = live_;
  const auto fetched = fetched_lines(emitter, index, vectors_of_group(group, phase.slots));
  const std::vector<StoreTurn> turns = stores_.turns_of(index, group);
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
      emitter.load(Emitter::vector(waited, network_.vector_bytes), waiting_place(turn - kept));
    }
    live_.registers = {waited, after.registers[i]};
    live_.present = {true, after.present[i]};
    emit_last_stage(emitter, phase, {first[i], second[i]});
    held.add(first[i], live_.registers[0], stores_.parts_to(to, first[i]).size());
    held.add(second[i], live_.registers[1], stores_.parts_to(to, second[i]).size());
    emitter.mark_kernel(plan::kDestinationSideRow);
    store_held(emitter, index, turns[turn].after, held);
  }
}

// Loads half of a group's vectors into registers of `free` and passes all stages but the last.
void GroupEmitter::emit_half(Emitter& emitter, std::size_t index, const VectorNumbers& numbers,
                             const std::vector<int>& free) {
  const plan::Phase& phase = network_.phases[index];
  live_.registers.assign(free.begin(), free.begin() + static_cast<std::ptrdiff_t>(numbers.size()));
  live_.spare = {free[numbers.size()], free[numbers.size()]};
  load_vectors(emitter, index, numbers);
  prefetch_destination(emitter, index, numbers);
  emit_stages(emitter, phase, phase.last_stage - 1, numbers);
}

// The last stage of a phase on one pair of vectors.
void GroupEmitter::emit_last_stage(Emitter& emitter, const plan::Phase& phase, std::array<unsigned, 2> pair) {
  const int last = phase.last_stage - 1;
  if (places_.rounded()) live_.wanted = places_.rounded()->wanted_after(last, pair);
  emitter.mark_kernel(plan::stage_row(network_, last));
  emit_stage(emitter, network_.stages[static_cast<std::size_t>(last)], {.pair_bit = 0, .tables = {}}, live_);
}

void GroupEmitter::store_held(Emitter& emitter, std::size_t index, const StoredParts& parts,
                              HeldVectors& held) {
  for (const StoredPart& part : parts)
    store_part(emitter, index, part,
               {held.store_part(part.register_number), live_.spare[0], network_.vector_bytes});
}

asmjit::x86::Mem GroupEmitter::waiting_place(std::size_t number) const {
  const int bytes = static_cast<int>(number + 1) * network_.vector_bytes;
  return asmjit::x86::ptr(asmjit::x86::rsp, -bytes, static_cast<std::uint32_t>(network_.vector_bytes));
}

void GroupEmitter::load_vectors(Emitter& emitter, std::size_t index, const VectorNumbers& numbers) {
  const plan::Phase& phase = network_.phases[index];
  const unsigned absent = slots_split_in(network_, phase);
  const PhaseEnd from = places_.source_end(index);
  live_.present.resize(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    live_.present[i] = places_.rounded() ? places_.rounded()->holds(phase.first_stage, numbers[i])
                                         : (numbers[i] & absent) == 0;
  emitter.mark_kernel(plan::kSourceSideRow);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (live_.present[i]) emit_load(emitter, places_.place(from, numbers[i]), registers_of(i));
}

// The stages of a phase up to `last`.
void GroupEmitter::emit_stages(Emitter& emitter, const plan::Phase& phase, int last,
                               const VectorNumbers& numbers) {
  for (int s = phase.first_stage; s < last; ++s) {
    emitter.mark_kernel(plan::stage_row(network_, s));
    if (places_.rounded()) live_.wanted = places_.rounded()->wanted_after(s, numbers);
    emit_one_stage(emitter, phase, static_cast<std::size_t>(s));
  }
}

void GroupEmitter::emit_one_stage(Emitter& emitter, const plan::Phase& phase, std::size_t index) {
  const plan::Stage& stage = network_.stages[index];
  StageOperands operands;
  const auto slot = std::ranges::find(phase.slots, stage.slot);
  operands.pair_bit = static_cast<int>(slot - phase.slots.begin());
  operands.tables = tables_.of_stage(emitter, index);
  emit_stage(emitter, stage, operands, live_);
}

// Lines of `fetched` are fetched between the stores.
void GroupEmitter::store_vectors(Emitter& emitter, std::size_t index, const VectorNumbers& numbers,
                                 std::span<const std::int64_t> fetched) {
  std::size_t stored = 0;
  for (const auto& [offset, i] : stores_.by_address(places_.destination_end(index), numbers)) {
    prefetch_source_lines(emitter, share_of(fetched, stored++, numbers.size()));
    if (live_.present[i]) store_vector(emitter, index, numbers[i], registers_of(i));
  }
}

void GroupEmitter::store_parts_in_order(Emitter& emitter, std::size_t index, const VectorNumbers& numbers,
                                        std::span<const std::int64_t> fetched) {
  const unsigned group = numbers[0];
  const StoredParts parts = stores_.turns_of(index, group).front().after;
  for (std::size_t stored = 0; stored < parts.size(); ++stored) {
    prefetch_source_lines(emitter, share_of(fetched, stored, parts.size()));
    const std::size_t i = index_of(numbers, parts[stored].register_number);
    if (live_.present[i]) store_part(emitter, index, parts[stored], registers_of(i));
  }
}

void GroupEmitter::store_vector(Emitter& emitter, std::size_t index, unsigned number,
                                const VectorRegisters& registers) {
  const PhaseEnd to = places_.destination_end(index);
  if (places_.rounded() && !places_.rounded()->wants(network_.phases[index].last_stage, number)) return;
  const int parts = to.side == nullptr ? 1 : parts_of_vector(*to.side, network_.vector_bytes);
  for (int part = 0; part < parts; ++part) store_part(emitter, index, {number, part}, registers);
}

void GroupEmitter::store_part(Emitter& emitter, std::size_t index, const StoredPart& part,
                              const VectorRegisters& registers) {
  const PhaseEnd to = places_.destination_end(index);
  emit_store(emitter, places_.place(to, part.register_number), part.part, registers, to.side != nullptr);
}

bool GroupEmitter::fetches_between_stores(const Emitter& emitter) const {
  return emitter.source_fetches() != plan::SourceFetches::kAfterLoads && !places_.rounded();
}

bool GroupEmitter::fetches_source(const Emitter& emitter, std::size_t phase) const {
  const std::size_t fetching = fetches_between_stores(emitter) ? network_.phases.size() - 1 : 0;
  return phase == fetching && emitter.prefetch_source_bytes() != 0;
}

// The source's lines that a group of these vectors fetches ahead; none if its phase does not.
std::vector<std::int64_t> GroupEmitter::fetched_lines(const Emitter& emitter, std::size_t index,
                                                      const VectorNumbers& numbers) const {
  if (!fetches_source(emitter, index)) return {};
  VectorNumbers fetched;
  for (const unsigned number : numbers) fetched.push_back(deposit(number, fetched_slots_));
  return places_.touched_runs(places_.source_end(0), fetched).offsets();
}

void GroupEmitter::prefetch_destination(Emitter& emitter, std::size_t index,
                                        const VectorNumbers& numbers) const {
  const PhaseEnd to = places_.destination_end(index);
  if (to.side != nullptr && emitter.prefetch_destination_bytes() != 0)
    places_.touched_runs(to, numbers).prefetch_destination(emitter);
}

}  // namespace relayout::jit
