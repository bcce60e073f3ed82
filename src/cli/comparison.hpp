#pragma once

#include <optional>
#include <string>

#include "relayout/relayout.hpp"
#include "src/cli/huge_buffer.hpp"

namespace relayout::cli {

/// What `compare` measures; docs/measuring.md says how. Rates are bytes read plus written, padding included,
/// per second in units of 1e9; nothing where nothing moves or, for the naive loop, where no plain loop nest
/// exists.
struct Comparison {
  Isa isa = Isa::kPortable;
  std::string kernel;
  std::int64_t bytes = 0;
  std::optional<double> jit_gbps;
  std::optional<double> memcpy_gbps;
  std::optional<double> streaming_gbps;
  std::optional<double> jit_over_memcpy;
  std::optional<double> interpreted_gbps;
  std::optional<double> vectorised_gbps;
  std::int64_t interpreted_elements = 0;
  std::optional<double> naive_gbps;
  double compile_us = 0;
  double hit_us = 0;
  double call_ns = 0;
  std::size_t code_bytes = 0;
  /// Calls after which compiling has paid for itself against the fastest way that needs no compiling.
  std::optional<double> breakeven_calls;
  int page_kib = 4;
};

/// Two buffers that grow as pairs need them, so that a batch does not fault its pages in anew for each pair.
class BufferPair {
 public:
  /// Makes both at least `bytes` long. \error kSystem
  Status reserve(std::size_t bytes);

  std::byte* source() const noexcept { return source_.data(); }
  std::byte* destination() const noexcept { return destination_.data(); }
  /// The smaller of both buffers' page sizes.
  int page_kib() const noexcept { return page_kib_; }

 private:
  HugeBuffer source_;
  HugeBuffer destination_;
  int page_kib_ = 4;
};

/// The specifications as text, since compile time starts there, and the layouts that they mean.
struct ComparisonJob {
  std::string source_text;
  std::string destination_text;
  Layout source;
  Layout destination;
  CompileOptions options;
};

/// Measures. \error whatever compile returns; kInternal if kernel and interpreter disagree
Result<Comparison> compare_pair(const ComparisonJob& job, BufferPair& buffers);

}  // namespace relayout::cli
