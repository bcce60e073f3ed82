#include "src/cli/npy.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <set>

namespace relayout::cli {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kHeaderAlignment = 64;

Error bad_header(std::string_view why) {
  return {ErrorCode::kSyntax, fmt::format(".npy header: {}", why)};
}

/// Reads the one Python literal that a header is: a dictionary of three entries in any order.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : text_(text) {}

  /// { 'key': value, ... }
  Result<NpyHeader> read() {
    if (!take('{')) return bad_header("expected a dictionary");
    while (!take('}')) {
      if (const Status entry = read_entry(); !entry) return entry.error();
      if (!take(',') && peek() != '}') return bad_header("expected , or }");
    }
    if (keys_.size() != 3) return bad_header("expected descr, fortran_order and shape");
    return header_;
  }

 private:
  Status read_entry() {
    const auto key = quoted();
    if (!key || !take(':')) return bad_header("expected 'key': value");
    if (!keys_.insert(*key).second) return bad_header(fmt::format("'{}' twice", *key));
    if (*key == "descr") return read_descr();
    if (*key == "fortran_order") return read_order();
    if (*key == "shape") return read_shape();
    return bad_header(fmt::format("unknown key '{}'", *key));
  }

  Status read_descr() {
    if (peek() == '[') return Error{ErrorCode::kUnsupported, ".npy type: structured types are not supported"};
    const auto descr = quoted();
    if (!descr) return bad_header("descr is not a string");
    header_.descr = *descr;
    return {};
  }

  Status read_order() {
    header_.fortran_order = take_word("True");
    if (header_.fortran_order || take_word("False")) return {};
    return bad_header("fortran_order is neither True nor False");
  }

  Status read_shape() {
    if (!take('(')) return bad_header("shape is not a tuple");
    while (!take(')')) {
      const auto extent = integer();
      if (!extent) return bad_header("shape holds something else than extents");
      header_.shape.push_back(*extent);
      if (!take(',') && peek() != ')') return bad_header("shape: expected , or )");
    }
    return {};
  }

  std::optional<std::string> quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') return std::nullopt;
    const auto end = text_.find(quote, position_ + 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view inner = text_.substr(position_ + 1, end - position_ - 1);
    position_ = end + 1;
    return std::string(inner);
  }

  std::optional<std::int64_t> integer() {
    skip_blanks();
    std::int64_t value = -1;
    const char* first = text_.data() + position_;
    const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), value);
    if (error != std::errc() || value < 0) return std::nullopt;
    position_ += static_cast<std::size_t>(end - first);
    take('L');  // Python 2 wrote long integers so
    return value;
  }

  bool take_word(std::string_view word) {
    skip_blanks();
    if (text_.substr(position_, word.size()) != word) return false;
    position_ += word.size();
    return true;
  }

  bool take(char character) {
    if (peek() != character) return false;
    ++position_;
    return true;
  }

  char peek() {
    skip_blanks();
    return position_ < text_.size() ? text_[position_] : '\0';
  }

  void skip_blanks() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\n')) ++position_;
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::set<std::string> keys_;  ///< all known
  NpyHeader header_;
};

/// Where the header's text lies in the file.
struct TextExtent {
  std::size_t offset;
  std::size_t size;
};

/// magic, major, minor, then the length of the text in 2 bytes (version 1) or 4 (versions 2 and 3),
/// little-endian.
Result<TextExtent> locate_text(std::span<const std::byte> file) {
  if (file.size() < 12 || std::memcmp(file.data(), kMagic.data(), kMagic.size()) != 0) {
    return Error{ErrorCode::kSyntax, "not a .npy file"};
  }
  const int major = std::to_integer<int>(file[6]);
  if (major < 1 || major > 3) return bad_header(fmt::format("unknown version {}", major));
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  std::size_t size = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) size |= std::to_integer<std::size_t>(file[8 + i]) << (8 * i);
  const std::size_t offset = 8 + length_bytes;
  if (file.size() - offset < size) return bad_header("the file ends within it");
  return TextExtent{offset, size};
}

/// Checks that the file goes on for as long as the shape says.
Status check_size(const NpyHeader& header, std::size_t file_bytes) {
  std::int64_t bytes = header.item_bytes;
  for (const std::int64_t extent : header.shape) {
    if (__builtin_mul_overflow(bytes, extent, &bytes)) return bad_header("the shape is past 64 bits");
  }
  const std::size_t present = file_bytes - header.data_offset;
  if (static_cast<std::size_t>(bytes) == present) return {};
  return bad_header(fmt::format("the shape takes {} bytes, the file has {}", bytes, present));
}

/// What follows the number of bytes: nothing, or the unit of a time, as `[ns]` or `[25us]`. Nothing else may
/// be copied into another header.
bool is_unit(std::string_view text, char kind) {
  if (text.empty()) return true;
  if (kind != 'm' && kind != 'M') return false;
  if (text.size() < 3 || text.front() != '[' || text.back() != ']') return false;
  return std::ranges::all_of(text.substr(1, text.size() - 2), [](char character) {
    return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'z') ||
           (character >= 'A' && character <= 'Z');
  });
}

}  // namespace

Result<std::int64_t> npy_item_bytes(std::string_view descr) {
  const Error unsupported{ErrorCode::kUnsupported, fmt::format(".npy type '{}' is not supported", descr)};
  std::string_view rest = descr;
  if (!rest.empty() && std::string_view("<>|=").find(rest.front()) != std::string_view::npos)
    rest.remove_prefix(1);
  if (rest.empty() || std::string_view("biufcmMSaUV").find(rest.front()) == std::string_view::npos)
    return unsupported;
  const bool is_unicode = rest.front() == 'U';  // counted in characters of 4 bytes
  std::int64_t size = 0;
  const char* const last = rest.data() + rest.size();
  const auto [end, error] = std::from_chars(rest.data() + 1, last, size);
  const bool ends_well = is_unit(std::string_view(end, static_cast<std::size_t>(last - end)), rest.front());
  if (error != std::errc() || size <= 0 || size > INT32_MAX || !ends_well) return unsupported;
  return is_unicode ? 4 * size : size;
}

Result<NpyHeader> parse_npy_header(std::span<const std::byte> file) {
  const auto extent = locate_text(file);
  if (!extent) return extent.error();
  const char* text = reinterpret_cast<const char*>(file.data()) + extent->offset;
  auto header = HeaderReader(std::string_view(text, extent->size)).read();
  if (!header) return header;
  const auto item_bytes = npy_item_bytes(header->descr);
  if (!item_bytes) return item_bytes.error();
  header->item_bytes = *item_bytes;
  header->data_offset = extent->offset + extent->size;
  if (const Status size = check_size(*header, file.size()); !size) return size.error();
  return header;
}

std::string npy_header(std::string_view descr, const Shape& shape) {
  const char* comma = shape.size() == 1 ? "," : "";  // Python's tuple of one
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", descr,
                                 fmt::join(shape, ", "), comma);
  const std::size_t prefix = kMagic.size() + 4;
  while ((prefix + text.size() + 1) % kHeaderAlignment != 0) text += ' ';
  text += '\n';
  std::string header(kMagic);
  header.append({'\x01', '\x00', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)});
  return header + text;
}

}  // namespace relayout::cli
