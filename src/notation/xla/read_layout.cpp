// XLA's parser ignores what the readers of single attributes answer and only looks at where they stopped, so
// that `{1,0:E(4}` and `{1,0:T}` are layouts. The same is done here, except where the caller is strict: a
// fault inside an attribute is remembered, and told if the layout as a whole is refused.

#include "src/notation/xla/read_layout.hpp"

#include <array>
#include <limits>
#include <utility>

namespace relayout::xla {
namespace {

constexpr std::array<std::string_view, 6> kPaddingNames = {"INVALID", "ZERO",    "ONE",
                                                           "LOWEST",  "HIGHEST", "UNKNOWN"};

std::string at(const Token& token) {
  return " at position " + std::to_string(token.position);
}

bool is_integral(std::string_view type) {
  return type.size() >= 2 && (type[0] == 's' || type[0] == 'u');
}

class LayoutReader {
 public:
  LayoutReader(Lexer& lexer, bool strict) : lexer_(lexer), strict_(strict) {}
  /// Call once.
  Result<ArrayLayout> read();

 private:
  Status read_attributes();
  /// Reads the attribute `name` if it comes next.
  Status read_attribute(std::string_view name, Status (LayoutReader::*reader)());
  Status read_tail_padding();
  Status read_element_bits() { return read_integer_attribute(layout_.element_bits); }
  Status read_index_types();
  Status read_levels();
  Status read_level();
  Status read_tiles();
  Status read_tile_entry();
  Status read_integer_attribute(std::int64_t& value);
  Status read_index_type(std::string& type);
  Status read_memory_space();
  Status read_metadata_prefix();
  Status read_splits();
  Status read_split();
  Status read_padding();
  Status read_padding_value();

  bool take_word(std::string_view word);
  /// A list's items up to `end`, comma separated; the opening symbol has been taken.
  Status read_list(char end, Status (LayoutReader::*item)());
  /// A fault inside an attribute: an error for the strict, else remembered.
  Status tolerate(const Status& status);
  /// What XLA reads by oversight.
  Status oversight(const std::string& message);
  /// What makes XLA's process abort once the layout is complete.
  void doom(const std::string& message);
  Result<std::int64_t> integer(std::string_view what);

