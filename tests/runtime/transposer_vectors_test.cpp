// The cases of XLA's own host transposer (data/xla_transpose.jsonl, from openxla/xla's transpose_test.cc):
// tiles and byte strides on the source, tiles on the destination, a permutation in between.

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "relayout/relayout.hpp"
#include "relayout/strided.hpp"
#include "src/layout/layout_data.hpp"
#include "tests/support/segv_guard.hpp"

namespace relayout {
namespace {

using nlohmann::json;

struct Pair {
  Layout source;
  Layout destination;
};

ElementType type_of_width(std::int64_t bytes) {
  const char* name = bytes == 1   ? "u8"
                     : bytes == 2 ? "u16"
                     : bytes == 4 ? "u32"
                     : bytes == 8 ? "u64"
                                  : "c128";
  return *ElementType::parse(name);
}

/// Rows that move whole elements and are expected to work.
std::vector<json> plain_rows() {
  std::ifstream file(RELAYOUT_TEST_DATA "/xla_transpose.jsonl");
  std::vector<json> rows;
  for (std::string line; std::getline(file, line);) {
    json row = json::parse(line);
    if (row.contains("output_span_bytes") && !row.contains("dest_bits_per_element"))
      rows.push_back(std::move(row));
  }
  return rows;
}

Pair pair_of(const json& row) {
  const ElementType type = type_of_width(row.at("elem_size_bytes"));
  const auto source = strided(type, {row.at("dims"), row.at("input_tiling"), row.at("input_striding_bytes")});
  EXPECT_TRUE(source) << row.at("id") << ": " << source.error().message;
  const auto permutation = row.at("permutation").get<std::vector<std::int64_t>>();
  const auto view = source->transposed(permutation);
  EXPECT_TRUE(view) << row.at("id") << ": " << view.error().message;
  const auto destination = strided(type, {view->shape(), row.at("output_tiling"), {}});
  EXPECT_TRUE(destination) << row.at("id") << ": " << destination.error().message;
  return {*view, *destination};
}

TEST(TransposerVectors, offsets_are_the_transposers) {
  int checked = 0;
  for (const json& row : plain_rows()) {
    const Pair pair = pair_of(row);
    EXPECT_EQ(pair.source.size_bytes(), row.at("input_span_bytes").get<std::int64_t>()) << row.at("id");
    EXPECT_EQ(pair.destination.size_bytes(), row.at("output_span_bytes").get<std::int64_t>()) << row.at("id");
    if (!row.contains("src_dst_byte_pairs")) continue;
    std::vector<std::pair<std::int64_t, std::int64_t>> actual;
    Shape at(pair.source.shape().size(), 0);
    for (std::int64_t i = 0; i < pair.source.element_count(); ++i) {
      actual.emplace_back(*pair.source.offset(at) * pair.source.data().unit_bytes,
                          *pair.destination.offset(at) * pair.destination.data().unit_bytes);
      for (std::size_t d = at.size(); d-- > 0;) {
        if (++at[d] < pair.source.shape()[d]) break;
        at[d] = 0;
      }
    }
    std::vector<std::pair<std::int64_t, std::int64_t>> expected;
    for (const json& entry : row.at("src_dst_byte_pairs")) expected.emplace_back(entry[0], entry[1]);
    std::sort(actual.begin(), actual.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(actual, expected) << row.at("id");
    ++checked;
  }
  EXPECT_GT(checked, 50);
}

TEST(TransposerVectors, every_case_is_proved) {
  testing::SegvGuard guard("XLA's transposer cases");
  constexpr std::int64_t kMaximumBytes = 1 << 20;  // larger ones: relayout verify --batch
  int proved = 0;
  for (const json& row : plain_rows()) {
    const Pair pair = pair_of(row);
    if (pair.destination.size_bytes() > kMaximumBytes) continue;
    for (const Isa isa : runnable_isas()) {
      guard.set_detail(row.at("id").get<std::string>());
      CompileOptions options;
      options.isa = isa;
      options.bypass_cache = true;
      const auto proof = prove(pair.source, pair.destination, options);
      ASSERT_TRUE(proof) << row.at("id") << ": " << proof.error().message;
      EXPECT_TRUE(proof->ok) << row.at("id") << " at " << to_string(isa) << ": " << proof->stage << ": "
                             << proof->message;
      ++proved;
    }
  }
  EXPECT_GT(proved, 50);
}

TEST(Strided, strides_that_cut_elements_move_whole_elements_on_every_path) {
  constexpr std::size_t kRows = 3;
  constexpr std::size_t kColumns = 5;
  const ElementType type = *ElementType::parse("u32");
  const Layout source = *strided(type, {{kRows, kColumns}, {}, {22, 4}});
  const Layout destination = *Layout::row_major(type, {kRows, kColumns});
  std::vector<std::byte> from(static_cast<std::size_t>(source.size_bytes()));
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i + 1);
  std::vector<std::byte> expected(kRows * kColumns * 4);
  for (std::size_t row = 0; row < kRows; ++row)
    std::memcpy(&expected[row * kColumns * 4], &from[row * 22], kColumns * 4);
  for (const Isa isa : runnable_isas()) {
    std::vector<std::byte> to(expected.size());
    CompileOptions options;
    options.isa = isa;
    const auto convert = compile(source, destination, options);
    ASSERT_TRUE(convert) << convert.error().message;
    (*convert)(from.data(), to.data());
    EXPECT_EQ(to, expected) << to_string(isa);
  }
  for (const Interpreter interpreter : {Interpreter::kScalar, Interpreter::kVectorised}) {
    std::vector<std::byte> to(expected.size());
    ASSERT_TRUE(run_interpreter(source, destination, from, to, interpreter));
    EXPECT_EQ(to, expected);
  }
}

TEST(Strided, a_destination_whose_elements_collide_is_refused_with_the_coordinates) {
  const ElementType type = *ElementType::parse("f32");
  const Layout source = *Layout::row_major(type, {3, 4});
  const auto overlapping = strided(type, {{3, 4}, {}, {8, 4}});
  ASSERT_TRUE(overlapping);
  const auto result = compile(source, *overlapping);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kAliasing);
  EXPECT_NE(result.error().message.find("(0,2)"), std::string::npos) << result.error().message;
  EXPECT_TRUE(compile(*overlapping, source));
}

TEST(Strided, bad_tiles_and_strides_are_errors) {
  const ElementType type = *ElementType::parse("f32");
  EXPECT_EQ(strided(type, {{3, 4}, {}, {8}}).error().code, ErrorCode::kBadArgument);
  EXPECT_EQ(strided(type, {{3}, {2, 2}, {}}).error().code, ErrorCode::kBadArgument);
  EXPECT_EQ(strided(type, {{3}, {0}, {}}).error().code, ErrorCode::kBadArgument);
  EXPECT_EQ(strided(type, {{1 << 30}, {}, {INT64_MAX / 2}}).error().code, ErrorCode::kOverflow);
}

}  // namespace
}  // namespace relayout
