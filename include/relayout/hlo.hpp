#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "relayout/layout.hpp"
#include "relayout/result.hpp"

/// XLA's HLO modules as text: enough of them to find what changes layout or moves data without computing.
/// Every function is free of state and may be called from several threads at once.
namespace relayout::hlo {

/// What an instruction reads.
struct Operand {
  std::string name;                       ///< without `%`
  std::string shape;                      ///< as printed in front of the name; empty where it is not
  std::vector<std::int64_t> tuple_index;  ///< of `%t#1#0`: 1, 0
};

/// One instruction. Shapes are texts without blanks and comments; nothing in them has been checked.
struct Instruction {
  std::string name;   ///< without `%`; `ADD.0` for the first operand of ADD where that is written in place
  std::string shape;  ///< of the result; empty where it is neither written nor follows from the operands
  std::string opcode;
  std::vector<Operand> operands;
  std::vector<std::int64_t> dimensions;  ///< of the attribute `dimensions={...}`
  std::int64_t index = 0;                ///< of `parameter(n)`, or of the attribute `index=n`
  bool is_root = false;
  int line = 0;  ///< where it starts, from 1
};

/// One computation.
struct Computation {
  std::string name;  ///< without `%`; empty for instructions outside any computation
  bool is_entry = false;
  std::vector<Instruction> instructions;
  int line = 0;
};

/// The shapes of `entry_computation_layout={(shape, shape)->shape}`.
struct EntryLayout {
  std::vector<std::string> parameters;
  std::string result;
};

/// One module, or computations that stand outside any.
struct Module {
  std::optional<std::string> name;
  std::optional<EntryLayout> entry_layout;
  std::vector<Computation> computations;
};

/// Reads a file's text: modules with or without the `HloModule` line, dumps old and new, with operand shapes
/// or without. Result shapes that follow from the operands (copy, transpose, tuples, elementwise operations)
/// are filled in. Without ENTRY a module's last computation is its entry, without ROOT the last instruction
/// the root, as in XLA. Linear in the text's length. \error kSyntax names the line and what was expected
Result<std::vector<Module>> parse(std::string_view text);

/// Something that moves an array, or would if its layouts were not what they are.
struct Movement {
  std::optional<std::string> module;
  std::string computation;
  std::string name;               ///< the instruction's; with `#1` for a part of a tuple
  std::string opcode;             ///< the instruction's, or `result` for what the entry computation returns
  std::string source_shape;       ///< canonical where it could be read, else as written
  std::string destination_shape;  ///< the same
  /// What to give to compile(): `source` seen with the destination's logical shape. Nothing where `note` says
  /// why, and for bitcasts.
  std::optional<Layout> source;
  std::optional<Layout> destination;
  std::int64_t bytes = 0;  ///< of both buffers, padding included; 0 where it is not known
  /// One buffer can serve as source and destination: a bitcast, or bytes in equal places of the same memory.
  bool is_free = false;
  std::string note;  ///< why it cannot be converted; empty if it can
  int line = 0;
};

/// Copies, asynchronous copies, transposes, reshapes and bitcasts of all computations in the order of the
/// text, and for the entry computation its parameters and result: from and to the host's default layout,
/// which is row-major without tiles. Tuples are taken apart.
std::vector<Movement> movements(const Module& module);

}  // namespace relayout::hlo
