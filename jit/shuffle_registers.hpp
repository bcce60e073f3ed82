#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/plan/model/plan.hpp"

namespace relayout::jit {

/// Which vector registers hold a shuffle kernel's tables and source pieces.
struct ShuffleRegisters {
  /// One table of the kernel; terms that shuffle alike share it.
  struct Table {
    const std::vector<std::uint8_t>* index = nullptr;
    int register_number = -1;  ///< for all calls; -1: read from memory by each shuffle
  };
  /// One term, in the kernel's order.
  struct Term {
    std::size_t table = 0;
    int source_register = 0;
    bool loads_source = false;  ///< into source_register, which no later term needs as it is
  };
  std::vector<Table> tables;
  std::vector<Term> terms;
};

/// Gives tables and sources the registers `first` to `registers` - 1, so that a call loads least. Sources are
/// loaded when they are first needed, and again where there are too many to be kept. Registers from `reach`
/// on can only hold tables. The tables point into the kernel. Quadratic in the terms. \pre first + 1 < reach
ShuffleRegisters assign_registers(const plan::ShuffleKernel& kernel, int first, int reach, int registers);

}  // namespace relayout::jit
