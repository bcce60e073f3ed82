#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jit/compiler.hpp"
#include "relayout/compile.hpp"
#include "src/interpret/vectorised.hpp"
#include "src/plan/model/plan.hpp"
#include "src/plan/planner.hpp"
#include "src/plan/refinement/loop_nest.hpp"
#include "src/plan/refinement/problem.hpp"
#include "src/profile/registry.hpp"
#include "src/runtime/call_observer.hpp"
#include "src/runtime/packed_pair.hpp"
#include "src/runtime/portable_padding.hpp"
#include "src/runtime/stage_times.hpp"

namespace relayout {
struct Explanation;
}

namespace relayout::runtime {

/// Which store instructions a call uses; the default follows the plan and the destination's alignment.
enum class StoreChoice : std::uint8_t { kPlanned, kTemporal };

/// A compiled pair: immutable, shared by all handles. Either generated code (`code`) or the vectorised
/// interpreter
/// (`portable`).
class CompiledRelayout {
 public:
  CompiledRelayout(Layout from, Layout to) : source(std::move(from)), destination(std::move(to)) {}

  /// Runs all of it, as the only part does. noexcept, no allocation.
  void run(const void* from, void* to) const noexcept;

  /// Runs part `index` of `count`. `scratch` may be null: the stack is used then. noexcept, no allocation.
  void run_part(const void* from, void* to, std::int64_t index, std::int64_t count,
                void* scratch) const noexcept;

  struct Part {
    std::int64_t index = 0;
    std::int64_t count = 1;
  };
  /// The same, neither counted nor reported, with stores of the caller's choice: for proofs and timings.
  void run_unobserved(const void* from, void* to, Part part, void* scratch,
                      StoreChoice stores = StoreChoice::kPlanned) const noexcept;

  /// Read and written by one call.
  std::int64_t moved_bytes() const noexcept { return source.size_bytes() + destination.size_bytes(); }
  std::size_t code_bytes() const noexcept { return code ? code->bytes().size() : 0; }

  Layout source;
  Layout destination;
  CompileOptions options;
  Isa isa = Isa::kPortable;
  std::string kernel;  ///< as Relayout::kernel
  plan::Problem problem;
  plan::LoopNest loop_nest;
  plan::Plan plan;  ///< empty for the portable path; mostly without reasons: see with_reasons
  std::shared_ptr<const jit::CompiledCode> code;
  std::optional<interpret::VectorisedProgram> portable;
  PortablePadding portable_padding;
  std::optional<interpret::PackedWidths> packed_widths;  ///< where elements are narrower than a byte
  std::optional<PackedPair> packed;  ///< in place of `portable`, where elements are narrower than a byte
  std::size_t scratch_bytes = 0;
  /// Keeps the names that tools know the code by; null unless profiling was on.
  std::shared_ptr<const profile::Registration> registration;
  std::shared_ptr<CallObserver> observer;  ///< null unless calls are counted or reported
  StageTimes times;
  std::optional<plan::PlanChoice> choice;  ///< of CompileOptions::choice
  std::string portable_reason;             ///< why no code was generated, where it was asked for

 private:
  [[gnu::noinline]] void run_observed(const void* from, void* to, Part part, void* scratch) const noexcept;
  void run_code(const void* from, void* to, Part part, void* scratch, StoreChoice stores) const noexcept;
  /// A share of the loop that is cut of each of the plan's nests from `first` to before `last`.
  struct NestRange {
    std::size_t first = 0;
    std::size_t last = 0;
  };
  void run_nests(const void* from, void* to, NestRange nests, Part part, void* scratch,
                 StoreChoice stores) const noexcept;
  /// run_code with its scratch of so many bytes on the stack.
  template <std::size_t kBytes>
  void run_code_on_stack(const void* from, void* to, Part part, StoreChoice stores) const noexcept;
};

/// Compiles without looking at the cache. \error as relayout::compile
Result<std::shared_ptr<const CompiledRelayout>> compile_pair(const Layout& source, const Layout& destination,
                                                             const CompileOptions& options, Isa isa);

/// What the pair's plan was made from, to make others. It refers to `compiled`. \error as compile_pair
Result<plan::PlanOptions> plan_options(const CompiledRelayout& compiled);

/// A copy whose plan has the reasons for people, which take a twentieth of the time to compile. \error as
/// compile_pair
Result<CompiledRelayout> with_reasons(const CompiledRelayout& compiled);

/// The level that `options` asks for. \error kIsaUnavailable
Result<Isa> choose_isa(const CompileOptions& options);

/// The text of Relayout::explain.
std::string explain(const CompiledRelayout& compiled);
/// The part of it up to the loop nest.
std::string stages_text(const CompiledRelayout& compiled);
/// As relayout::explanation.
Result<Explanation> explanation(const CompiledRelayout& compiled);

}  // namespace relayout::runtime
