#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "relayout/isa.hpp"
#include "relayout/result.hpp"
#include "src/interpret/packed_element.hpp"
#include "src/interpret/program.hpp"
#include "src/plan/refinement/problem.hpp"

namespace relayout::interpret {

/// The xsimd interpreter: evaluates both expressions of a problem for a chunk of elements at a time, then
/// moves the elements one by one. Also the library's portable execution path. An immutable value; safe to run
/// from several threads at once.
class VectorisedProgram {
 public:
  /// \param isa which vectors to evaluate with; the caller makes sure that the machine has them.
  /// \error kOverflow if an intermediate value may exceed 2^62, kUnsupported for expressions with more than
  /// hundreds of values alive at once
  /// \param packed how elements narrower than a byte lie
  static Result<VectorisedProgram> build(const plan::Problem& problem, Isa isa,
                                         std::optional<PackedWidths> packed = std::nullopt);

  /// Elements of the domain.
  std::int64_t element_count() const noexcept { return program_.total_elements; }

  /// Moves the elements [first_element, last_element) of the row-major domain; padding is not written. Packed
  /// elements share bytes, which must not be moved by two threads at once. Never
  /// allocates; uses less than 12 KiB of stack. \pre 0 <= first_element, last_element <= element_count(),
  /// buffers of the problem's sizes that do not overlap
  void run(const std::byte* source, std::byte* destination, std::int64_t first_element,
           std::int64_t last_element) const noexcept;

  /// The compiled steps, for tests and dumps.
  const Program& program() const noexcept { return program_; }

 private:
  using Evaluate = void (*)(const LaneWork&) noexcept;
  VectorisedProgram(Program program, std::int64_t element_bytes, Evaluate evaluate,
                    std::int64_t vector_bytes);

  struct Buffers;
  void run_block(const Buffers& buffers, std::int64_t first_position,
                 std::int64_t last_position) const noexcept;

  Program program_;
  std::int64_t element_bytes_ = 1;
  std::optional<PackedWidths> packed_;
  Evaluate evaluate_ = nullptr;
  std::int64_t slot_bytes_ = 0;
};

}  // namespace relayout::interpret
