#include "src/cli/wiring_svg.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

#include "src/cli/html_page.hpp"

namespace relayout::cli {
namespace {

/// More cells a step than these are drawn by rows.
constexpr std::int64_t kMaximumCells = 1024;

// Pixels.
constexpr double kTop = 44;
constexpr double kLeft = 62;
constexpr double kMaximumStepWidth = 190;
constexpr double kMinimumStepWidth = 130;  // of the longest instruction's name
constexpr double kDrawingWidth = 1040;
constexpr double kRailWidth = 8;
constexpr double kCellHeight = 4;
constexpr double kRowGap = 7;

std::string colour(std::int64_t row, std::int64_t rows) {
  return fmt::format("hsl({:.0f},62%,50%)", 210 + 300.0 * static_cast<double>(row) /
                                                      static_cast<double>(std::max<std::int64_t>(1, rows)));
}

class WiringDrawing {
 public:
  explicit WiringDrawing(const Wiring& wiring) : wiring_(wiring) {
    rows_ = wiring.source_rows;
    for (const Wiring::Step& step : wiring.steps) rows_ = std::max(rows_, step.rows);
    by_cell_ = rows_ * wiring.columns <= kMaximumCells;
  }

  std::string run() {
    std::vector<std::int64_t> origins;  // of the cells before a step: the row that they come from
    for (std::int64_t row = 0; row < wiring_.source_rows; ++row)
      origins.insert(origins.end(), static_cast<std::size_t>(wiring_.columns), row);
    rails(0, wiring_.source_rows);
    for (std::size_t i = 0; i < wiring_.steps.size(); ++i) {
      draw_step(i, origins);
      rails(i + 1, wiring_.steps[i].rows);
    }
    const double width = x_of(wiring_.steps.size()) + kRailWidth + 52;
    const double height = kTop + static_cast<double>(rows_) * row_height() + 8;
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 "
        "{0:.0f} "
        "{1:.0f}\" role=\"img\">\n<title>Elements between registers</title>\n{2}</svg>\n",
        width, height, body_);
  }

 private:
  double row_height() const {
    return by_cell_ ? static_cast<double>(wiring_.columns) * kCellHeight + kRowGap : 13;
  }
  double x_of(std::size_t column) const {
    const double fitting = kDrawingWidth / static_cast<double>(wiring_.steps.size());
    return kLeft + static_cast<double>(column) * std::clamp(fitting, kMinimumStepWidth, kMaximumStepWidth);
  }
  double y_of(std::int64_t cell) const {
    const auto row = static_cast<double>(cell / wiring_.columns);
    const auto column = static_cast<double>(cell % wiring_.columns);
    return kTop + row * row_height() + (by_cell_ ? (column + 0.5) * kCellHeight : row_height() / 2);
  }

  /// The registers or pieces between two steps.
  void rails(std::size_t column, std::int64_t rows) {
    for (std::int64_t row = 0; row < rows; ++row) {
      const double y = kTop + static_cast<double>(row) * row_height();
      body_ += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{:.1f}\" rx=\"2\" fill=\"{}\"/>\n",
          x_of(column), y, kRailWidth, row_height() - (by_cell_ ? kRowGap : 3),
          column == 0 ? colour(row, rows) : "#8c959f");
      const bool first = column == 0;
      if (!first && column != wiring_.steps.size()) continue;
      body_ += fmt::format("<text class=\"soft\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n",
                           first ? x_of(column) - 8 : x_of(column) + kRailWidth + 8, y + row_height() / 2 + 2,
                           first ? "end" : "start", row);
    }
  }

  void draw_step(std::size_t index, std::vector<std::int64_t>& origins) {
    const Wiring::Step& step = wiring_.steps[index];
    const double middle = (x_of(index) + kRailWidth + x_of(index + 1)) / 2;
    body_ += fmt::format(
        "<text x=\"{0:.1f}\" y=\"17\" text-anchor=\"middle\">{1}</text>\n<text class=\"soft\" x=\"{0:.1f}\" "
        "y=\"33\" "
        "text-anchor=\"middle\">{2} instructions</text>\n",
        middle, escaped(step.instruction), step.instructions);
    std::map<std::int64_t, std::string> paths;  // by origin
    std::set<std::pair<std::int64_t, std::int64_t>> drawn;
    std::vector<std::int64_t> next(step.from.size(), -1);
    for (std::size_t to = 0; to < step.from.size(); ++to) {
      const std::int64_t from = step.from[to];
      if (from < 0 || static_cast<std::size_t>(from) >= origins.size()) continue;
      next[to] = origins[static_cast<std::size_t>(from)];
      const auto cell = static_cast<std::int64_t>(to);
      if (!by_cell_ && !drawn.insert({from / wiring_.columns, cell / wiring_.columns}).second) continue;
      const double start = x_of(index) + kRailWidth;
      paths[next[to]] +=
          fmt::format("M{:.0f} {:.1f}C{:.0f} {:.1f} {:.0f} {:.1f} {:.0f} {:.1f}", start, y_of(from), middle,
                      y_of(from), middle, y_of(cell), x_of(index + 1), y_of(cell));
    }
    for (const auto& [origin, path] : paths) {
      body_ += fmt::format("<path class=\"wire\" stroke=\"{}\" d=\"{}\"/>\n",
                           colour(origin, wiring_.source_rows), path);
    }
    origins = std::move(next);
  }

  const Wiring& wiring_;
  std::int64_t rows_ = 0;
  bool by_cell_ = true;
  std::string body_;
};

}  // namespace

std::string wiring_svg(const Wiring& wiring) {
  return WiringDrawing(wiring).run();
}

}  // namespace relayout::cli
