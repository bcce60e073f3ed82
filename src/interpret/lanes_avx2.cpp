#include <immintrin.h>

#include <xsimd/xsimd.hpp>

namespace relayout::interpret {
namespace {

using Architecture = xsimd::avx2;

inline __m256i multiply_even(__m256i a, __m256i b) {
  return _mm256_mul_epu32(a, b);
}

}  // namespace
}  // namespace relayout::interpret

#include "src/interpret/lane_steps.hpp"

namespace relayout::interpret {

void evaluate_lanes_avx2(const LaneWork& work) noexcept {
  evaluate(work);
}

}  // namespace relayout::interpret
