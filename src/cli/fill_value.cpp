#include "src/cli/fill_value.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <optional>

namespace relayout::cli {
namespace {

template <class Value>
std::optional<Value> parse_whole(std::string_view text, int base = 10) {
  Value value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> parse_real(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The upper half of a float's bits, rounded to nearest, ties to even.
std::uint16_t bfloat16_bits(double value) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (std::isnan(value)) return static_cast<std::uint16_t>((bits >> 16) | 0x40);
  return static_cast<std::uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

/// 5 bits of exponent, 10 of fraction, rounded to nearest, ties to even; g++ 12 has no type for it in C++.
std::uint16_t half_bits(double value) {
  const int sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7e00);
  if (magnitude >= 65520) return static_cast<std::uint16_t>(sign | 0x7c00);
  if (magnitude == 0) return static_cast<std::uint16_t>(sign);
  const int exponent = std::max(std::ilogb(magnitude), -14);
  const auto units = static_cast<int>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  return static_cast<std::uint16_t>(sign + (exponent + 14) * 1024 + units);
}

/// The lowest `size` bytes of a value, little-endian, with zeros up to `element_bytes`.
template <class Value>
std::vector<std::byte> element_of(const Value& value, std::int64_t element_bytes) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(element_bytes), std::byte{0});
  std::memcpy(bytes.data(), &value, std::min(sizeof value, bytes.size()));
  return bytes;
}

/// Nothing if `type` is no floating-point type whose numbers can be written here.
std::optional<std::vector<std::byte>> real_bytes(double value, const ElementType& type) {
  const std::string_view name = type.name();
  if (name == "f16") return element_of(half_bits(value), 2);
  if (name == "bf16") return element_of(bfloat16_bits(value), 2);
  if (name == "f32" || name == "c64") return element_of(static_cast<float>(value), type.storage_bytes());
  if (name == "f64" || name == "c128") return element_of(value, type.storage_bytes());
  return std::nullopt;
}

bool is_integer_type(const ElementType& type) {
  return type.name() == "pred" || type.name().front() == 's' || type.name().front() == 'u';
}

/// Bits that a value of the type has: those in its name, one for `pred`.
int value_bits(const ElementType& type) {
  if (type.name() == "pred") return 1;
  return parse_whole<int>(type.name().substr(1)).value_or(type.storage_bits());
}

bool fits_signed(std::int64_t value, int bits) {
  return bits >= 64 || (value >= -(std::int64_t{1} << (bits - 1)) && value < (std::int64_t{1} << (bits - 1)));
}

bool fits_unsigned(std::uint64_t value, int bits) {
  return bits >= 64 || value < (std::uint64_t{1} << bits);
}

std::optional<std::vector<std::byte>> integer_bytes(std::string_view text, const ElementType& type) {
  if (text == "true") text = "1";
  if (text == "false") text = "0";
  const int bits = value_bits(type);
  if (type.name().front() == 's') {
    const auto value = parse_whole<std::int64_t>(text);
    if (!value || !fits_signed(*value, bits)) return std::nullopt;
    return element_of(*value, type.storage_bytes());
  }
  const auto value = parse_whole<std::uint64_t>(text);
  if (!value || !fits_unsigned(*value, bits)) return std::nullopt;
  return element_of(*value, type.storage_bytes());
}

std::optional<std::vector<std::byte>> bit_pattern(std::string_view digits, const ElementType& type) {
  const auto bits = parse_whole<std::uint64_t>(digits, 16);
  if (!bits || !fits_unsigned(*bits, type.storage_bits())) return std::nullopt;
  return element_of(*bits, type.storage_bytes());
}

std::optional<std::vector<std::byte>> value_bytes(std::string_view text, const ElementType& type) {
  if (text.starts_with("0x")) return bit_pattern(text.substr(2), type);
  if (is_integer_type(type)) return integer_bytes(text, type);
  const auto value = parse_real(text);
  return value ? real_bytes(*value, type) : std::nullopt;
}

}  // namespace

Result<std::vector<std::byte>> fill_bytes(std::string_view text, const ElementType& type) {
  auto bytes = value_bytes(text, type);
  if (bytes) return *std::move(bytes);
  return Error{ErrorCode::kBadArgument, fmt::format("fill: \"{}\" is no value of {}", text, type.name())};
}

}  // namespace relayout::cli
