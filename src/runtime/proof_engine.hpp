#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "relayout/result.hpp"
#include "src/runtime/proof_numbering.hpp"

namespace relayout::runtime {

// A relayout is data-oblivious: where a byte goes never depends on its value. So a few runs on numbered bytes
// prove one path of a conversion for all data. The engine knows nothing of how the conversion is made.

/// One way of running the conversion that is to be proved, for instance with one store policy.
struct ProofVariant {
  std::string name;
  /// Runs part `index` of `count`; (0, 1) is the whole.
  std::function<void(const std::byte* source, std::byte* destination, std::int64_t index, std::int64_t count)>
      run_part;
};

struct ProofTask {
  ExpectedMap map;                     ///< of whole bytes; unused where a numbering is given
  std::vector<ProofVariant> variants;  ///< at least one
  bool thorough = false;               ///< every combination of paths instead of every value of each
  /// Called with the name of each path before it runs, so that a crash can be blamed. May be empty.
  std::function<void(std::string_view path)> announce;
};

struct ProofOutcome {
  bool ok = true;
  std::int64_t runs = 0;
  /// The first wrong destination byte; outside [0, size) for a write outside the destination; -1 if ok or if
  /// the source was written.
  std::int64_t wrong_byte = -1;
  std::string message;
};

/// Runs every path on every level of the byte numbering, over 0xA5 and over 0x5A on the first one, and
/// compares every byte of the destination and of the margins around it. Buffers lie between inaccessible
/// pages: an access outside them may kill the process. Stops at the first fault. Each level costs a few
/// passes over both buffers per path. \error kSystem if there is no memory for a copy of the source and two
/// of the destination
Result<ProofOutcome> prove_paths(const ProofTask& task);
Result<ProofOutcome> prove_paths(const Numbering& numbering, const ProofTask& task);

/// The same comparison for one plain run on ordinary memory: for interpreters, to find the stage to blame.
ProofOutcome compare_with_map(
    const ExpectedMap& map, const std::function<void(const std::byte* source, std::byte* destination)>& run);
ProofOutcome compare_with_map(
    const Numbering& numbering,
    const std::function<void(const std::byte* source, std::byte* destination)>& run);

}  // namespace relayout::runtime
