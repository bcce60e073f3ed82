// The proof of packed conversions numbers bits instead of bytes: level l of the source holds bit l of every
// bit's number, so two different source bits differ in some level.

#include <algorithm>
#include <bit>

#include "src/runtime/proof_numbering.hpp"

namespace relayout::runtime {
namespace {

void set_bit(std::byte* bytes, std::int64_t bit, bool value) {
  std::byte& byte = bytes[bit / 8];
  const std::byte mask = std::byte{1} << static_cast<int>(bit % 8);
  byte = value ? byte | mask : byte & ~mask;
}

}  // namespace

int BitNumbering::levels() const noexcept {
  const auto largest = static_cast<std::uint64_t>(std::max<std::int64_t>(map_.source_bytes * 8 - 1, 1));
  return static_cast<int>(std::bit_width(largest));
}

void BitNumbering::write_source(int level, std::byte* source) const {
  for (std::int64_t bit = 0; bit < map_.source_bytes * 8; ++bit) {
    set_bit(source, bit, (bit >> level & 1) != 0);
  }
}

void BitNumbering::write_expected(int level, std::byte untouched, std::byte* destination) const {
  const std::byte before = map_.fill_byte ? std::byte{*map_.fill_byte} : untouched;
  std::fill(destination, destination + map_.destination_bytes, before);
  const std::int64_t place_bits = map_.widths.destination_spacing_bits;
  for (std::size_t i = 0; i < map_.source_of_destination.size(); ++i) {
    if (map_.source_of_destination[i] < 0) continue;
    for (std::int64_t bit = 0; bit < place_bits; ++bit) {
      const std::int64_t from = map_.source_of_destination[i] * map_.widths.source_spacing_bits + bit;
      const bool value = bit < map_.widths.moved_bits && (from >> level & 1) != 0;
      set_bit(destination, static_cast<std::int64_t>(i) * place_bits + bit, value);
    }
  }
}

std::string BitNumbering::describe(std::int64_t destination_byte, int level) const {
  const std::int64_t element = destination_byte * 8 / map_.widths.destination_spacing_bits;
  return "bit " + std::to_string(level) + " of the numbers of the source bits of destination element " +
         std::to_string(element) + " and its neighbours";
}

}  // namespace relayout::runtime
