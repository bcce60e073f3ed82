#include "src/runtime/tune.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <sys/mman.h>
#include <vector>

#include "relayout/machine.hpp"
#include "src/plan/candidates.hpp"
#include "src/plan/cost_models/make_target.hpp"

namespace relayout::runtime {
namespace {

using Compiled = std::shared_ptr<const CompiledRelayout>;

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr int kRounds = 7;
/// Decisions that are changed one after the other, as long as each makes the plan faster.
constexpr int kMaximumDecisions = 3;
/// Calls are repeated until a sample takes this long.
constexpr std::int64_t kSampleNanoseconds = 20000;
/// Candidates predicted to be slower than this many times the best are not timed.
constexpr double kHopeless = 4;
/// The cost model's own choice is kept unless another one is faster by more than noise.
constexpr double kWorthwhile = 0.97;

/// Memory whose pages are present.
class Scratch {
 public:
  explicit Scratch(std::int64_t bytes) {
    const std::size_t size = (static_cast<std::size_t>(bytes) / kHugePage + 1) * kHugePage;
    memory_.reset(static_cast<std::byte*>(std::aligned_alloc(kHugePage, size)));
    if (!memory_) return;
    madvise(memory_.get(), size, MADV_HUGEPAGE);  // only a wish
    std::memset(memory_.get(), 0x5A, size);
  }
  std::byte* data() const { return memory_.get(); }

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  std::unique_ptr<std::byte, Free> memory_;
};

class Tuner {
 public:
  Tuner(const Scratch& source, const Scratch& destination) : source_(source), destination_(destination) {}

  void add(Compiled compiled) {
    Entrant entrant{std::move(compiled)};
    const std::int64_t first = nanoseconds(*entrant.compiled, 1);  // fills caches and translations
    const std::int64_t once = std::max<std::int64_t>(1, std::min(first, nanoseconds(*entrant.compiled, 1)));
    entrant.repetitions = std::clamp<std::int64_t>(kSampleNanoseconds / once, 1, 4096);
    entrants_.push_back(std::move(entrant));
  }

  /// Takes turns, so that noise falls on all alike; the fastest of the samples counts.
  Compiled best() {
    for (int round = 0; round < kRounds; ++round) {
      for (Entrant& entrant : entrants_) {
        const auto time = static_cast<double>(nanoseconds(*entrant.compiled, entrant.repetitions));
        entrant.fastest = std::min(entrant.fastest, time / static_cast<double>(entrant.repetitions));
      }
    }
    const auto fastest = std::ranges::min_element(entrants_, {}, &Entrant::fastest);
    const bool better = fastest->fastest < kWorthwhile * entrants_.front().fastest;
    return better ? fastest->compiled : entrants_.front().compiled;
  }

 private:
  struct Entrant {
    Compiled compiled;
    std::int64_t repetitions = 1;
    double fastest = std::numeric_limits<double>::infinity();
  };

  std::int64_t nanoseconds(const CompiledRelayout& compiled, std::int64_t repetitions) const {
    const auto start = std::chrono::steady_clock::now();
    for (std::int64_t i = 0; i < repetitions; ++i)
      compiled.run_unobserved(source_.data(), destination_.data(), {}, nullptr);
    return std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count();
  }

  const Scratch& source_;
  const Scratch& destination_;
  std::vector<Entrant> entrants_;
};

/// The candidates that are worth timing, compiled.
Result<std::vector<Compiled>> rivals_of(const CompiledRelayout& first) {
  const auto options = plan_options(first);
  if (!options) return options.error();
  const auto target = plan::make_target(first.isa, machine_info());
  const auto list = plan::plan_candidates(first.problem, first.loop_nest, target, *options);
  if (!list) return list.error();
  std::vector<Compiled> rivals;
  for (const plan::Candidate& candidate : list->others) {
    if (candidate.work.cycles > kHopeless * list->chosen.work.cycles) continue;
    CompileOptions chosen = first.options;
    chosen.choice = plan::to_string(candidate.choice);
    auto rival = compile_pair(first.source, first.destination, chosen, first.isa);
    if (rival) rivals.push_back(std::move(*rival));  // strict may refuse some
  }
  return rivals;
}

}  // namespace

Result<Compiled> compile_measured(const Layout& source, const Layout& destination,
                                  const CompileOptions& options, Isa isa) {
  auto first = compile_pair(source, destination, options, isa);
  if (!first || !(*first)->code || (*first)->plan.nests.empty()) return first;
  const Scratch from((*first)->source.size_bytes());
  const Scratch to((*first)->destination.size_bytes());
  if (from.data() == nullptr || to.data() == nullptr) {
    return Error{ErrorCode::kSystem, "no memory for the buffers that candidates are timed on"};
  }
  Compiled kept = std::move(*first);
  for (int decision = 0; decision < kMaximumDecisions; ++decision) {
    const auto rivals = rivals_of(*kept);
    if (!rivals) return rivals.error();
    Tuner tuner(from, to);
    tuner.add(kept);
    for (const Compiled& rival : *rivals) tuner.add(rival);
    Compiled best = tuner.best();
    if (best == kept) break;
    kept = std::move(best);
  }
  return kept;
}

}  // namespace relayout::runtime
