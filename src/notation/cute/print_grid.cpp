// CuTe's printed tables. Offsets are those of (row, column) coordinates, modes of more than one integer taken
// as 1-D.

#include <algorithm>

#include "relayout/cute/text.hpp"
#include "src/layout/memory_guard.hpp"

namespace relayout::cute {
namespace {

/// A layout as a table: its offsets column by column.
struct Table {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<std::int64_t> offsets;
  std::int64_t at(std::int64_t row, std::int64_t column) const {
    return offsets[static_cast<std::size_t>(row + column * rows)];
  }
};

const Layout& domain_of(const AnyLayout& layout) {
  if (const auto* plain = std::get_if<Layout>(&layout)) return *plain;
  return std::get<ComposedLayout>(layout).inner();
}

Result<std::vector<std::int64_t>> listed_offsets(const AnyLayout& layout) {
  if (domain_of(layout).size() > kMaximumPrintedCells) {
    return Error{ErrorCode::kUnsupported, "layout " + to_string(layout) + " has " +
                                              std::to_string(domain_of(layout).size()) +
                                              " elements, more than are printed"};
  }
  return std::visit([](const auto& any) { return any.offsets(); }, layout);
}

Result<Table> table_of(const AnyLayout& layout) {
  const Layout& domain = domain_of(layout);
  if (domain.rank() != 2) {
    return Error{ErrorCode::kBadArgument, "layout " + to_string(layout) + " has rank " +
                                              std::to_string(domain.rank()) + ", a table needs rank 2"};
  }
  auto offsets = listed_offsets(layout);
  if (!offsets) return offsets.error();
  return Table{domain.mode(0).size(), domain.mode(1).size(), std::move(*offsets)};
}

/// `value` in at least `width` characters, blanks in front.
std::string right_aligned(std::int64_t value, std::size_t width) {
  const std::string digits = std::to_string(value);
  return std::string(width - std::min(width, digits.size()), ' ') + digits;
}

/// Four blanks, then `cell` for every column, then `end`.
std::string ruled_line(const Table& table, const std::string& cell, const char* end) {
  std::string line(4, ' ');
  for (std::int64_t column = 0; column < table.columns; ++column) line += cell;
  return line + end;
}

std::string data_line(const Table& table, std::int64_t row, std::size_t width) {
  std::string line = right_aligned(row, 2) + "  ";
  for (std::int64_t column = 0; column < table.columns; ++column) {
    line += "| " + right_aligned(table.at(row, column), width) + ' ';
  }
  return line + "|\n";
}

}  // namespace

Result<std::string> print_layout(const AnyLayout& layout) {
  return layout::without_exceptions([&]() -> Result<std::string> {
    const auto table = table_of(layout);
    if (!table) return table.error();
    const std::size_t width = std::to_string(domain_of(layout).cosize()).size();
    const std::string rule = ruled_line(*table, '+' + std::string(width + 2, '-'), "+\n");
    std::string text = to_string(layout) + "\n    ";
    for (std::int64_t column = 0; column < table->columns; ++column) {
      text += "  " + right_aligned(column, width) + ' ';
    }
    text += '\n';
    for (std::int64_t row = 0; row < table->rows; ++row) text += rule + data_line(*table, row, width);
    return text + rule;
  });
}

Result<std::string> print_1d(const AnyLayout& layout) {
  return layout::without_exceptions([&]() -> Result<std::string> {
    const auto offsets = listed_offsets(layout);
    if (!offsets) return offsets.error();
    std::string text;
    for (const std::int64_t offset : *offsets) {
      if (!text.empty()) text += ' ';
      text += std::to_string(offset);
    }
    return text + '\n';
  });
}

Result<std::string> print_2d(const AnyLayout& layout) {
  return layout::without_exceptions([&]() -> Result<std::string> {
    const auto table = table_of(layout);
    if (!table) return table.error();
    std::string text;
    for (std::int64_t row = 0; row < table->rows; ++row) {
      for (std::int64_t column = 0; column < table->columns; ++column) {
        text += right_aligned(table->at(row, column), 3) + ' ';
      }
      text += '\n';
    }
    return text;
  });
}

}  // namespace relayout::cute
