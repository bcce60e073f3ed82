#include "src/cli/compare/report.hpp"

#include <fmt/format.h>

#include "src/cli/compare/tables.hpp"

namespace relayout::cli {
namespace {

std::string heading(const Json& pair) {
  return fmt::format("{} -> {}: {} bytes read and written, {} on {}, {} KiB pages, 1 thread\n",
                     pair["src"].get<std::string>(), pair["dst"].get<std::string>(),
                     pair["bytes"].get<std::int64_t>(), pair["kernel"].get<std::string>(),
                     pair["isa"].get<std::string>(), pair["page_kib"].get<int>());
}

std::string compile_line(const Json& pair) {
  const Json& breakeven = pair["breakeven_calls"];
  return fmt::format(
      "compile {} us, first call {} us, cache hit {} us, call {} ns, {} bytes of code, pays after {} calls\n",
      pair["compile_us"].dump(), pair["first_call_us"].dump(), pair["hit_us"].dump(), pair["call_ns"].dump(),
      pair["code_bytes"].dump(), breakeven.is_null() ? "-" : breakeven.dump());
}

std::vector<Json> measured_pairs(const Json& results) {
  std::vector<Json> pairs;
  for (const Json& pair : results["pairs"]) {
    if (!pair.contains("error")) pairs.push_back(pair);
  }
  return pairs;
}

std::string error_lines(const Json& results) {
  std::string lines;
  for (const Json& pair : results["pairs"]) {
    if (pair.contains("error")) lines += label_of(pair) + ": " + pair["error"].get<std::string>() + "\n";
  }
  return lines;
}

constexpr const char* kUnstableNote = "~ varied by more than 10 percent between the quartiles\n";

std::string unstable_note(const std::string& report) {
  return report.find('~') == std::string::npos ? "" : kUnstableNote;
}

Table environment_table(const Json& environment) {
  Table table{"Environment", {{"", ""}}};
  for (const auto& [key, value] : environment.items()) {
    table.rows.push_back({key, value.is_string() ? value.get<std::string>() : value.dump()});
  }
  return table;
}

}  // namespace

std::string label_of(const Json& pair) {
  if (pair.contains("name")) return pair["name"].get<std::string>();
  return pair["src"].get<std::string>() + " -> " + pair["dst"].get<std::string>();
}

std::string report_text(const Json& results) {
  const std::vector<Json> pairs = measured_pairs(results);
  std::string text;
  if (pairs.size() == 1) {
    text = heading(pairs[0]) + to_text(contender_table(pairs[0])) + compile_line(pairs[0]);
  } else if (!pairs.empty()) {
    text = to_text(pair_table(pairs));
  }
  for (const Table& table : task_tables(pairs)) text += "\n" + to_text(table);
  text += unstable_note(text) + error_lines(results);
  if (!text.empty()) text.pop_back();
  return text;
}

std::string report_markdown(const Json& results) {
  const std::vector<Json> pairs = measured_pairs(results);
  std::string text = "# relayout compare\n";
  if (pairs.size() == 1) {
    text += "\n" + heading(pairs[0]) + "\n" + to_markdown(contender_table(pairs[0])) + "\n" +
            compile_line(pairs[0]);
  } else if (!pairs.empty()) {
    text += "\n" + to_markdown(pair_table(pairs));
  }
  for (const Table& table : task_tables(pairs)) text += "\n" + to_markdown(table);
  for (const std::string& note : {unstable_note(text), error_lines(results)})
    text += note.empty() ? "" : "\n" + note;
  return text + "\n" + to_markdown(environment_table(results["environment"]));
}

}  // namespace relayout::cli
