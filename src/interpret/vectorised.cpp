#include "src/interpret/vectorised.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "src/expr/integer.hpp"
#include "src/interpret/move_elements.hpp"

namespace relayout::interpret {
namespace {

/// Slots of all live values of one chunk. Small enough for the stack and for the L1 cache.
constexpr std::int64_t kArenaBytes = 8192;
/// Longer slots gain nothing: dispatch is below a tenth of the time by then.
constexpr std::int64_t kMostSlotBytes = 1024;
constexpr std::int64_t kLargestVectorBytes = 64;
constexpr std::int64_t kSmallestVectorBytes = 16;

void run_scalar_steps(const std::vector<ScalarStep>& steps, std::int64_t* scalars) noexcept {
  for (const ScalarStep& step : steps) {
    const std::int64_t left = scalars[step.left];
    const std::int64_t right = scalars[step.right];
    switch (step.operation) {
      case ScalarOperation::kAdd:
        scalars[step.result] = left + right;
        break;
      case ScalarOperation::kMultiply:
        scalars[step.result] = left * right;
        break;
      case ScalarOperation::kFloorDiv:
        scalars[step.result] = expr::floor_quotient(left, right);
        break;
      case ScalarOperation::kFloorMod:
        scalars[step.result] = expr::floor_remainder(left, right);
        break;
      case ScalarOperation::kXor:
        scalars[step.result] = left ^ right;
        break;
    }
  }
}

}  // namespace

/// What stays the same over the blocks of one run.
struct VectorisedProgram::Buffers {
  const std::byte* source;
  std::byte* destination;
  const std::int64_t* scalars;
  unsigned char* slots;
};

VectorisedProgram::VectorisedProgram(Program program, std::int64_t element_bytes, Evaluate evaluate,
                                     std::int64_t vector_bytes)
    : program_(std::move(program)), element_bytes_(element_bytes), evaluate_(evaluate) {
  const std::int64_t share = kArenaBytes / std::max(program_.slot_count, 1);
  slot_bytes_ = std::min(share, kMostSlotBytes) / vector_bytes * vector_bytes;
}

Result<VectorisedProgram> VectorisedProgram::build(const plan::Problem& problem, Isa isa,
                                                   std::optional<PackedWidths> packed) {
  Result<Program> program = compile_program(problem);
  if (!program) return program.error();
  const bool crowded =
      program->slot_count > kArenaBytes / kLargestVectorBytes;  // then short vectors, short chunks
  if (program->slot_count > kArenaBytes / kSmallestVectorBytes || program->scalars.size() > kMostScalars) {
    return Error{ErrorCode::kUnsupported,
                 "the offset expressions are too large for the vectorised interpreter"};
  }
  if (crowded || isa == Isa::kPortable) {
    const std::int64_t vector_bytes = crowded ? kSmallestVectorBytes : kLargestVectorBytes;
    VectorisedProgram slow(*std::move(program), problem.element_bytes, evaluate_lanes_sse2, vector_bytes);
    slow.packed_ = packed;
    return slow;
  }
  const Evaluate evaluate = isa == Isa::kAvx2 ? evaluate_lanes_avx2 : evaluate_lanes_avx512;
  VectorisedProgram fast(*std::move(program), problem.element_bytes, evaluate, kLargestVectorBytes);
  fast.packed_ = packed;
  return fast;
}

void VectorisedProgram::run(const std::byte* source, std::byte* destination, std::int64_t first_element,
                            std::int64_t last_element) const noexcept {
  alignas(kLargestVectorBytes) unsigned char slots[kArenaBytes];
  std::array<std::int64_t, kMostScalars> scalars;
  std::copy(program_.scalars.begin(), program_.scalars.end(), scalars.begin());
  const Buffers buffers = {source, destination, scalars.data(), slots};
  for (std::int64_t element = first_element; element < last_element;) {
    const std::int64_t block = element / program_.block_elements;
    const std::int64_t block_start = block * program_.block_elements;
    const std::int64_t end = std::min(last_element, block_start + program_.block_elements);
    scalars[0] = block;
    run_scalar_steps(program_.scalar_steps, scalars.data());
    run_block(buffers, element - block_start, end - block_start);
    element = end;
  }
}

void VectorisedProgram::run_block(const Buffers& buffers, std::int64_t first_position,
                                  std::int64_t last_position) const noexcept {
  const std::int64_t lane_bytes = program_.wide ? 8 : 4;
  const std::int64_t chunk = slot_bytes_ / lane_bytes;
  LaneWork work = {program_.lane_steps.data(),
                   static_cast<std::int64_t>(program_.lane_steps.size()),
                   buffers.scalars,
                   buffers.slots,
                   slot_bytes_,
                   first_position,
                   chunk,
                   program_.wide};
  ElementMoves moves = {buffers.source,
                        buffers.destination,
                        buffers.slots + program_.source_slot * slot_bytes_,
                        buffers.slots + program_.destination_slot * slot_bytes_,
                        0,
                        program_.wide};
  for (; work.first_position < last_position; work.first_position += chunk) {
    work.lanes = std::min(chunk, last_position - work.first_position);
    moves.count = work.lanes;
    evaluate_(work);
    packed_ ? move_packed_elements(moves, *packed_) : move_elements(moves, element_bytes_);
  }
}

}  // namespace relayout::interpret
