#include "src/interpret/division.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "relayout/isa.hpp"
#include "src/interpret/lane_program.hpp"
#include "tests/support/random_problem.hpp"

namespace relayout::interpret {
namespace {

constexpr int kLanes = 16;

/// Lanes of one type behind one divide step, evaluated with one instruction set.
template <class Lane>
void expect_floors(std::int64_t divisor, const std::vector<std::uint64_t>& numerators, Isa isa) {
  constexpr bool kWide = sizeof(Lane) == 8;
  const Division division = kWide ? wide_division(divisor) : narrow_division(divisor);
  const LaneStep step = {LaneOperation::kDivide, static_cast<std::uint8_t>(division.shift), 0, 0, 0, 0,
                         division.multiplier};
  const std::int64_t scalar = 0;
  for (std::size_t first = 0; first < numerators.size(); first += kLanes) {
    alignas(64) Lane slot[kLanes] = {};
    const std::size_t count = std::min<std::size_t>(kLanes, numerators.size() - first);
    for (std::size_t lane = 0; lane < count; ++lane) slot[lane] = static_cast<Lane>(numerators[first + lane]);
    const LaneWork work = {&step,       1, &scalar, reinterpret_cast<unsigned char*>(slot),
                           sizeof slot, 0, kLanes,  kWide};
    if (isa == Isa::kPortable) evaluate_lanes_sse2(work);
    if (isa == Isa::kAvx2) evaluate_lanes_avx2(work);
    if (isa >= Isa::kAvx512) evaluate_lanes_avx512(work);
    for (std::size_t lane = 0; lane < count; ++lane) {
      const std::uint64_t numerator = numerators[first + lane];
      ASSERT_EQ(slot[lane], numerator / static_cast<std::uint64_t>(divisor)) << numerator << " / " << divisor;
    }
  }
}

/// Numerators on both sides of multiples of the divisor, small and largest ones included.
std::vector<std::uint64_t> around_multiples(std::uint64_t divisor, int bits, std::mt19937_64& random) {
  const std::uint64_t limit = std::uint64_t{1} << bits;
  std::vector<std::uint64_t> numerators = {0, 1, limit - 1, limit - 2};
  const std::uint64_t largest_quotient = (limit - 1) / divisor;
  std::vector<std::uint64_t> quotients = {1, 2, 3, largest_quotient, largest_quotient / 2};
  for (int draw = 0; draw < 40; ++draw) quotients.push_back(random() % (largest_quotient + 1));
  for (const std::uint64_t quotient : quotients) {
    for (const std::uint64_t numerator :
         {quotient * divisor - 1, quotient * divisor, quotient * divisor + 1}) {
      if (numerator < limit) numerators.push_back(numerator);
    }
  }
  return numerators;
}

template <class Lane>
void expect_floors_for_many_divisors(int bits) {
  std::mt19937_64 random(relayout::testing::test_seed());
  std::vector<std::uint64_t> divisors;
  for (std::uint64_t divisor = 3; divisor < 1000; ++divisor) divisors.push_back(divisor);
  for (int power = 10; power < bits; ++power) {
    divisors.push_back((std::uint64_t{1} << power) - 1);
    divisors.push_back((std::uint64_t{1} << power) + 1);
    divisors.push_back((std::uint64_t{1} << power) + random() % (std::uint64_t{1} << power));
  }
  for (const std::uint64_t divisor : divisors) {
    if ((divisor & (divisor - 1)) == 0) continue;
    const auto numerators = around_multiples(divisor, bits, random);
    for (const Isa isa : runnable_isas())
      expect_floors<Lane>(static_cast<std::int64_t>(divisor), numerators, isa);
  }
}

TEST(Division, example) {
  const Division thirds = narrow_division(3);
  EXPECT_EQ((std::uint64_t{100} * thirds.multiplier) >> (32 + thirds.shift), 33u);
}

TEST(Division, of_31_bit_numerators_floors_around_every_kind_of_multiple) {
  expect_floors_for_many_divisors<std::uint32_t>(31);
}

TEST(Division, of_62_bit_numerators_floors_around_every_kind_of_multiple) {
  expect_floors_for_many_divisors<std::uint64_t>(62);
}

TEST(Division, of_31_bit_numerators_is_exact_at_every_multiple_of_a_few_divisors) {
  for (const std::uint64_t divisor : {641u, 65'537u, 1'000'003u, 1'431'655'765u}) {
    const Division division = narrow_division(static_cast<std::int64_t>(divisor));
    for (std::uint64_t multiple = divisor; multiple < (std::uint64_t{1} << 31); multiple += divisor) {
      ASSERT_EQ((multiple * division.multiplier) >> (32 + division.shift), multiple / divisor);
      ASSERT_EQ(((multiple - 1) * division.multiplier) >> (32 + division.shift), multiple / divisor - 1);
    }
  }
}

}  // namespace
}  // namespace relayout::interpret
