#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "src/plan/refinement/problem.hpp"

namespace relayout::testing {

/// The seed of this test run: the environment variable RELAYOUT_TEST_SEED, or `fallback`.
std::uint64_t test_seed(std::uint64_t fallback = 1);

/// How to get this seed again, for SCOPED_TRACE.
std::string replay_hint(std::uint64_t seed);

/// Variable `index` of a domain, d0, d1, ..., over [0, extent).
expr::IndexExpr domain_variable(int index, std::int64_t extent);

/// What to draw.
struct RandomProblemOptions {
  std::int64_t maximum_elements = 4096;  ///< of the domain
  std::int64_t maximum_extent = 40;      ///< of a dimension
  bool irregular_sources = true;         ///< also slices, reversals and broadcasts, not layouts only
  bool swizzles = false;                 ///< bits of most offsets are xored into others
};

/// An endless stream of random problems of rank 1 to 4 and extents 1 to 40, with raw expressions:
/// mixed-radix, packed, odd-even, fused and nested digits and tiles that do not divide on both sides, so with
/// padding; the destination is injective. The same seed gives the same stream.
class RandomProblems {
 public:
  explicit RandomProblems(std::uint64_t seed, RandomProblemOptions options = {})
      : random_(seed), options_(options) {}

  plan::Problem next();

 private:
  struct Digit;
  struct Side;
  std::int64_t uniform(std::int64_t lowest, std::int64_t highest);
  bool one_in(int count) { return uniform(1, count) == 1; }
  std::vector<std::int64_t> extents();
  std::vector<Digit> logical_digits(const std::vector<std::int64_t>& extents);
  void make_irregular(Digit& digit);
  void fuse_neighbours(std::vector<Digit>& digits);
  void split_one(std::vector<Digit>& digits);
  Side arrange(std::vector<Digit> digits);
  void swizzle(Side& side);
  Side random_side(std::vector<Digit> digits);

  std::mt19937_64 random_;
  RandomProblemOptions options_;
};

/// The problem in words, for failure messages.
std::string describe(const plan::Problem& problem);

}  // namespace relayout::testing
