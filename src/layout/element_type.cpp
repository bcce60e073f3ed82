#include "relayout/element_type.hpp"

#include <algorithm>
#include <array>

namespace relayout {
namespace {

struct TypeEntry {
  std::string_view name;
  int logical_bits;
};

// XLA's names (xla_data.proto, lower case). Types below a byte are stored one to a byte.
constexpr std::array<TypeEntry, 32> kTypes = {{
    {"pred", 1},
    {"s1", 1},
    {"u1", 1},
    {"s2", 2},
    {"u2", 2},
    {"s4", 4},
    {"u4", 4},
    {"s8", 8},
    {"u8", 8},
    {"s16", 16},
    {"u16", 16},
    {"s32", 32},
    {"u32", 32},
    {"s64", 64},
    {"u64", 64},
    {"f4e2m1fn", 4},
    {"f6e2m3fn", 6},
    {"f6e3m2fn", 6},
    {"f8e3m4", 8},
    {"f8e4m3", 8},
    {"f8e4m3fn", 8},
    {"f8e4m3fnuz", 8},
    {"f8e4m3b11fnuz", 8},
    {"f8e5m2", 8},
    {"f8e5m2fnuz", 8},
    {"f8e8m0fnu", 8},
    {"f16", 16},
    {"bf16", 16},
    {"f32", 32},
    {"f64", 64},
    {"c64", 64},
    {"c128", 128},
}};

}  // namespace

Result<ElementType> ElementType::parse(std::string_view name) {
  const auto* entry =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeEntry& type) { return type.name == name; });
  if (entry == kTypes.end()) {
    return Error{ErrorCode::kSyntax, "unknown element type '" + std::string(name) + "'"};
  }
  return ElementType(entry->name, entry->logical_bits);
}

}  // namespace relayout
