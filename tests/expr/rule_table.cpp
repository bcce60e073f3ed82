#include "tests/expr/rule_table.hpp"

namespace relayout::expr::testing {
namespace {

void append(std::string& text, std::initializer_list<std::string_view> pieces) {
  for (const std::string_view piece : pieces) text.append(piece);
}

/// Negative numbers in parentheses, to stand anywhere.
std::string number(std::int64_t value) {
  std::string text;
  append(text, {value < 0 ? "(" : "", std::to_string(value), value < 0 ? ")" : ""});
  return text;
}

/// The template with its letters A, B, C replaced by the constants and P by A*B.
std::string filled(std::string_view pattern, Constants constants) {
  std::string text;
  for (const char letter : pattern) {
    switch (letter) {
      case 'A':
        text += std::to_string(constants.a);
        break;
      case 'B':
        text += std::to_string(constants.b);
        break;
      case 'C':
        text += number(constants.c);
        break;
      case 'P':
        text += std::to_string(constants.a * constants.b);
        break;
      default:
        text += letter;
    }
  }
  return text;
}

std::function<std::optional<RuleInstance>(Constants)> always(const char* left, const char* right) {
  return [=](Constants constants) {
    return RuleInstance{filled(left, constants), filled(right, constants), {}};
  };
}

RuleInstance with_y(const char* left, const char* right, Constants constants, Range y) {
  RuleInstance instance{filled(left, constants), filled(right, constants), {}};
  instance.ranges[1] = y;
  return instance;
}

/// A residue of c modulo a, written into the coefficient: c = q*a + r.
std::optional<RuleInstance> residue_instance(Constants k, std::int64_t shift) {
  const std::int64_t coefficient = k.c * 3 + 1;
  const std::int64_t quotient =
      (coefficient >= 0 ? coefficient / k.a : -((-coefficient + k.a - 1) / k.a)) + shift;
  const std::int64_t residue = coefficient - quotient * k.a;
  RuleInstance instance;
  append(instance.left, {"(", number(coefficient), "*x + y)//", number(k.a)});
  append(instance.right, {number(quotient), "*x + (", number(residue), "*x + y)//", number(k.a)});
  return instance;
}

std::optional<RuleInstance> hermite_instance(Constants k) {
  std::string left;
  for (std::int64_t part = 0; part < k.b; ++part) {
    append(left, {part > 0 ? " + (x + " : "(x + ", number(k.a * part), filled(")//P", k)});
  }
  return RuleInstance{left, filled("x//A", k), {}};
}

/// 2^a for a rule on bits.
Constants with_power(Constants k) {
  return {std::int64_t{1} << k.a, k.b, k.c};
}

/// Once for each a: the others do not occur.
std::optional<RuleInstance> on_bits(const char* left, const char* right, Constants k,
                                    const std::array<Range, 3>& ranges) {
  if (k.a > 3 || k.b != 1 || k.c != 4) return std::nullopt;
  return RuleInstance{filled(left, with_power(k)), filled(right, with_power(k)), ranges};
}

/// As many values as 2^a.
Range below_power(Constants k) {
  return {0, with_power(k).a - 1};
}

}  // namespace

const std::vector<RuleCase>& rule_cases() {
  static const std::vector<RuleCase> cases = {
      {"period", "y//a = c if c*a <= y < (c+1)*a",
       [](Constants k) {
         return with_y("y//A", "C", k, {k.c * k.a, (k.c + 1) * k.a - 1});
       }},
      {"residue", "(c*x + y)//d = q*x + (r*x + y)//d, c = q*d + r, 0 <= r < d",
       [](Constants k) { return residue_instance(k, 0); }},
      {"signed residue", "(c*x + y)//d = q*x + (r*x + y)//d, c = q*d + r, -d <= r < 0",
       [](Constants k) { return residue_instance(k, 1); }},
      {"mirror", "x//d = -((-x + d - 1)//d)", always("(x + C)//A", "-((-x - C + A - 1)//A)")},
      {"common factor", "(g*x + y)//(g*d) = (x + k)//d if k*g <= y < (k+1)*g",
       [](Constants k) {
         return with_y("(A*x + y)//P", "(x + C)//B", k, {k.c * k.a, (k.c + 1) * k.a - 1});
       }},
      {"digit split", "x = b*(x//b) + x%b", always("C*x", "C*A*(x//A) + C*(x%A)")},
      {"merge", "(x//a + y)//b = (x + a*y)//(a*b)", always("(x//A + C*y)//B", "(x + A*C*y)//P")},
      {"merge mirrored", "(-(x//a) + y)//b = (-x + a - 1 + a*y)//(a*b)",
       always("(y - x//A)//B", "(A*y - x + A - 1)//P")},
      {"parity", "(x + 1)//2 = x - x//2", always("(C*x + y + 1)//2", "C*x + y - (C*x + y)//2")},
      {"Hermite", "sum over k < n of (x + a*k)//(a*n) = x//a", hermite_instance},
      {"remainder", "x%d = x - d*(x//d)", always("(C*x + y)%A", "C*x + y - A*((C*x + y)//A)")},
      {"remainder of multiples", "(d*x + y)%d = y%d", always("(C*A*x + y)%A", "y%A")},
      {"digit", "x//a - b*(x//(a*b)) = (x//a)%b", always("x//A - B*(x//P)", "x//A%B")},
      {"product", "(c*x)*(y + z) = c*(x*y + x*z)", always("(C*x)*(y + A*z)", "C*(x*y) + C*A*(x*z)")},
      {"factor", "k*x*(y%a) + j*(y%a) = (k*x + j)*(y%a)", always("B*x*(y%A) + C*(y%A)", "(B*x + C)*(y%A)")},
      {"xor above", "(2^q*x + y) ^ z = 2^q*x + (y ^ z) if y and z lie in [0, 2^q)",
       [](Constants k) {
         return on_bits("A*x + y ^ z", "A*x + (y ^ z)", k, {Range{}, below_power(k), below_power(k)});
       }},
      {"xor of multiples", "(2^p*x + y) ^ 2^p*z = 2^p*(x ^ z) + y if y lies in [0, 2^p)",
       [](Constants k) {
         return on_bits("A*x + y ^ A*z", "A*(x ^ z) + y", k, {Range{}, below_power(k), Range{}});
       }},
      {"xor twice", "x ^ y ^ x = y", [](Constants k) { return on_bits("x ^ y ^ x", "y", k, {}); }},
      {"xor of ones", "y ^ (2^q - 1) = 2^q - 1 - y if y lies in [0, 2^q)",
       [](Constants k) {
         return on_bits("y ^ A - 1", "A - 1 - y", k, {Range{}, below_power(k), Range{}});
       }},
      {"complement", "x ^ -1 = -1 - x", [](Constants k) { return on_bits("x ^ -1", "-1 - x", k, {}); }},
      {"xor divided", "(x ^ y)//2^k = x//2^k ^ y//2^k",
       [](Constants k) { return on_bits("(x ^ y)//A", "x//A ^ y//A", k, {}); }},
      {"xor's remainder", "(x ^ y)%2^k = x%2^k ^ y%2^k",
       [](Constants k) { return on_bits("(x ^ y)%A", "x%A ^ y%A", k, {}); }},
  };
  return cases;
}

const std::vector<RuleCase>& wrong_rule_cases() {
  static const std::vector<RuleCase> cases = {
      {"apache/tvm#15665", "(x%c)//a = (x//a)%(c//a) without a | c",
       [](Constants k) -> std::optional<RuleInstance> {
         if (k.b % k.a == 0 || k.b < k.a) return std::nullopt;
         return RuleInstance{filled("x%B//A", k), filled("x//A%(B//A)", k), {}};
       }},
      {"halide/Halide#1349", "(a*x - y + z)//a = x - (y - z)//a",
       [](Constants k) -> std::optional<RuleInstance> {
         if (k.a < 2) return std::nullopt;
         return RuleInstance{filled("(A*x - y + z)//A", k), filled("x - (y - z)//A", k), {}};
       }},
      {"remainder of a remainder", "(x%b)%a = x%a without a | b",
       [](Constants k) -> std::optional<RuleInstance> {
         if (k.b % k.a == 0 || k.b < k.a) return std::nullopt;
         return RuleInstance{filled("x%B%A", k), filled("x%A", k), {}};
       }},
      {"xor is no sum", "x ^ y = x + y", [](Constants k) { return on_bits("x ^ y", "x + y", k, {}); }},
      {"xor divided by three", "(x ^ y)//3 = x//3 ^ y//3",
       [](Constants k) { return on_bits("(x ^ y)//3", "x//3 ^ y//3", k, {}); }},
      {"two inner divisions", "(x//a + y//a)//b = (x + y)//(a*b)",
       [](Constants k) -> std::optional<RuleInstance> {
         if (k.a < 2) return std::nullopt;
         return RuleInstance{filled("(x//A + y//A)//B", k), filled("(x + y)//P", k), {}};
       }},
  };
  return cases;
}

}  // namespace relayout::expr::testing
