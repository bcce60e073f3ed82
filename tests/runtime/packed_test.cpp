// Elements narrower than a byte: packing, unpacking and packed relayouts, proved bit by bit.

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "jit/compiler.hpp"
#include "relayout/loops.hpp"
#include "relayout/relayout.hpp"
#include "src/runtime/compiled_relayout.hpp"
#include "tests/jit/decode.hpp"
#include "tests/support/segv_guard.hpp"

namespace relayout {
namespace {

Layout layout(const std::string& spec) {
  auto result = Layout::parse(spec);
  EXPECT_TRUE(result) << spec << ": " << (result ? "" : result.error().message);
  return *result;
}

std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> result;
  for (const int value : values) result.push_back(static_cast<std::byte>(value));
  return result;
}

std::vector<std::byte> converted(const Layout& from, const Layout& to, const std::vector<std::byte>& input,
                                 const CompileOptions& options = {}) {
  const auto convert = compile(from, to, options);
  EXPECT_TRUE(convert) << convert.error().message;
  std::vector<std::byte> output(static_cast<std::size_t>(to.size_bytes()), std::byte{0xEE});
  EXPECT_TRUE(convert->run(input, output));
  return output;
}

TEST(Packed, nibbles_are_packed_low_half_first) {
  const auto output = converted(layout("s4[5]{0}"), layout("s4[5]{0:E(4)}"), bytes({1, 2, 3, 0xF4, 5}));
  EXPECT_EQ(output, bytes({0x21, 0x43, 0x05}));
}

TEST(Packed, nibbles_are_unpacked_with_zeros_above) {
  const auto output = converted(layout("s4[5]{0:E(4)}"), layout("s4[5]{0}"), bytes({0x21, 0x43, 0xF5}));
  EXPECT_EQ(output, bytes({1, 2, 3, 4, 5}));
}

TEST(Packed, a_packed_transpose_moves_halves_of_bytes) {
  const auto output =
      converted(layout("s4[2,3]{1,0:E(4)}"), layout("s4[2,3]{0,1:E(4)}"), bytes({0x21, 0x43, 0x65}));
  EXPECT_EQ(output, bytes({0x41, 0x52, 0x63}));
}

TEST(Packed, padding_takes_the_fill_or_stays) {
  CompileOptions options;
  options.fill = bytes({0x7});
  const Layout from = layout("u4[3]{0}");
  const Layout to = layout("u4[3]{0:T(8)E(4)}");
  EXPECT_EQ(converted(from, to, bytes({1, 2, 3}), options), bytes({0x21, 0x73, 0x77, 0x77}));
  CompileOptions untouched;
  untouched.padding = PaddingPolicy::kLeaveUntouched;
  EXPECT_EQ(converted(from, to, bytes({1, 2, 3}), untouched), bytes({0x21, 0xE3, 0xEE, 0xEE}));
}

std::vector<std::string> layouts_of(const std::string& bits) {
  return {"{1,0}",
          "{0,1}",
          "{1,0:E(" + bits + ")}",
          "{0,1:E(" + bits + ")}",
          "{1,0:T(8,16)E(" + bits + ")}",
          "{1,0:T(3,5)(2,1)E(" + bits + ")}"};
}

void expect_proof(const Layout& from, const Layout& to, Isa isa) {
  CompileOptions options;
  options.isa = isa;
  const auto proof = prove(from, to, options);
  ASSERT_TRUE(proof) << from.to_string() << " to " << to.to_string() << ": " << proof.error().message;
  EXPECT_TRUE(proof->ok) << from.to_string() << " to " << to.to_string() << " at " << to_string(isa) << ", "
                         << proof->stage << ": " << proof->message;
}

TEST(Packed, pairs_of_every_width_are_proved_at_every_level) {
  testing::SegvGuard guard("packed pairs");
  for (const char* type : {"s4", "u2", "u1", "f4e2m1fn"}) {
    const std::string name = type;
    const auto layouts = layouts_of(name == "u2" ? "2" : name == "u1" ? "1" : "4");
    // Rows within bytes take the portable path, others generated code.
    for (const char* shape : {"[13,37]", "[64,96]"}) {
      for (const std::string& from : layouts) {
        for (const std::string& to : layouts) {
          guard.set_detail(name + shape + from + " to " + to);
          for (const Isa isa : runnable_isas())
            expect_proof(layout(name + shape + from), layout(name + shape + to), isa);
        }
      }
    }
  }
}

struct NamedPair {
  const char* source;
  const char* destination;
};

TEST(Packed, tiles_of_accelerators_are_generated_and_proved) {
  testing::SegvGuard guard("packed tiles");
  for (const NamedPair& pair : {NamedPair{"s4[64,256]{1,0:T(8,128)(8,1)E(4)}", "s4[64,256]{1,0:E(4)}"},
                                {"s4[64,256]{1,0:E(4)}", "s4[64,256]{1,0:T(64,128)(8,1)E(4)}"},
                                {"s4[64,256]{0,1:T(8,128)(8,1)E(4)}", "s4[64,256]{1,0:T(8,128)(8,1)E(4)}"},
                                {"s4[64,256]{1,0:T(8,128)(8,1)E(4)}", "s4[64,256]{1,0}"},
                                {"s4[64,256]{1,0}", "s4[64,256]{1,0:T(8,128)(8,1)E(4)}"},
                                {"s4[62,256]{1,0:E(4)}", "s4[62,256]{1,0:T(8,128)(2,1)E(4)}"},
                                {"pred[64,256]{1,0}", "pred[64,256]{1,0:T(32,128)(32,1)E(1)}"},
                                {"pred[64,256]{1,0:T(32,128)(32,1)E(1)}", "pred[64,256]{0,1:E(1)}"},
                                {"u2[64,256]{1,0:T(16,128)(16,1)E(2)}", "u2[64,256]{0,1:E(2)}"},
                                {"u2[3,64,32]{2,1,0:E(2)}", "u2[3,64,32]{1,2,0:E(2)}"},
                                {"u4[64,48,8]{2,1,0:E(4)}", "u4[64,48,8]{2,0,1:E(4)}"}}) {
    const Layout from = layout(pair.source);
    const Layout to = layout(pair.destination);
    guard.set_detail(pair.source);
    for (const Isa isa : runnable_isas()) {
      expect_proof(from, to, isa);
      CompileOptions options;
      options.isa = isa;
      const auto convert = compile(from, to, options);
      ASSERT_TRUE(convert);
      EXPECT_EQ(convert->kernel() == "portable", isa == Isa::kPortable)
          << pair.source << " to " << pair.destination << "\n"
          << convert->explain();
    }
  }
}

TEST(Packed, code_keeps_to_its_level) {
  for (const char* bits : {"1", "2", "4"}) {
    const std::string type = std::string("u") + bits + "[256,256]";
    const std::vector<std::string> layouts = {type + "{1,0}", type + "{1,0:E(" + bits + ")}",
                                              type + "{0,1:E(" + bits + ")}"};
    for (const std::string& from : layouts) {
      for (const std::string& to : layouts) {
        for (const Isa isa : runnable_isas()) {
          if (isa == Isa::kPortable || from == to) continue;
          CompileOptions options;
          options.isa = isa;
          const auto convert = compile(layout(from), layout(to), options);
          ASSERT_TRUE(convert);
          ASSERT_NE(convert->compiled().code, nullptr) << convert->explain();
          const auto& code = *convert->compiled().code;
          const auto foreign =
              testing::find_foreign_instruction(code.bytes().first(code.instruction_bytes()), isa);
          EXPECT_FALSE(foreign) << *foreign;
        }
      }
    }
  }
}

TEST(Packed, bytes_that_stay_together_are_copied) {
  const auto convert = compile(layout("s4[64,256]{1,0:E(4)}"), layout("s4[64,256]{1,0:T(8,128)E(4)}"));
  ASSERT_TRUE(convert);
  EXPECT_EQ(convert->kernel(), convert->isa() == Isa::kPortable ? "portable" : "copy");
}

TEST(Packed, unused_bits_of_the_source_are_not_data) {
  for (const Isa isa : runnable_isas()) {
    CompileOptions options;
    options.isa = isa;
    const Layout from = layout("u2[512]{0}");
    const Layout to = layout("u2[512]{0:E(2)}");
    std::vector<std::byte> input(512, std::byte{0xFE});
    EXPECT_EQ(converted(from, to, input, options), std::vector<std::byte>(128, std::byte{0xAA}));
  }
}

TEST(Packed, spacings_past_any_use_are_refused) {
  const auto convert = compile(layout("u8[2]{0:E(4294967304)}"), layout("u8[2]"));
  ASSERT_FALSE(convert);
  EXPECT_EQ(convert.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(convert.error().message.find("4294967304 bits apart"), std::string::npos)
      << convert.error().message;
  EXPECT_TRUE(compile(layout("u8[2]{0:E(1048576)}"), layout("u8[2]")));
}

/// The definition, bit by bit, from the layouts' offsets.
std::vector<std::byte> moved_bit_by_bit(const Layout& from, const Layout& to,
                                        const std::vector<std::byte>& input, std::byte before) {
  std::vector<std::byte> output(static_cast<std::size_t>(to.size_bytes()), before);
  const std::int64_t moved = std::min({from.element_bits(), to.element_bits(), std::int64_t{8}});
  Shape index(from.shape().size(), 0);
  for (std::int64_t i = 0; i < from.element_count(); ++i) {
    std::int64_t rest = i;
    for (std::size_t d = index.size(); d-- > 0; rest /= from.shape()[d]) index[d] = rest % from.shape()[d];
    for (std::int64_t bit = 0; bit < to.element_bits(); ++bit) {
      const std::int64_t source = *from.offset(index) * from.element_bits() + bit;
      const std::int64_t target = *to.offset(index) * to.element_bits() + bit;
      const bool set =
          bit < moved &&
          (std::to_integer<int>(input[static_cast<std::size_t>(source / 8)]) >> (source % 8) & 1) != 0;
      std::byte& byte = output[static_cast<std::size_t>(target / 8)];
      const std::byte mask = std::byte{1} << static_cast<int>(target % 8);
      byte = set ? byte | mask : byte & ~mask;
    }
  }
  return output;
}

std::vector<std::byte> noise(std::int64_t size) {
  std::mt19937_64 random(static_cast<std::uint64_t>(size));
  std::vector<std::byte> result(static_cast<std::size_t>(size));
  for (std::byte& byte : result) byte = static_cast<std::byte>(random());
  return result;
}

TEST(Packed, random_pairs_move_as_defined) {
  const char* text = std::getenv("RELAYOUT_TEST_SEED");
  const std::uint64_t seed = text == nullptr ? 41 : std::strtoull(text, nullptr, 10);
  SCOPED_TRACE("RELAYOUT_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  const auto pick = [&](std::initializer_list<const char*> choices) {
    return std::string(*(choices.begin() + random() % choices.size()));
  };
  const std::vector<Isa> levels = runnable_isas();
  for (int round = 0; round < 200; ++round) {
    const std::string bits = pick({"1", "2", "4"});
    const std::string shape = "u" + bits + "[" + pick({"2", "5", "8", "16", "40"}) + "," +
                              pick({"8", "12", "64", "63"}) + "," + pick({"16", "32", "10", "128"}) + "]";
    const auto random_layout = [&] {
      return layout(shape + "{" + pick({"2,1,0", "1,2,0", "0,1,2", "2,0,1"}) +
                    pick({":", ":T(8,128)", ":T(8,32)(8,1)", ":T(4,16)(2,1)"}) + "E(" +
                    pick({"8", bits.c_str()}) + ")}");
    };
    const Layout from = random_layout();
    const Layout to = random_layout();
    SCOPED_TRACE(from.to_string() + " to " + to.to_string());
    CompileOptions options;
    options.isa = levels[static_cast<std::size_t>(round) % levels.size()];
    options.padding = PaddingPolicy::kLeaveUntouched;
    const auto convert = compile(from, to, options);
    ASSERT_TRUE(convert) << convert.error().message;
    const auto input = noise(from.size_bytes());
    std::vector<std::byte> output(static_cast<std::size_t>(to.size_bytes()), std::byte{0x3C});
    const auto parts = static_cast<std::int64_t>(1 + random() % 7);
    for (std::int64_t part = 0; part < parts; ++part)
      convert->run_part(input.data(), output.data(), part, parts);
    ASSERT_EQ(output, moved_bit_by_bit(from, to, input, std::byte{0x3C})) << convert->explain();
  }
}

TEST(Packed, both_interpreters_move_them) {
  for (const char* to_text : {"u2[17,33]{0,1:E(2)}", "u2[17,33]{1,0}", "u2[17,33]{1,0:T(4,8)E(2)}"}) {
    const Layout from = layout("u2[17,33]{1,0:E(2)}");
    const Layout to = layout(to_text);
    const auto input = noise(from.size_bytes());
    for (const auto interpreter : {Interpreter::kScalar, Interpreter::kVectorised}) {
      std::vector<std::byte> output(static_cast<std::size_t>(to.size_bytes()), std::byte{0x5A});
      ASSERT_TRUE(run_interpreter(from, to, input, output, interpreter));
      EXPECT_EQ(output, moved_bit_by_bit(from, to, input, std::byte{0x5A})) << to_text;
    }
  }
}

TEST(Packed, loops_count_elements) {
  const auto loops = loop_dimensions(layout("s4[8,9]{1,0:E(4)}"), layout("s4[8,9]{0,1:E(4)}"));
  ASSERT_TRUE(loops);
  ASSERT_EQ(loops->size(), 2U);
  EXPECT_EQ(loops->front().extent, 8);
  EXPECT_EQ(loops->front().source_stride, 9);
  EXPECT_EQ(loops->front().destination_stride, 1);
}

/// How many parts write each byte: every part runs alone over two values, and what it writes is the same
/// then.
std::vector<int> writers_of(const Relayout& convert, const std::vector<std::byte>& input, int parts) {
  std::vector<int> writers(static_cast<std::size_t>(convert.destination_bytes()), 0);
  for (int part = 0; part < parts; ++part) {
    std::vector<std::byte> zeros(writers.size(), std::byte{0x00});
    std::vector<std::byte> ones(writers.size(), std::byte{0xFF});
    convert.run_part(input.data(), zeros.data(), part, parts);
    convert.run_part(input.data(), ones.data(), part, parts);
    for (std::size_t i = 0; i < writers.size(); ++i) writers[i] += zeros[i] == ones[i] ? 1 : 0;
  }
  return writers;
}

TEST(Packed, parts_write_disjoint_bytes_that_cover_the_destination) {
  for (const char* shape : {"s4[33,129]", "s4[200,264]"}) {
    for (const char* to_text : {"{0,1:E(4)}", "{1,0}", "{1,0:T(8,16)(2,1)E(4)}"}) {
      const Layout from = layout(std::string(shape) + "{1,0:E(4)}");
      const auto convert = compile(from, layout(std::string(shape) + to_text));
      ASSERT_TRUE(convert);
      const auto input = noise(from.size_bytes());
      for (int parts = 1; parts <= 7; ++parts) {
        const auto writers = writers_of(*convert, input, parts);
        EXPECT_EQ(writers, std::vector<int>(writers.size(), 1)) << shape << to_text << " in " << parts;
      }
    }
  }
}

TEST(Packed, parts_together_do_what_one_call_does) {
  const Layout from = layout("s4[7,9]{1,0:E(4)}");
  const Layout to = layout("s4[7,9]{0,1:E(4)}");
  const auto convert = compile(from, to);
  ASSERT_TRUE(convert);
  std::vector<std::byte> input;
  for (int i = 0; i < 32; ++i) input.push_back(static_cast<std::byte>(37 * i));
  std::vector<std::byte> whole(32);
  std::vector<std::byte> parts(32, std::byte{0xFF});
  (*convert)(input.data(), whole.data());
  for (int part = 0; part < 3; ++part) convert->run_part(input.data(), parts.data(), part, 3);
  EXPECT_EQ(parts, whole);
}

}  // namespace
}  // namespace relayout
