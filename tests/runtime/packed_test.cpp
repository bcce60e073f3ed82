// Elements narrower than a byte: packing, unpacking and packed relayouts, proved bit by bit.

#include <string>

#include <gtest/gtest.h>

#include "relayout/loops.hpp"
#include "relayout/relayout.hpp"

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

TEST(Packed, pairs_of_every_width_are_proved) {
  for (const char* type : {"s4", "u2", "u1", "f4e2m1fn"}) {
    const std::string name = type;
    const std::string bits = name == "u2" ? "2" : name == "u1" ? "1" : "4";
    const std::vector<std::string> layouts = {"{1,0}",
                                              "{0,1}",
                                              "{1,0:E(" + bits + ")}",
                                              "{0,1:E(" + bits + ")}",
                                              "{1,0:T(8,16)E(" + bits + ")}",
                                              "{1,0:T(3,5)(2,1)E(" + bits + ")}"};
    for (const std::string& from : layouts) {
      for (const std::string& to : layouts) {
        const auto proof = prove(layout(name + "[13,37]" + from), layout(name + "[13,37]" + to));
        ASSERT_TRUE(proof) << from << " to " << to << ": " << proof.error().message;
        EXPECT_TRUE(proof->ok) << name << from << " to " << to << ": " << proof->message;
      }
    }
  }
}

TEST(Packed, what_moves_whole_bytes_refuses_them) {
  const Layout from = layout("s4[8,9]{1,0:E(4)}");
  const Layout to = layout("s4[8,9]{0,1:E(4)}");
  EXPECT_FALSE(loop_dimensions(from, to));
  std::vector<std::byte> input(36);
  std::vector<std::byte> output(36);
  EXPECT_EQ(run_interpreter(from, to, input, output, Interpreter::kScalar).error().code,
            ErrorCode::kUnsupported);
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
