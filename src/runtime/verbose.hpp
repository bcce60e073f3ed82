#pragma once

#include <cstdint>
#include <string_view>

#include "relayout/log.hpp"
#include "src/runtime/call_observer.hpp"

namespace relayout::runtime {

class CompiledRelayout;

/// A pair that is known by its texts alone.
struct PairTexts {
  std::string_view source;
  std::string_view destination;
  std::string_view isa;
};

/// Whether records of this level are wanted. The first call reads `RELAYOUT_VERBOSE`; later ones cost a load
/// and a branch.
bool is_verbose(Verbosity level) noexcept;

// One record each (docs/profiling.md has their fields), if they are wanted.
void report_compilation(const CompiledRelayout& compiled) noexcept;
void report_failure(const PairTexts& pair, std::string_view message) noexcept;
void report_hit(const CompiledRelayout& compiled) noexcept;
void report_eviction(const CompiledRelayout& compiled) noexcept;
void report_call(const CompiledRelayout& compiled, const CallObserver::Call& call,
                 std::int64_t bytes) noexcept;

// Around a fork: nobody is in the middle of a change then.
void lock_verbose_for_fork();
void unlock_verbose_after_fork();

}  // namespace relayout::runtime
