// What compiling costs, and when it pays.

#include <algorithm>
#include <array>

#include "src/cli/compare/subject.hpp"

namespace relayout::cli {
namespace {

constexpr double kCompileSeconds = 0.03;
constexpr double kFirstCallSeconds = 0.1;
constexpr std::size_t kMostFirstCalls = 9;

/// From text, as `compile_us` has it. 0 if it fails, which the caller has ruled out.
double seconds_of_one(const ComparisonJob& job) {
  CompileOptions options = job.options;
  options.bypass_cache = true;
  const double start = now_seconds();
  const auto source = Layout::parse(job.source_text);
  const auto destination = Layout::parse_destination(job.destination_text, *source);
  const auto compiled = compile(*source, *destination, options);
  return compiled ? now_seconds() - start : 0;
}

/// Of code that no core has seen yet, on data that the caches hold as far as it fits.
double first_call_seconds(const Subject& subject) {
  CompileOptions options = subject.job.options;
  options.bypass_cache = true;
  const std::byte* source = subject.buffers.source();
  std::byte* destination = subject.buffers.destination();
  std::vector<double> calls;
  const double start = now_seconds();
  do {
    const auto fresh = compile(subject.job.source, subject.job.destination, options);
    if (!fresh) break;
    subject.convert_once();
    const double called = now_seconds();
    (*fresh)(source, destination);
    calls.push_back(now_seconds() - called);
  } while (calls.size() < kMostFirstCalls && now_seconds() - start < kFirstCallSeconds);
  return calls.empty() ? 0 : median(calls);
}

/// Seconds that the fastest way without compiling would take for the whole pair.
std::optional<double> seconds_without_compiling(const Comparison& result) {
  const double naive = result.naive ? result.naive->gbps().value_or(0) : 0;
  const double best = std::max(naive, result.vectorised.gbps().value_or(0));
  if (best <= 0) return std::nullopt;
  return static_cast<double>(result.bytes) / best / 1e9;
}

std::optional<double> breakeven_calls(const Comparison& result) {
  const auto slow = seconds_without_compiling(result);
  const double saved_us = slow ? (*slow - result.jit.seconds.median) * 1e6 : 0;
  if (saved_us <= 0) return std::nullopt;
  return result.compile_us / saved_us;
}

}  // namespace

double compile_seconds(const ComparisonJob& job, std::size_t least, std::size_t most, double budget_seconds) {
  std::vector<double> compiles;
  const double start = now_seconds();
  do {
    compiles.push_back(seconds_of_one(job));
  } while (compiles.size() < most && (compiles.size() < least || now_seconds() - start < budget_seconds));
  return median(compiles);
}

Status time_compilation(const Subject& subject, Comparison& result) {
  const ComparisonJob& job = subject.job;
  result.compile_us = compile_seconds(job, 3, 31, kCompileSeconds) * 1e6;
  const std::array hit = {repeated([&] { (void)compile(job.source, job.destination, job.options).ok(); })};
  result.hit_us = time_in_turns(hit, Budget{.seconds = 0.01}).front().median * 1e6;
  result.first_call_us = first_call_seconds(subject) * 1e6;
  result.breakeven_calls = breakeven_calls(result);
  return {};
}

}  // namespace relayout::cli
