#pragma once

#include <cstdint>

namespace relayout {

/// What the library has done in this process since it started (after `fork`, a child goes on from its
/// parent's figures). Counting is always on: it costs a compilation some tens of nanoseconds, a call nothing.
struct Counters {
  std::uint64_t compilations = 0;         ///< tried, those that failed included
  std::uint64_t hits = 0;                 ///< pairs found in the cache
  std::uint64_t evictions = 0;            ///< pairs that the cache dropped for newer ones
  std::uint64_t code_bytes = 0;           ///< machine code and its tables, of all compilations
  std::uint64_t compile_nanoseconds = 0;  ///< in compilations, added over all threads
};

/// A snapshot. Thread safe.
Counters counters();

/// Calls of one relayout that was compiled with CompileOptions::count_calls.
struct CallCounts {
  std::uint64_t calls = 0;  ///< whole ones, or first parts
  std::uint64_t bytes = 0;  ///< read and written
  friend bool operator==(const CallCounts&, const CallCounts&) = default;
};

}  // namespace relayout
