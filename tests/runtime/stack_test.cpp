// The stack that a call uses, measured by painting a stack of its own. Sanitizers enlarge every frame, so
// that builds with them measure nothing.

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <ucontext.h>
#include <vector>

#include <gtest/gtest.h>

#include "relayout/relayout.hpp"
#include "src/plan/model/scratch.hpp"

namespace relayout {
namespace {

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

constexpr std::size_t kLimitBytes = 16 * 1024;
constexpr auto kPaint = std::byte{0xCC};

struct Call {
  const Relayout* convert = nullptr;
  std::vector<std::byte> source;
  std::vector<std::byte> destination;
  ucontext_t caller = {};
  ucontext_t callee = {};
};

/// A context's entry point takes no pointers.
Call* current_call = nullptr;

void run_current_call() {
  (*current_call->convert)(current_call->source.data(), current_call->destination.data());
}

std::size_t stack_bytes_of_call(const Relayout& convert) {
  Call call;
  call.convert = &convert;
  call.source.resize(static_cast<std::size_t>(convert.source_bytes()));
  call.destination.resize(static_cast<std::size_t>(convert.destination_bytes()));
  std::vector<std::byte> stack(16 * kLimitBytes, kPaint);
  getcontext(&call.callee);
  call.callee.uc_stack.ss_sp = stack.data();
  call.callee.uc_stack.ss_size = stack.size();
  call.callee.uc_link = &call.caller;
  makecontext(&call.callee, run_current_call, 0);
  current_call = &call;
  swapcontext(&call.caller, &call.callee);
  const auto touched = std::find_if(stack.begin(), stack.end(), [](std::byte b) { return b != kPaint; });
  return static_cast<std::size_t>(stack.end() - touched);
}

TEST(Stack, a_call_uses_at_most_16_KiB_or_64_where_it_wants_more_than_14_of_scratch) {
  constexpr std::array<std::array<std::string_view, 2>, 6> kPairs = {{{"u8[64,64]", "[1, 0]"},
                                                                      {"f32[67,64,9][2, 0, 1]", "[1, 2, 0]"},
                                                                      {"f32[100,99]", "[1, 0]"},
                                                                      {"c128[5,7,11]", "[2, 0, 1]"},
                                                                      {"u8[301,1043]", "[1, 0]"},
                                                                      {"u8[3,4096]", "[1, 0]"}}};
  for (const auto& [from, to] : kPairs) {
    const auto source = *Layout::parse(from);
    const auto destination = *Layout::parse_destination(to, source);
    for (const Isa isa : runnable_isas()) {
      CompileOptions options;
      options.isa = isa;
      options.streaming = StreamingStores::kAlways;  // has blocks put together in a scratch
      const auto convert = compile(source, destination, options);
      ASSERT_TRUE(convert);
      const bool is_large = convert->scratch_bytes() > plan::kUsualScratchBytes;
      EXPECT_LE(stack_bytes_of_call(*convert), is_large ? 4 * kLimitBytes : kLimitBytes)
          << from << " to " << to << " at " << to_string(isa);
    }
  }
}

#endif

}  // namespace
}  // namespace relayout
