#include "tests/jit/check_nest.hpp"

#include <algorithm>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "jit/compiler.hpp"
#include "tests/jit/decode.hpp"
#include "tests/jit/fault_report.hpp"
#include "tests/jit/guarded_buffer.hpp"
#include "tests/jit/naive_loop.hpp"

namespace relayout::testing {

namespace {

using Bytes = std::vector<std::uint8_t>;

/// The nest's naive outcome, and the sizes of its buffers.
struct Expectation {
  Bytes source;
  Bytes destination;
  bool order_matters = false;  ///< some byte is written from several places of the source
};

Bytes unlike_bytes(std::size_t count) {
  std::mt19937_64 random(count);
  Bytes bytes(count);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random() >> 32);
  return bytes;
}

/// Moves the bases so that both buffers start at their first byte touched, unless none is.
Expectation fit(plan::Nest& nest) {
  std::vector<ByteMove> moves = naive_moves(nest);
  if (moves.empty()) return {};
  ByteMove first{INT64_MAX, INT64_MAX};
  ByteMove last{INT64_MIN, INT64_MIN};
  const auto extend = [](std::int64_t offset, std::int64_t& lowest, std::int64_t& highest) {
    if (offset == kNone) return;
    lowest = std::min(lowest, offset);
    highest = std::max(highest, offset);
  };
  for (const ByteMove& move : moves) {
    extend(move.source, first.source, last.source);
    extend(move.destination, first.destination, last.destination);
  }
  nest.source_base_bytes -= first.source;
  nest.destination_base_bytes -= first.destination;
  Expectation expectation{unlike_bytes(static_cast<std::size_t>(last.source - first.source + 1)),
                          Bytes(static_cast<std::size_t>(last.destination - first.destination + 1), 0xA5)};
  std::vector<bool> written(expectation.destination.size());
  std::vector<std::int64_t> sources(expectation.destination.size());
  for (const ByteMove& move : moves) {
    if (move.destination == kNone) continue;
    const auto to = static_cast<std::size_t>(move.destination - first.destination);
    expectation.order_matters = expectation.order_matters || (written[to] && sources[to] != move.source);
    written[to] = true;
    sources[to] = move.source;
    expectation.destination[to] =
        move.source == kNone ? std::uint8_t{0}
                             : expectation.source[static_cast<std::size_t>(move.source - first.source)];
  }
  return expectation;
}

/// One way to call the generated function.
struct Way {
  jit::KernelFunction function = nullptr;
  std::int64_t trips = 0;
  std::int64_t parts = 1;
  Flush flush = Flush::kEnd;
};

void expect_outcome(const Way& way, const Expectation& expectation, std::size_t aligned_to_bytes) {
  const GuardedBuffer source(expectation.source.size(), way.flush);
  const GuardedBuffer destination(expectation.destination.size(), way.flush);
  const auto address = reinterpret_cast<std::uintptr_t>(destination.bytes().data());
  if (address % aligned_to_bytes != 0) return;
  std::ranges::copy(expectation.source, source.bytes().begin());
  std::ranges::fill(destination.bytes(), std::uint8_t{0xA5});
  alignas(64) std::uint8_t scratch[8192];
  std::ranges::fill(scratch, std::uint8_t{0x5A});
  for (std::int64_t part = 0; part < way.parts; ++part) {
    way.function(source.bytes().data(), destination.bytes().data(), way.trips * part / way.parts,
                 way.trips * (part + 1) / way.parts, scratch);
  }
  const auto outcome = destination.bytes();
  const auto [wrong, expected] = std::ranges::mismatch(outcome, expectation.destination);
  EXPECT_EQ(wrong - outcome.begin(), static_cast<std::ptrdiff_t>(outcome.size())) << "first wrong byte";
}

/// In words, for messages.
std::string describe(const plan::Nest& nest, Isa isa) {
  constexpr const char* kKernels[] = {"copy", "permute", "gather", "shuffle", "fill"};
  static_assert(std::size(kKernels) == std::variant_size_v<plan::Kernel>);
  std::ostringstream text;
  text << kKernels[nest.kernel.index()] << " at " << to_string(isa) << ", trips and steps of the loops";
  for (const plan::Loop& loop : nest.loops) {
    text << (loop.table >= 0 ? " table " : " ") << loop.trips << ':' << loop.source_step_bytes << ':'
         << loop.destination_step_bytes;
  }
  if (const auto* copy = std::get_if<plan::CopyKernel>(&nest.kernel)) text << ", bytes " << copy->bytes;
  return text.str();
}

void expect_every_way(const jit::NestCode& code, std::int64_t trips, std::int64_t most_parts,
                      const Expectation& expectation) {
  for (Flush flush : {Flush::kEnd, Flush::kFront}) {
    for (std::int64_t parts : {1, 2, 7}) {
      if (parts > most_parts) break;
      SCOPED_TRACE(::testing::Message()
                   << parts << " parts, flush at the " << (flush == Flush::kEnd ? "end" : "front"));
      expect_outcome({code.temporal, trips, parts, flush}, expectation, 1);
      if (code.streaming == nullptr) continue;
      SCOPED_TRACE("streaming");
      expect_outcome({code.streaming, trips, parts, flush}, expectation, jit::kStreamingAlignmentBytes);
    }
  }
}

/// The code of the nest at these levels, where it is cut into parts.
void expect_moves(const plan::Nest& nest, const Expectation& expectation, std::span<const Isa> levels) {
  for (Isa isa : levels) {
    SCOPED_TRACE(to_string(isa));
    const auto code = jit::compile(plan_of(nest, isa), {.validate = true});
    ASSERT_TRUE(code.ok()) << code.error().message;
    const auto instructions = code.value()->bytes().first(code.value()->instruction_bytes());
    EXPECT_EQ(find_foreign_instruction(instructions, isa), std::nullopt) << jit::listing(plan_of(nest, isa));
    if (isa <= machine_isa()) {
      const FaultReport report(describe(nest, isa));
      const bool guarded = nest.loops[nest.cut_loop].guard >= 0;  // then trips may be fewer
      EXPECT_EQ(code.value()->nests()[0].trips, guarded ? nest.cut_trips() : cut_trips(nest));
      const bool one_part = expectation.order_matters && nest.cut_loop > 0;
      expect_every_way(code.value()->nests()[0], cut_trips(nest), one_part ? 1 : INT64_MAX, expectation);
      if (::testing::Test::HasFailure()) {
        ADD_FAILURE() << jit::listing(plan_of(nest, isa));
        return;
      }
    }
  }
}

}  // namespace

void expect_moves_as_the_naive_loop(plan::Nest nest) {
  expect_moves_as_the_naive_loop_at(std::move(nest), kCompiledIsas);
}

void expect_moves_as_the_naive_loop_at(plan::Nest nest, std::span<const Isa> levels) {
  const Expectation expectation = fit(nest);
  const std::size_t cuttable = nest.staging ? nest.staging->first_loop : nest.loops.size();
  for (std::size_t cut = 0; cut < cuttable; ++cut) {
    if (nest.loops[cut].trips_from_table >= 0) continue;
    SCOPED_TRACE(::testing::Message() << "parts cut from loop " << cut);
    nest.cut_loop = cut;
    expect_moves(nest, expectation, levels);
    if (::testing::Test::HasFailure()) return;
  }
}

plan::Nest nest_of(plan::Kernel kernel, plan::Loop loop) {
  plan::Nest nest;
  nest.kernel = std::move(kernel);
  nest.loops.push_back(loop);
  return nest;
}

plan::Plan plan_of(plan::Nest nest, Isa isa) {
  plan::Plan plan;
  plan.isa = isa;
  plan.nests.push_back(std::move(nest));
  return plan;
}

}  // namespace relayout::testing
