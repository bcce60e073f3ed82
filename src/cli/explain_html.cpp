#include "src/cli/explain_html.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "src/cli/disassembly.hpp"
#include "src/cli/html_page.hpp"
#include "src/cli/wiring_svg.hpp"

namespace relayout::cli {
namespace {

/// Cells of a drawn layout: enough for tiles to be seen, few enough to be read.
constexpr std::int64_t kDrawnCells = 512;

std::string section(std::string_view title, std::string_view content) {
  return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", escaped(title), content);
}

std::string fact(std::string_view value, std::string_view name) {
  return fmt::format("<div><b>{}</b><span>{}</span></div>\n", escaped(value), escaped(name));
}

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  return std::string(first == std::string_view::npos ? "" : text.substr(first));
}

/// `12,345,678`.
std::string grouped(std::int64_t value) {
  std::string text = std::to_string(value);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
    text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

class Page {
 public:
  Page(const PairRequest& pair, const Relayout& convert, const Explanation& explanation,
       const std::optional<PlanMeasurement>& measured)
      : pair_(pair), convert_(convert), explanation_(explanation), measured_(measured) {}

  Result<std::string> run() {
    body_ = heading();
    if (auto status = add_layouts(); !status) return status.error();
    body_ += section("Expressions", expressions());
    if (!explanation_.portable_reason.empty()) {
      body_ += section("Plan", "<p>The index expressions are interpreted, because " +
                                   escaped(explanation_.portable_reason) + ".</p>\n");
    } else {
      add_plan();
    }
    return html_page(title(), body_);
  }

 private:
  std::string title() const { return pair_.source.to_string() + " → " + pair_.destination.to_string(); }

  std::string heading() const {
    const Prediction& predicted = explanation_.predicted;
    std::string facts = fact(convert_.kernel(), "kernel") + fact(to_string(convert_.isa()), "level") +
                        fact(grouped(static_cast<std::int64_t>(convert_.code_bytes())), "bytes of code");
    if (!explanation_.kernels.empty()) {
      facts += fact(fmt::format("{:.3f}", predicted.cycles_per_element), "cycles an element predicted");
      if (measured_) facts += fact(fmt::format("{:.3f}", measured_cycles(0)), "cycles an element measured");
      facts += fact(to_string(predicted.bound), "bound") +
               fact(fmt::format("{:.2f}", predicted.instructions_per_element), "instructions an element") +
               fact(grouped(predicted.bytes), "bytes moved") + fact(grouped(predicted.lines), "lines moved") +
               fact(grouped(predicted.memory_lines), "of them to or from memory");
    }
    return fmt::format(
        "<header>\n<h1>{}</h1>\n<p class=\"soft\">{} elements, {} bytes to {} bytes</p>\n"
        "<div class=\"facts\">\n{}</div>\n</header>\n",
        escaped(title()), grouped(pair_.source.element_count()), grouped(pair_.source.size_bytes()),
        grouped(pair_.destination.size_bytes()), facts);
  }

  double measured_cycles(std::size_t index) const {
    const auto elements = static_cast<double>(std::max<std::int64_t>(1, pair_.source.element_count()));
    return measured_->seconds[index] * measured_->gigahertz * 1e9 / elements;
  }

  Status add_layouts() {
    std::string drawn = "<div class=\"pair\">\n";
    for (const Layout* layout : {&pair_.source, &pair_.destination}) {
      const auto svg = draw_svg(*layout, {.maximum_cells = kDrawnCells});
      if (!svg) return svg.error();
      drawn += fmt::format("<div><h3>{}</h3>\n<div class=\"frame\">{}</div></div>\n",
                           layout == &pair_.source ? "Source" : "Destination",
                           image(*svg, "The layout " + layout->to_string()));
    }
    body_ += section("Layouts", drawn + "</div>\n");
    return {};
  }

  std::string expressions() const {
    const auto row = [](std::string_view name, const Layout& layout) {
      return fmt::format(
          "<tr><td class=\"name\">{}</td><td class=\"mono\">{}</td><td class=\"mono\">{}</td></tr>\n", name,
          escaped(layout.raw_expression()), escaped(layout.simplified_expression()));
    };
    return "<table>\n<tr><th>offset in elements</th><th>raw</th><th>simplified</th></tr>\n" +
           row("source", pair_.source) + row("destination", pair_.destination) + "</table>\n";
  }

  void add_plan() {
    std::string loops;
    std::string decisions;
    std::string wires;
    for (std::size_t i = 0; i < explanation_.kernels.size(); ++i) {
      const KernelExplanation& kernel = explanation_.kernels[i];
      const std::string name = fmt::format("<h3>Nest {}: {}, {} elements</h3>\n", i, escaped(kernel.name),
                                           grouped(kernel.elements));
      loops += name + loop_boxes(kernel);
      decisions += name + decision_table(kernel);
      if (!kernel.wiring.steps.empty()) {
        wires += name + fmt::format(
                            "<p class=\"soft\">{} rows of {} cells of {} bytes; a wire's colour is the row "
                            "that its cell is loaded into.</p>\n<div class=\"wires\">{}</div>\n",
                            kernel.wiring.source_rows, kernel.wiring.columns, kernel.wiring.cell_bytes,
                            wiring_svg(kernel.wiring));
      }
    }
    body_ += section("Loop nest", loops);
    body_ += section("Decisions", decisions);
    if (!explanation_.kernels.empty()) body_ += section("Where the cycles go", resource_bars());
    if (!explanation_.rejected.empty()) body_ += section("Rejected plans", rejected_table());
    if (!wires.empty()) body_ += section("Network", wires);
    if (!explanation_.functions.empty()) body_ += section("Code", code());
  }

  static std::string loop_boxes(const KernelExplanation& kernel) {
    std::string boxes;
    const std::size_t loops = std::min(kernel.loops, kernel.lines.size());
    for (std::size_t i = 0; i < loops; ++i)
      boxes += fmt::format("<div class=\"loop\"><span class=\"mono\">{}</span>\n",
                           escaped(trimmed(kernel.lines[i])));
    boxes += "<div class=\"body\"><pre>";
    for (std::size_t i = loops; i < kernel.lines.size(); ++i)
      boxes += escaped(i == loops ? trimmed(kernel.lines[i]) : kernel.lines[i]) + "\n";
    boxes += "</pre></div>";
    for (std::size_t i = 0; i < loops; ++i) boxes += "</div>";
    return boxes + "\n";
  }

  static std::string decision_table(const KernelExplanation& kernel) {
    std::string table = "<table>\n<tr><th></th><th>choice</th><th>because</th></tr>\n";
    for (const Decision& decision : kernel.decisions) {
      table += fmt::format("<tr><td class=\"name\">{}</td><td>{}</td><td>{}</td></tr>\n",
                           escaped(decision.what), escaped(decision.choice), escaped(decision.reason));
    }
    return table + "</table>\n";
  }

  static std::string bar(std::string_view style, double y, double share, double value) {
    return fmt::format(
        "<rect class=\"{}\" x=\"120\" y=\"{:.0f}\" width=\"{:.1f}\" height=\"14\" rx=\"2\"/>"
        "<text x=\"{:.1f}\" y=\"{:.0f}\">{:.3f}</text>\n",
        style, y, 560 * share, 128 + 560 * share, y + 12, value);
  }

  /// What each resource alone would take, and the whole.
  std::string resource_bars() const {
    const Prediction& predicted = explanation_.predicted;
    std::vector<std::pair<std::string, double>> rows = {{"load", predicted.load_cycles},
                                                        {"shuffle", predicted.shuffle_cycles},
                                                        {"store", predicted.store_cycles},
                                                        {"memory", predicted.memory_cycles},
                                                        {"all, predicted", predicted.cycles_per_element}};
    if (measured_) rows.emplace_back("all, measured", measured_cycles(0));
    double most = 1e-9;
    for (const auto& row : rows) most = std::max(most, row.second);
    std::string drawing;
    double y = 4;
    for (const auto& [name, value] : rows) {
      drawing += fmt::format("<text x=\"112\" y=\"{:.0f}\" text-anchor=\"end\">{}</text>", y + 12, name);
      drawing += bar(name.starts_with("all") ? "other" : "bar", y, value / most, value);
      y += 22;
    }
    return fmt::format(
        "<p class=\"soft\">Cycles an element that each resource alone would take.</p>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"760\" height=\"{0:.0f}\" viewBox=\"0 0 760 "
        "{0:.0f}\" role=\"img\">\n<title>Cycles by resource</title>\n{1}</svg>\n",
        y, drawing);
  }

  std::string rejected_table() const {
    std::string table = "<table>\n<tr><th>choice</th><th class=\"number\">predicted</th>";
    if (measured_) table += "<th class=\"number\">measured</th>";
    table += "<th>bound</th><th>reason</th></tr>\n";
    table += rejected_row("the plan", explanation_.predicted, 0, "");
    for (std::size_t i = 0; i < explanation_.rejected.size(); ++i) {
      const RejectedPlan& plan = explanation_.rejected[i];
      table += rejected_row(plan.choice, plan.predicted, i + 1, plan.reason);
    }
    return "<p class=\"soft\">Cycles an element. <code>relayout explain --choice</code> compiles any of "
           "them.</p>\n" +
           table + "</table>\n";
  }

  std::string rejected_row(std::string_view choice, const Prediction& predicted, std::size_t index,
                           std::string_view reason) const {
    std::string row = fmt::format("<tr><td class=\"name mono\">{}</td><td class=\"number\">{:.3f}</td>",
                                  escaped(choice), predicted.cycles_per_element);
    if (measured_) row += fmt::format("<td class=\"number\">{:.3f}</td>", measured_cycles(index));
    return row + fmt::format("<td>{}</td><td>{}</td></tr>\n", to_string(predicted.bound), escaped(reason));
  }

  std::string code() const {
    std::string text;
    for (const CodeFunction& function : explanation_.functions) {
      text += fmt::format(
          "<details{}>\n<summary class=\"mono\">{}, {} bytes</summary>\n<div class=\"code\">\n{}</div>\n"
          "</details>\n",
          text.empty() ? " open=\"open\"" : "", escaped(function.name), function.code.size(),
          code_rows(function));
    }
    return text;
  }

  /// A row for each run of instructions that belongs to one line of the plan.
  std::string code_rows(const CodeFunction& function) const {
    std::string rows;
    std::string instructions;
    int line = 0;
    const auto finish = [&] {
      if (instructions.empty()) return;
      const std::string plan =
          line > 0 ? explanation_.plan[static_cast<std::size_t>(line) - 1] : std::string();
      rows +=
          fmt::format("<div class=\"mono\">{}</div><div><pre>{}</pre></div>\n", escaped(plan), instructions);
      instructions.clear();
    };
    for (const Instruction& instruction : disassemble(function)) {
      if (instruction.line != line) finish();
      line = instruction.line;
      instructions += fmt::format("{:5x}  {}\n", instruction.offset, escaped(instruction.text));
    }
    finish();
    return rows;
  }

  const PairRequest& pair_;
  const Relayout& convert_;
  const Explanation& explanation_;
  const std::optional<PlanMeasurement>& measured_;
  std::string body_;
};

}  // namespace

Result<std::string> explanation_page(const PairRequest& pair, const Relayout& convert,
                                     const Explanation& explanation,
                                     const std::optional<PlanMeasurement>& measured) {
  return Page(pair, convert, explanation, measured).run();
}

}  // namespace relayout::cli
