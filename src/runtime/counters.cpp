#include "src/runtime/counters.hpp"

#include <atomic>

#include "src/runtime/cache.hpp"

namespace relayout {
namespace runtime {
namespace {

struct Totals {
  std::atomic<std::uint64_t> compilations{0};
  std::atomic<std::uint64_t> code_bytes{0};
  std::atomic<std::uint64_t> nanoseconds{0};
};
constinit Totals totals;

}  // namespace

void count_compilation(std::size_t code_bytes, std::int64_t nanoseconds) noexcept {
  totals.compilations.fetch_add(1, std::memory_order_relaxed);
  totals.code_bytes.fetch_add(code_bytes, std::memory_order_relaxed);
  totals.nanoseconds.fetch_add(static_cast<std::uint64_t>(nanoseconds), std::memory_order_relaxed);
}

Counters compilation_counters() noexcept {
  Counters counters;
  counters.compilations = totals.compilations.load(std::memory_order_relaxed);
  counters.code_bytes = totals.code_bytes.load(std::memory_order_relaxed);
  counters.compile_nanoseconds = totals.nanoseconds.load(std::memory_order_relaxed);
  return counters;
}

}  // namespace runtime

Counters counters() {
  Counters result = runtime::compilation_counters();
  const CacheStatistics cache = runtime::Cache::instance().statistics();
  result.hits = cache.hits;
  result.evictions = cache.evictions;
  return result;
}

}  // namespace relayout
