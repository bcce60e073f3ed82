#pragma once

#include "src/cli/compare/comparison.hpp"
#include "src/cli/compare/reference.hpp"
#include "src/cli/timing.hpp"

namespace relayout::cli {

/// The pair under measurement, ready: buffers filled, the right result known.
struct Subject {
  const ComparisonJob& job;
  const Relayout& convert;
  const BufferPair& buffers;
  const Reference& reference;

  std::int64_t bytes() const { return convert.source_bytes() + convert.destination_bytes(); }
  /// What memcpy has to copy to read and write as many bytes.
  std::size_t half() const { return static_cast<std::size_t>(bytes() / 2); }
  void convert_once() const { convert(buffers.source(), buffers.destination()); }
  /// Whether `work`, which moves only a part, leaves a destination alone that is right already. \pre the
  /// kernel was found right
  bool is_kept_by(const std::function<void()>& work) const;
  Timing timing(const Statistics& seconds) const { return {seconds, static_cast<double>(bytes())}; }
  /// For the kernel and what it is compared with.
  Budget budget(double seconds) const;
};

/// Each kernel or copy as a contender; a contender keeps what it needs of `subject`, which has to outlive it.
Contender converting(const Subject& subject, const Relayout& convert);
Contender copying(const Subject& subject);
Contender streaming(const Subject& subject);

/// Fills in `jit`, `memcpy` and `streaming`.
Status time_copies(const Subject& subject, Comparison& result);
/// Fills in `interpreted`, `vectorised` and `interpreted_elements`.
Status time_interpreters(const Subject& subject, Comparison& result);
/// Fills in `naive` and `jit_over_naive`.
Status time_naive_loop(const Subject& subject, Comparison& result);
/// Fills in `compile_us`, `hit_us`, `first_call_us` and, from what is measured already, `breakeven_calls`.
Status time_compilation(const Subject& subject, Comparison& result);

/// What the tasks of the job ask for.
Result<std::vector<LevelTiming>> time_levels(const Subject& subject);
Result<std::vector<ThreadTiming>> time_threads(const Subject& subject);
ColdTiming time_cold(const Subject& subject);
std::vector<PeerTiming> time_peers(const Subject& subject);

/// Seconds of one compilation from text to callable, the cache bypassed: the median of `least` to `most`
/// that fit into `budget_seconds`.
double compile_seconds(const ComparisonJob& job, std::size_t least, std::size_t most, double budget_seconds);

/// The error for a contender whose result is wrong.
Error wrong_result(std::string_view contender);

}  // namespace relayout::cli
