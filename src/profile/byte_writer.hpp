#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace relayout::profile {

/// Builds binary records in the processor's byte order.
class ByteWriter {
 public:
  std::size_t size() const { return bytes_.size(); }
  std::span<const std::uint8_t> bytes() const { return bytes_; }
  std::vector<std::uint8_t> take() { return std::move(bytes_); }

  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    append(&value, sizeof value);
  }
  void put_byte(int value) { bytes_.push_back(static_cast<std::uint8_t>(value)); }
  void put_bytes(std::span<const std::uint8_t> data) { append(data.data(), data.size()); }
  /// The text and a zero byte.
  void put_text(std::string_view text) {
    append(text.data(), text.size());
    put_byte(0);
  }
  /// DWARF's variable-length unsigned number.
  void put_leb(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) put_byte(static_cast<int>(value & 0x7F) | 0x80);
    put_byte(static_cast<int>(value));
  }
  void pad_to(std::size_t multiple, std::uint8_t filler = 0) {
    while (bytes_.size() % multiple != 0) bytes_.push_back(filler);
  }
  template <class T>
  void overwrite(std::size_t position, const T& value) {
    std::memcpy(bytes_.data() + position, &value, sizeof value);
  }

 private:
  void append(const void* data, std::size_t size);

  std::vector<std::uint8_t> bytes_;
};

}  // namespace relayout::profile
