// What does it cost to simplify an index expression, text to text?

#include <array>
#include <benchmark/benchmark.h>
#include <string_view>

#include "relayout/expression.hpp"

namespace {

using relayout::ExpressionVariable;

/// An expression and the bounds of its variables.
struct Case {
  const char* name;
  std::string_view text;
  std::array<ExpressionVariable, 2> variables;
};

const std::array kCases = {
    Case{"recombined_digits", "(x // 4) * 4 + x % 4", {{{"x", 0, 63}, {"y", 0, 7}}}},
    Case{"row_major_round_trip", "((x * 8 + y) // 8) * 8 + (x * 8 + y) % 8", {{{"x", 0, 5}, {"y", 0, 7}}}},
    Case{"packed_tile", "24 * (y // 4) + 4 * x + y % 4", {{{"x", 0, 5}, {"y", 0, 7}}}},
    Case{"nested_tiles",
         "8192 * (x // 8 * 8 + y // 128) + 128 * (x % 8 // 2 * 2) + (y % 128) * 2 + x % 2",
         {{{"x", 0, 1023}, {"y", 0, 1023}}}},
};

void simplify(benchmark::State& state, const Case& one) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(relayout::simplify_expression(one.text, one.variables));
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (const Case& one : kCases) {
    benchmark::RegisterBenchmark(one.name, [&one](benchmark::State& state) { simplify(state, one); });
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
