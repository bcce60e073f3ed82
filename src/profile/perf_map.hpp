#pragma once

#include <string>

#include "src/profile/code_description.hpp"
#include "src/profile/own_file.hpp"

namespace relayout::profile {

/// The lines of these functions: `ADDRESS BYTES NAME`, in hexadecimal without prefix.
std::string perf_map_lines(const CodeDescription& description);

/// `/tmp/perf-PID.map`, the place where perf looks for the names of generated code. Lines of a file that is
/// older than this process, left behind by another one of the same number, are dropped.
class PerfMap {
 public:
  /// \error kSystem
  static Result<PerfMap> open();

  /// One write, so that lines of other writers stay whole. \error kSystem
  Status add(const CodeDescription& description);

 private:
  explicit PerfMap(OwnFile file) : file_(std::move(file)) {}
  OwnFile file_;
};

}  // namespace relayout::profile
