#include "src/cli/compare/comparison.hpp"

#include <algorithm>

#include "src/cli/compare/subject.hpp"

namespace relayout::cli {
namespace {

constexpr int kBasicStages = 4;

void stage_done(const Subject& subject) {
  if (subject.job.tasks.stage_done) subject.job.tasks.stage_done();
}

Status measure_basics(const Subject& subject, Comparison& result) {
  result.isa = subject.convert.isa();
  result.kernel = subject.convert.kernel();
  result.bytes = subject.bytes();
  result.code_bytes = subject.convert.code_bytes();
  result.page_kib = subject.buffers.page_kib();
  for (const auto time : {time_copies, time_interpreters, time_naive_loop, time_compilation}) {
    if (const Status timed = time(subject, result); !timed) return timed.error();
    stage_done(subject);
  }
  return {};
}

Status measure_tasks(const Subject& subject, Comparison& result) {
  const ComparisonTasks& tasks = subject.job.tasks;
  if (tasks.levels) {
    auto levels = time_levels(subject);
    if (!levels) return levels.error();
    result.levels = std::move(*levels);
    stage_done(subject);
  }
  if (tasks.threads > 1) {
    auto threads = time_threads(subject);
    if (!threads) return threads.error();
    result.threads = std::move(*threads);
    stage_done(subject);
  }
  if (tasks.cold) {
    result.cold = time_cold(subject);
    stage_done(subject);
  }
  if (!tasks.peers.empty()) {
    result.peers = time_peers(subject);
    stage_done(subject);
  }
  return {};
}

}  // namespace

int stage_count(const ComparisonTasks& tasks) {
  return kBasicStages + (tasks.levels ? 1 : 0) + (tasks.threads > 1 ? 1 : 0) + (tasks.cold ? 1 : 0) +
         (tasks.peers.empty() ? 0 : 1);
}

Result<Comparison> compare_pair(const ComparisonJob& job, BufferPair& buffers) {
  const auto convert = compile(job.source, job.destination, job.options);
  if (!convert) return convert.error();
  const std::int64_t bytes = std::max(convert->source_bytes(), convert->destination_bytes());
  if (const Status reserved = buffers.reserve(static_cast<std::size_t>(bytes)); !reserved) {
    return reserved.error();
  }
  const auto reference = Reference::make(job.source, job.destination, job.options, buffers);
  if (!reference) return reference.error();
  const Subject subject{job, *convert, buffers, *reference};
  Comparison result;
  if (const Status measured = measure_basics(subject, result); !measured) return measured.error();
  if (const Status measured = measure_tasks(subject, result); !measured) return measured.error();
  return result;
}

}  // namespace relayout::cli
