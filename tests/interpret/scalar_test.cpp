#include "src/interpret/scalar.hpp"

#include <cstring>

#include <gtest/gtest.h>

namespace relayout::interpret {
namespace {

using expr::IndexExpr;

/// Rows of three, transposed: element (i, j) of a 2x3 array from 3*i + j to 2*j + i.
plan::Problem transpose_2x3() {
  const IndexExpr row = IndexExpr::variable(0, "i", {0, 1});
  const IndexExpr column = IndexExpr::variable(1, "j", {0, 2});
  return {{2, 3}, row * 3 + column, column * 2 + row, 2, 6, 6};
}

TEST(Scalar, example) {
  const std::uint16_t source[6] = {0xA1, 0xA2, 0xA3, 0xB1, 0xB2, 0xB3};
  std::uint16_t destination[6] = {};
  ASSERT_TRUE(run_scalar(transpose_2x3(), std::as_bytes(std::span(source)).data(),
                         std::as_writable_bytes(std::span(destination)).data(), INT64_MAX));
  const std::uint16_t expected[6] = {0xA1, 0xB1, 0xA2, 0xB2, 0xA3, 0xB3};
  EXPECT_EQ(std::memcmp(destination, expected, sizeof expected), 0);
}

TEST(Scalar, moves_no_more_than_the_first_elements_of_the_row_major_order) {
  const std::uint16_t source[6] = {1, 2, 3, 4, 5, 6};
  std::uint16_t destination[6] = {};
  ASSERT_TRUE(run_scalar(transpose_2x3(), std::as_bytes(std::span(source)).data(),
                         std::as_writable_bytes(std::span(destination)).data(), 4));
  const std::uint16_t expected[6] = {1, 4, 2, 0, 3, 0};
  EXPECT_EQ(std::memcmp(destination, expected, sizeof expected), 0);
}

TEST(Scalar, an_offset_outside_the_source_is_an_error_that_names_the_coordinate) {
  plan::Problem problem = transpose_2x3();
  problem.source_elements = 5;
  std::byte buffer[24] = {};
  const Status status = run_scalar(problem, buffer, buffer + 12, INT64_MAX);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kInternal);
  EXPECT_NE(status.error().message.find("source offset 5 of coordinate (1, 2)"), std::string::npos);
}

TEST(SourceOfDestination, lists_sources_and_marks_padding) {
  const IndexExpr index = IndexExpr::variable(0, "i", {0, 2});
  const plan::Problem reversed_with_gaps = {{3}, IndexExpr::constant(2) - index, index * 2, 1, 3, 6};
  const auto map = source_of_destination(reversed_with_gaps);
  ASSERT_TRUE(map);
  EXPECT_EQ(*map, (std::vector<std::int64_t>{2, -1, 1, -1, 0, -1}));
}

TEST(SourceOfDestination, names_both_coordinates_that_share_an_element) {
  const IndexExpr index = IndexExpr::variable(0, "i", {0, 4});
  const auto map = source_of_destination({{5}, index, floor_mod(index, 3), 1, 5, 3});
  ASSERT_FALSE(map);
  EXPECT_EQ(map.error().code, ErrorCode::kAliasing);
  EXPECT_EQ(map.error().message, "coordinates (0) and (3) share destination element 0");
}

TEST(SourceOfDestination, too_many_elements_to_list_is_an_error) {
  constexpr std::int64_t kElements = std::int64_t{1} << 60;
  const IndexExpr index = IndexExpr::variable(0, "i", {0, kElements - 1});
  const auto map = source_of_destination({{kElements}, index, index, 1, kElements, kElements});
  ASSERT_FALSE(map);
  EXPECT_EQ(map.error().code, ErrorCode::kSystem);
  EXPECT_EQ(map.error().message, "no memory to list 1152921504606846976 destination elements");
}

TEST(SourceOfDestination, of_an_empty_domain_is_all_padding) {
  const IndexExpr index = IndexExpr::variable(0, "i", {0, 0});
  const auto map = source_of_destination({{0}, index, index, 1, 0, 2});
  ASSERT_TRUE(map);
  EXPECT_EQ(*map, (std::vector<std::int64_t>{-1, -1}));
}

}  // namespace
}  // namespace relayout::interpret
