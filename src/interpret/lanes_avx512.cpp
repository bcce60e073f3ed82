#include <immintrin.h>

#include <xsimd/xsimd.hpp>

namespace relayout::interpret {
namespace {

using Architecture = xsimd::avx512f;

inline __m512i multiply_even(__m512i a, __m512i b) {
  return _mm512_mul_epu32(a, b);
}

}  // namespace
}  // namespace relayout::interpret

#include "src/interpret/lane_steps.hpp"

namespace relayout::interpret {

void evaluate_lanes_avx512(const LaneWork& work) noexcept {
  evaluate(work);
}

}  // namespace relayout::interpret
