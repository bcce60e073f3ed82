#include "src/runtime/padding_value.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace relayout::runtime {
namespace {

/// The bit patterns of 1, of the lowest and of the highest value (infinities where a type has them).
struct Extremes {
  std::uint64_t one = 0;
  std::uint64_t lowest = 0;
  std::uint64_t highest = 0;
};

std::optional<Extremes> integer_extremes(std::string_view name, int bits) {
  if (name == "pred") return Extremes{1, 0, 1};
  if (name.size() < 2 || name[1] < '0' || name[1] > '9') return std::nullopt;
  const std::uint64_t all = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  if (name[0] == 'u') return Extremes{1, 0, all};
  // Two's complement: a signed integer of one bit holds 0 and -1.
  if (name[0] == 's') return Extremes{1, std::uint64_t{1} << (bits - 1), all >> 1};
  return std::nullopt;
}

/// IEEE 754 and bfloat16: sign, exponent, fraction.
std::optional<Extremes> float_extremes(std::string_view name) {
  if (name == "f16") return Extremes{0x3C00, 0xFC00, 0x7C00};
  if (name == "bf16") return Extremes{0x3F80, 0xFF80, 0x7F80};
  if (name == "f32") return Extremes{0x3F800000, 0xFF800000, 0x7F800000};
  if (name == "f64") return Extremes{0x3FF0000000000000, 0xFFF0000000000000, 0x7FF0000000000000};
  return std::nullopt;
}

std::optional<std::uint64_t> pattern(const ElementType& type, xla::PaddingValue value) {
  auto extremes = float_extremes(type.name());
  if (!extremes) extremes = integer_extremes(type.name(), type.logical_bits());
  if (!extremes) return std::nullopt;
  if (value == xla::PaddingValue::kOne) return extremes->one;
  return value == xla::PaddingValue::kLowest ? extremes->lowest : extremes->highest;
}

}  // namespace

Result<std::vector<std::byte>> padding_value_bytes(const Layout& destination) {
  std::vector<std::byte> bytes;
  if (destination.xla() == nullptr) return bytes;
  const xla::PaddingValue value = destination.xla()->layout.padding_value;
  const bool special = value == xla::PaddingValue::kOne || value == xla::PaddingValue::kLowest ||
                       value == xla::PaddingValue::kHighest;
  if (!special) return bytes;
  const auto bits = pattern(destination.type(), value);
  if (!bits) {
    return Error{ErrorCode::kUnsupported, "padding of " + xla::to_string(value) + " in " +
                                              std::string(destination.type().name()) +
                                              ": give the fill value's bytes"};
  }
  for (std::int64_t i = 0; i < destination.type().storage_bytes(); ++i) {
    bytes.push_back(static_cast<std::byte>(*bits >> (8 * i) & 0xFF));
  }
  return bytes;
}

}  // namespace relayout::runtime
