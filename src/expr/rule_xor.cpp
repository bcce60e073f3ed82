// x ^ y, bit by bit in two's complement. The rules pass through whatever bits only one side has:
//
//   top     (2^q*u + r) ^ y = 2^q*u + (r ^ y)               if r and y lie in [0, 2^q)
//   factor  (2^p*u + r) ^ 2^p*v = 2^p*(u ^ v) + r           if r lies in [0, 2^p)
//   cancel  (x ^ y) ^ x = y
//   flip    x ^ (2^q - 1) = 2^q - 1 - x                     if x lies in [0, 2^q);  x ^ -1 = -1 - x
//
// so that fields without a bit in common are added, and a swizzle whose source bits are 0 vanishes. Every
// rule leaves fewer terms, smaller coefficients or fewer operands under the operator.

#include <algorithm>
#include <bit>

#include "src/expr/integer.hpp"
#include "src/expr/present.hpp"
#include "src/expr/rules.hpp"
#include "src/expr/xor_range.hpp"

namespace relayout::expr {
namespace {

/// Fields past this leave no room for what stands above them.
constexpr int kMaximumBits = 61;
constexpr std::size_t kMaximumOperands = 16;

/// form = high + low with 2^bits a divisor of high and low in [0, 2^bits).
struct Fields {
  FormId high = kNone;
  FormId low = kNone;
};

std::optional<Fields> fields_of(Workspace& workspace, FormId form, int bits) {
  const std::int64_t place = std::int64_t{1} << bits;
  const Linear whole = workspace.linear(form);
  Linear high;
  Linear low;
  low.constant = floor_remainder(whole.constant, place);
  high.constant = whole.constant - low.constant;
  for (const Term& term : whole.terms) (term.coefficient % place == 0 ? high : low).terms.push_back(term);
  const auto period = single_period(bounds_of(workspace, low), place);
  if (!period) return std::nullopt;
  const OverflowGuard guard(workspace);
  const std::int64_t carried = workspace.times(*period, place);
  high.constant = workspace.plus(high.constant, carried);
  low.constant = workspace.plus(low.constant, workspace.times(carried, -1));
  if (guard.overflowed()) return std::nullopt;
  return Fields{workspace.intern(high), workspace.intern(low)};
}

bool is_zero(const Workspace& workspace, FormId form) {
  return workspace.is_constant(form) && workspace.linear(form).constant == 0;
}

/// How many low bits of the form are 0 for its coefficients' sake.
int trailing_zeros(const Workspace& workspace, FormId form) {
  const Linear& linear = workspace.linear(form);
  auto all = static_cast<std::uint64_t>(linear.constant);
  for (const Term& term : linear.terms) all |= static_cast<std::uint64_t>(term.coefficient);
  return std::countr_zero(all);
}

/// form / 2^bits. \pre exact
FormId shifted_down(Workspace& workspace, FormId form, int bits) {
  Linear result = workspace.linear(form);
  result.constant >>= bits;
  for (Term& term : result.terms) term.coefficient >>= bits;
  return workspace.intern(result);
}

FormId top_rule(Workspace& workspace, FormId base, FormId field) {
  const int bits_of_field = bits_of(bounds_of(workspace, field));
  if (bits_of_field < 0 || bits_of_field > kMaximumBits) return kNone;
  SmallVector<int, 8> places;
  places.push_back(bits_of_field);
  for (const Term& term : workspace.linear(base).terms) {
    const int zeros = std::countr_zero(static_cast<std::uint64_t>(term.coefficient));
    if (zeros > bits_of_field && zeros <= kMaximumBits) places.push_back(zeros);
  }
  std::sort(places.begin(), places.end());
  for (const int bits : places) {
    const auto fields = fields_of(workspace, base, bits);
    if (!fields || is_zero(workspace, fields->high)) continue;
    return workspace.sum(fields->high, xor_of(workspace, fields->low, field));
  }
  return kNone;
}

FormId factor_rule(Workspace& workspace, FormId base, FormId field) {
  const int bits = std::min(trailing_zeros(workspace, field), kMaximumBits);
  if (bits == 0) return kNone;
  const auto fields = fields_of(workspace, base, bits);
  if (!fields) return kNone;
  const FormId inner =
      xor_of(workspace, shifted_down(workspace, fields->high, bits), shifted_down(workspace, field, bits));
  return workspace.sum(fields->low, inner, std::int64_t{1} << bits);
}

FormId flip_rule(Workspace& workspace, FormId base, FormId ones) {
  if (!workspace.is_constant(ones)) return kNone;
  const std::int64_t value = workspace.linear(ones).constant;
  const int bits = bits_of(bounds_of(workspace, base));
  const bool all_ones = bits >= 0 && value >= 0 &&
                        std::has_single_bit(static_cast<std::uint64_t>(value) + 1) &&
                        bits <= static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value)));
  return value == -1 || all_ones ? workspace.sum(ones, base, -1) : kNone;
}

