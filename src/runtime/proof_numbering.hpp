#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/interpret/packed_element.hpp"

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

/// What a source holds in order to be told apart, and what the destination has to hold then. A number is
/// written piece by piece, one a level; a destination that is right in all levels is right.
class Numbering {
 public:
  virtual ~Numbering() = default;
  virtual std::int64_t source_bytes() const noexcept = 0;
  virtual std::int64_t destination_bytes() const noexcept = 0;
  /// Whether every destination byte gets written.
  virtual bool fills() const noexcept = 0;
  /// At least 1.
  virtual int levels() const noexcept = 0;
  /// Source bytes of a level. \pre `source` has source_bytes() bytes
  virtual void write_source(int level, std::byte* source) const = 0;
  /// Destination bytes of a level; `untouched` where the destination must stay as it was.
  virtual void write_expected(int level, std::byte untouched, std::byte* destination) const = 0;
  /// What a destination byte holds in a level, for people.
  virtual std::string describe(std::int64_t destination_byte, int level) const = 0;
};

/// The bytes of the source numbered from 0, eight bits of the number at a time: level l holds bits [8l, 8l +
/// 8). Two different source bytes differ in some level, so a destination that is right in all levels is
/// right.
class ByteNumbering final : public Numbering {
 public:
  explicit ByteNumbering(ExpectedMap map) : map_(std::move(map)) {}

  std::int64_t source_bytes() const noexcept override { return map_.source_bytes; }
  std::int64_t destination_bytes() const noexcept override { return map_.destination_bytes(); }
  bool fills() const noexcept override { return map_.fill.has_value(); }
  int levels() const noexcept override;
  void write_source(int level, std::byte* source) const override;
  void write_expected(int level, std::byte untouched, std::byte* destination) const override;
  std::string describe(std::int64_t destination_byte, int level) const override;

 private:
  ExpectedMap map_;
};

/// How elements narrower than a byte lie, and what the destination has to hold.
struct PackedMap {
  std::span<const std::int64_t> source_of_destination;  ///< as ExpectedMap's
  interpret::PackedWidths widths;
  std::int64_t source_bytes = 0;
  std::int64_t destination_bytes = 0;
  /// What bytes of padding hold; nothing if padding must stay as it was.
  std::optional<std::uint8_t> fill_byte;
};

/// The bits of the source numbered from 0, one bit of the number a level.
class BitNumbering final : public Numbering {
 public:
  explicit BitNumbering(PackedMap map) : map_(map) {}

  std::int64_t source_bytes() const noexcept override { return map_.source_bytes; }
  std::int64_t destination_bytes() const noexcept override { return map_.destination_bytes; }
  bool fills() const noexcept override { return map_.fill_byte.has_value(); }
  int levels() const noexcept override;
  void write_source(int level, std::byte* source) const override;
  void write_expected(int level, std::byte untouched, std::byte* destination) const override;
  std::string describe(std::int64_t destination_byte, int level) const override;

 private:
  PackedMap map_;
};

}  // namespace relayout::runtime
