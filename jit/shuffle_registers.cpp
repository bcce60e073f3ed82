// Bytes of RGB to planes, 12 pieces and 36 shuffles with 9 different tables, were bound by the loads of 32
// tables a call: 0.53 of memcpy on a Zen 4 before equal tables shared a register.

#include "jit/shuffle_registers.hpp"

#include <algorithm>
#include <limits>
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

/// When the piece that each read reads is read again; past the last read if never.
std::vector<std::size_t> next_reads(const std::vector<int>& read) {
  std::vector<std::size_t> next(read.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    const auto after = read.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    next[i] = static_cast<std::size_t>(std::find(after, read.end(), read[i]) - read.begin());
  }
  return next;
}

struct HeldPiece {
  int piece = -1;
  std::size_t next_read = std::numeric_limits<std::size_t>::max();  ///< a register that is free goes first
};

/// Keeps pieces in `count` registers; what is needed last makes room (Belady 1966). The number of loads.
std::size_t keep_sources(const std::vector<int>& read, const std::vector<std::size_t>& next_read, int first,
                         int count, std::vector<Term>& terms) {
  std::vector<HeldPiece> held(static_cast<std::size_t>(count));
  std::size_t loads = 0;
  for (std::size_t i = 0; i < read.size(); ++i) {
    auto place = std::ranges::find(held, read[i], &HeldPiece::piece);
    terms[i].loads_source = place == held.end();
    if (terms[i].loads_source) {
      place = std::ranges::max_element(held, {}, &HeldPiece::next_read);
      ++loads;
    }
    *place = {read[i], next_read[i]};
    terms[i].source_register = first + static_cast<int>(place - held.begin());
  }
  return loads;
}

/// The tables, those used most first.
std::vector<std::size_t> by_uses(const std::vector<std::size_t>& uses) {
  std::vector<std::size_t> order(uses.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t table) { return uses[table]; });
  return order;
}

/// Puts the tables used most into `count` registers. The number of uses of the others.
std::size_t keep_tables(std::vector<Table>& tables, const std::vector<std::size_t>& uses,
                        const std::vector<std::size_t>& order, int first, int count) {
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
  const std::vector<std::size_t> order = by_uses(uses);
  const std::vector<int> read = sources_read(kernel);
  const std::vector<std::size_t> next_read = next_reads(read);
  const int most = std::clamp(static_cast<int>(kernel.sources.size()), 1, reach - first);
  // Past the count that loads each piece once, more registers for pieces only take them from tables.
  const auto pieces_read = static_cast<std::size_t>(std::ranges::count(next_read, read.size()));
  int best = 1;
  std::optional<std::size_t> fewest;
  std::size_t piece_loads = pieces_read + 1;
  for (int count = 1; count <= most && piece_loads > pieces_read; ++count) {
    piece_loads = keep_sources(read, next_read, first, count, found.terms);
    const std::size_t loads =
        piece_loads + keep_tables(found.tables, uses, order, first + count, registers - first - count);
    if (fewest && loads >= *fewest) continue;
    fewest = loads;
    best = count;
  }
  keep_sources(read, next_read, first, best, found.terms);
  keep_tables(found.tables, uses, order, first + best, registers - first - best);
  return found;
}

}  // namespace relayout::jit
