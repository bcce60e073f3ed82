// What does a relayout cost before its first call: text to layouts, a compilation, a find in the cache?

#include <array>
#include <benchmark/benchmark.h>
#include <string>

#include "relayout/relayout.hpp"

namespace {

struct Pair {
  const char* source;
  const char* destination;
};

constexpr std::array kPairs = {
    Pair{"f32[4096,4096]", "[1, 0]"},
    Pair{"f32[8,64,56,56]", "[0, 2, 3, 1]"},
    Pair{"u8[1,3,1080,1920]", "[0, 2, 3, 1]"},
    Pair{"bf16[1024,1024]", "[0, 1, 0 p(4), 1 p(128), 0 p(2)]"},
    Pair{"f32[28,20,12,16,14,18]", "[5, 2, 0, 4, 1, 3]"},
    Pair{"f32[8,60,56,56]", "{3,2,1,0:T(16,1,1)}"},
};

void parse_layouts(benchmark::State& state, const Pair& pair) {
  for (auto _ : state) {
    const auto source = relayout::Layout::parse(pair.source);
    benchmark::DoNotOptimize(relayout::Layout::parse_destination(pair.destination, *source));
  }
}

void compile_pair(benchmark::State& state, const Pair& pair, bool bypass_cache) {
  const auto source = relayout::Layout::parse(pair.source);
  const auto destination = relayout::Layout::parse_destination(pair.destination, *source);
  relayout::CompileOptions options;
  options.bypass_cache = bypass_cache;
  for (auto _ : state) {
    const auto convert = relayout::compile(*source, *destination, options);
    if (!convert) {
      state.SkipWithError(convert.error().message.c_str());
      break;
    }
    benchmark::DoNotOptimize(convert->code_bytes());
  }
}

void add_benchmarks(const Pair& pair) {
  const std::string name = std::string(pair.source) + " -> " + pair.destination;
  benchmark::RegisterBenchmark(("parse " + name).c_str(),
                               [&](benchmark::State& s) { parse_layouts(s, pair); });
  benchmark::RegisterBenchmark(("compile " + name).c_str(),
                               [&](benchmark::State& s) { compile_pair(s, pair, true); });
  benchmark::RegisterBenchmark(("hit " + name).c_str(),
                               [&](benchmark::State& s) { compile_pair(s, pair, false); });
}

}  // namespace

int main(int argc, char** argv) {
  for (const Pair& pair : kPairs) add_benchmarks(pair);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
