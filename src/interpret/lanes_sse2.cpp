#include <immintrin.h>

#include <xsimd/xsimd.hpp>

namespace relayout::interpret {
namespace {

using Architecture = xsimd::sse2;

inline __m128i multiply_even(__m128i a, __m128i b) {
  return _mm_mul_epu32(a, b);
}

}  // namespace
}  // namespace relayout::interpret

#include "src/interpret/lane_steps.hpp"

namespace relayout::interpret {

void evaluate_lanes_sse2(const LaneWork& work) noexcept {
  evaluate(work);
}

}  // namespace relayout::interpret
