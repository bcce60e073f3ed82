// Bytes of RGB to planes, 12 pieces and 36 shuffles with 9 different tables, were bound by the loads of 32
// tables a call: 0.53 of memcpy on a Zen 4 before equal tables shared a register.

#include "jit/shuffle_registers.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace relayout::jit {
namespace {

using plan::ShuffleKernel;
using Table = ShuffleRegisters::Table;
using Term = ShuffleRegisters::Term;

/// The pieces that the terms read, in order.
std::vector<int> sources_read(const ShuffleKernel& kernel) {
  std::vector<int> read;
  for (const auto& of_destination : kernel.terms)
    for (const ShuffleKernel::Term& term : of_destination) read.push_back(term.source_piece);
  return read;
}

std::size_t next_read(const std::vector<int>& read, std::size_t from, int piece) {
  return static_cast<std::size_t>(
      std::find(read.begin() + static_cast<std::ptrdiff_t>(from), read.end(), piece) - read.begin());
}

/// Keeps pieces in `count` registers; what is needed last makes room (Belady 1966). The number of loads.
std::size_t keep_sources(const std::vector<int>& read, int first, int count, std::vector<Term>& terms) {
  std::vector<int> held(static_cast<std::size_t>(count), -1);
  std::size_t loads = 0;
  for (std::size_t i = 0; i < read.size(); ++i) {
    auto place = std::ranges::find(held, read[i]);
    terms[i].loads_source = place == held.end();
    if (terms[i].loads_source) {
      place = std::ranges::max_element(
          held, {}, [&](int piece) { return piece < 0 ? read.size() + 1 : next_read(read, i, piece); });
      *place = read[i];
      ++loads;
    }
    terms[i].source_register = first + static_cast<int>(place - held.begin());
  }
  return loads;
}

/// Puts the tables used most into `count` registers. The number of uses of the others.
std::size_t keep_tables(std::vector<Table>& tables, const std::vector<std::size_t>& uses, int first,
                        int count) {
  std::vector<std::size_t> order(tables.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t table) { return uses[table]; });
  std::size_t from_memory = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const bool kept = static_cast<int>(rank) < count;
    tables[order[rank]].register_number = kept ? first + static_cast<int>(rank) : -1;
    if (!kept) from_memory += uses[order[rank]];
  }
  return from_memory;
}

/// Fills in the different tables and the terms that use them. How often each is used.
std::vector<std::size_t> find_tables(const ShuffleKernel& kernel, ShuffleRegisters& found) {
  std::vector<std::size_t> uses;
  for (const auto& of_destination : kernel.terms) {
    for (const ShuffleKernel::Term& term : of_destination) {
      const auto same =
          std::ranges::find_if(found.tables, [&](const Table& table) { return *table.index == term.index; });
      const auto number = static_cast<std::size_t>(same - found.tables.begin());
      if (same == found.tables.end()) {
        found.tables.push_back({&term.index});
        uses.push_back(0);
      }
      ++uses[number];
      found.terms.push_back({.table = number});
    }
  }
  return uses;
}

}  // namespace

ShuffleRegisters assign_registers(const ShuffleKernel& kernel, int first, int reach, int registers) {
  ShuffleRegisters found;
  const std::vector<std::size_t> uses = find_tables(kernel, found);
  const std::vector<int> read = sources_read(kernel);
  const int most = std::clamp(static_cast<int>(kernel.sources.size()), 1, reach - first);
  const auto try_sources = [&](int count) {
    return keep_sources(read, first, count, found.terms) +
           keep_tables(found.tables, uses, first + count, registers - first - count);
  };
  int best = 1;
  std::optional<std::size_t> fewest;
  for (int count = 1; count <= most; ++count) {
    const std::size_t loads = try_sources(count);
    if (fewest && loads >= *fewest) continue;
    fewest = loads;
    best = count;
  }
  try_sources(best);
  return found;
}

}  // namespace relayout::jit
