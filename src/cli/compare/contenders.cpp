// What is always measured: the kernel, copies, interpreters and the naive loop.

#include <algorithm>
#include <array>
#include <cstring>

#include "src/cli/compare/naive_loop.hpp"
#include "src/cli/compare/subject.hpp"
#include "src/cli/packed.hpp"

namespace relayout::cli {
namespace {

/// Interpreters take 10 to 200 ns an element, so they get a leading slice.
constexpr std::int64_t kInterpretedElements = std::int64_t{1} << 20;
/// Past this, one naive pass would take seconds.
constexpr std::int64_t kNaiveElements = std::int64_t{1} << 25;

constexpr double kMainSeconds = 0.5;
constexpr double kNaiveSeconds = 0.2;
constexpr double kInterpreterSeconds = 0.1;

using Loops = std::vector<LoopDimension>;

std::int64_t element_total(const Loops& loops) {
  std::int64_t elements = 1;
  for (const LoopDimension& loop : loops) elements *= loop.extent;
  return elements;
}

/// Shortens the outermost loop so that little more than kNaiveElements are moved.
Loops shortened(Loops loops) {
  const std::int64_t elements = element_total(loops);
  if (elements <= kNaiveElements) return loops;
  const std::int64_t inner = elements / loops.front().extent;
  loops.front().extent = std::clamp<std::int64_t>(kNaiveElements / inner, 1, loops.front().extent);
  return loops;
}

bool is_packed_pair(const ComparisonJob& job) {
  return is_packed(job.source) || is_packed(job.destination);
}

bool has_built_in_width(const ComparisonJob& job) {
  const std::int64_t bytes = job.source.type().storage_bytes();
  return bytes <= 16 && (bytes & (bytes - 1)) == 0;
}

/// Read and written.
double bytes_per_element(const ComparisonJob& job) {
  return static_cast<double>(job.source.element_bits() + job.destination.element_bits()) / 8;
}

/// Loops over all of a pair, or over a part of a large one.
struct NaiveLoop {
  Loops nest;
  bool whole = true;
  bool zeros_first = false;  ///< the whole destination is zeroed before the loops, for its padding
};

/// Other fill values are not worth a program of their own here.
bool has_padding_of_zeros(const ComparisonJob& job) {
  if (job.destination.physical_elements() == job.destination.element_count()) return false;
  const auto* xla = job.destination.xla();
  return job.options.padding == PaddingPolicy::kFill && job.options.fill.empty() &&
         (xla == nullptr || xla->layout.padding_value == xla::PaddingValue::kInvalid ||
          xla->layout.padding_value == xla::PaddingValue::kZero);
}

NaiveLoop naive_loop(const ComparisonJob& job, Loops nest) {
  NaiveLoop loop{shortened(std::move(nest))};
  loop.whole = element_total(loop.nest) == job.source.element_count();
  loop.zeros_first = loop.whole && has_padding_of_zeros(job);
  return loop;
}

void convert_naively(const Subject& subject, const NaiveLoop& loop) {
  const ComparisonJob& job = subject.job;
  const std::byte* source = subject.buffers.source();
  std::byte* destination = subject.buffers.destination();
  if (loop.zeros_first)
    std::memset(destination, 0, static_cast<std::size_t>(subject.convert.destination_bytes()));
  if (is_packed_pair(job)) {
    const PackedSpacing spacing = {job.source.element_bits(), job.destination.element_bits()};
    return naive_convert_packed(loop.nest, spacing, source, destination);
  }
  naive_convert(loop.nest, job.source.type().storage_bytes(), source, destination);
}

bool is_right(const Subject& subject, const NaiveLoop& loop) {
  const auto convert = [&] { convert_naively(subject, loop); };
  if (!loop.whole) return subject.is_kept_by(convert);
  return subject.reference.is_met_by(convert, loop.zeros_first ? Padding::kFilled : Padding::kUntouched);
}

/// Padding counts where it is filled.
Timing naive_timing(const Subject& subject, const NaiveLoop& loop, const Statistics& seconds) {
  if (loop.zeros_first) return subject.timing(seconds);
  return {seconds, bytes_per_element(subject.job) * static_cast<double>(element_total(loop.nest))};
}

}  // namespace

Status time_copies(const Subject& subject, Comparison& result) {
  if (!subject.reference.is_met_by([&] { subject.convert_once(); }, Padding::kFilled))
    return wrong_result("kernel");
  const std::array contenders = {converting(subject, subject.convert), copying(subject), streaming(subject)};
  const std::vector<Statistics> seconds = time_in_turns(contenders, subject.budget(kMainSeconds));
  result.jit = subject.timing(seconds[0]);
  result.memcpy = subject.timing(seconds[1]);
  result.streaming = subject.timing(seconds[2]);
  return {};
}

Status time_interpreters(const Subject& subject, Comparison& result) {
  const ComparisonJob& job = subject.job;
  const std::int64_t elements = std::min(job.source.element_count(), kInterpretedElements);
  const std::span<const std::byte> source(subject.buffers.source(),
                                          static_cast<std::size_t>(job.source.size_bytes()));
  const std::span<std::byte> destination(subject.buffers.destination(),
                                         static_cast<std::size_t>(job.destination.size_bytes()));
  Status status;
  const auto interpret = [&](Interpreter kind) {
    const Status done = run_interpreter(job.source, job.destination, source, destination, kind, elements);
    if (!done) status = done;
  };
  const auto scalar = [&] { interpret(Interpreter::kScalar); };
  const auto vectorised = [&] { interpret(Interpreter::kVectorised); };
  if (!subject.is_kept_by(scalar)) return wrong_result("scalar interpreter");
  if (!subject.is_kept_by(vectorised)) return wrong_result("vectorised interpreter");
  if (!status) return status;
  const std::array contenders = {repeated(scalar), repeated(vectorised)};
  const Budget budget{.seconds = kInterpreterSeconds, .minimum_rounds = 1, .maximum_rounds = 9};
  const std::vector<Statistics> seconds = time_in_turns(contenders, budget);
  const double bytes = bytes_per_element(job) * static_cast<double>(elements);
  result.interpreted_elements = elements;
  result.interpreted = {seconds[0], bytes};
  result.vectorised = {seconds[1], bytes};
  return status;
}

Status time_naive_loop(const Subject& subject, Comparison& result) {
  const ComparisonJob& job = subject.job;
  const auto loops = loop_dimensions(job.source, job.destination);
  if (!loops || !(is_packed_pair(job) || has_built_in_width(job))) return {};
  const std::array naive = {naive_loop(job, ordered(*loops, LoopOrder::kSource)),
                            naive_loop(job, ordered(*loops, LoopOrder::kDestination))};
  std::vector<Contender> contenders = {converting(subject, subject.convert)};
  for (const NaiveLoop& loop : naive) {
    if (!is_right(subject, loop)) return wrong_result("naive loop");
    contenders.push_back(repeated([&] { convert_naively(subject, loop); }));
  }
  Budget budget = subject.budget(kNaiveSeconds);
  budget.minimum_rounds = 1;
  budget.maximum_rounds = 9;
  const std::vector<Statistics> seconds = time_in_turns(contenders, budget);
  for (std::size_t i = 0; i < naive.size(); ++i) {
    const Timing timing = naive_timing(subject, naive[i], seconds[i + 1]);
    if (!result.naive || timing.gbps() > result.naive->gbps()) result.naive = timing;
  }
  const auto kernel = subject.timing(seconds[0]).gbps();
  if (kernel && result.naive->gbps()) result.jit_over_naive = *kernel / *result.naive->gbps();
  return {};
}

}  // namespace relayout::cli
