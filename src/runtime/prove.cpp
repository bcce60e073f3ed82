#include "src/runtime/prove.hpp"

#include <algorithm>
#include <memory>
#include <span>

#include "src/interpret/nest_interpreter.hpp"
#include "src/interpret/plan_interpreter.hpp"
#include "src/interpret/scalar.hpp"
#include "src/layout/memory_guard.hpp"
#include "src/runtime/pair.hpp"
#include "src/runtime/proof_engine.hpp"

namespace relayout {
namespace runtime {
namespace {

bool has_streaming_code(const CompiledRelayout& compiled) {
  if (!compiled.code) return false;
  const auto nests = compiled.code->nests();
  return std::any_of(nests.begin(), nests.end(),
                     [](const jit::NestCode& nest) { return nest.streaming != nullptr; });
}

ProofVariant variant(const CompiledRelayout& compiled, StoreChoice stores) {
  const auto run = [&compiled, stores](const std::byte* source, std::byte* destination, std::int64_t index,
                                       std::int64_t count) {
    compiled.run_unobserved(source, destination, {index, count}, nullptr, stores);
  };
  return {stores == StoreChoice::kTemporal ? "temporal stores" : "streaming stores", run};
}

/// The first stage whose interpreter disagrees with the expected map, in the order of the pipeline.
class Blame {
 public:
  Blame(const CompiledRelayout& compiled, const Numbering& numbering, std::span<const std::int64_t> map)
      : compiled_(compiled), numbering_(numbering), map_(map) {}

  std::string stage() const {
    if (expression_differs()) return "expression";
    if (!compiled_.code) return "portable interpreter";
    if (loop_nest_differs()) return "loop nest";
    if (plan_differs()) return "plan";
    return "machine code";
  }

 private:
  bool same(const Result<std::vector<std::int64_t>>& map) const {
    return map && std::equal(map->begin(), map->end(), map_.begin(), map_.end());
  }

  bool expression_differs() const {
    const auto problem = simplified_problem(compiled_.source, compiled_.destination);
    return !problem || !same(interpret::source_of_destination(*problem));
  }

  bool loop_nest_differs() const {
    if (compiled_.source.element_count() == 0) return false;
    return !same(
        interpret::source_of_destination(compiled_.loop_nest, compiled_.problem.destination_elements));
  }

  bool plan_differs() const {
    Status status;
    const auto outcome = compare_with_map(numbering_, [&](const std::byte* source, std::byte* destination) {
      status = interpret::run_plan(compiled_.plan, source, destination);
    });
    return !status || !outcome.ok;
  }

  const CompiledRelayout& compiled_;
  const Numbering& numbering_;
  std::span<const std::int64_t> map_;
};

using SourceOfDestination = std::vector<std::int64_t>;

std::unique_ptr<Numbering> number_bits(const CompiledRelayout& compiled, const SourceOfDestination& map) {
  return std::make_unique<BitNumbering>(PackedMap{map, *compiled.packed_widths, compiled.source.size_bytes(),
                                                  compiled.destination.size_bytes(),
                                                  packed_fill(compiled.options, *compiled.packed_widths)});
}

std::unique_ptr<Numbering> number_bytes(const CompiledRelayout& compiled, const SourceOfDestination& map) {
  const std::int64_t element_bytes = compiled.problem.element_bytes;
  ExpectedMap expected = {map, element_bytes, compiled.source.size_bytes(), std::nullopt};
  if (compiled.options.padding == PaddingPolicy::kFill) {
    expected.fill = compiled.options.fill;
    // Strides that cut elements are only filled with equal parts.
    if (!expected.fill->empty()) expected.fill->resize(static_cast<std::size_t>(element_bytes));
  }
  return std::make_unique<ByteNumbering>(std::move(expected));
}

/// The same pair compiled with streaming stores, where it may have such and has none: small pairs do not
/// stream on their own. Null where there is nothing more to prove.
Result<std::shared_ptr<const CompiledRelayout>> streaming_twin(const CompiledRelayout& compiled) {
  if (compiled.options.streaming == StreamingStores::kNever || has_streaming_code(compiled))
    return std::shared_ptr<const CompiledRelayout>();
  CompileOptions options = compiled.options;
  options.streaming = StreamingStores::kAlways;
  auto twin = compile_pair(compiled.source, compiled.destination, options, compiled.isa);
  // A kernel that was asked for may be none that streams.
  if (!twin && twin.error().code == ErrorCode::kUnsupported && !options.choice.empty())
    return std::shared_ptr<const CompiledRelayout>();
  return twin;
}

}  // namespace

Result<Proof> prove_compiled(const CompiledRelayout& compiled, const ProofOptions& options) {
  const auto twin = streaming_twin(compiled);
  if (!twin) return twin.error();
  return prove_compiled(compiled, twin->get(), options);
}

Result<Proof> prove_compiled(const CompiledRelayout& compiled, const CompiledRelayout* streaming,
                             const ProofOptions& options) {
  const auto problem = raw_problem(compiled.source, compiled.destination);
  if (!problem) return problem.error();
  const auto map = interpret::source_of_destination(*problem);
  if (!map) return map.error();
  const auto numbering = compiled.packed_widths ? number_bits(compiled, *map) : number_bytes(compiled, *map);
  ProofTask task;
  task.map.element_bytes = problem->element_bytes;
  task.thorough = options.thorough;
  task.variants.push_back(variant(compiled, StoreChoice::kTemporal));
  if (has_streaming_code(compiled)) task.variants.push_back(variant(compiled, StoreChoice::kPlanned));
  if (streaming != nullptr && has_streaming_code(*streaming)) {
    task.variants.push_back(variant(*streaming, StoreChoice::kPlanned));
  }
  const auto outcome = prove_paths(*numbering, task);
  if (!outcome) return outcome.error();
  Proof proof{outcome->ok,         compiled.isa, compiled.kernel, outcome->runs,
              outcome->wrong_byte, "",           outcome->message};
  if (!proof.ok) proof.stage = Blame(compiled, *numbering, *map).stage();
  return proof;
}

}  // namespace runtime

Result<Proof> prove(const Layout& source, const Layout& destination, const CompileOptions& options,
                    const ProofOptions& proof) {
  return layout::without_exceptions([&]() -> Result<Proof> {
    CompileOptions plain = options;
    plain.prove = false;
    const auto compiled = compile(source, destination, plain);
    if (!compiled) return compiled.error();
    return runtime::prove_compiled(compiled->compiled(), proof);
  });
}

}  // namespace relayout
