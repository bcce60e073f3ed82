#include "src/cli/fill_value.hpp"

#include <algorithm>
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

/// Bits of a floating-point type of 16 bits; g++ 12 has no such type in C++.
struct SmallFloat {
  int exponent_bits;
  int fraction_bits;
};
constexpr SmallFloat kHalf{5, 10};
constexpr SmallFloat kBfloat16{8, 7};

/// `value` rounded to nearest, ties to even, once: by way of float it would be rounded twice.
std::uint16_t bits_of(double value, const SmallFloat& type) {
  const int sign = std::signbit(value) ? 0x8000 : 0;
  const int infinity = ((1 << type.exponent_bits) - 1) << type.fraction_bits;
  const int largest_exponent = (1 << (type.exponent_bits - 1)) - 1;
  const int smallest_exponent = 1 - largest_exponent;
  const double magnitude = std::fabs(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | infinity | 1 << (type.fraction_bits - 1));
  if (magnitude == 0) return static_cast<std::uint16_t>(sign);
  const int exponent = std::max(std::ilogb(magnitude), smallest_exponent);
  if (exponent > largest_exponent) return static_cast<std::uint16_t>(sign | infinity);
  // What rounds up to the next power of two carries into the exponent, up to infinity.
  const auto units = static_cast<int>(std::nearbyint(std::ldexp(magnitude, type.fraction_bits - exponent)));
  return static_cast<std::uint16_t>(sign + ((exponent - smallest_exponent) << type.fraction_bits) + units);
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
  if (name == "f16") return element_of(bits_of(value, kHalf), 2);
  if (name == "bf16") return element_of(bits_of(value, kBfloat16), 2);
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

std::vector<std::byte> big_endian(std::vector<std::byte> element, const ElementType& type) {
  const bool is_complex = type.name().front() == 'c';
  const auto middle = element.begin() + static_cast<std::ptrdiff_t>(element.size() / 2);
  if (is_complex) std::reverse(element.begin(), middle);
  std::reverse(is_complex ? middle : element.begin(), element.end());
  return element;
}

}  // namespace relayout::cli
