#include "relayout/relayout.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "relayout/loops.hpp"

namespace relayout {
namespace {

Layout layout(const std::string& spec) {
  return *Layout::parse(spec);
}

std::vector<std::byte> numbered(std::int64_t bytes) {
  std::vector<std::byte> buffer(static_cast<std::size_t>(bytes));
  std::uint32_t state = 1;
  for (std::byte& byte : buffer) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<std::byte>(state >> 24);
  }
  return buffer;
}

TEST(Relayout, example) {
  const Layout source = layout("f32[2,3]");
  const auto transpose = compile(source, *Layout::parse_destination("[1, 0]", source));
  ASSERT_TRUE(transpose);
  const std::vector<float> matrix = {0, 1, 2, 3, 4, 5};
  std::vector<float> result(6);
  (*transpose)(matrix.data(), result.data());
  EXPECT_EQ(result, (std::vector<float>{0, 3, 1, 4, 2, 5}));
}

TEST(Relayout, there_and_back_is_the_identity) {
  const Layout rows = layout("f32[120,70]");
  for (const char* text : {"[1, 0]", "[1, 0, 1 p(10)]", "[0, 1, 0 oe(8)]", "[0, 1, 0 p(4), 1 p(14)]"}) {
    const Layout other = *Layout::parse_destination(text, rows);
    const auto there = compile(rows, other);
    const auto back = compile(other, rows);
    ASSERT_TRUE(there && back);
    const auto original = numbered(rows.size_bytes());
    std::vector<std::byte> middle(original.size());
    std::vector<std::byte> end(original.size());
    ASSERT_TRUE(there->run(original, middle));
    ASSERT_TRUE(back->run(middle, end));
    EXPECT_EQ(end, original) << text;
    EXPECT_NE(middle, original) << text;
  }
}

TEST(Relayout, every_bit_pattern_arrives_unchanged) {
  const Layout source = layout("f32[16,16]");
  const auto transpose = compile(source, *Layout::parse_destination("[1, 0]", source));
  std::vector<std::uint32_t> bits(256);
  for (std::uint32_t i = 0; i < 256; ++i)
    bits[i] = 0x7F800001U + (i << 8);  // signalling NaNs, all payloads distinct
  std::vector<std::uint32_t> moved(256);
  (*transpose)(bits.data(), moved.data());
  for (std::size_t i = 0; i < 256; ++i) EXPECT_EQ(moved[i % 16 * 16 + i / 16], bits[i]);
}

TEST(Relayout, checked_runs_refuse_short_and_overlapping_buffers_and_write_nothing) {
  const Layout source = layout("u8[8,8]");
  const auto transpose = compile(source, *Layout::parse_destination("[1, 0]", source));
  std::vector<std::byte> buffer(200, std::byte{7});
  const std::span all(buffer);
  EXPECT_EQ(transpose->run(all.first(63), all.subspan(100)).error().code, ErrorCode::kBufferTooSmall);
  EXPECT_EQ(transpose->run(all.first(64), all.subspan(100, 10)).error().code, ErrorCode::kBufferTooSmall);
  EXPECT_EQ(transpose->run(all.first(64), all.subspan(63)).error().code, ErrorCode::kBufferOverlap);
  EXPECT_EQ(transpose->run(all, all).error().code, ErrorCode::kBufferOverlap);
  EXPECT_TRUE(std::all_of(buffer.begin(), buffer.end(), [](std::byte b) { return b == std::byte{7}; }));
  EXPECT_TRUE(transpose->run(all.first(64), all.subspan(64)));
}

TEST(Relayout, parts_together_do_what_one_call_does) {
  for (const char* spec : {"f32[70,90]", "u8[33,65]", "f64[5,6]", "f32[100000]"}) {
    const Layout source = layout(spec);
    const Layout destination = source.rank() == 2 ? *Layout::parse_destination("[1, 0]", source)
                                                  : *Layout::parse_destination("[0]", source);
    const auto convert = compile(source, destination);
    ASSERT_TRUE(convert);
    const auto from = numbered(source.size_bytes());
    std::vector<std::byte> whole(from.size());
    (*convert)(from.data(), whole.data());
    for (const std::int64_t count : {1, 2, 3, 7, 64}) {
      std::vector<std::byte> parts(from.size(), std::byte{0});
      std::vector<std::byte> scratch(convert->scratch_bytes());
      for (std::int64_t i = count; i-- > 0;)
        convert->run_part(from.data(), parts.data(), i, count, scratch.data());
      EXPECT_EQ(parts, whole) << spec << " in " << count;
    }
  }
}

TEST(Compile, layouts_that_do_not_match_are_errors_that_say_what) {
  const auto shapes = compile(layout("f32[2,3]"), layout("f32[3,2]"));
  ASSERT_FALSE(shapes);
  EXPECT_EQ(shapes.error().code, ErrorCode::kShapeMismatch);
  EXPECT_EQ(shapes.error().message, "the source is f32[2,3], the destination f32[3,2]");
  const auto widths = compile(layout("f32[2,3]"), layout("f64[2,3]"));
  ASSERT_FALSE(widths);
  EXPECT_NE(widths.error().message.find("f64"), std::string::npos);
}

TEST(Compile, an_explicit_level_the_machine_lacks_is_an_error) {
  CompileOptions options;
  options.isa = Isa::kAvx512Vbmi;
  const auto result = compile(layout("f32[4,4]"), layout("f32[4,4][1, 0]"), options);
  if (machine_isa() == Isa::kAvx512Vbmi) {
    EXPECT_TRUE(result);
  } else {
    EXPECT_EQ(result.error().code, ErrorCode::kIsaUnavailable);
  }
}

TEST(Compile, a_forced_family_is_used_or_refused) {
  const Layout source = layout("f32[64,64]");
  const Layout destination = *Layout::parse_destination("[1, 0]", source);
  for (const KernelFamily family : {KernelFamily::kCopy, KernelFamily::kPermute, KernelFamily::kGather}) {
    CompileOptions options;
    options.kernel = family;
    const auto result = compile(source, destination, options);
    ASSERT_TRUE(result) << to_string(family);
    const bool generated = result->isa() != Isa::kPortable;
    EXPECT_EQ(result->kernel(), generated ? to_string(family) : "portable");
  }
  CompileOptions options;
  options.kernel = KernelFamily::kPermute;
  const auto tiny = compile(layout("u8[2]"), layout("u8[2]"), options);
  EXPECT_EQ(tiny.ok(), default_isa() == Isa::kPortable);
}

TEST(Compile, padding_takes_the_value_that_the_destination_asks_for) {
  // The older XLA page's example: [2 x 3] padded to [3 x 5], column-major.
  const Layout source = layout("f32[2,3]{1,0}");
  const auto converted = [&](const std::string& destination) {
    const auto convert = compile(source, *Layout::parse_destination(destination, source));
    EXPECT_TRUE(convert) << convert.error().message;
    std::vector<float> result(15, 7.0F);
    const std::vector<float> matrix = {10, 11, 12, 13, 14, 15};
    (*convert)(matrix.data(), result.data());
    return result;
  };
  EXPECT_EQ(converted("{0,1:PAD(3,5)=ZERO}"),
            (std::vector<float>{10, 13, 0, 11, 14, 0, 12, 15, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(converted("{0,1:PAD(3,5)=ONE}"),
            (std::vector<float>{10, 13, 1, 11, 14, 1, 12, 15, 1, 1, 1, 1, 1, 1, 1}));
  const auto lowest = converted("{0,1:PAD(3,5)=LOWEST}");
  EXPECT_LT(lowest[2], -3e38F);
  const Layout bytes = layout("s8[3]{0}");
  const auto highest = compile(bytes, *Layout::parse_destination("{0:PAD(5)=HIGHEST}", bytes));
  ASSERT_TRUE(highest);
  std::vector<std::int8_t> result(5);
  (*highest)(std::vector<std::int8_t>{1, 2, 3}.data(), result.data());
  EXPECT_EQ(result, (std::vector<std::int8_t>{1, 2, 3, 127, 127}));
}

TEST(Compile, the_fill_has_one_elements_bytes) {
  CompileOptions options;
  options.fill.resize(3);
  EXPECT_EQ(compile(layout("f32[4]"), layout("f32[4]"), options).error().code, ErrorCode::kBadArgument);
}

TEST(Compile, proving_on_the_way_succeeds) {
  CompileOptions options;
  options.prove = true;
  EXPECT_TRUE(compile(layout("f32[20,30]"), layout("f32[20,30][1, 0]"), options));
}

TEST(Cache, a_second_request_is_a_hit_and_equal_maps_share_code) {
  clear_cache();
  const CacheStatistics before = cache_statistics();
  const Layout source = layout("f32[40,48]");
  ASSERT_TRUE(compile(source, layout("f32[40,48][1, 0]")));
  ASSERT_TRUE(compile(source, layout("f32[40,48][1, 0]")));
  ASSERT_TRUE(compile(source, layout("f32[40,48][1, 0, 0 oe(2)]")));  // oe(2) is the identity
  const CacheStatistics after = cache_statistics();
  EXPECT_EQ(after.hits, before.hits + 2);
  EXPECT_EQ(after.compilations, before.compilations + 1);
}

TEST(Cache, capacity_is_kept_and_handles_outlive_eviction) {
  clear_cache();
  set_cache_capacity(2);
  const Layout first_source = layout("f32[8,8]");
  const auto first = compile(first_source, layout("f32[8,8][1, 0]"));
  for (int i = 9; i < 14; ++i) {
    const std::string shape = "f32[8," + std::to_string(i) + "]";
    ASSERT_TRUE(compile(layout(shape), layout(shape + "[1, 0]")));
  }
  EXPECT_LE(cache_statistics().entries, 2U);
  EXPECT_GE(cache_statistics().evictions, 3U);
  const auto from = numbered(256);
  std::vector<std::byte> to(256);
  (*first)(from.data(), to.data());
  EXPECT_EQ(std::memcmp(to.data() + 4, from.data() + 32, 4), 0);
  set_cache_capacity(1024);
}

TEST(Cache, however_many_threads_ask_a_pair_is_compiled_once) {
  clear_cache();
  const std::uint64_t before = cache_statistics().compilations;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([] {
      for (int i = 1; i <= 20; ++i) {
        const Layout source = *Layout::parse("u8[5," + std::to_string(i) + "]");
        const auto convert = compile(source, *Layout::parse_destination("[1, 0]", source));
        ASSERT_TRUE(convert);
        const auto from = numbered(source.size_bytes());
        std::vector<std::byte> to(from.size());
        (*convert)(from.data(), to.data());
        EXPECT_EQ(to[static_cast<std::size_t>(i > 1 ? 5 : 1)], from[1]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(cache_statistics().compilations - before, 20U);
}

/// Runs a 32x32 byte transpose and says whether it is right.
bool transposes(const Relayout& convert) {
  const auto from = numbered(1024);
  std::vector<std::byte> to(1024);
  convert(from.data(), to.data());
  for (std::size_t i = 0; i < 1024; ++i) {
    if (to[i % 32 * 32 + i / 32] != from[i]) return false;
  }
  return true;
}

TEST(Fork, a_child_that_compiles_and_evicts_leaves_its_parents_code_alone) {
  const auto parents = compile(layout("u8[32,32]"), layout("u8[32,32][1, 0]"));
  ASSERT_TRUE(parents);
  const pid_t child = fork();
  if (child == 0) {
    clear_cache();
    bool ok = true;
    for (int i = 2; i < 40; ++i) {
      const std::string shape = "u8[32," + std::to_string(i) + "]";
      ok = compile(layout(shape), layout(shape + "[1, 0]")).ok() && ok;
    }
    _exit(ok && transposes(*parents) ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(transposes(*parents));
}

TEST(Fork, a_parent_that_evicts_and_recompiles_leaves_its_childs_code_alone) {
  clear_cache();
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  auto convert = std::make_unique<Relayout>(*compile(layout("u8[32,32]"), layout("u8[32,32][1, 0]")));
  const pid_t child = fork();
  if (child == 0) {
    char byte = 0;
    if (read(ready[0], &byte, 1) != 1) _exit(2);
    _exit(transposes(*convert) ? 0 : 1);
  }
  convert.reset();
  clear_cache();
  for (int i = 2; i < 40; ++i) {
    const std::string shape = "u8[" + std::to_string(i) + ",32]";
    ASSERT_TRUE(compile(layout(shape), layout(shape + "[1, 0]")));
  }
  ASSERT_EQ(write(ready[1], "x", 1), 1);
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  close(ready[0]);
  close(ready[1]);
}

TEST(Explain, shows_all_six_stages_in_order) {
  const auto convert = compile(layout("f32[64,64]"), layout("f32[64,64][1, 0, 1 p(16)]"));
  const std::string text = convert->explain();
  std::size_t at = 0;
  for (const char* title : {"1. Layouts", "2. Raw expressions", "3. Simplified expressions", "4. Loop nest",
                            "5. Plan", "6. Code"}) {
    const std::size_t found = text.find(title, at);
    ASSERT_NE(found, std::string::npos) << title;
    at = found;
  }
  EXPECT_NE(text.find("chosen:"), std::string::npos);
}

TEST(Interpreters, both_agree_with_the_compiled_code) {
  const Layout source = layout("f32[12,50]");
  const Layout destination = *Layout::parse_destination("[1, 0, 1 p(10)]", source);
  const auto from = numbered(source.size_bytes());
  std::vector<std::byte> compiled(from.size());
  std::vector<std::byte> scalar(from.size());
  std::vector<std::byte> vectorised(from.size());
  ASSERT_TRUE(compile(source, destination)->run(from, compiled));
  ASSERT_TRUE(run_interpreter(source, destination, from, scalar, Interpreter::kScalar));
  ASSERT_TRUE(run_interpreter(source, destination, from, vectorised, Interpreter::kVectorised));
  EXPECT_EQ(compiled, scalar);
  EXPECT_EQ(vectorised, scalar);
  EXPECT_EQ(run_interpreter(source, destination, std::span(from).first(8), scalar, Interpreter::kScalar)
                .error()
                .code,
            ErrorCode::kBufferTooSmall);
}

TEST(Loops, dense_pairs_are_one_nest_of_constant_strides) {
  const auto dimensions = loop_dimensions(layout("f32[6,8]"), layout("f32[6,8][1, 0]"));
  ASSERT_TRUE(dimensions);
  ASSERT_EQ(dimensions->size(), 2U);
  EXPECT_EQ((*dimensions)[0].source_stride, 8);
  EXPECT_EQ((*dimensions)[1].destination_stride, 6);
  EXPECT_FALSE(loop_dimensions(layout("f32[12][0]"), layout("f32[13]")));
}

TEST(Log, messages_reach_the_callers_sink_and_nobody_else) {
  std::vector<std::string> seen;
  set_log_sink([&](LogLevel, std::string_view message) { seen.emplace_back(message); });
  set_log_sink({});
  ASSERT_TRUE(compile(layout("f32[3,3]"), layout("f32[3,3][1, 0]")));
  EXPECT_TRUE(seen.empty());
}

TEST(Machine, facts_are_plausible) {
  const MachineInfo& info = machine_info();
  EXPECT_GE(info.level1_data_bytes, 8 * 1024);
  EXPECT_GE(info.level2_bytes, info.level1_data_bytes);
  EXPECT_GE(info.page_bytes, 4096);
  EXPECT_LE(info.default_isa, info.best_isa);
  EXPECT_EQ(version(), "0.1.0");
}

}  // namespace
}  // namespace relayout