  Lexer& lexer_;
  bool strict_;
  ArrayLayout layout_;
  std::optional<Error> first_fault_;
  std::optional<Error> doom_;
};

bool LayoutReader::take_word(std::string_view word) {
  if (!lexer_.at_word(word)) return false;
  lexer_.advance();
  return true;
}

Status LayoutReader::tolerate(const Status& status) {
  if (status || strict_) return status;
  if (!first_fault_) first_fault_ = status.error();
  return {};
}

Status LayoutReader::oversight(const std::string& message) {
  return tolerate(Error{ErrorCode::kSyntax, message});
}

void LayoutReader::doom(const std::string& message) {
  if (!doom_) doom_ = Error{ErrorCode::kInvalidLayout, message};
}

Result<std::int64_t> LayoutReader::integer(std::string_view what) {
  const Token token = lexer_.current();
  if (token.wrapped) {
    const auto status = oversight("expected " + std::string(what) + " below 2^63" + at(token));
    if (!status) return status.error();
  }
  return lexer_.integer(what);
}

Status LayoutReader::read_list(char end, Status (LayoutReader::*item)()) {
  if (lexer_.take(end)) return {};
  do {
    if (auto status = (this->*item)(); !status) return status;
  } while (lexer_.take(','));
  if (lexer_.take(end)) return {};
  return lexer_.expected("',' or '" + std::string(1, end) + "'");
}

/// One level type of a sparse array: read and dropped.
Status LayoutReader::read_level() {
  const Token token = lexer_.current();
  const bool dense = lexer_.at_word("D");
  if (!dense && !lexer_.at_word("C") && !lexer_.at_word("S") && !lexer_.at_word("H")) {
    return lexer_.expected("a dimension level type (D, C, S or H)");
  }
  lexer_.advance();
  const bool not_unique = lexer_.take('+');
  const bool not_ordered = lexer_.take('~');
  if (dense && !not_unique && !not_ordered) return {};
  return oversight("expected a dense level (D)" + at(token) + ": arrays are not sparse");
}

Status LayoutReader::read_levels() {
  if (auto status = lexer_.expect('('); !status) return status;
  return read_list(')', &LayoutReader::read_level);
}

Status LayoutReader::read_tile_entry() {
  const Token token = lexer_.current();
  if (lexer_.take('*')) {
    layout_.tiles.back().push_back(kCombine);
    return {};
  }
  const auto entry = integer("a tile size or '*'");
  if (!entry) return entry.error();
  if (*entry == kCombine) {
    if (auto status = oversight("expected '*' for a combined dimension" + at(token)); !status) return status;
  } else if (*entry < 0) {
    doom("expected a positive tile size" + at(token) + ", found '" + std::string(token.text) + "'");
  }
  layout_.tiles.back().push_back(*entry);
  return {};
}

Status LayoutReader::read_tiles() {
  do {
    layout_.tiles.emplace_back();
    if (auto status = lexer_.expect('('); !status) return status;
    if (auto status = read_list(')', &LayoutReader::read_tile_entry); !status) return status;
  } while (lexer_.at_symbol('('));
  return {};
}

Status LayoutReader::read_integer_attribute(std::int64_t& value) {
  if (auto status = lexer_.expect('('); !status) return status;
  const auto read = integer("an integer");
  if (!read) return read.error();
  value = *read;
  return lexer_.expect(')');
}

/// `(u32)` after # or *. XLA looks for each of the three tokens whether or not the one before was there.
Status LayoutReader::read_index_type(std::string& type) {
  if (auto status = tolerate(lexer_.expect('(')); !status) return status;
  const Token token = lexer_.current();
  const bool known = token.kind == TokenKind::kWord &&
                     (ElementType::parse(token.text) || token.text == "token" || token.text == "opaque");
  if (known) {
    type = is_integral(token.text) ? std::string(token.text) : "invalid";
    lexer_.advance();
  }
  if (!known || type.front() != 'u') {
    const Error fault{ErrorCode::kSyntax, "expected an unsigned integer type" + at(token)};
    if (auto status = tolerate(fault); !status) return status;
  }
  return tolerate(lexer_.expect(')'));
}

/// XLA keeps the number in a signed byte.
Status LayoutReader::read_memory_space() {
  const Token token = lexer_.following();
  std::int64_t space = 0;
  if (auto status = tolerate(read_integer_attribute(space)); !status) return status;
  layout_.memory_space = static_cast<std::int8_t>(space);
  if (space >= 0 && space <= std::numeric_limits<std::int8_t>::max()) return {};
  return oversight("expected a memory space from 0 to 127" + at(token));
}

Status LayoutReader::read_metadata_prefix() {
  const Token token = lexer_.following();
  if (auto status = tolerate(read_integer_attribute(layout_.metadata_prefix_bytes)); !status) return status;
  if (layout_.metadata_prefix_bytes >= 0) return {};
  return oversight("expected a number of bytes, 0 or more," + at(token));
}

Status LayoutReader::read_split() {
  const auto point = integer("a split point");
  if (!point) return point.error();
  layout_.split_configs.back().split_points.push_back(*point);
  return {};
}

Status LayoutReader::read_splits() {
  do {
    if (auto status = lexer_.expect('('); !status) return status;
    const auto dimension = integer("a physical dimension");
    if (!dimension) return dimension.error();
    layout_.split_configs.push_back({*dimension, {}});
    if (auto status = lexer_.expect(':'); !status) return status;
    if (lexer_.at_symbol(')')) {
      if (auto status = tolerate(lexer_.expected("a split point")); !status) return status;
    }
    if (auto status = read_list(')', &LayoutReader::read_split); !status) return status;
  } while (lexer_.at_symbol('('));
  return {};
}

Status LayoutReader::read_padding_value() {
  for (std::size_t i = 0; i < kPaddingNames.size(); ++i) {
    if (!take_word(kPaddingNames[i])) continue;
    layout_.padding_value = static_cast<PaddingValue>(i);
    return {};
  }
  return lexer_.expected("INVALID, ZERO, ONE, LOWEST, HIGHEST or UNKNOWN");
}

/// `(3,5)=ZERO` after PAD: not XLA's text form, so nothing is tolerated.
Status LayoutReader::read_padding() {
  if (auto status = lexer_.expect('('); !status) return status;
  do {
    const auto extent = lexer_.integer("a padded extent");
    if (!extent) return extent.error();
    layout_.padded_dimensions.push_back(*extent);
  } while (lexer_.take(','));
  if (!lexer_.take(')')) return lexer_.expected("',' or ')'");
  if (!lexer_.take('=')) return {};
  return read_padding_value();
}

Status LayoutReader::read_index_types() {
  if (lexer_.take('#')) {
    if (auto status = read_index_type(layout_.index_type); !status) return status;
  }
  if (!lexer_.take('*')) return {};
  return read_index_type(layout_.pointer_type);
}

Status LayoutReader::read_tail_padding() {
  const Token token = lexer_.following();
  if (auto status = tolerate(read_integer_attribute(layout_.tail_padding_alignment)); !status) return status;
  if (layout_.tail_padding_alignment < 1) doom("expected a tail padding alignment of 1 or more" + at(token));
  return {};
}

Status LayoutReader::read_attribute(std::string_view name, Status (LayoutReader::*reader)()) {
  return take_word(name) ? tolerate((this->*reader)()) : Status();
}

Status LayoutReader::read_attributes() {
  if (auto status = read_attribute("D", &LayoutReader::read_levels); !status) return status;
  if (auto status = read_attribute("T", &LayoutReader::read_tiles); !status) return status;
  if (auto status = read_attribute("L", &LayoutReader::read_tail_padding); !status) return status;
  if (auto status = read_index_types(); !status) return status;
  if (auto status = read_attribute("E", &LayoutReader::read_element_bits); !status) return status;
  if (auto status = read_attribute("S", &LayoutReader::read_memory_space); !status) return status;
  if (auto status = read_attribute("SC", &LayoutReader::read_splits); !status) return status;
  if (lexer_.at_word("P")) {
    return lexer_.expected("no physical shape P, which belongs to sparse arrays,");
  }
  if (auto status = read_attribute("M", &LayoutReader::read_metadata_prefix); !status) return status;
  return take_word("PAD") ? read_padding() : Status();
}

Result<ArrayLayout> LayoutReader::read() {
  if (auto status = lexer_.expect('{'); !status) return status.error();
  if (lexer_.current().kind == TokenKind::kInteger) {
    layout_.minor_to_major.reserve(kUsualRank);
    do {
      const auto dimension = lexer_.integer("a dimension number");
      if (!dimension) return dimension.error();
      layout_.minor_to_major.push_back(*dimension);
    } while (lexer_.take(','));
  }
  if (lexer_.take(':')) {
    if (auto status = read_attributes(); !status) return status.error();
  }
  if (!lexer_.take('}')) {
    if (first_fault_) return *first_fault_;
    return lexer_.expected("'}' or the next attribute (D T L # * E S SC P M PAD, in this order)");
  }
  if (doom_) return *doom_;
  return std::move(layout_);
}

}  // namespace

Result<ArrayLayout> read_layout(Lexer& lexer, ParseOptions options) {
  return LayoutReader(lexer, options.strict).read();
}

std::string to_string(PaddingValue value) {
  return std::string(kPaddingNames[static_cast<std::size_t>(value)]);
}

}  // namespace relayout::xla
