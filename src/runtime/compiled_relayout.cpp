#include "src/runtime/compiled_relayout.hpp"

#include <algorithm>
#include <xmmintrin.h>

#include "src/plan/model/scratch.hpp"

namespace relayout::runtime {
namespace {

/// Parts are cut into rounds too; past this many they are small as it is.
constexpr std::int64_t kMostPartsInRounds = 1024;

/// Whether streaming code may write there.
bool is_aligned(const void* destination) {
  return reinterpret_cast<std::uintptr_t>(destination) % jit::kStreamingAlignmentBytes == 0;
}

/// Other threads that learn of this one's end find what it stored past the caches.
void fence(const jit::CompiledCode& code) {
  if (code.streams()) _mm_sfence();
}

/// Where part `index` begins. An overlapping last tile stays with its neighbour, so that no two parts write
/// one byte.
std::int64_t part_begin(const plan::Nest& nest, std::int64_t index, std::int64_t count) {
  const std::int64_t trips = nest.cut_trips();
  if (index == count) return trips;
  const std::int64_t begin = share(trips, index, count);
  const plan::Loop& cut = nest.loops[nest.cut_loop];
  if (cut.guard < 0 || begin == 0) return begin;
  const plan::Guard& guard = nest.guards[static_cast<std::size_t>(cut.guard)];
  const bool only_overlap_left = guard.overlaps() && begin * cut.guard_step == guard.limit - 1;
  return only_overlap_left ? trips : begin;
}

}  // namespace

/// What remains around the code is 2 ns: parts are cut by divisions, for whose results the first loads would
/// wait (f32 8x8 took 9 ns so, f32 32x32 52 and now 36; Granite Rapids).
void CompiledRelayout::run(const void* from, void* to) const noexcept {
  const bool code_alone = code && !observer && scratch_bytes == 0 && plan.rounds == 1;
  if (!code_alone) return run_part(from, to, 0, 1, nullptr);
  const bool aligned = is_aligned(to);
  for (const jit::NestCode& nest : code->nests()) {
    const bool streaming = nest.streaming != nullptr && aligned;
    (streaming ? nest.streaming : nest.temporal)(from, to, 0, nest.trips, nullptr);
  }
  fence(*code);
}

void CompiledRelayout::run_part(const void* from, void* to, std::int64_t index, std::int64_t count,
                                void* scratch) const noexcept {
  if (observer) [[unlikely]] {
    run_observed(from, to, {index, count}, scratch);
  } else {
    run_unobserved(from, to, {index, count}, scratch);
  }
}

void CompiledRelayout::run_observed(const void* from, void* to, Part part, void* scratch) const noexcept {
  const std::int64_t start = now_nanoseconds();
  run_unobserved(from, to, part, scratch);
  observer->record(*this, {part.index, part.count, now_nanoseconds() - start});
}

void CompiledRelayout::run_unobserved(const void* from, void* to, Part part, void* scratch,
                                      StoreChoice stores) const noexcept {
  const auto [index, count] = part;
  if (packed) {
    packed->run_part(static_cast<const std::byte*>(from), static_cast<std::byte*>(to), index, count);
  } else if (portable) {
    const std::int64_t elements = portable->element_count();  // the layouts', or parts of them
    portable->run(static_cast<const std::byte*>(from), static_cast<std::byte*>(to),
                  share(elements, index, count), share(elements, index + 1, count));
    portable_padding.write_part(static_cast<std::byte*>(to), index, count);
  } else if (scratch_bytes == 0 || scratch != nullptr) {
    run_code(from, to, part, scratch, stores);
  } else if (scratch_bytes <= plan::kUsualScratchBytes) {
    run_code_on_stack<plan::kUsualScratchBytes>(from, to, part, stores);
  } else {
    run_code_on_stack<plan::kMostScratchBytes>(from, to, part, stores);
  }
}

// A function of its own, never inlined: the interpreter's frames would otherwise lie on top of the unused
// scratch.
template <std::size_t kBytes>
[[gnu::noinline]] void CompiledRelayout::run_code_on_stack(const void* from, void* to, Part part,
                                                           StoreChoice stores) const noexcept {
  alignas(64) std::byte scratch[kBytes];
  run_code(from, to, part, scratch, stores);
}

void CompiledRelayout::run_code(const void* from, void* to, Part part, void* scratch,
                                StoreChoice stores) const noexcept {
  const std::int64_t rounds = part.count <= kMostPartsInRounds ? plan.rounds : 1;
  const std::size_t first = plan.first_in_rounds;
  const std::size_t count = code->nests().size();
  if (first > 0) run_nests(from, to, {0, first}, part, scratch, stores);
  for (std::int64_t round = 0; round < rounds; ++round) {
    run_nests(from, to, {first, count}, {part.index * rounds + round, part.count * rounds}, scratch, stores);
  }
  fence(*code);
}

void CompiledRelayout::run_nests(const void* from, void* to, NestRange nests, Part part, void* scratch,
                                 StoreChoice stores) const noexcept {
  const auto codes = code->nests();
  const bool aligned = is_aligned(to);
  for (std::size_t i = nests.first; i < nests.last; ++i) {
    const std::int64_t begin = part_begin(plan.nests[i], part.index, part.count);
    const std::int64_t end = part_begin(plan.nests[i], part.index + 1, part.count);
    if (begin >= end) continue;
    const bool streaming = codes[i].streaming != nullptr && aligned && stores == StoreChoice::kPlanned;
    (streaming ? codes[i].streaming : codes[i].temporal)(from, to, begin, end, scratch);
  }
}

}  // namespace relayout::runtime
