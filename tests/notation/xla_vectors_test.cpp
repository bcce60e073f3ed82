// Offsets, sizes, acceptance and canonical texts against data/xla.jsonl and data/xla_parse.jsonl, which come
// from XLA's tests, documents and sources (the field "source" of each line).

#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "relayout/layout.hpp"

namespace relayout {
namespace {

using nlohmann::json;

std::vector<json> rows(const std::string& name) {
  std::ifstream file(RELAYOUT_TEST_DATA "/" + name);
  std::vector<json> result;
  for (std::string line; std::getline(file, line);) result.push_back(json::parse(line));
  return result;
}

/// The old padding was never part of XLA's text, so the rows hold it apart.
std::string spec_of(const json& row) {
  std::string text = row.at("shape_string");
  if (!row.contains("padded_dimensions")) return text;
  text.back() = ':';
  text += "PAD(";
  for (const auto& extent : row.at("padded_dimensions")) text += std::to_string(extent.get<int>()) + ',';
  text.back() = ')';
  const std::string value = row.at("padding_value");
  return text + '=' + value.substr(0, value.size() - std::string("_PAD").size()) + '}';
}

/// `f32[]` alone would be any notation's, so the text is read as XLA's.
Result<Layout> layout_of(const json& row) {
  auto shape = xla::parse(spec_of(row));
  if (!shape) return shape.error();
  return Layout::from_xla(*shape->array);
}

std::vector<std::int64_t> offsets_of(const Layout& layout) {
  std::vector<std::int64_t> offsets;
  Shape coordinate(layout.shape().size(), 0);
  for (std::int64_t i = 0; i < layout.element_count(); ++i) {
    offsets.push_back(*layout.offset(coordinate));
    for (std::size_t d = coordinate.size(); d-- > 0;) {
      if (++coordinate[d] < layout.shape()[d]) break;
      coordinate[d] = 0;
    }
  }
  return offsets;
}

TEST(XlaVectors, offsets_and_sizes_are_xlas) {
  const auto all = rows("xla.jsonl");
  ASSERT_FALSE(all.empty());
  for (const json& row : all) {
    const auto layout = layout_of(row);
    ASSERT_TRUE(layout) << row.at("name") << ": " << layout.error().message;
    EXPECT_EQ(offsets_of(*layout), row.at("offsets").get<Shape>()) << row.at("name");
    EXPECT_EQ(layout->physical_elements(), row.at("physical_elements").get<std::int64_t>()) << row.at("name");
    EXPECT_EQ(layout->size_bytes(), row.at("physical_bytes").get<std::int64_t>()) << row.at("name");
    EXPECT_EQ(layout->element_bits(), row.at("element_bits").get<std::int64_t>()) << row.at("name");
    EXPECT_EQ(*xla::data_bytes(*layout->xla()), row.at("xla_byte_size_of").get<std::int64_t>())
        << row.at("name");
    EXPECT_EQ(layout->to_string(), spec_of(row));
  }
}

TEST(XlaVectors, every_place_of_the_buffer_is_its_element_or_padding) {
  for (const json& row : rows("xla.jsonl")) {
    const auto layout = layout_of(row);
    ASSERT_TRUE(layout);
    std::int64_t elements = 0;
    for (std::int64_t place = 0; place < layout->physical_elements(); ++place) {
      const auto coordinate = xla::coordinate_of(*layout->xla(), place);
      ASSERT_TRUE(coordinate) << coordinate.error().message;
      if (!*coordinate) continue;
      ++elements;
      EXPECT_EQ(*layout->offset(**coordinate), place) << row.at("name");
    }
    EXPECT_EQ(elements, layout->element_count()) << row.at("name");
  }
}

TEST(XlaVectors, acceptance_and_canonical_text_are_xlas) {
  const auto all = rows("xla_parse.jsonl");
  ASSERT_FALSE(all.empty());
  for (const json& row : all) {
    const std::string text = row.at("input");
    const auto shape = xla::parse(text);
    ASSERT_EQ(shape.ok(), row.at("expect") == "ok") << text << (shape ? "" : ": " + shape.error().message);
    if (!shape) continue;
    EXPECT_EQ(xla::to_string(*shape), row.at("canonical")) << text;
    EXPECT_EQ(xla::validate(*shape).ok(), row.at("validate") == "ok") << text;
    if (row.at("reparse_of_canonical") == "same") {
      const auto again = xla::parse(row.at("canonical").get<std::string>());
      ASSERT_TRUE(again) << text;
      EXPECT_EQ(xla::to_string(*again), row.at("canonical"));
    }
  }
}

TEST(XlaVectors, strict_parsing_accepts_what_xlas_own_tests_accept) {
  for (const json& row : rows("xla_parse.jsonl")) {
    if (row.at("basis") == "code-reading" || row.at("expect") != "ok") continue;
    EXPECT_TRUE(xla::parse(row.at("input").get<std::string>(), {.strict = true})) << row.at("input");
  }
}

}  // namespace
}  // namespace relayout
