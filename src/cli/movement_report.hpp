#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "relayout/hlo.hpp"
#include "relayout/relayout.hpp"
#include "src/cli/buffer_pair.hpp"

namespace relayout::cli {

/// Times of one movement. Rates as in Comparison.
struct MovementTimes {
  double seconds = 0;
  double memcpy_seconds = 0;  ///< of memcpy for as many bytes read and written
};

/// A movement and what this machine makes of it.
struct MovementReport {
  hlo::Movement movement;
  std::string kernel;            ///< empty where nothing is compiled: free, or `movement.note` says why
  std::optional<bool> verified;  ///< only if asked for, and where there is something to prove
  std::optional<MovementTimes> times;
};

/// Puts a proof into `report`. One that could not be made, for lack of memory or of support, proves neither
/// that the kernel is right nor that it is wrong: it becomes the note.
void note_proof(const Result<bool>& proved, MovementReport& report);

/// What to do with each movement beyond choosing its kernel.
struct MovementTasks {
  bool verify = false;  ///< prove the kernel chosen; `relayout verify` proves all levels
  bool bench = false;
};

/// Makes reports; equal pairs of layouts are proved and timed once.
class MovementReporter {
 public:
  explicit MovementReporter(MovementTasks tasks) : tasks_(tasks) {}

  /// Never fails: a pair that cannot be compiled has the reason as its note.
  MovementReport report(hlo::Movement movement);

 private:
  /// Keeps the compiled pair, so that its address stays a key.
  struct Known {
    Relayout convert;
    std::optional<Result<bool>> verified;
    std::optional<Result<MovementTimes>> times;
  };

  void convert(MovementReport& report);
  Result<MovementTimes> measure(const Relayout& convert);

  MovementTasks tasks_;
  BufferPair buffers_;
  std::map<const void*, Known> known_;
};

}  // namespace relayout::cli
