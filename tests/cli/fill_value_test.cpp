#include "src/cli/fill_value.hpp"

#include <cstring>

#include <gtest/gtest.h>

namespace relayout::cli {
namespace {

/// The element's bits as a number, or nothing if the text is refused.
std::optional<std::uint64_t> bits(const char* text, const char* type) {
  const auto element = ElementType::parse(type);
  const auto bytes = fill_bytes(text, *element);
  if (!bytes) return std::nullopt;
  EXPECT_EQ(static_cast<std::int64_t>(bytes->size()), element->storage_bytes());
  std::uint64_t value = 0;
  std::memcpy(&value, bytes->data(), std::min(sizeof value, bytes->size()));
  return value;
}

TEST(FillValue, example) {
  EXPECT_EQ(bits("1.5", "f32"), 0x3fc00000u);
}

TEST(FillValue, half_precision_rounds_to_nearest_even) {
  EXPECT_EQ(bits("1", "f16"), 0x3c00u);
  EXPECT_EQ(bits("-2", "f16"), 0xc000u);
  EXPECT_EQ(bits("0.1", "f16"), 0x2e66u);
  EXPECT_EQ(bits("65504", "f16"), 0x7bffu);
  EXPECT_EQ(bits("65520", "f16"), 0x7c00u);
  EXPECT_EQ(bits("2049", "f16"), 0x6800u);
  EXPECT_EQ(bits("5.9604644775390625e-8", "f16"), 0x0001u);
  EXPECT_EQ(bits("6.103515625e-5", "f16"), 0x0400u);
  EXPECT_EQ(bits("-0", "f16"), 0x8000u);
  EXPECT_EQ(bits("nan", "f16"), 0x7e00u);
}

TEST(FillValue, bfloat16_is_the_upper_half_of_a_float) {
  EXPECT_EQ(bits("1", "bf16"), 0x3f80u);
  EXPECT_EQ(bits("3.14159265", "bf16"), 0x4049u);
  EXPECT_EQ(bits("nan", "bf16"), 0x7fc0u);
  EXPECT_EQ(bits("-inf", "bf16"), 0xff80u);
}

TEST(FillValue, bfloat16_rounds_once_to_nearest_even) {
  EXPECT_EQ(bits("1.00390625", "bf16"), 0x3f80u);
  EXPECT_EQ(bits("1.00390625000001", "bf16"), 0x3f81u);
  EXPECT_EQ(bits("1.01171875", "bf16"), 0x3f82u);
  EXPECT_EQ(bits("3.3895313892515355e38", "bf16"), 0x7f7fu);
  EXPECT_EQ(bits("3.4e38", "bf16"), 0x7f80u);
  EXPECT_EQ(bits("1e300", "bf16"), 0x7f80u);
  EXPECT_EQ(bits("9.183549615799121e-41", "bf16"), 0x0001u);
  EXPECT_EQ(bits("-0", "bf16"), 0x8000u);
}

TEST(FillValue, big_endian_elements_are_reversed_and_complex_ones_by_halves) {
  const auto real = big_endian(*fill_bytes("1.5", *ElementType::parse("f32")), *ElementType::parse("f32"));
  EXPECT_EQ(real, (std::vector<std::byte>{std::byte{0x3f}, std::byte{0xc0}, std::byte{0}, std::byte{0}}));
  const auto complex = big_endian(*fill_bytes("1.5", *ElementType::parse("c64")), *ElementType::parse("c64"));
  std::vector<std::byte> halves = real;
  halves.resize(8);
  EXPECT_EQ(complex, halves);
}

TEST(FillValue, wide_floats_and_complex_numbers) {
  EXPECT_EQ(bits("-0.5", "f64"), 0xbfe0000000000000u);
  EXPECT_EQ(bits("2.5", "c64"), 0x40200000u);
  EXPECT_EQ(bits("1", "c128"), 0x3ff0000000000000u);
}

TEST(FillValue, integers_have_to_fit) {
  EXPECT_EQ(bits("-1", "s8"), 0xffu);
  EXPECT_EQ(bits("255", "u8"), 255u);
  EXPECT_EQ(bits("-32768", "s16"), 0x8000u);
  EXPECT_EQ(bits("18446744073709551615", "u64"), UINT64_MAX);
  EXPECT_EQ(bits("128", "s8"), std::nullopt);
  EXPECT_EQ(bits("256", "u8"), std::nullopt);
  EXPECT_EQ(bits("-1", "u8"), std::nullopt);
  EXPECT_EQ(bits("1.5", "s32"), std::nullopt);
}

TEST(FillValue, truth_values) {
  EXPECT_EQ(bits("true", "pred"), 1u);
  EXPECT_EQ(bits("false", "pred"), 0u);
  EXPECT_EQ(bits("2", "pred"), std::nullopt);
}

TEST(FillValue, any_type_takes_its_bits) {
  EXPECT_EQ(bits("0x7fc00001", "f32"), 0x7fc00001u);
  EXPECT_EQ(bits("0xff", "s8"), 0xffu);
  EXPECT_EQ(bits("0x100", "s8"), std::nullopt);
  EXPECT_EQ(bits("0x", "f32"), std::nullopt);
}

TEST(FillValue, errors_name_value_and_type) {
  const auto refused = fill_bytes("seven", *ElementType::parse("f32"));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "fill: \"seven\" is no value of f32");
}

}  // namespace
}  // namespace relayout::cli
