#pragma once

// The steps of lane_program.hpp over xsimd batches. Included once by each lanes_*.cpp, after it has defined
// `Architecture` and `multiply_even` for its instruction set; everything has internal linkage.

#include "src/interpret/lane_program.hpp"

namespace relayout::interpret {
namespace {

using Narrow = xsimd::batch<std::uint32_t, Architecture>;
using Wide = xsimd::batch<std::uint64_t, Architecture>;

constexpr std::uint64_t kLowHalf = 0xFFFF'FFFFu;

/// Products of the low 32 bits of each 64-bit lane.
inline Wide low_product(Wide a, Wide b) {
  return Wide(multiply_even(a, b));
}

inline Narrow product(Narrow a, Narrow b) {
  return a * b;
}

/// a*b mod 2^64 = a0*b0 + 2^32 * (a1*b0 + a0*b1), with a = a0 + 2^32*a1 and b alike.
inline Wide product(Wide a, Wide b) {
  const Wide cross = low_product(a >> 32, b) + low_product(a, b >> 32);
  return low_product(a, b) + (cross << 32);
}

/// The high half of n * multiplier for 32-bit lanes, shifted: even and odd lanes apart.
inline Narrow quotient(Narrow numerator, std::uint64_t multiplier, int shift) {
  const Wide pairs{Wide::register_type(numerator)};
  const Wide factor(multiplier);
  const Wide even = low_product(pairs, factor) >> (32 + shift);
  const Wide odd = (low_product(pairs >> 32, factor) >> shift) & Wide(~kLowHalf);
  return Narrow(Narrow::register_type(even | odd));
}

/// The high half of n * multiplier for 64-bit lanes from four 32-bit products, shifted.
inline Wide quotient(Wide numerator, std::uint64_t multiplier, int shift) {
  const Wide low_factor(multiplier & kLowHalf);
  const Wide high_factor(multiplier >> 32);
  const Wide high_numerator = numerator >> 32;
  const Wide low_low = low_product(numerator, low_factor);
  const Wide high_low = low_product(high_numerator, low_factor);
  const Wide cross = (low_low >> 32) + (high_low & Wide(kLowHalf)) + low_product(numerator, high_factor);
  const Wide high = low_product(high_numerator, high_factor) + (high_low >> 32) + (cross >> 32);
  return high >> shift;
}

/// One chunk in batches of `Batch`.
template <class Batch>
class Chunk {
 public:
  explicit Chunk(const LaneWork& work) : work_(work) {}

  void run(const LaneStep& step) {
    const Batch scalar(static_cast<Lane>(work_.scalars[step.scalar]));
    switch (step.operation) {
      case LaneOperation::kPosition:
        return write_positions(step);
      case LaneOperation::kBroadcast:
        return unary(step, [=](Batch) { return scalar; });
      case LaneOperation::kAdd:
        return binary(step, [](Batch a, Batch b) { return a + b; });
      case LaneOperation::kAddScalar:
        return unary(step, [=](Batch a) { return a + scalar; });
      case LaneOperation::kMultiply:
        return binary(step, [](Batch a, Batch b) { return product(a, b); });
      case LaneOperation::kMultiplyScalar:
        return unary(step, [=](Batch a) { return product(a, scalar); });
      case LaneOperation::kAddMultiple:
        return binary(step, [=](Batch a, Batch b) { return a + product(b, scalar); });
      case LaneOperation::kMask:
        return unary(step, [=](Batch a) { return a & scalar; });
      case LaneOperation::kXor:
        return binary(step, [](Batch a, Batch b) { return a ^ b; });
      case LaneOperation::kXorScalar:
        return unary(step, [=](Batch a) { return a ^ scalar; });
      case LaneOperation::kShiftRight:
        return unary(step, [&step](Batch a) { return a >> step.shift; });
      case LaneOperation::kDivide:
        return unary(step, [&step](Batch a) { return quotient(a, step.multiplier, step.shift); });
    }
  }

 private:
  using Lane = typename Batch::value_type;
  static constexpr std::int64_t kLanes = static_cast<std::int64_t>(Batch::size);

  Lane* slot(std::uint16_t index) const {
    return static_cast<Lane*>(static_cast<void*>(work_.slots + index * work_.slot_bytes));
  }

  template <class Function>
  void unary(const LaneStep& step, Function function) const {
    const Lane* left = slot(step.left);
    Lane* result = slot(step.result);
    for (std::int64_t lane = 0; lane < work_.lanes; lane += kLanes) {
      function(Batch::load_aligned(left + lane)).store_aligned(result + lane);
    }
  }

  template <class Function>
  void binary(const LaneStep& step, Function function) const {
    const Lane* left = slot(step.left);
    const Lane* right = slot(step.right);
    Lane* result = slot(step.result);
    for (std::int64_t lane = 0; lane < work_.lanes; lane += kLanes) {
      function(Batch::load_aligned(left + lane), Batch::load_aligned(right + lane))
          .store_aligned(result + lane);
    }
  }

  void write_positions(const LaneStep& step) const {
    alignas(64) Lane first[Batch::size];
    for (std::int64_t lane = 0; lane < kLanes; ++lane)
      first[lane] = static_cast<Lane>(work_.first_position + lane);
    Batch positions = Batch::load_aligned(first);
    Lane* result = slot(step.result);
    for (std::int64_t lane = 0; lane < work_.lanes; lane += kLanes) {
      positions.store_aligned(result + lane);
      positions = positions + Batch(static_cast<Lane>(kLanes));
    }
  }

  const LaneWork& work_;
};

template <class Batch>
inline void evaluate_in_batches(const LaneWork& work) {
  Chunk<Batch> chunk(work);
  for (std::int64_t index = 0; index < work.step_count; ++index) chunk.run(work.steps[index]);
}

inline void evaluate(const LaneWork& work) {
  if (work.wide) {
    evaluate_in_batches<Wide>(work);
  } else {
    evaluate_in_batches<Narrow>(work);
  }
}

}  // namespace
}  // namespace relayout::interpret
