#pragma once

#include <cstdint>
#include <optional>

#include "src/expr/workspace.hpp"

/// The rules of the normal form. Notation: // is floor division, a b c d g > 0 integers, x y integer
/// expressions. A rule returns the form equal to floor(numerator / divisor), or kNone where its side
/// condition fails. One file per rule or pair of rules; `floor.cpp` has their order and why they terminate.
namespace relayout::expr {

/// The normal form of numerator // divisor.
FormId floor_of(Workspace& workspace, FormId numerator, std::int64_t divisor);
/// The normal form of left * right.
FormId product_of(Workspace& workspace, FormId left, FormId right);
/// The normal form of numerator % divisor, x - d*(x//d).
FormId remainder_of(Workspace& workspace, FormId numerator, std::int64_t divisor);
/// The normal form of left ^ right; the rules are in rule_xor.cpp.
FormId xor_of(Workspace& workspace, FormId left, FormId right);
/// The form of a whole expression or numerator after the rules that look at sums of floors.
FormId settle(Workspace& workspace, FormId form);

/// k if every value of the range lies in [k*divisor, (k+1)*divisor).
std::optional<std::int64_t> single_period(Range range, std::int64_t divisor);
/// The residue of `value` modulo `divisor` in (-divisor/2, divisor/2].
std::int64_t balanced_residue(std::int64_t value, std::int64_t divisor);

/// x//d = k                            if k*d <= x < (k+1)*d
FormId period_rule(Workspace& workspace, FormId numerator, std::int64_t divisor);
/// (c*x + y)//d = q*x + (r*x + y)//d   for c = q*d + r; r in (-d/2, d/2], constants in [0, d)
FormId residue_rule(Workspace& workspace, FormId numerator, std::int64_t divisor);
/// The same with the other residue of some terms, if the rest then lies in one period.
FormId signed_residue_rule(Workspace& workspace, FormId numerator, std::int64_t divisor);
/// x//d = -((-x + d - 1)//d)           if the first coefficient of x is negative
FormId mirror_rule(Workspace& workspace, FormId numerator, std::int64_t divisor);
/// (g*x + y)//(g*d) = (x + k)//d       if k*g <= y < (k+1)*g
FormId common_factor_rule(Workspace& workspace, FormId numerator, std::int64_t divisor);
/// x = b*(x//b) + x%b for the terms that g does not divide, then the common factor rule; if that is cheaper.
FormId digit_split_rule(Workspace& workspace, FormId numerator, std::int64_t divisor);
/// (x//a + y)//b = (x + a*y)//(a*b)
FormId merge_rule(Workspace& workspace, FormId numerator, std::int64_t divisor);
/// (x + 1)//2 = x - x//2
FormId parity_rule(Workspace& workspace, FormId numerator, std::int64_t divisor);

/// (x ^ y)//2^k = x//2^k ^ y//2^k, and the same of remainders; if that is cheaper.
FormId xor_floor_rule(Workspace& workspace, FormId numerator, std::int64_t divisor);
FormId xor_remainder_rule(Workspace& workspace, FormId numerator, std::int64_t divisor);

/// sum over k < n of (x + a*k)//(a*n) = x//a  (Hermite), where it saves divisions
FormId hermite_rule(Workspace& workspace, FormId form);
/// Whether the atom is a variable or x//a of a variable x.
bool is_basis_function(const Workspace& workspace, AtomId id);
/// Every function of one variable on [0, n) is a unique sum of 1 and x//a: that sum, where it saves
/// divisions.
FormId univariate_rule(Workspace& workspace, FormId form);

}  // namespace relayout::expr
