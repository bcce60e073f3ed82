#include "src/cli/hlo_html.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "src/cli/html_page.hpp"

namespace relayout::cli {
namespace {

/// Instructions that get a bar.
constexpr std::size_t kBars = 24;

std::string text_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return "";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

double number_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() || !found->is_number() ? 0 : found->get<double>();
}

std::string cell(std::string_view style, const std::string& content) {
  return fmt::format("<td{}>{}</td>", style.empty() ? "" : fmt::format(" class=\"{}\"", style),
                     escaped(content));
}

std::string fixed_or_empty(const Json& object, const char* key) {
  return object.contains(key) && object[key].is_number() ? fmt::format("{:.2f}", number_of(object, key)) : "";
}

std::string proof_of(const Json& one) {
  const Json& verified = one["verified"];
  if (verified.is_null()) return "";
  return verified.get<bool>() ? "proved" : "WRONG";
}

class MovementsPage {
 public:
  MovementsPage(std::string_view path, const Json& answer) : path_(path), answer_(answer) {
    for (const Json& one : answer["instructions"]) timed_ = timed_ || number_of(one, "us") > 0;
  }

  std::string run() const {
    const std::string module = text_of(answer_, "module");
    const std::string title = module.empty() ? std::string(path_) : module;
    return html_page(
        title, fmt::format("<header>\n<h1>{}</h1>\n<p class=\"soft\">Layout changes of {}</p>\n{}</header>\n"
                           "<section>\n<h2>Where {} go</h2>\n{}</section>\n"
                           "<section>\n<h2>All instructions</h2>\n{}</section>\n",
                           escaped(title), escaped(path_), facts(), timed_ ? "the microseconds" : "the bytes",
                           bars(), table()));
  }

 private:
  static std::string fact(const std::string& value, std::string_view name) {
    return fmt::format("<div><b>{}</b><span>{}</span></div>\n", escaped(value), name);
  }

  std::string facts() const {
    std::size_t free = 0;
    double bytes = 0;
    for (const Json& one : answer_["instructions"]) {
      const bool is_free = one["free"].get<bool>();
      free += is_free ? 1 : 0;
      bytes += is_free ? 0 : number_of(one, "bytes");
    }
    std::string text = fact(std::to_string(answer_["instructions"].size()), "instructions") +
                       fact(std::to_string(free), "of them free") +
                       fact(fmt::format("{:.2f} MiB", bytes / (1 << 20)), "read and written");
    if (answer_.contains("sums")) {
      for (const Json& sum : answer_["sums"]) text += sum_facts(sum);
    }
    return "<div class=\"facts\">\n" + text + "</div>\n";
  }

  static std::string sum_facts(const Json& sum) {
    const std::string module = escaped(text_of(sum, "module"));
    const std::string of = module.empty() ? "" : " of " + module;
    return fact(fixed_or_empty(sum, "us"), "µs" + of) + fact(fixed_or_empty(sum, "gbps"), "GB/s" + of) +
           fact(fixed_or_empty(sum, "memcpy_us"), "µs of memcpy" + of);
  }

  const char* weight() const { return timed_ ? "us" : "bytes"; }

  /// The dearest instructions, most first.
  std::vector<const Json*> dearest() const {
    std::vector<const Json*> found;
    for (const Json& one : answer_["instructions"]) {
      if (!one["free"].get<bool>() && number_of(one, weight()) > 0) found.push_back(&one);
    }
    std::ranges::stable_sort(found, [this](const Json* a, const Json* b) {
      return number_of(*a, weight()) > number_of(*b, weight());
    });
    if (found.size() > kBars) found.resize(kBars);
    return found;
  }

  double total() const {
    double sum = 0;
    for (const Json& one : answer_["instructions"])
      sum += one["free"].get<bool>() ? 0 : number_of(one, weight());
    return sum;
  }

  std::string bars() const {
    const std::vector<const Json*> shown = dearest();
    if (shown.empty()) return "<p>Nothing moves.</p>\n";
    const double most = number_of(*shown.front(), weight());
    std::string drawing;
    double y = 4;
    for (const Json* one : shown) {
      const double value = number_of(*one, weight());
      const double width = 480 * value / most;
      drawing += fmt::format(
          "<text x=\"312\" y=\"{0:.0f}\" text-anchor=\"end\">{1}</text>"
          "<rect class=\"bar\" x=\"320\" y=\"{2:.0f}\" width=\"{3:.1f}\" height=\"14\" rx=\"2\"/>"
          "<text x=\"{4:.1f}\" y=\"{0:.0f}\">{5:.1f} %</text>\n",
          y + 12, escaped(shortened(text_of(*one, "name"))), y, width, 328 + width, 100 * value / total());
      y += 21;
    }
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"900\" height=\"{0:.0f}\" viewBox=\"0 0 900 "
        "{0:.0f}\" role=\"img\">\n<title>Shares of the instructions</title>\n{1}</svg>\n",
        y, drawing);
  }

  static std::string shortened(const std::string& name) {
    return name.size() <= 40 ? name : "..." + name.substr(name.size() - 37);
  }

  std::string table() const {
    std::string rows =
        "<tr><th>computation</th><th>instruction</th><th>opcode</th><th>source and destination</th>"
        "<th class=\"number\">bytes</th><th>kernel</th><th>proof</th><th class=\"number\">µs</th>"
        "<th class=\"number\">GB/s</th><th class=\"number\">over memcpy</th><th>note</th></tr>\n";
    for (const Json& one : answer_["instructions"]) {
      rows += "<tr>" + cell("", text_of(one, "computation")) + cell("mono", text_of(one, "name")) +
              cell("", text_of(one, "opcode")) +
              fmt::format("<td class=\"mono\">{}<br/>{}</td>", escaped(text_of(one, "src")),
                          escaped(text_of(one, "dst"))) +
              cell("number", text_of(one, "bytes")) +
              cell("", one["free"].get<bool>() ? "free" : text_of(one, "kernel")) + cell("", proof_of(one)) +
              cell("number", fixed_or_empty(one, "us")) + cell("number", fixed_or_empty(one, "gbps")) +
              cell("number", fixed_or_empty(one, "over_memcpy")) + cell("soft", text_of(one, "note")) +
              "</tr>\n";
    }
    return "<div class=\"wide\"><table>\n" + rows + "</table></div>\n";
  }

  std::string_view path_;
  const Json& answer_;
  bool timed_ = false;
};

}  // namespace

std::string movements_page(std::string_view path, const Json& answer) {
  return MovementsPage(path, answer).run();
}

}  // namespace relayout::cli
