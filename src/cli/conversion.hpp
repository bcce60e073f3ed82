#pragma once

#include <optional>
#include <string>

#include "relayout/relayout.hpp"

namespace relayout::cli {

/// A file to convert and how.
struct ConversionJob {
  std::string source_path;
  std::string destination_path;
  Layout source;
  Layout destination;
  CompileOptions options;
  std::optional<std::string> fill;  ///< value of the destination's padding, as fill_bytes takes it
  bool raw = false;                 ///< files are bare buffers, not .npy
  int repetitions = 1;              ///< above 1 the conversion runs in memory allocated as for measurements
  int threads = 1;
};

/// What a conversion did.
struct ConversionReport {
  std::int64_t bytes = 0;  ///< read plus written
  double seconds = 0;      ///< of one conversion; the median if it was repeated
  std::string kernel;
  Isa isa = Isa::kPortable;
};

/// Converts the file. The destination file appears only when it is complete. \error names the file or the
/// argument
Result<ConversionReport> convert_file(const ConversionJob& job);

}  // namespace relayout::cli
