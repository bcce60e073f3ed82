#pragma once

#include <cstdint>
#include <string>

#include "src/profile/code_description.hpp"
#include "src/profile/own_file.hpp"

namespace relayout::profile {

/// `jit-PID.dump` in the format of perf (Linux, tools/perf/Documentation/jitdump-specification.txt), and
/// `jit-PID.plan` with the texts that the dump's line numbers mean. In `$JITDUMPDIR`, else the current
/// folder.
class Jitdump {
 public:
  /// \error kSystem, also where the file system allows no executable mapping: perf finds the dump by one
  static Result<Jitdump> open();

  Jitdump(Jitdump&& other) noexcept;
  Jitdump& operator=(Jitdump&& other) noexcept;
  ~Jitdump();

  /// Per function: where its lines are, how to unwind it, and its code. \error kSystem
  Status add(const CodeDescription& description);
  /// The record that says that no code follows. \error kSystem
  Status close();

 private:
  Jitdump(OwnFile dump, OwnFile plan) : dump_(std::move(dump)), plan_(std::move(plan)) {}

  Status map_marker();
  Status add_function(const FunctionDescription& function, int lines_before);

  OwnFile dump_;
  OwnFile plan_;
  void* marker_ = nullptr;
  int lines_ = 0;  ///< in the plan file
  std::uint64_t functions_ = 0;
};

}  // namespace relayout::profile
