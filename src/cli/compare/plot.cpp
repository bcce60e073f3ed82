#include "src/cli/compare/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <vector>

#include "src/cli/compare/report.hpp"
#include "src/cli/html_page.hpp"

namespace relayout::cli {
namespace {

constexpr double kLabelWidth = 330;
constexpr double kAxisWidth = 620;
constexpr double kRowHeight = 20;
constexpr double kLegendHeight = 22;
constexpr double kMargin = 16;
constexpr double kMarkRadius = 4.5;

/// Colours that people who see colours differently can tell apart (Okabe and Ito, "Color Universal Design",
/// 2008), the kernel's first.
constexpr std::array kColours = {"#0072b2", "#999999", "#e69f00", "#cc79a7", "#56b4e9",
                                 "#d55e00", "#009e73", "#8b6d00", "#000000", "#7b4fb5"};

/// A contender over all pairs; not every pair has a value for it.
struct Series {
  std::string name;
  std::vector<std::pair<std::size_t, double>> points;  ///< row and rate over memcpy's
};

class SeriesList {
 public:
  void add(const std::string& name, std::size_t row, const Json& over_memcpy) {
    if (!over_memcpy.is_number() || over_memcpy.get<double>() <= 0) return;
    auto found =
        std::find_if(series_.begin(), series_.end(), [&](const Series& one) { return one.name == name; });
    if (found == series_.end()) found = series_.insert(series_.end(), {name, {}});
    found->points.emplace_back(row, over_memcpy.get<double>());
  }
  const std::vector<Series>& all() const { return series_; }

 private:
  std::vector<Series> series_;
};

void add_pair(const Json& pair, std::size_t row, SeriesList& series) {
  const Json& memcpy_gbps = pair["memcpy_gbps"];
  if (!memcpy_gbps.is_number()) return;
  const auto over_memcpy = [&](const char* key) {
    return pair[key].is_number() ? Json(pair[key].get<double>() / memcpy_gbps.get<double>()) : Json(nullptr);
  };
  series.add("JIT", row, pair["jit_over_memcpy"]);
  series.add("streaming copy", row, over_memcpy("streaming_gbps"));
  series.add("naive loop", row, over_memcpy("naive_gbps"));
  series.add("vectorised interpreter", row, over_memcpy("vectorised_gbps"));
  series.add("scalar interpreter", row, over_memcpy("interpreted_gbps"));
  if (!pair.contains("peers")) return;
  for (const Json& peer : pair["peers"])
    series.add(peer["name"].get<std::string>(), row, peer["over_memcpy"]);
}

/// Powers of two that hold every point and 1.
struct Axis {
  int lowest = -1;
  int highest = 1;

  double place(double value) const {
    return kMargin + kLabelWidth + kAxisWidth * (std::log2(value) - lowest) / (highest - lowest);
  }
};

Axis axis_of(const std::vector<Series>& series) {
  Axis axis;
  for (const Series& one : series) {
    for (const auto& [row, value] : one.points) {
      axis.lowest = std::min(axis.lowest, static_cast<int>(std::floor(std::log2(value))));
      axis.highest = std::max(axis.highest, static_cast<int>(std::ceil(std::log2(value))));
    }
  }
  return axis;
}

/// Where things are, from top to bottom: legend, rows, the axis' figures.
struct Frame {
  Axis axis;
  std::size_t rows = 0;
  double top = 0;  ///< of the first row

  double row_middle(std::size_t row) const { return top + kRowHeight * (static_cast<double>(row) + 0.5); }
  double bottom() const { return top + kRowHeight * static_cast<double>(rows); }
  double width() const { return 2 * kMargin + kLabelWidth + kAxisWidth; }
  double height() const { return bottom() + 2 * kRowHeight + kMargin; }
};

const char* colour_of(std::size_t series) {
  return kColours[series % kColours.size()];
}

std::string grid(const Frame& frame) {
  std::string svg;
  for (int power = frame.axis.lowest; power <= frame.axis.highest; ++power) {
    const double x = frame.axis.place(std::exp2(power));
    svg += fmt::format("<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\" stroke=\"{3}\"/>\n",
                       x, frame.top, frame.bottom(), power == 0 ? "#444444" : "#dddddd");
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", x,
                       frame.bottom() + kRowHeight,
                       power < 0 ? fmt::format("1/{}", 1 << -power) : std::to_string(1 << power));
  }
  return svg + fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">rate over memcpy's</text>\n",
                           frame.width() - kMargin, frame.bottom() + 2 * kRowHeight);
}

std::string row_labels(const Json& pairs, const Frame& frame) {
  std::string svg;
  for (std::size_t row = 0; row < pairs.size(); ++row) {
    std::string label = label_of(pairs[row]);
    constexpr std::size_t kLongest = 48;
    if (label.size() > kLongest) label = label.substr(0, kLongest - 3) + "...";
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
                       kMargin + kLabelWidth - 10, frame.row_middle(row) + 4, escaped(label));
  }
  return svg;
}

std::string mark(double x, double y, std::size_t series) {
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\" fill-opacity=\"{}\"/>\n", x, y,
                     kMarkRadius, colour_of(series), series == 0 ? 1.0 : 0.75);
}

/// The kernel's marks last, on top.
std::string marks(const std::vector<Series>& series, const Frame& frame) {
  std::string svg;
  for (std::size_t i = series.size(); i-- > 0;) {
    for (const auto& [row, value] : series[i].points)
      svg += mark(frame.axis.place(value), frame.row_middle(row), i);
  }
  return svg;
}

constexpr std::size_t kLegendColumns = 4;

std::string legend(const std::vector<Series>& series, const Frame& frame) {
  std::string svg;
  const double column_width = (frame.width() - 2 * kMargin) / kLegendColumns;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const double x = kMargin + column_width * static_cast<double>(i % kLegendColumns);
    const double y = kMargin + kLegendHeight * (static_cast<double>(i / kLegendColumns) + 0.5);
    svg += mark(x + kMarkRadius, y, i);
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x + 4 * kMarkRadius, y + 4,
                       escaped(series[i].name));
  }
  return svg;
}

}  // namespace

std::string plot_svg(const Json& results) {
  const Json& pairs = results["pairs"];
  SeriesList list;
  for (std::size_t row = 0; row < pairs.size(); ++row) {
    if (!pairs[row].contains("error")) add_pair(pairs[row], row, list);
  }
  const std::vector<Series>& series = list.all();
  const auto legend_lines = static_cast<double>((series.size() + kLegendColumns - 1) / kLegendColumns);
  const Frame frame{axis_of(series), pairs.size(), kMargin + kLegendHeight * legend_lines + kMargin};
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 "
             "{0:.0f} {1:.0f}\" "
             "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" "
             "fill=\"#ffffff\"/>\n",
             frame.width(), frame.height()) +
         legend(series, frame) + grid(frame) + row_labels(pairs, frame) + marks(series, frame) + "</svg>\n";
}

}  // namespace relayout::cli
