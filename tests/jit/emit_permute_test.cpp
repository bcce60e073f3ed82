#include <bit>
#include <cstring>
#include <set>
#include <utility>

#include <Zydis/Zydis.h>
#include <gtest/gtest.h>

#include "jit/compiler.hpp"
#include "src/plan/kernels/striped_scratch.hpp"
#include "src/plan/model/plan.hpp"
#include "tests/jit/decode.hpp"
#include "tests/jit/guarded_memory.hpp"
#include "tests/plan/network/network_checks.hpp"

namespace relayout::jit {
namespace {

using plan::TileBit;
using plan::testing::kVectorIsas;
using plan::testing::random_tile;
using plan::testing::RunBits;
using plan::testing::target_of;
using plan::testing::target_that_loads_halves;
using plan::testing::test_seed;
using plan::testing::tile_of;
using relayout::testing::count_masked;
using relayout::testing::find_foreign_instruction;
using relayout::testing::GuardedMemory;
using Flush = GuardedMemory::Flush;
using Bits = std::vector<TileBit>;

constexpr int kElementBytes[] = {1, 2, 4, 8, 16};
constexpr std::uint8_t kUntouched = 0xA5;

struct Offsets {
  std::int64_t source = 0;
  std::int64_t destination = 0;
};

Offsets offsets_of(const Bits& bits, std::size_t index) {
  Offsets sum;
  for (std::size_t bit = 0; bit < bits.size(); ++bit) {
    if ((index >> bit & 1) == 0) continue;
    sum.source += bits[bit].source_stride_bytes;
    sum.destination += bits[bit].destination_stride_bytes;
  }
  return sum;
}

/// A plan of one nest that moves one tile.
plan::Plan plan_of(const plan::Network& network, Isa isa) {
  plan::Nest nest;
  nest.loops = {{.trips = 1}};
  nest.kernel = plan::PermuteKernel{network};
  nest.store = plan::StorePolicy::kStreaming;
  nest.destination_aligned = true;
  plan::Plan result;
  result.isa = isa;
  result.nests = {nest};
  return result;
}

struct Case {
  plan::NetworkTarget target;
  int element_bytes = 1;
  Bits bits;
  bool under_masks = false;
  bool stores_by_address = false;
  bool reads_whole_lines = false;
};

std::span<const std::uint8_t> instructions(const CompiledCode& code) {
  return code.bytes().first(code.instruction_bytes());
}

std::shared_ptr<const CompiledCode> compiled(const Case& example) {
  auto network = plan::synthesize(example.target, example.element_bytes, example.bits);
  if (!network) {
    ADD_FAILURE() << network.error().message;
    return nullptr;
  }
  network->stores_by_address = example.stores_by_address;
  network->reads_whole_lines = example.reads_whole_lines;
  plan::Plan plan = plan_of(*network, example.target.isa);
  if (example.under_masks) {  // never of what is streamed
    plan.nests.front().under_masks = true;
    plan.nests.front().store = plan::StorePolicy::kTemporal;
  }
  auto code = compile(plan, {.validate = true});
  if (!code) {
    ADD_FAILURE() << code.error().message << "\n" << to_string(*network);
    return nullptr;
  }
  EXPECT_EQ(find_foreign_instruction(instructions(**code), example.target.isa), std::nullopt);
  return *code;
}

/// Byte `which` of every source byte's address: two runs tell all bytes of a tile of up to 64 KiB apart.
void number_bytes(std::uint8_t* source, std::size_t bytes, int which) {
  for (std::size_t i = 0; i < bytes; ++i) source[i] = static_cast<std::uint8_t>(i >> (8 * which));
}

/// Runs on buffers that end at inaccessible pages and compares every byte, gaps included.
/// `shift`: bytes of the destination's buffer before the tile.
bool moves(KernelFunction function, const Bits& bits, Flush flush, std::size_t shift = 0) {
  const Offsets last = offsets_of(bits, (std::size_t{1} << bits.size()) - 1);
  const auto source_bytes = static_cast<std::size_t>(last.source + 1);
  const auto destination_bytes = shift + static_cast<std::size_t>(last.destination + 1);
  if (source_bytes > 65536) return false;
  const GuardedMemory source(source_bytes, flush);
  const GuardedMemory destination(destination_bytes, flush);
  std::vector<std::uint8_t> scratch(16384);
  for (const int which : {0, 1}) {
    number_bytes(source.data(), source_bytes, which);
    std::memset(destination.data(), kUntouched, destination_bytes);
    function(source.data(), destination.data() + shift, 0, 1, scratch.data());
    std::vector<std::uint8_t> expected(destination_bytes, kUntouched);
    for (std::size_t i = 0; i < std::size_t{1} << bits.size(); ++i) {
      const Offsets offsets = offsets_of(bits, i);
      expected[shift + static_cast<std::size_t>(offsets.destination)] = source.data()[offsets.source];
    }
    if (std::memcmp(expected.data(), destination.data(), destination_bytes) != 0) return false;
  }
  return true;
}

bool runs_here(Isa isa) {
  return isa <= machine_isa();
}

/// With the parts of vectors stored in either order.
void check(Case example) {
  for (const bool by_address : {false, true}) {
    example.stores_by_address = by_address;
    const auto code = compiled(example);
    ASSERT_NE(code, nullptr);
    if (!runs_here(example.target.isa)) continue;
    for (const Flush flush : {Flush::kFront, Flush::kBack})
      ASSERT_TRUE(moves(code->nests()[0].temporal, example.bits, flush));
  }
}

void check_random_tiles(const plan::NetworkTarget& target, int element_bytes, int count) {
  std::mt19937_64 random(test_seed());
  const int element_bits = std::countr_zero(static_cast<unsigned>(element_bytes));
  const int lanes = std::countr_zero(static_cast<unsigned>(target.vector_bytes));
  const auto any = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
  for (int i = 0; i < count; ++i) {
    RunBits runs = {lanes, lanes};
    if (any(0, 1) == 0) runs.source = any(element_bits, lanes);
    if (any(0, 1) == 0) runs.destination = any(element_bits, lanes);
    const Case example{target, element_bytes, random_tile(random, element_bits, lanes + any(0, 6), runs)};
    ASSERT_NO_FATAL_FAILURE(check(example))
        << to_string(target.isa) << ", vectors of " << target.vector_bytes << ", elements of "
        << element_bytes << ", tile " << i << ", seed " << test_seed();
  }
}

Bits transpose(int element_bytes, int extent_bits) {
  const std::int64_t row = 1 << (extent_bits + 1);
  return tile_of(element_bytes, {{extent_bits, 1, row}, {extent_bits, row, 1}});
}

/// Calls `visit` with every instruction and one of its operands, the first one or another.
template <class Visit>
void visit_operands(std::span<const std::uint8_t> code, Visit visit, std::size_t which = 0) {
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  std::size_t at = 0;
  ZydisDecodedInstruction instruction;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  while (at < code.size()) {
    const auto status =
        ZydisDecoderDecodeFull(&decoder, code.data() + at, code.size() - at, &instruction, operands);
    ASSERT_TRUE(ZYAN_SUCCESS(status)) << "at " << at;
    visit(instruction, operands[which]);
    at += instruction.length;
  }
}

/// Calls `visit` with every instruction.
template <class Visit>
void decode(std::span<const std::uint8_t> code, Visit visit) {
  visit_operands(code, [&](const ZydisDecodedInstruction& instruction, const ZydisDecodedOperand&) {
    visit(instruction);
  });
}

TEST(EmitPermute, example) {
  check({target_of(Isa::kAvx2), 4, transpose(4, 3)});
}

TEST(EmitPermute, transposes_of_every_width_and_level) {
  for (const Isa isa : kVectorIsas) {
    const plan::NetworkTarget target = target_of(isa);
    for (const int element_bytes : kElementBytes) {
      const int extent = target.vector_bytes / element_bytes;
      check(
          {target, element_bytes, transpose(element_bytes, std::countr_zero(static_cast<unsigned>(extent)))});
    }
  }
}

TEST(EmitPermute, transposes_under_masks) {
  for (const Isa isa : kVectorIsas) {
    for (int vector_bytes = 16; vector_bytes <= target_of(isa).vector_bytes; vector_bytes *= 2) {
      plan::NetworkTarget target = target_of(isa);
      target.vector_bytes = vector_bytes;
      for (const int element_bytes : {1, 2, 4, 8}) {
        const int extent = vector_bytes / element_bytes;
        const Bits bits = transpose(element_bytes, std::countr_zero(static_cast<unsigned>(extent)));
        const Case masked{target, element_bytes, bits, true};
        check(masked);
        EXPECT_GT(count_masked(instructions(*compiled(masked))), 0U);
        EXPECT_EQ(count_masked(instructions(*compiled({target, element_bytes, bits}))), 0U);
      }
    }
  }
}

TEST(EmitPermute, a_scratch_is_accessed_without_masks) {
  const Case bytes{target_of(Isa::kAvx512Vbmi), 1, transpose(1, 6), true};
  ASSERT_EQ(plan::synthesize(bytes.target, 1, bytes.bits)->phases.size(), 2U);
  // Two groups of 8 vectors in a loop: a load of each in the first phase, a store in the second.
  EXPECT_EQ(count_masked(instructions(*compiled(bytes))), 2 * 16U);
}

TEST(EmitPermute, pieces_under_masks) {
  // Rows of 32 bytes make vectors of 64: a load and an insert, a whole store.
  const Case halves{target_of(Isa::kAvx512), 4, tile_of(4, {{3, 1, 1}, {1, 32, 8}}), true};
  check(halves);
  EXPECT_EQ(count_masked(instructions(*compiled(halves))), 3U);
  const Case quarters{target_of(Isa::kAvx512), 4, tile_of(4, {{2, 1, 1}, {2, 32, 4}}), true};
  check(quarters);
  EXPECT_EQ(count_masked(instructions(*compiled(quarters))), 5U);
}

TEST(EmitPermute, random_tiles_with_whole_vectors_and_pieces) {
  for (const Isa isa : kVectorIsas)
    for (const int element_bytes : kElementBytes) check_random_tiles(target_of(isa), element_bytes, 40);
}

TEST(EmitPermute, narrow_vectors_of_a_wide_level) {
  for (const Isa isa : kVectorIsas) {
    for (const int vector_bytes : {16, 32}) {
      plan::NetworkTarget target = target_of(isa);
      target.vector_bytes = vector_bytes;
      for (const int element_bytes : kElementBytes) check_random_tiles(target, element_bytes, 20);
    }
  }
}

TEST(EmitPermute, networks_for_slow_shuffles) {
  for (const Isa isa : kVectorIsas) {
    for (const auto ports : {plan::ShufflePorts::kOne, plan::ShufflePorts::kOneForWide,
                             plan::ShufflePorts::kOneForLanes, plan::ShufflePorts::kTwoOfHalves}) {
      plan::NetworkTarget target = target_of(isa);
      target.shuffle_ports = ports;
      for (const int element_bytes : kElementBytes) check_random_tiles(target, element_bytes, 20);
    }
  }
}

TEST(EmitPermute, vectors_in_halves_that_save_a_pass) {
  const plan::NetworkTarget target = target_that_loads_halves();
  const auto bits = transpose(2, 4);
  ASSERT_EQ(plan::synthesize(target, 2, bits)->source.piece_bytes(), 16);
  check({target, 2, bits});
  ASSERT_TRUE(plan::synthesize(target, 1, transpose(1, 5))->phases.front().half_by_half);
  check({target, 1, transpose(1, 5)});
  check({target, 1, transpose(1, 6)});
  check({target, 1, transpose(1, 5), true});  // one register less
  for (const int element_bytes : kElementBytes) check_random_tiles(target, element_bytes, 40);
}

TEST(EmitPermute, vectors_in_halves_that_save_a_pass_of_32_registers) {
  for (const Isa isa : {Isa::kAvx512, Isa::kAvx512Vbmi}) {
    for (const int vector_bytes : {32, 64}) {
      plan::NetworkTarget target = target_of(isa);
      target.vector_bytes = vector_bytes;
      target.shuffle_ports = plan::ShufflePorts::kTwoOfHalves;
      target.split_vectors = plan::SplitVectors::kLoadedToSavePass;
      const int bits = vector_bytes == 32 ? 5 : 6;
      ASSERT_LT(plan::synthesize(target, 1, transpose(1, bits))->source.piece_bytes(), vector_bytes);
      check({target, 1, transpose(1, bits)});
      check({target, 1, transpose(1, bits), true});  // one register less
      for (const int element_bytes : kElementBytes) check_random_tiles(target, element_bytes, 40);
    }
  }
}

TEST(EmitPermute, parts_of_vectors_are_stored_in_the_order_of_their_addresses) {
  // 16 rows of 32 bytes transposed half by half, whose vectors hold 16 bytes of two rows 16 apart.
  const plan::NetworkTarget target = target_that_loads_halves();
  const Bits bits = tile_of(1, {{5, 1, 24}, {4, 32, 1}});
  const auto steps_back = [&](bool by_address) {
    const auto code = compiled({target, 1, bits, false, by_address});
    std::vector<std::int64_t> offsets;
    visit_operands(instructions(*code), [&](const ZydisDecodedInstruction&, const ZydisDecodedOperand& to) {
      if (to.type == ZYDIS_OPERAND_TYPE_MEMORY && to.mem.base == ZYDIS_REGISTER_RSI &&
          (to.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0)
        offsets.push_back(to.mem.disp.value);
    });
    EXPECT_EQ(offsets.size(), 64U) << "for destinations on lines, and for others";
    offsets.resize(32);
    int count = 0;
    for (std::size_t i = 1; i < offsets.size(); ++i) count += offsets[i] < offsets[i - 1] ? 1 : 0;
    return count;
  };
  EXPECT_EQ(steps_back(true), 1) << "for one vector there is no register until another one is stored";
  EXPECT_EQ(steps_back(false), 15);
}

TEST(EmitPermute, vectors_of_a_line_are_loaded_one_after_the_other_where_lines_are_read_whole) {
  // 16 x 16 of 4 bytes in groups of 8 x 8, two of which share lines to read, two those to write.
  const Bits bits = tile_of(4, {{4, 1, 256}, {4, 256, 1}});
  const auto lines_of_two_groups = [&](bool reads_whole_lines) {
    const Case example{target_of(Isa::kAvx2), 4, bits, false, false, reads_whole_lines};
    std::vector<std::int64_t> lines;
    const auto note = [&](const ZydisDecodedInstruction&, const ZydisDecodedOperand& from) {
      if (from.type == ZYDIS_OPERAND_TYPE_MEMORY && from.mem.base == ZYDIS_REGISTER_RDI)
        lines.push_back(from.mem.disp.value / 64);
    };
    visit_operands(instructions(*compiled(example)), note, 1);
    // The streaming code comes last; it is what is meant to run, and has two groups in its loop.
    EXPECT_GE(lines.size(), 16U);
    return std::set(lines.end() - 16, lines.end()).size();
  };
  EXPECT_EQ(lines_of_two_groups(true), 8U);
  EXPECT_EQ(lines_of_two_groups(false), 16U);
  check({target_of(Isa::kAvx2), 4, bits, false, false, true});
}

TEST(EmitPermute, a_broken_network_is_caught) {
  const auto bits = transpose(4, 3);
  auto network = plan::synthesize(target_of(Isa::kAvx2), 4, bits);
  ASSERT_TRUE(network);
  std::swap(network->destination.register_stride_bytes[0], network->destination.register_stride_bytes[1]);
  const auto code = compile(plan_of(*network, Isa::kAvx2));
  ASSERT_TRUE(code);
  if (runs_here(Isa::kAvx2)) {
    EXPECT_FALSE(moves((*code)->nests()[0].temporal, bits, Flush::kBack));
  }
}

TEST(EmitPermute, a_source_that_repeats_is_read_again) {
  for (const Isa isa : kVectorIsas) {
    check({target_of(isa), 4, tile_of(4, {{2, 0, 1}, {4, 1, 4}})});
    check({target_of(isa), 2, tile_of(2, {{6, 1, 1}, {2, 0, 64}})});
    check({target_of(isa), 1, tile_of(1, {{6, 0, 1}})});
  }
}

TEST(EmitPermute, backward_strides_are_addresses_like_others) {
  // Rows of the destination in reverse order: a negative stride of a register bit.
  const Bits bits = {{1, 1}, {2, 2}, {4, 4}, {8, 8}, {16, 16}, {32, -32}};
  const auto code = compiled({target_of(Isa::kAvx2), 4, bits});
  ASSERT_NE(code, nullptr);
  if (!runs_here(Isa::kAvx2)) return;
  std::uint8_t source[64];
  std::uint8_t destination[64] = {};
  number_bytes(source, sizeof source, 0);
  code->nests()[0].temporal(source, destination + 32, 0, 1, nullptr);
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(destination[i ^ 32], i);
}

TEST(EmitPermute, strides_past_31_bits_are_reached) {
  // Only reserved address space is needed: untouched pages of the mapping never exist.
  const std::int64_t far = std::int64_t{3} << 31;
  const auto bytes = static_cast<std::size_t>(far + 64);
  const Bits bits = {{1, 1}, {2, 2}, {4, 4}, {8, 8}, {16, 16}, {32, far}};
  const auto code = compiled({target_of(Isa::kAvx2), 4, bits});
  ASSERT_NE(code, nullptr);
  if (!runs_here(Isa::kAvx2)) return;
  void* mapped =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(mapped, MAP_FAILED);
  auto* destination = static_cast<std::uint8_t*>(mapped);
  std::uint8_t source[64];
  number_bytes(source, sizeof source, 0);
  code->nests()[0].temporal(source, destination, 0, 1, nullptr);
  EXPECT_EQ(std::memcmp(destination, source, 32), 0);
  EXPECT_EQ(std::memcmp(destination + far, source + 32, 32), 0);
  munmap(mapped, bytes);
}

TEST(EmitPermute, streams_whole_vectors_to_aligned_destinations) {
  for (const Isa isa : kVectorIsas) {
    const auto bits = transpose(4, isa == Isa::kAvx2 ? 3 : 4);
    const auto code = compiled({target_of(isa), 4, bits});
    ASSERT_NE(code, nullptr);
    const NestCode nest = code->nests()[0];
    int streamed = 0;
    decode(code->bytes().subspan(nest.streaming_offset, nest.end_offset - nest.streaming_offset),
           [&](const ZydisDecodedInstruction& instruction) {
             streamed += instruction.mnemonic == ZYDIS_MNEMONIC_VMOVNTDQ;
           });
    EXPECT_EQ(streamed, isa == Isa::kAvx2 ? 8 : 16);
    if (runs_here(isa)) {
      EXPECT_TRUE(moves(nest.streaming, bits, Flush::kFront));
    }
  }
}

constexpr std::uintptr_t kSetSpan = 4096;
constexpr std::uintptr_t kLine = 64;

/// Sets of the first cache that hold the lines a tile writes.
std::set<std::uintptr_t> written_sets(const Bits& bits, const std::uint8_t* destination) {
  std::set<std::uintptr_t> sets;
  for (std::size_t i = 0; i < std::size_t{1} << bits.size(); ++i)
    sets.insert(reinterpret_cast<std::uintptr_t>(destination + offsets_of(bits, i).destination) % kSetSpan /
                kLine);
  return sets;
}

/// Runs streaming code on a tile `line` lines into the destination, and expects of its scratch, which ends or
/// begins next to an inaccessible page, that no byte of these sets is written.
void expect_clear_scratch(KernelFunction function, const Case& example, std::size_t scratch_bytes,
                          std::size_t line, Flush flush) {
  const Offsets last = offsets_of(example.bits, (std::size_t{1} << example.bits.size()) - 1);
  const GuardedMemory source(static_cast<std::size_t>(last.source + 1), flush);
  const GuardedMemory destination(line * kLine + static_cast<std::size_t>(last.destination + 1),
                                  Flush::kFront);
  const GuardedMemory scratch(scratch_bytes, flush);
  number_bytes(source.data(), static_cast<std::size_t>(last.source + 1), 0);
  std::memset(scratch.data(), kUntouched, scratch_bytes);
  std::uint8_t* const to = destination.data() + line * kLine;
  function(source.data(), to, 0, 1, scratch.data());
  const auto sets = written_sets(example.bits, to);
  for (std::size_t i = 0; i < scratch_bytes; ++i) {
    if (scratch.data()[i] == kUntouched) continue;
    const auto set = reinterpret_cast<std::uintptr_t>(scratch.data() + i) % kSetSpan / kLine;
    ASSERT_FALSE(sets.contains(set)) << "set " << set << ", " << line << " lines into the destination";
  }
  for (std::size_t i = 0; i < std::size_t{1} << example.bits.size(); ++i) {
    const Offsets offsets = offsets_of(example.bits, i);
    ASSERT_EQ(to[offsets.destination], source.data()[offsets.source]) << i;
  }
}

TEST(EmitPermute, a_striped_scratch_keeps_clear_of_the_sets_of_streamed_lines) {
  for (const int apart : {1024, 2048, 4096, 12288}) {
    const Case example{target_of(Isa::kAvx2), 1, tile_of(1, {{6, 1, apart}, {6, 128, 1}})};
    auto network = plan::synthesize(example.target, 1, example.bits);
    ASSERT_TRUE(network);
    plan::stripe_scratch(*network, plan::Target{.level1_data_ways = 8});
    ASSERT_GT(network->scratch_stripes.bytes, 0);
    for (const auto fetches :
         {plan::SourceFetches::kBetweenStores, plan::SourceFetches::kBetweenStoresInOrder}) {
      plan::Plan plan = plan_of(*network, Isa::kAvx2);
      plan.nests[0].prefetch_source_bytes = 1 << 20;  // past the buffer, where a load would fault
      plan.nests[0].source_fetches = fetches;
      const auto code = compile(plan, {.validate = true});
      ASSERT_TRUE(code) << code.error().message;
      if (!runs_here(Isa::kAvx2)) continue;
      for (const Flush flush : {Flush::kFront, Flush::kBack}) {
        for (std::size_t line = 0; line < 64; ++line)
          ASSERT_NO_FATAL_FAILURE(expect_clear_scratch((*code)->nests()[0].streaming, example,
                                                       static_cast<std::size_t>(network->scratch_bytes), line,
                                                       flush))
              << apart << " bytes apart";
      }
    }
  }
}

/// Displacements of the instructions of a function that fetch lines into the second-level cache, and how many
/// of them come before its first streaming store.
struct Fetches {
  std::multiset<std::int64_t> displacements;
  int before_stores = 0;
};

Fetches fetches_of(std::span<const std::uint8_t> code) {
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  ZydisDecodedInstruction instruction;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  Fetches found;
  bool stores = false;
  for (std::size_t at = 0; at < code.size(); at += instruction.length) {
    const auto status =
        ZydisDecoderDecodeFull(&decoder, code.data() + at, code.size() - at, &instruction, operands);
    if (!ZYAN_SUCCESS(status)) break;
    stores = stores || instruction.mnemonic == ZYDIS_MNEMONIC_VMOVNTDQ;
    if (instruction.mnemonic != ZYDIS_MNEMONIC_PREFETCHT1) continue;
    found.displacements.insert(operands[0].mem.disp.value);
    found.before_stores += stores ? 0 : 1;
  }
  return found;
}

TEST(EmitPermute, streamed_code_fetches_between_its_stores_what_it_would_fetch_after_its_loads) {
  // 16 rows of 64 bytes, so few that no loop moves the pointers: every line has an instruction of its own.
  constexpr std::int64_t kAhead = 1 << 20;
  const Bits bits = tile_of(4, {{4, 1, 1024}, {4, 1024, 1}});
  plan::NetworkTarget target = target_of(Isa::kAvx2);
  target.line_stores = plan::LineStores::kTogether;
  const auto network = plan::synthesize(target, 4, bits);
  ASSERT_TRUE(network);
  ASSERT_GT(network->phases.size(), 1U);
  const auto fetches = [&](plan::SourceFetches where) {
    plan::Plan plan = plan_of(*network, Isa::kAvx2);
    plan.nests[0].prefetch_source_bytes = kAhead;
    plan.nests[0].source_fetches = where;
    const auto code = compile(plan, {.validate = true});
    const NestCode nest = (*code)->nests()[0];
    return fetches_of(
        (*code)->bytes().subspan(nest.streaming_offset, nest.end_offset - nest.streaming_offset));
  };
  const Fetches after_loads = fetches(plan::SourceFetches::kAfterLoads);
  std::set<std::int64_t> lines;
  for (const std::int64_t at : after_loads.displacements) lines.insert((at - kAhead) / 64 * 64);
  EXPECT_EQ(lines.size(), 16U);
  EXPECT_EQ(after_loads.before_stores, static_cast<int>(after_loads.displacements.size()));
  for (const auto where : {plan::SourceFetches::kBetweenStores, plan::SourceFetches::kBetweenStoresInOrder}) {
    const Fetches between = fetches(where);
    std::set<std::int64_t> same;
    for (const std::int64_t at : between.displacements) same.insert((at - kAhead) / 64 * 64);
    EXPECT_EQ(same, lines);
    EXPECT_LE(between.before_stores, 1) << "none waits for all of them";
  }
  EXPECT_EQ(fetches(plan::SourceFetches::kBetweenStoresInOrder).displacements.size(), 16U)
      << "each line once";
}

/// The code of one tile whose runs are put together in a scratch.
std::shared_ptr<const CompiledCode> compiled_in_runs(const Case& example) {
  auto network = plan::synthesize(example.target, example.element_bytes, example.bits);
  if (!network) return nullptr;
  network->scratch_bytes = std::int64_t{network->vector_bytes} << network->slots;
  plan::Plan plan = plan_of(*network, example.target.isa);
  plan.nests[0].store = plan::StorePolicy::kStreamingRuns;
  plan.nests[0].destination_aligned = false;
  plan.nests[0].prefetch_destination_bytes = 1 << 20;  // past the buffer, where a load would fault
  auto code = compile(plan, {.validate = true});
  return code ? *code : nullptr;
}

TEST(EmitPermute, streams_the_whole_lines_of_runs_wherever_these_begin) {
  for (const Isa isa : kVectorIsas) {
    for (const int element_bytes : kElementBytes) {
      const int element_bits = std::countr_zero(static_cast<unsigned>(element_bytes));
      for (const int run_bits : {7, 8, 10}) {
        // Eight runs, which end at the end of the buffer, and an odd number of elements apart.
        const std::int64_t apart = (std::int64_t{1} << (run_bits - element_bits)) + 11;
        plan::NetworkTarget target = target_of(isa);
        target.line_stores = plan::LineStores::kFromScratch;
        const Case example{target, element_bytes,
                           tile_of(element_bytes, {{3, 1, apart}, {run_bits - element_bits, 8, 1}})};
        const auto code = compiled_in_runs(example);
        ASSERT_NE(code, nullptr);
        int streamed = 0;
        decode(instructions(*code), [&](const ZydisDecodedInstruction& instruction) {
          streamed += instruction.mnemonic == ZYDIS_MNEMONIC_VMOVNTDQ;
        });
        EXPECT_GE(streamed, 2);
        if (!runs_here(isa)) continue;
        for (std::size_t shift = 0; shift < 64; ++shift)
          ASSERT_TRUE(moves(code->nests()[0].temporal, example.bits, Flush::kBack, shift))
              << to_string(isa) << ", elements of " << element_bytes << ", runs of " << (1 << run_bits)
              << " bytes, " << shift << " bytes into the buffer";
      }
    }
  }
}

TEST(EmitPermute, runs_of_random_tiles_are_put_together_in_a_scratch) {
  std::mt19937_64 random(test_seed());
  for (const Isa isa : kVectorIsas) {
    for (int i = 0; i < 60; ++i) {
      const int element_bits = i % 5;
      const int count = 9 + i % 4;
      const Case example{target_of(isa), 1 << element_bits,
                         random_tile(random, element_bits, count, {std::max(4, element_bits), 7 + i % 2})};
      const auto code = compiled_in_runs(example);
      ASSERT_NE(code, nullptr);
      if (!runs_here(isa)) continue;
      for (const Flush flush : {Flush::kFront, Flush::kBack})
        ASSERT_TRUE(moves(code->nests()[0].temporal, example.bits, flush, static_cast<std::size_t>(i)))
            << to_string(isa) << ", tile " << i << ", seed " << test_seed();
    }
  }
}

/// Prefetches among the instructions from `begin` to `end`.
struct Prefetches {
  int first_level = 0;
  int second_level = 0;
  int to_write = 0;
};

Prefetches prefetches_of(const CompiledCode& code, std::size_t begin, std::size_t end) {
  Prefetches found;
  decode(code.bytes().subspan(begin, end - begin), [&](const ZydisDecodedInstruction& instruction) {
    found.first_level += instruction.mnemonic == ZYDIS_MNEMONIC_PREFETCHT0;
    found.second_level += instruction.mnemonic == ZYDIS_MNEMONIC_PREFETCHT1;
    found.to_write += instruction.mnemonic == ZYDIS_MNEMONIC_PREFETCHW;
  });
  return found;
}

TEST(EmitPermute, prefetches_each_line_once_and_of_the_destination_only_where_it_is_cached) {
  // 64 rows of 64 bytes on either side, which begin anywhere in a line or all in the same place.
  for (const std::int64_t apart : {128, 131}) {
    const Bits bits = tile_of(1, {{6, 1, apart}, {6, apart, 1}});
    const auto network = plan::synthesize(target_of(Isa::kAvx512), 1, bits);
    ASSERT_TRUE(network) << network.error().message;
    plan::Plan plan = plan_of(*network, Isa::kAvx512);
    plan.nests[0].prefetch_source_bytes = 8192;  // past the buffers, where a load would fault
    plan.nests[0].prefetch_destination_bytes = 1 << 20;
    const auto code = compile(plan, {.validate = true});
    ASSERT_TRUE(code) << code.error().message;
    const NestCode nest = (*code)->nests()[0];
    const Prefetches temporal = prefetches_of(**code, nest.temporal_offset, nest.streaming_offset);
    EXPECT_EQ(temporal.first_level, 8) << "one group of 8 vectors, looped over; " << apart;
    EXPECT_EQ(temporal.second_level, 8) << apart;
    const Prefetches streaming = prefetches_of(**code, nest.streaming_offset, nest.end_offset);
    EXPECT_EQ(streaming.first_level, 0) << apart;
    EXPECT_EQ(streaming.second_level, 16) << "two groups in the code that is meant to run; " << apart;
    if (runs_here(Isa::kAvx512)) {
      EXPECT_TRUE(moves(nest.temporal, bits, Flush::kBack)) << apart;
    }
  }
}

/// Of a tile of 64 rows of 64 bytes on either side, each call of which fetches `rows` rows of two lines.
plan::Plan plan_that_fetches(std::int64_t rows, const plan::Network& network) {
  plan::Plan plan = plan_of(network, Isa::kAvx512);
  const plan::FetchedRows fetched{1 << 20, 4096, 128, rows};  // past the buffers, where a load would fault
  plan.nests[0].block_fetch = plan::BlockFetch{1, fetched, fetched};
  return plan;
}

TEST(EmitPermute, groups_share_the_rows_of_the_next_block) {
  const Bits bits = tile_of(1, {{6, 1, 128}, {6, 128, 1}});
  const auto network = plan::synthesize(target_of(Isa::kAvx512), 1, bits);
  ASSERT_TRUE(network) << network.error().message;
  for (const bool to_write : {false, true}) {
    plan::Plan plan = plan_that_fetches(32, *network);
    plan.nests[0].block_fetch->to_write = to_write;
    const auto code = compile(plan, {.validate = true});
    ASSERT_TRUE(code) << code.error().message;
    const NestCode nest = (*code)->nests()[0];
    const Prefetches temporal = prefetches_of(**code, nest.temporal_offset, nest.streaming_offset);
    EXPECT_EQ(temporal.second_level, 8) << "4 rows a turn, 8 turns";
    EXPECT_EQ(temporal.first_level, to_write ? 0 : 8);
    EXPECT_EQ(temporal.to_write, to_write ? 8 : 0);
    const Prefetches streaming = prefetches_of(**code, nest.streaming_offset, nest.end_offset);
    EXPECT_EQ(streaming.second_level, 16) << "two groups of 4 rows, 4 turns";
    EXPECT_EQ(streaming.first_level + streaming.to_write, 0) << "what is streamed is not to be in a cache";
    if (runs_here(Isa::kAvx512)) {
      EXPECT_TRUE(moves(nest.temporal, bits, Flush::kBack));
    }
  }
}

TEST(EmitPermute, fewer_rows_than_turns_are_fetched_once_all_the_same) {
  const Bits bits = tile_of(1, {{6, 1, 128}, {6, 128, 1}});
  const auto network = plan::synthesize(target_of(Isa::kAvx512), 1, bits);
  ASSERT_TRUE(network) << network.error().message;
  const auto code = compile(plan_that_fetches(3, *network), {.validate = true});
  ASSERT_TRUE(code) << code.error().message;
  const NestCode nest = (*code)->nests()[0];
  const Prefetches temporal = prefetches_of(**code, nest.temporal_offset, nest.streaming_offset);
  EXPECT_EQ(temporal.second_level, 6);
  EXPECT_EQ(temporal.first_level, 6);
  if (runs_here(Isa::kAvx512)) {
    EXPECT_TRUE(moves(nest.temporal, bits, Flush::kFront));
  }
}

TEST(EmitPermute, avx2_code_has_no_evex_instruction) {
  std::mt19937_64 random(test_seed());
  for (const int element_bytes : kElementBytes) {
    const int element_bits = std::countr_zero(static_cast<unsigned>(element_bytes));
    for (int i = 0; i < 20; ++i) {
      const RunBits runs = {5 - i % 2, 5 - i % 3};
      const auto bits =
          random_tile(random, element_bits, 9,
                      {std::max(runs.source, element_bits), std::max(runs.destination, element_bits)});
      const auto code = compiled({target_of(Isa::kAvx2), element_bytes, bits});
      ASSERT_NE(code, nullptr);
      decode(instructions(*code), [](const ZydisDecodedInstruction& instruction) {
        EXPECT_NE(instruction.encoding, ZYDIS_INSTRUCTION_ENCODING_EVEX);
      });
    }
  }
}

TEST(EmitPermute, groups_are_looped_over_where_code_would_grow) {
  // 16 groups of 16 vectors each: unrolled they would take some 10 KiB.
  const Bits bits = tile_of(4, {{4, 1, 2048}, {4, 16, 16}, {4, 256, 1}});
  check({target_of(Isa::kAvx512), 4, bits});
  const auto code = compiled({target_of(Isa::kAvx512), 4, bits});
  ASSERT_NE(code, nullptr);
  const NestCode nest = code->nests()[0];
  EXPECT_LT(nest.streaming_offset - nest.temporal_offset, 4096U + 256U);
}

TEST(EmitPermute, more_tables_than_registers_are_loaded_where_used) {
  const auto bits = transpose(4, 3);
  plan::NetworkTarget target = target_of(Isa::kAvx2);
  auto network = plan::synthesize(target, 4, bits);
  ASSERT_TRUE(network);
  // Pairs of byte reversals within lanes: nothing changes, but each wants a table of its own.
  std::vector<std::uint8_t> reverse(32);
  for (int repeat = 0; repeat < 10; ++repeat) {
    for (std::size_t i = 0; i < 32; ++i) reverse[i] = static_cast<std::uint8_t>((i ^ 15U) & 15U);
    network->stages.push_back({plan::Move::kByteShuffle, -1, {reverse}});
  }
  network->phases.back().last_stage = static_cast<int>(network->stages.size());
  ASSERT_EQ(plan::testing::find_fault(*network, bits), "");
  const auto code = compile(plan_of(*network, target.isa), {.validate = true});
  ASSERT_TRUE(code) << code.error().message;
  if (runs_here(target.isa)) {
    EXPECT_TRUE(moves((*code)->nests()[0].temporal, bits, Flush::kBack));
  }
}

}  // namespace
}  // namespace relayout::jit
