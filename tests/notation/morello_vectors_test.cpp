// Offsets, shapes and errors against the reference build of samkaufman/morello (data/morello.jsonl). Rows
// marked with a quirk are layouts for which Morello's own formula aliases; there the bijective digit-wise
// reading is expected.

#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "relayout/layout.hpp"

namespace relayout {
namespace {

using nlohmann::json;

std::vector<json> rows() {
  std::ifstream file(RELAYOUT_TEST_DATA "/morello.jsonl");
  std::vector<json> result;
  for (std::string line; std::getline(file, line);) result.push_back(json::parse(line));
  return result;
}

morello::PhysicalDimensions dimensions_of(const json& row) {
  morello::PhysicalDimensions dimensions;
  for (const json& entry : row.at("phys_dims")) {
    const int logical = entry[0];
    if (entry[1] == "Dynamic") dimensions.push_back(morello::PhysicalDimension::dynamic(logical));
    if (entry[1] == "Packed") dimensions.push_back(morello::PhysicalDimension::packed(logical, entry[2]));
    if (entry[1] == "OddEven") dimensions.push_back(morello::PhysicalDimension::odd_even(logical, entry[2]));
  }
  return dimensions;
}

Result<Layout> layout_of(const json& row) {
  return Layout::from_morello(*ElementType::parse("f32"), row.at("shape").get<Shape>(), dimensions_of(row));
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

TEST(MorelloVectors, every_row_is_read) {
  EXPECT_EQ(rows().size(), 113U);
}

TEST(MorelloVectors, offsets_and_physical_shapes_are_the_reference_builds) {
  int checked = 0;
  for (const json& row : rows()) {
    if (row.at("expect") != "ok") continue;
    const auto layout = layout_of(row);
    ASSERT_TRUE(layout) << row.at("name") << ": " << layout.error().message;
    const bool quirk = row.contains("quirk") && !row.at("quirk").is_null();
    const char* key = quirk ? "intended_offsets" : "offsets";
    EXPECT_EQ(offsets_of(*layout), row.at(key).get<std::vector<std::int64_t>>()) << row.at("name");
    EXPECT_EQ(layout->physical_elements(), row.at("physical_size").get<std::int64_t>()) << row.at("name");
    if (row.contains("physical_shape")) {
      EXPECT_EQ(layout->physical_shape(), row.at("physical_shape").get<Shape>()) << row.at("name");
    }
    ++checked;
  }
  EXPECT_EQ(checked, 98);
}

TEST(MorelloVectors, analyses_are_the_reference_builds) {
  for (const json& row : rows()) {
    if (row.at("expect") != "ok" || !row.contains("row_major")) continue;
    const auto layout = layout_of(row);
    ASSERT_TRUE(layout);
    EXPECT_EQ(layout->is_row_major(), row.at("row_major").get<bool>()) << row.at("name");
    EXPECT_EQ(layout->is_column_major(), row.at("col_major").get<bool>()) << row.at("name");
    EXPECT_EQ(layout->cache_lines(), row.at("cache_lines_f32").get<std::int64_t>()) << row.at("name");
    EXPECT_EQ(morello::to_string(dimensions_of(row)),
              row.at("display") == "NHWC" ? "[0, 2, 3, 1]" : row.at("display"));
  }
}

TEST(MorelloVectors, what_the_reference_rejects_is_rejected) {
  int checked = 0;
  for (const json& row : rows()) {
    if (row.at("expect") == "ok") continue;
    const auto layout = layout_of(row);
    EXPECT_FALSE(layout) << row.at("name");
    ++checked;
  }
  EXPECT_EQ(checked, 15);
}

TEST(MorelloVectors, canonical_text_is_read_back_as_the_same_map) {
  for (const json& row : rows()) {
    if (row.at("expect") != "ok") continue;
    const auto layout = layout_of(row);
    ASSERT_TRUE(layout);
    const auto again = Layout::parse(layout->to_string());
    ASSERT_TRUE(again) << layout->to_string() << ": " << again.error().message;
    EXPECT_EQ(offsets_of(*again), offsets_of(*layout)) << layout->to_string();
    EXPECT_EQ(again->to_string(), layout->to_string());
  }
}

}  // namespace
}  // namespace relayout
