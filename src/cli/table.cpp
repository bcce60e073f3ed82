#include "src/cli/table.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace relayout::cli {
namespace {

bool is_figure(const std::string& cell) {
  return std::all_of(cell.begin(), cell.end(), [](unsigned char character) {
    return std::isdigit(character) != 0 ||
           std::string_view(".-~%").find(static_cast<char>(character)) != std::string_view::npos;
  });
}

/// Whether all cells below the heading are figures.
std::vector<bool> figure_columns(const std::vector<Row>& rows) {
  std::vector<bool> figures(rows.front().size(), rows.size() > 1);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < figures.size(); ++k) figures[k] = figures[k] && is_figure(rows[i][k]);
  }
  return figures;
}

std::vector<std::size_t> column_widths(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  return widths;
}

std::string with_escaped_bars(const std::string& cell) {
  std::string text;
  for (const char character : cell) text += character == '|' ? "\\|" : std::string(1, character);
  return text;
}

std::string markdown_line(const Row& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + with_escaped_bars(cell) + " |";
  return line + "\n";
}

}  // namespace

std::string to_text(const Table& table) {
  const std::vector<bool> figures = figure_columns(table.rows);
  const std::vector<std::size_t> widths = column_widths(table.rows);
  std::string text = table.title.empty() ? "" : table.title + "\n";
  for (const Row& row : table.rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += figures[i] ? fmt::format("{:>{}}  ", row[i], widths[i])
                         : fmt::format("{:<{}}  ", row[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string to_markdown(const Table& table) {
  Row rule;
  for (const bool figures : figure_columns(table.rows)) rule.emplace_back(figures ? "---:" : "---");
  std::string text = table.title.empty() ? "" : "## " + table.title + "\n\n";
  text += markdown_line(table.rows.front()) + markdown_line(rule);
  for (std::size_t i = 1; i < table.rows.size(); ++i) text += markdown_line(table.rows[i]);
  return text;
}

}  // namespace relayout::cli
