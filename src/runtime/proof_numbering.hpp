#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace relayout::runtime {

/// What the destination has to hold, byte for byte.
struct ExpectedMap {
  /// For each destination element its source element, or -1 for padding (interpret::source_of_destination).
  std::span<const std::int64_t> source_of_destination;
  std::int64_t element_bytes = 1;
  std::int64_t source_bytes = 0;
  /// One element's bytes that padding must hold (zeros if empty); nothing if padding must stay as it was.
  std::optional<std::vector<std::byte>> fill = std::vector<std::byte>{};

  std::int64_t destination_bytes() const {
    return static_cast<std::int64_t>(source_of_destination.size()) * element_bytes;
  }
};

/// The bytes of the source numbered from 0, eight bits of the number at a time: level l holds bits [8l, 8l +
/// 8). Two different source bytes differ in some level, so a destination that is right in all levels is
/// right.
class ByteNumbering {
 public:
  explicit ByteNumbering(ExpectedMap map) : map_(std::move(map)) {}

  const ExpectedMap& map() const noexcept { return map_; }
  /// At least 1.
  int levels() const noexcept;
  /// Source bytes of a level. \pre `source` has map().source_bytes bytes
  void write_source(int level, std::byte* source) const;
  /// Destination bytes of a level; `untouched` where the destination must stay as it was.
  void write_expected(int level, std::byte untouched, std::byte* destination) const;

 private:
  ExpectedMap map_;
};

}  // namespace relayout::runtime
