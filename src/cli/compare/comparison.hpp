#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "relayout/relayout.hpp"
#include "src/cli/buffer_pair.hpp"
#include "src/cli/compare/peer.hpp"
#include "src/cli/statistics.hpp"

namespace relayout::cli {

/// The time of one way to do some work. docs/measuring.md says how it is taken.
struct Timing {
  Statistics seconds;  ///< of doing it once
  double bytes = 0;    ///< read plus written in that time

  /// 1e9 bytes per second, of the median; nothing where nothing moves.
  std::optional<double> gbps() const;
};

/// One instruction set level beside the others.
struct LevelTiming {
  Isa isa = Isa::kPortable;
  std::string kernel;
  std::size_t code_bytes = 0;
  double compile_us = 0;
  Timing jit;
  double over_memcpy = 0;
};

/// The same work on so many threads.
struct ThreadTiming {
  int threads = 1;
  Timing jit;
  Timing memcpy;
};

/// One call with neither buffer in any cache.
struct ColdTiming {
  Timing jit;
  Timing memcpy;
  Timing streaming;
};

/// Another implementation, from a shared object.
struct PeerTiming {
  std::string name;
  std::optional<Timing> timing;  ///< nothing where it cannot express the pair, or `error` says why
  double over_memcpy = 0;
  double jit_over_peer = 0;
  std::string error;
};

/// What `compare` measures of one pair. Rates count bytes read plus written, padding included.
struct Comparison {
  Isa isa = Isa::kPortable;
  std::string kernel;
  std::int64_t bytes = 0;
  Timing jit;
  Timing memcpy;
  Timing streaming;
  Timing interpreted;
  Timing vectorised;
  std::int64_t interpreted_elements = 0;
  std::optional<Timing> naive;  ///< the better of two loop orders; nothing where no plain loop nest exists
  std::optional<double> jit_over_naive;  ///< of rates timed in turns
  double compile_us = 0;
  double hit_us = 0;
  double first_call_us = 0;  ///< the first call of code that was just compiled, its data warm
  std::size_t code_bytes = 0;
  /// Calls after which compiling has paid for itself against the fastest way that needs no compiling.
  std::optional<double> breakeven_calls;
  int page_kib = 4;
  std::vector<LevelTiming> levels;
  std::vector<ThreadTiming> threads;
  std::optional<ColdTiming> cold;
  std::vector<PeerTiming> peers;
};

/// What to measure beyond the basics.
struct ComparisonTasks {
  bool levels = false;  ///< every level that the machine runs
  int threads = 1;      ///< on 1 to so many threads
  bool cold = false;
  std::span<const Peer> peers;
  std::function<void()> stage_done = {};  ///< called stage_count() times
};

/// Into how many stages compare_pair divides the work.
int stage_count(const ComparisonTasks& tasks);

/// The specifications as text, since compile time starts there, and the layouts that they mean.
struct ComparisonJob {
  std::string source_text;
  std::string destination_text;
  Layout source;
  Layout destination;
  CompileOptions options;
  ComparisonTasks tasks;
};

/// Measures, having checked every result. \error whatever compile returns; kInternal if a result is wrong
Result<Comparison> compare_pair(const ComparisonJob& job, BufferPair& buffers);

}  // namespace relayout::cli
