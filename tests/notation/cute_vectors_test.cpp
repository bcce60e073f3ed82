// Every line of data/cute.jsonl: operations with their arguments, results and offsets, from CuTe's sources,
// tests and documents (the field "source" of each line). Every line of data/cute_compiled.jsonl: operations
// on random layouts, as CuTe's headers answer them when compiled with static integers; those that
// docs/notations.md lists as different are left out.

#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "relayout/cute.hpp"

namespace relayout {
namespace {

using nlohmann::json;

std::vector<json> rows(const char* name) {
  std::ifstream file(std::string(RELAYOUT_TEST_DATA "/") + name);
  std::vector<json> result;
  for (std::string line; std::getline(file, line);) result.push_back(json::parse(line));
  return result;
}

std::string text_of(const json& argument) {
  if (argument.is_string()) return argument;
  if (!argument.is_array()) return argument.dump();
  std::string text;
  for (const json& element : argument) text += (text.empty() ? "" : ",") + text_of(element);
  return '[' + text + ']';
}

Result<cute::Value> answer(const json& row) {
  std::vector<std::string> arguments;
  for (const json& argument : row.at("args")) arguments.push_back(text_of(argument));
  return cute::calculate(row.at("op").get<std::string>(), arguments);
}

void expect_result(const json& expected, const cute::Value& value) {
  if (const auto* list = std::get_if<cute::OffsetList>(&value)) {
    EXPECT_EQ(json(list->offsets), expected);
  } else if (const auto* table = std::get_if<cute::OffsetRows>(&value)) {
    EXPECT_EQ(json(table->rows), expected);
  } else {
    EXPECT_EQ(to_string(value), expected.is_string() ? expected.get<std::string>() : expected.dump());
  }
}

/// Long results have samples instead of all their offsets.
void expect_offsets(const json& row, const cute::Value& value) {
  const auto layout = cute::layout_of(value);
  ASSERT_TRUE(layout);
  if (row.contains("offsets")) {
    const json offsets = *std::visit([](const auto& any) { return any.offsets(); }, *layout);
    EXPECT_EQ(offsets, row.at("offsets"));
  }
  const json samples = row.value("offset_samples", json::object());
  for (const auto& [index, offset] : samples.items()) {
    EXPECT_EQ(std::get<cute::Layout>(*layout)(std::stoll(index)), offset) << index;
  }
}

void expect_row(const json& row) {
  const auto value = answer(row);
  if (row.value("expect", "") == "error") {
    EXPECT_FALSE(value) << to_string(*value);
    return;
  }
  if (row.value("expect", "") == "error_or_result" && !value) return;
  ASSERT_TRUE(value) << value.error().message;
  // C++ cannot simplify what it knows at run time only, so there the offsets decide.
  if (!row.contains("dynamic")) expect_result(row.at("result"), *value);
  if (row.contains("offsets") || row.contains("offset_samples")) expect_offsets(row, *value);
}

void expect_rows(const char* file, std::size_t count) {
  const auto all = rows(file);
  ASSERT_EQ(all.size(), count);
  for (const json& row : all) {
    SCOPED_TRACE(row.at("name").get<std::string>() + ": " + row.at("op").dump() + row.at("args").dump());
    expect_row(row);
  }
}

TEST(CuteVectors, all_hold) {
  expect_rows("cute.jsonl", 260);
}

TEST(CuteVectors, what_cutes_compiled_headers_answer_holds) {
  expect_rows("cute_compiled.jsonl", 630);
}

}  // namespace
}  // namespace relayout
