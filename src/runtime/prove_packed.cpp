// The proof of packed conversions numbers bits instead of bytes: level l of the source holds bit l of every
// bit's number, so two different source bits differ in some level.

#include <algorithm>
#include <string>
#include <vector>

#include "src/interpret/scalar.hpp"
#include "src/runtime/pair.hpp"
#include "src/runtime/proof_buffer.hpp"
#include "src/runtime/prove.hpp"

namespace relayout::runtime {
namespace {

using Bytes = std::vector<std::byte>;

void set_bit(Bytes& bytes, std::int64_t bit, bool value) {
  std::byte& byte = bytes[static_cast<std::size_t>(bit / 8)];
  const std::byte mask = std::byte{1} << static_cast<int>(bit % 8);
  byte = value ? byte | mask : byte & ~mask;
}

class PackedProof {
 public:
  PackedProof(const CompiledRelayout& compiled, const std::vector<std::int64_t>& map)
      : compiled_(compiled), map_(map), widths_(compiled.packed->widths()) {}

  /// Runs every level with both buffers at either guard, over 0xA5 and over 0x5A.
  Result<Proof> run() {
    auto source = GuardedMemory::allocate(compiled_.source.size_bytes());
    if (!source) return source.error();
    auto destination = GuardedMemory::allocate(compiled_.destination.size_bytes());
    if (!destination) return destination.error();
    for (int level = 0; level < levels(); ++level) {
      for (const auto kind : {Placement::Kind::kEndGuard, Placement::Kind::kFrontGuard}) {
        const std::byte untouched = kind == Placement::Kind::kEndGuard ? std::byte{0xA5} : std::byte{0x5A};
        check(level, untouched, source->buffer({kind, 0}), destination->buffer({kind, 0}));
        if (!proof_.ok) return proof_;
      }
    }
    return proof_;
  }

 private:
  int levels() const {
    int count = 1;
    while ((std::int64_t{1} << count) < compiled_.source.size_bytes() * 8) ++count;
    return count;
  }

  Bytes expected(int level, std::byte untouched) const {
    const auto fill = compiled_.packed->fill_byte();
    Bytes bytes(static_cast<std::size_t>(compiled_.destination.size_bytes()),
                fill ? std::byte{*fill} : untouched);
    for (std::size_t i = 0; i < map_.size(); ++i) {
      if (map_[i] < 0) continue;
      for (int bit = 0; bit < widths_.destination_spacing_bits; ++bit) {
        const std::int64_t from = map_[i] * widths_.source_spacing_bits + bit;
        const bool value = bit < widths_.moved_bits && (from >> level & 1) != 0;
        set_bit(bytes, static_cast<std::int64_t>(i) * widths_.destination_spacing_bits + bit, value);
      }
    }
    return bytes;
  }

  void check(int level, std::byte untouched, std::byte* source, std::byte* destination) {
    Bytes numbered(static_cast<std::size_t>(compiled_.source.size_bytes()));
    for (std::int64_t bit = 0; bit < compiled_.source.size_bytes() * 8; ++bit) {
      set_bit(numbered, bit, (bit >> level & 1) != 0);
    }
    const Bytes wanted = expected(level, untouched);
    std::copy(numbered.begin(), numbered.end(), source);
    std::fill(destination, destination + wanted.size(), untouched);
    for (std::int64_t part = 0; part < 2; ++part) compiled_.run_part(source, destination, part, 2, nullptr);
    ++proof_.runs;
    const auto wrong = std::mismatch(wanted.begin(), wanted.end(), destination);
    if (wrong.first == wanted.end()) return;
    proof_.ok = false;
    proof_.wrong_byte = wrong.first - wanted.begin();
    proof_.stage = "portable interpreter";
    proof_.message = "destination byte " + std::to_string(proof_.wrong_byte) + " is wrong in bit level " +
                     std::to_string(level);
  }

  const CompiledRelayout& compiled_;
  const std::vector<std::int64_t>& map_;
  interpret::PackedWidths widths_;
  Proof proof_{true, compiled_.isa, compiled_.kernel, 0, -1, "", ""};
};

}  // namespace

Result<Proof> prove_packed(const CompiledRelayout& compiled) {
  const auto problem = raw_problem(compiled.source, compiled.destination);
  if (!problem) return problem.error();
  const auto map = interpret::source_of_destination(*problem);
  if (!map) return map.error();
  return PackedProof(compiled, *map).run();
}

}  // namespace relayout::runtime