using Operands = SmallVector<FormId, 8>;

/// Takes nested operators apart; what occurs twice is dropped.
void add_operands(const Workspace& workspace, FormId form, Operands& operands) {
  const Linear& linear = workspace.linear(form);
  const bool single = linear.constant == 0 && linear.terms.size() == 1 && linear.terms[0].coefficient == 1;
  if (single && workspace.atom(linear.terms[0].atom).kind == AtomKind::kXor) {
    const Atom& atom = workspace.atom(linear.terms[0].atom);
    add_operands(workspace, atom.numerator, operands);
    add_operands(workspace, atom.other, operands);
    return;
  }
  Operands kept;
  bool twice = false;
  for (const FormId operand : operands) {
    if (operand == form) {
      twice = true;
    } else {
      kept.push_back(operand);
    }
  }
  if (!twice) kept.push_back(form);
  operands = kept;
}

FormId cancel_rule(Workspace& workspace, FormId left, FormId right) {
  Operands before;
  add_operands(workspace, left, before);
  const std::size_t of_left = before.size();
  Operands of_right;
  add_operands(workspace, right, of_right);
  if (of_left + of_right.size() > kMaximumOperands) return kNone;
  Operands all = before;
  for (const FormId operand : of_right) add_operands(workspace, operand, all);
  if (all.size() == of_left + of_right.size()) return kNone;
  FormId result = workspace.constant_form(0);
  for (const FormId operand : all) result = xor_of(workspace, result, operand);
  return result;
}

FormId constants(Workspace& workspace, FormId left, FormId right) {
  if (!workspace.is_constant(left) || !workspace.is_constant(right)) return kNone;
  return workspace.constant_form(workspace.linear(left).constant ^ workspace.linear(right).constant);
}

/// The operands of numerator = left ^ right, if it is nothing else and the divisor a power of two.
const Atom* divisible_xor(const Workspace& workspace, FormId numerator, std::int64_t divisor) {
  const Linear& linear = workspace.linear(numerator);
  const bool single = linear.constant == 0 && linear.terms.size() == 1 && linear.terms[0].coefficient == 1;
  if (!single || !std::has_single_bit(static_cast<std::uint64_t>(divisor))) return nullptr;
  const Atom& atom = workspace.atom(linear.terms[0].atom);
  return atom.kind == AtomKind::kXor ? &atom : nullptr;
}

using Division = FormId (*)(Workspace&, FormId, std::int64_t);

FormId distributed(Workspace& workspace, FormId numerator, std::int64_t divisor, Division division) {
  const Atom* found = divisible_xor(workspace, numerator, divisor);
  if (found == nullptr || !workspace.spend(4)) return kNone;
  const Atom atom = *found;
  const OverflowGuard guard(workspace);
  const FormId result = xor_of(workspace, division(workspace, atom.numerator, divisor),
                               division(workspace, atom.other, divisor));
  const FormId whole = workspace.atom_form(workspace.remainder_atom(numerator, divisor));
  return !guard.overflowed() && cost_of(workspace, result) < cost_of(workspace, whole) ? result : kNone;
}

}  // namespace

FormId xor_of(Workspace& workspace, FormId left, FormId right) {
  if (is_zero(workspace, left)) return right;
  if (is_zero(workspace, right)) return left;
  using Rule = FormId (*)(Workspace&, FormId, FormId);
  for (const Rule rule :
       {Rule{constants}, Rule{cancel_rule}, Rule{flip_rule}, Rule{top_rule}, Rule{factor_rule}}) {
    for (const auto& [base, field] : {std::pair{left, right}, std::pair{right, left}}) {
      const OverflowGuard guard(workspace);
      const FormId result = rule(workspace, base, field);
      if (result != kNone && !guard.overflowed()) return result;
    }
  }
  return workspace.atom_form(workspace.xor_atom(left, right));
}

FormId xor_floor_rule(Workspace& workspace, FormId numerator, std::int64_t divisor) {
  return distributed(workspace, numerator, divisor, floor_of);
}

FormId xor_remainder_rule(Workspace& workspace, FormId numerator, std::int64_t divisor) {
  return distributed(workspace, numerator, divisor, remainder_of);
}

}  // namespace relayout::expr
