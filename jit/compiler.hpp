#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "jit/marks.hpp"
#include "relayout/isa.hpp"
#include "relayout/result.hpp"
#include "src/plan/model/plan.hpp"

namespace relayout::jit {

/// A generated function: runs trips [first, last) of the loop that is cut into parts, of one nest. `source`
/// and `destination` are the buffers' starts; `scratch` is unused when the plan needs none. Stores past the
/// caches are not fenced: CompiledCode::streams.
using KernelFunction = void (*)(const void* source, void* destination, std::int64_t first, std::int64_t last,
                                void* scratch);

/// Of the destination of streaming code, which writes whole lines.
inline constexpr std::size_t kStreamingAlignmentBytes = 64;

/// The generated functions of one nest.
struct NestCode {
  KernelFunction temporal = nullptr;
  /// With streaming stores; null if the plan has none. \pre destination aligned to kStreamingAlignmentBytes
  KernelFunction streaming = nullptr;
  std::int64_t trips = 0;           ///< `last` for all of the nest, from a `first` of 0
  std::size_t temporal_offset = 0;  ///< of the function from the start of the code, bytes
  std::size_t streaming_offset = 0;
  std::size_t end_offset = 0;
};

/// Machine code of a whole plan: one private mapping, written, then made executable; never both.
class CompiledCode {
 public:
  virtual ~CompiledCode() = default;
  std::span<const NestCode> nests() const noexcept { return nests_; }
  /// Whether some function stores past the caches. None of them ends with a fence: who calls them does, with
  /// one sfence after the last, so that other threads find all that was stored. Nests that take turns would
  /// wait at hundreds of them: 117 pairs with padding 1.11 of memcpy so, 1.15 with one (Zen 4).
  bool streams() const noexcept { return streams_; }
  virtual std::span<const std::uint8_t> bytes() const noexcept = 0;
  /// Bytes of `bytes()` that are instructions, from the start; index tables follow.
  virtual std::size_t instruction_bytes() const noexcept = 0;
  /// Empty unless CompileSettings::marks asked for them.
  virtual const CodeMarks& marks() const noexcept = 0;

 protected:
  CompiledCode(std::vector<NestCode> nests, bool streams) : nests_(std::move(nests)), streams_(streams) {}
  std::vector<NestCode> nests_;  ///< here, as every call reads it
  bool streams_;
};

struct CompileSettings {
  /// asmjit's own operand checks (three times slower): on in tests and debug builds.
  bool validate = false;
  /// Record which instructions belong to which lines of the plan.
  bool marks = false;
  /// Never give the code's addresses to other code of this process, not even after it is freed.
  bool unique_addresses = false;
};

/// Emits the plan for its ISA level. Never asks the CPU anything: a level that cannot run here is still
/// encoded. \error kSystem if no executable memory can be had, kInternal if the assembler refuses
Result<std::shared_ptr<const CompiledCode>> compile(const plan::Plan& plan,
                                                    const CompileSettings& settings = {});

/// Annotated listing, one instruction a line. Slow: for people only.
std::string listing(const plan::Plan& plan);

/// False where the system forbids executable memory altogether: callers use the portable path. Probed once.
bool executable_memory_available();

}  // namespace relayout::jit
