#pragma once

#include <string>
#include <vector>

namespace relayout::cli {

using Row = std::vector<std::string>;

/// A title over rows of cells, the first row being the heading.
struct Table {
  std::string title;  ///< may be empty
  std::vector<Row> rows;
};

/// Columns as wide as their widest cell, two blanks between them; figures to the right, words to the left.
std::string to_text(const Table& table);

/// A table of GitHub's Markdown, its title a heading of the second level.
std::string to_markdown(const Table& table);

}  // namespace relayout::cli
