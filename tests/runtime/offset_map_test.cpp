#include "relayout/offset_map.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "relayout/cute/text.hpp"

namespace relayout {
namespace {

std::string map_of(const std::string& source, const std::string& destination) {
  const Layout from = *Layout::parse(source);
  const auto map = offset_map(from, *Layout::parse_destination(destination, from));
  return map ? cute::to_string(map->layout) : map.error().message;
}

TEST(OffsetMap, example) {
  EXPECT_EQ(map_of("f32[6,8]", "[1, 0]"), "(6,8):(8,1)");
  EXPECT_EQ(map_of("f32[6,8]", "[1, 0, 1 p(4)]"), "(4,6,2):(1,8,4)");
  EXPECT_EQ(map_of("f32[6,8]", "[0, 1]"), "48:1");
  EXPECT_EQ(map_of("f32[8,16]", "{1,0:T(4,8)}"), "(8,4,2,2):(1,16,8,64)");
  EXPECT_EQ(map_of("f32[]", "[]"), "1:0");
}

TEST(OffsetMap, the_contiguous_run_is_the_leading_mode) {
  const Layout source = *Layout::parse("f32[6,8]");
  const auto map = offset_map(source, *Layout::parse_destination("[1, 0, 1 p(4)]", source));
  EXPECT_EQ(map->contiguous_elements, 4);
  EXPECT_EQ(map->contiguous_bytes, 16);
  EXPECT_EQ(offset_map(source, *Layout::parse_destination("[1, 0]", source))->contiguous_elements, 1);
}

TEST(OffsetMap, what_is_in_the_way_is_said) {
  EXPECT_EQ(
      map_of("f32[2,12][1, 0, 1 p(4)]", "[1, 0, 1 p(6)]"),
      "source o destination^-1 is no shape:stride: dimension 1 of extent 12 is split into blocks of 4 at "
      "the source and of 6 at the destination");
  EXPECT_EQ(map_of("f32[3,8]", "{1,0:T(2,8)}"),
            "source o destination^-1 is no shape:stride: the destination has 32 places for 24 elements");
}

/// All orders of all factorisations of `count` into factors above 1, as compact layouts of a 1-D index.
void compact_layouts(std::int64_t count, std::vector<std::int64_t> factors,
                     std::set<std::vector<std::int64_t>>& maps, std::vector<cute::Layout>& layouts) {
  if (count > 1) {
    for (std::int64_t factor = 2; factor <= count; ++factor) {
      if (count % factor != 0) continue;
      factors.push_back(factor);
      compact_layouts(count / factor, factors, maps, layouts);
      factors.pop_back();
    }
    return;
  }
  std::vector<std::size_t> permutation(factors.size());
  for (std::size_t i = 0; i < permutation.size(); ++i) permutation[i] = i;
  do {
    std::vector<cute::IntTuple> extents(factors.begin(), factors.end());
    std::vector<cute::IntTuple> strides(factors.size());
    std::int64_t stride = 1;
    for (const std::size_t mode : permutation) {
      strides[mode] = stride;
      stride *= factors[mode];
    }
    const auto layout = cute::Layout::make(cute::IntTuple::tuple(extents), cute::IntTuple::tuple(strides));
    if (maps.insert(*layout->offsets()).second) layouts.push_back(*layout);
  } while (std::next_permutation(permutation.begin(), permutation.end()));
}

/// Counts of pairs that have a map and of all pairs; every map is checked at every element.
std::pair<int, int> count_maps(std::int64_t size) {
  std::set<std::vector<std::int64_t>> maps;
  std::vector<cute::Layout> layouts;
  compact_layouts(size, {}, maps, layouts);
  int found = 0;
  for (const cute::Layout& source : layouts) {
    for (const cute::Layout& destination : layouts) {
      const auto map = offset_map(source, destination);
      if (!map) continue;
      ++found;
      for (std::int64_t i = 0; i < size; ++i) EXPECT_EQ((*map)(destination(i)), source(i));
    }
  }
  return {found, static_cast<int>(layouts.size() * layouts.size())};
}

TEST(OffsetMap, as_many_pairs_of_compact_layouts_have_one_as_an_exhaustive_search_found) {
  EXPECT_EQ(count_maps(8), std::pair(36, 36));
  EXPECT_EQ(count_maps(16), std::pair(576, 576));
  EXPECT_EQ(count_maps(12), std::pair(100, 196));
}

}  // namespace
}  // namespace relayout
