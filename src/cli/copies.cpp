#include "src/cli/copies.hpp"

#include <cstring>
#include <immintrin.h>

#include "relayout/isa.hpp"

namespace relayout::cli {
namespace {

using Copy = std::size_t (*)(const std::byte*, std::byte*, std::size_t);

/// Each copies whole vectors and returns the bytes copied.
std::size_t stream_sse2(const std::byte* source, std::byte* destination, std::size_t bytes) {
  std::size_t done = 0;
  for (; done + 16 <= bytes; done += 16) {
    const __m128i value = _mm_loadu_si128(reinterpret_cast<const __m128i*>(source + done));
    _mm_stream_si128(reinterpret_cast<__m128i*>(destination + done), value);
  }
  return done;
}

__attribute__((target("avx2"))) std::size_t stream_avx2(const std::byte* source, std::byte* destination,
                                                        std::size_t bytes) {
  std::size_t done = 0;
  for (; done + 32 <= bytes; done += 32) {
    const __m256i value = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(source + done));
    _mm256_stream_si256(reinterpret_cast<__m256i*>(destination + done), value);
  }
  return done;
}

__attribute__((target("avx512f"))) std::size_t stream_avx512(const std::byte* source, std::byte* destination,
                                                             std::size_t bytes) {
  std::size_t done = 0;
  for (; done + 64 <= bytes; done += 64) {
    const __m512i value = _mm512_loadu_si512(source + done);
    _mm512_stream_si512(reinterpret_cast<__m512i*>(destination + done), value);
  }
  return done;
}

Copy widest_copy() {
  const Isa isa = machine_isa();
  if (isa >= Isa::kAvx512) return stream_avx512;
  return isa >= Isa::kAvx2 ? stream_avx2 : stream_sse2;
}

}  // namespace

void library_copy(const std::byte* source, std::byte* destination, std::size_t bytes) {
  static void* (*const volatile copy)(void*, const void*, std::size_t) = std::memcpy;
  copy(destination, source, bytes);
}

void streaming_copy(const std::byte* source, std::byte* destination, std::size_t bytes) {
  static const Copy copy = widest_copy();
  const std::size_t done = copy(source, destination, bytes);
  if (done < bytes) std::memcpy(destination + done, source + done, bytes - done);
  _mm_sfence();
}

}  // namespace relayout::cli
