#pragma once

#include <cstdint>

/// Plain data shared with the translation units that are built for wider instruction sets. Those must not
/// emit weak symbols (the linker could pick such a copy for every machine), so nothing here has member
/// functions or templates.
namespace relayout::interpret {

/// What one step does to every lane of a chunk. `left` and `right` are slots, `scalar` an entry of the
/// scalars.
enum class LaneOperation : std::uint8_t {
  kPosition,        ///< first_position + lane number
  kBroadcast,       ///< scalar
  kAdd,             ///< left + right
  kAddScalar,       ///< left + scalar
  kMultiply,        ///< left * right
  kMultiplyScalar,  ///< left * scalar
  kAddMultiple,     ///< left + right * scalar
  kMask,            ///< left & scalar
  kXor,             ///< left ^ right
  kXorScalar,       ///< left ^ scalar
  kShiftRight,      ///< left >> shift, for left >= 0
  kDivide,          ///< high half of (left * multiplier) >> shift, for left >= 0 (see division.hpp)
};

/// One step over a chunk. The result may take the slot of an operand.
struct LaneStep {
  LaneOperation operation;
  std::uint8_t shift;
  std::uint16_t result;
  std::uint16_t left;
  std::uint16_t right;
  std::uint32_t scalar;
  std::uint64_t multiplier;
};

/// A chunk to evaluate. Slot s holds `lanes` unsigned integers from `slots + s * slot_bytes`.
struct LaneWork {
  const LaneStep* steps;
  std::int64_t step_count;
  const std::int64_t* scalars;
  unsigned char* slots;
  std::int64_t slot_bytes;  ///< a multiple of the vector size
  std::int64_t first_position;
  std::int64_t lanes;  ///< evaluation rounds it up to whole vectors
  bool wide;           ///< 64-bit lanes instead of 32-bit ones
};

/// Evaluates the steps in order. One function per instruction set; the caller decides which may run.
/// \pre every slot starts at a multiple of the vector size
void evaluate_lanes_sse2(const LaneWork& work) noexcept;
void evaluate_lanes_avx2(const LaneWork& work) noexcept;
void evaluate_lanes_avx512(const LaneWork& work) noexcept;

}  // namespace relayout::interpret
