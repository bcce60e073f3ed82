#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "relayout/result.hpp"
#include "src/plan/refinement/problem.hpp"

namespace relayout::plan {

/// One loop of a piece; strides in elements.
struct Iterator {
  std::int64_t extent = 1;
  std::int64_t source_stride = 0;
  std::int64_t destination_stride = 0;
  /// Coefficients in the piece's guards, one per guard; empty without guards.
  std::vector<std::int64_t> guard_steps;
  friend bool operator==(const Iterator&, const Iterator&) = default;
};

/// A set of points on which both offsets are affine in the iterators' counters. With guards, only the points
/// with `sum(guard_steps[g] * counter) < guard_limits[g]` for every guard g belong to it.
struct Piece {
  std::int64_t source_base = 0;
  std::int64_t destination_base = 0;
  std::vector<Iterator> iterators;  ///< by rising destination stride
  std::vector<std::int64_t> guard_limits;
  friend bool operator==(const Piece&, const Piece&) = default;

  /// Product of the extents: the number of points, if there are no guards.
  std::int64_t volume() const;
};

/// Variables that share a floor; independent of every other factor.
struct Factor {
  /// The union of these pieces is the factor. Empty when there would be more than the budget allows.
  std::vector<Piece> pieces;
  /// The same points with tails guarded instead of peeled: far fewer pieces, not mergeable with others.
  std::vector<Piece> guarded;
  /// The pieces lie between one another (a swizzle's, one for every value of the bits read), instead of being
  /// body and tails: worth a box each, visited side by side.
  bool interleaved = false;
};

/// A relayout problem as a product of independent factors, which is never materialised: a point takes one
/// point of every factor, and offsets add up.
struct LoopNest {
  std::int64_t source_base = 0;
  std::int64_t destination_base = 0;
  std::vector<Factor> factors;
  /// False: some factor has neither pieces nor guarded ones; only interpretation is left.
  bool within_budget = true;
  std::vector<std::string> notes;  ///< budgets passed and what was done instead
};

/// Limits of refinement; passing one drops to the next strategy.
struct RefinementBudget {
  std::size_t iterators = 64;           ///< per piece
  std::size_t pieces = 4096;            ///< per factor
  std::size_t terms = 400'000;          ///< of the forms made while a factor is split: about 20 ms
  std::int64_t enumerated_values = 64;  ///< of a variable in a floor over several variables
  /// Instead of the above where there are exclusive ors, whose pieces are of use only while they are few.
  std::size_t interleaved_pieces = 512;
  std::size_t interleaved_terms = 50'000;  ///< about 3 ms
  bool guarded = true;                     ///< factors of several pieces are also given as a guarded one
};

/// Splits the problem's domain until both offsets are affine. The algorithm is described in refine.cpp.
/// \error kOverflow
Result<LoopNest> refine(const Problem& problem, const RefinementBudget& budget = {});

/// Product of the pieces of all factors: the boxes that the nest would expand to (saturates at INT64_MAX).
std::int64_t expanded_pieces(const LoopNest& nest);

/// Every combination of pieces of the factors in `chosen` (all of them if it is empty), merged into one
/// canonical piece each. \pre the product is small
std::vector<Piece> expand(const LoopNest& nest, const std::vector<bool>& chosen = {});

/// Drops unit iterators, makes destination strides positive, sorts by them and merges neighbours that chain.
void canonicalize(Piece& piece);

/// Readable dump: one iterator a line.
std::string to_string(const LoopNest& nest);

}  // namespace relayout::plan
