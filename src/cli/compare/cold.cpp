// One call with neither buffer in any cache.

#include <array>
#include <cpuid.h>
#include <immintrin.h>

#include "src/cli/compare/subject.hpp"

namespace relayout::cli {
namespace {

constexpr double kColdSeconds = 0.5;
constexpr std::size_t kLineBytes = 64;

using Flush = void (*)(const std::byte*, std::size_t);

void flush_in_order(const std::byte* start, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += kLineBytes) _mm_clflush(start + i);
}

/// The same without waiting for one line before the next.
__attribute__((target("clflushopt"))) void flush_together(const std::byte* start, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += kLineBytes) _mm_clflushopt(const_cast<std::byte*>(start) + i);
}

bool has_clflushopt() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_CLFLUSHOPT) != 0;
}

/// Out of the caches of all cores: the instructions act on the whole coherence domain.
void flush_from_caches(const Subject& subject) {
  static const Flush flush = has_clflushopt() ? flush_together : flush_in_order;
  flush(subject.buffers.source(), static_cast<std::size_t>(subject.convert.source_bytes()));
  flush(subject.buffers.destination(), static_cast<std::size_t>(subject.convert.destination_bytes()));
  _mm_mfence();
}

}  // namespace

ColdTiming time_cold(const Subject& subject) {
  const std::array contenders = {converting(subject, subject.convert), copying(subject), streaming(subject)};
  Budget budget{.seconds = kColdSeconds};
  budget.before_sample = [&] { flush_from_caches(subject); };
  const std::vector<Statistics> seconds = time_in_turns(contenders, budget);
  return {subject.timing(seconds[0]), subject.timing(seconds[1]), subject.timing(seconds[2])};
}

}  // namespace relayout::cli
