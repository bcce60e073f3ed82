#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "relayout/counters.hpp"
#include "relayout/isa.hpp"
#include "relayout/layout.hpp"
#include "relayout/result.hpp"

namespace relayout {

/// Kernel families. kAutomatic lets the cost model choose.
enum class KernelFamily : std::uint8_t { kAutomatic, kCopy, kPermute, kGather };
std::string_view to_string(KernelFamily family) noexcept;
std::optional<KernelFamily> parse_kernel_family(std::string_view text) noexcept;

/// Streaming stores bypass the caches: faster past the last cache, but the next reader finds its data in
/// DRAM.
enum class StreamingStores : std::uint8_t { kAuto, kAlways, kNever };

/// What happens to the destination's padding.
enum class PaddingPolicy : std::uint8_t { kFill, kLeaveUntouched };

/// How compile decides between the plans that fit a pair.
enum class Tuning : std::uint8_t {
  kPredict,  ///< by the cost model, in microseconds
  kMeasure,  ///< by timing them on scratch buffers as large as the pair's: some hundred calls' time and
             ///< memory
};

struct CompileOptions {
  /// The instruction set level; default_isa() if not given. \error kIsaUnavailable if the machine lacks it
  std::optional<Isa> isa;
  /// A family to force. \error kUnsupported if the pair does not fit it
  KernelFamily kernel = KernelFamily::kAutomatic;
  StreamingStores streaming = StreamingStores::kAuto;
  /// Bytes of one element to put into the destination's padding; if empty, what the destination's layout asks
  /// for (`PAD(3,5)=ONE`), else zeros. \error kBadArgument if the length is not one element's
  std::vector<std::byte> fill;
  PaddingPolicy padding = PaddingPolicy::kFill;
  /// Compile even if the cache has the pair, and leave the cache alone.
  bool bypass_cache = false;
  /// Count calls and bytes (Relayout::call_counts); without it, calls cost nothing more.
  bool count_calls = false;
  /// Fail rather than be slow. \error kUnsupported, saying why, where elements would be moved one by one (the
  /// gather kernel) or the pair be interpreted (the portable path)
  bool strict = false;
  /// Decisions to take otherwise than the cost model would, such as `kernel=scalar,loops=source`: what
  /// explanation.hpp calls a choice. Empty: none. \error kBadArgument, kUnsupported if it does not fit the
  /// pair
  std::string choice;
  Tuning tune = Tuning::kPredict;
  /// Prove the compiled function (see proof.hpp) before returning it. \error kInternal if the proof fails
  bool prove = false;
};

namespace runtime {
class CompiledRelayout;
}

/// A compiled conversion. A handle of one pointer; copies share the code, which lives as long as any of them.
/// Every member function may be called from several threads at once.
class Relayout {
 public:
  /// Converts. \pre `source` has source_bytes() readable bytes, `destination` destination_bytes() writable
  /// ones, and they do not overlap. Any alignment. Never throws, allocates or locks, unless calls are
  /// reported (Verbosity::kCalls); uses at most 16 KiB of stack, 64 if scratch_bytes() is more than 14.
  void operator()(const void* source, void* destination) const noexcept;

  /// The same, checked. \error kBufferTooSmall, kBufferOverlap; nothing is written then
  Status run(std::span<const std::byte> source, std::span<std::byte> destination) const;

  /// Part `index` of `count` independent parts that together do what operator() does; for callers that own
  /// the threads. Parts write disjoint bytes. Some parts may be empty.
  /// \pre 0 <= index < count < 2^31
  void run_part(const void* source, void* destination, std::int64_t index, std::int64_t count) const noexcept;

  /// The same with caller-owned scratch memory of scratch_bytes(), one per part under way.
  void run_part(const void* source, void* destination, std::int64_t index, std::int64_t count,
                void* scratch) const noexcept;

  /// Scratch that one part needs, which it takes from the stack unless it is given: 0 for most, at most 56
  /// KiB.
  std::size_t scratch_bytes() const noexcept;

  std::int64_t source_bytes() const noexcept;
  std::int64_t destination_bytes() const noexcept;
  Isa isa() const noexcept;
  /// Families used, most work first: `copy`, `permute`, `gather`, `portable`, or several joined by `+`.
  std::string kernel() const;
  /// Bytes of machine code and its tables; 0 for the portable path.
  std::size_t code_bytes() const noexcept;
  /// What all handles of this code have done together; nothing unless CompileOptions::count_calls asked for
  /// it.
  std::optional<CallCounts> call_counts() const noexcept;
  /// All six stages: layouts, raw expressions, simplified expressions, loop nest, plan with reasons, code
  /// listing.
  std::string explain() const;

  /// \internal
  explicit Relayout(std::shared_ptr<const runtime::CompiledRelayout> compiled)
      : compiled_(std::move(compiled)) {}
  const runtime::CompiledRelayout& compiled() const noexcept { return *compiled_; }

 private:
  std::shared_ptr<const runtime::CompiledRelayout> compiled_;
};

/// Compiles the conversion of `source` into `destination` (equal logical shapes and element widths), or finds
/// it in the process-wide cache. Thread safe: however many threads ask for one pair at once, it is compiled
/// once. Costs tens of microseconds on a miss, well under one on a hit. \error kShapeMismatch,
/// kIsaUnavailable, kUnsupported, kAliasing, kSystem
Result<Relayout> compile(const Layout& source, const Layout& destination, const CompileOptions& options = {});

/// Counters of the process-wide cache.
struct CacheStatistics {
  std::uint64_t compilations = 0;
  std::uint64_t hits = 0;
  std::uint64_t evictions = 0;
  std::size_t entries = 0;
  std::size_t capacity = 0;
  std::size_t code_bytes = 0;
};
CacheStatistics cache_statistics();
/// Relayouts beyond this many are forgotten, least recently used first (handles stay valid). At least 1 is
/// kept. Default 1024.
void set_cache_capacity(std::size_t relayouts);
/// Forgets every cached relayout. Handles that callers hold stay valid.
void clear_cache();

}  // namespace relayout
