// What XLA's layouts mean: the tables of the two pages that introduce them, then random layouts against an
// oracle that moves arrays of element numbers tile by tile.

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "relayout/layout.hpp"
#include "src/layout/layout_data.hpp"

namespace relayout {
namespace {

Layout layout(const std::string& spec) {
  const auto parsed = Layout::parse(spec);
  if (!parsed) throw std::runtime_error(spec + ": " + parsed.error().message);
  return *parsed;
}

Shape offsets(const Layout& layout) {
  Shape offsets;
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

Shape offsets(const std::string& spec) {
  return offsets(layout(spec));
}

TEST(XlaPages, orders_of_the_shapes_page) {
  EXPECT_EQ(offsets("f32[2,3]{0,1}"), (Shape{0, 2, 4, 1, 3, 5}));                // a d b e c f
  EXPECT_EQ(offsets("f32[2,3]{1,0}"), (Shape{0, 1, 2, 3, 4, 5}));                // a b c d e f
  EXPECT_EQ(offsets("f32[2,3]{0,1:PAD(3,5)=ZERO}"), (Shape{0, 3, 6, 1, 4, 7}));  // a d 0 b e 0 c f 0 ...
  EXPECT_EQ(layout("f32[2,3]{0,1:PAD(3,5)=ZERO}").physical_elements(), 15);
}

TEST(XlaPages, tile_of_the_tiling_page) {
  EXPECT_EQ(offsets("f32[3,5]{1,0:T(2,2)}"), (Shape{0, 1, 4, 5, 8, 2, 3, 6, 7, 10, 12, 13, 16, 17, 20}));
}

TEST(XlaPages, repeated_tile_of_the_tiling_page) {
  EXPECT_EQ(offsets("f32[4,8]{1,0:T(2,4)(2,1)}"),
            (Shape{0,  2,  4,  6,  8,  10, 12, 14, 1,  3,  5,  7,  9,  11, 13, 15,
                   16, 18, 20, 22, 24, 26, 28, 30, 17, 19, 21, 23, 25, 27, 29, 31}));
}

TEST(XlaPages, combined_dimensions_of_the_tiling_page) {
  EXPECT_EQ(offsets("f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}"), offsets("f32[112,110]{1,0:T(2,3)}"));
  EXPECT_EQ(layout("f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}").physical_elements(), 12432);
}

TEST(XlaPages, packed_rows_interleave) {
  const auto bf16 = layout("bf16[8,128]{1,0:T(8,128)(2,1)}");
  const auto s8 = layout("s8[8,128]{1,0:T(8,128)(4,1)}");
  const auto bits = layout("pred[32,128]{1,0:T(32,128)(32,1)E(1)}");
  for (std::int64_t row = 0; row < 8; ++row) {
    for (std::int64_t column = 0; column < 128; ++column) {
      const Shape at = {row, column};
      EXPECT_EQ(*bf16.offset(at), row / 2 * 256 + 2 * column + row % 2);
      EXPECT_EQ(*s8.offset(at), row / 4 * 512 + 4 * column + row % 4);
      EXPECT_EQ(*bits.offset(at), 32 * column + row);
    }
  }
  EXPECT_EQ(bits.size_bytes(), 512);
}

TEST(XlaPages, formats_of_tpus_by_name) {
  const auto tpu = [](const char* type, Shape dimensions) {
    return xla::to_string(xla::tpu_layout(*ElementType::parse(type), std::move(dimensions)));
  };
  EXPECT_EQ(tpu("f32", {64, 300}), "f32[64,300]{1,0:T(8,128)}");
  EXPECT_EQ(tpu("f32", {9, 2, 300}), "f32[9,2,300]{2,1,0:T(2,128)}");
  EXPECT_EQ(tpu("f32", {9, 1, 300}), "f32[9,1,300]{2,1,0:T(2,128)}");
  EXPECT_EQ(tpu("f32", {3, 300}), "f32[3,300]{1,0:T(4,128)}");
  EXPECT_EQ(tpu("f32", {4, 300}), "f32[4,300]{1,0:T(4,128)}");
  EXPECT_EQ(tpu("bf16", {64, 300}), "bf16[64,300]{1,0:T(8,128)(2,1)}");
  EXPECT_EQ(tpu("s8", {64, 300}), "s8[64,300]{1,0:T(8,128)(4,1)}");
  EXPECT_EQ(tpu("s4", {64, 300}), "s4[64,300]{1,0:T(8,128)(8,1)E(4)}");
  EXPECT_EQ(tpu("pred", {64, 300}), "pred[64,300]{1,0:T(32,128)(32,1)E(1)}");
}

TEST(XlaLayout, sizes_known_from_programs) {
  EXPECT_EQ(layout("bf16[16,1280,40]{2,1,0:T(8,128)(2,1)}").size_bytes(), 5242880);
  EXPECT_EQ(layout("bf16[16,1280,40]{1,2,0:T(8,128)(2,1)}").size_bytes(), 1638400);
  EXPECT_EQ(layout("u8[327680,327680]{1,0:T(8,128)(4,1)}").size_bytes(), 107374182400);
  EXPECT_EQ(layout("u32[]{:T(128)}").size_bytes(), 512);
  EXPECT_EQ(layout("f32[3,0]{1,0:T(8,128)}").size_bytes(), 0);
}

TEST(XlaLayout, a_later_tile_that_does_not_divide_pads_every_earlier_one) {
  EXPECT_EQ(layout("f32[3,4]{1,0:T(3,4)(2,1)}").physical_elements(), 16);
}

TEST(XlaLayout, tail_padding_holds_with_and_without_tiles) {
  EXPECT_EQ(layout("f32[10,20]{1,0:T(8)L(1024)}").physical_elements(), 1024);
  EXPECT_EQ(layout("f32[10]{0:L(16)}").physical_elements(), 16);
}

TEST(XlaLayout, element_size_is_honoured_only_where_it_holds_the_type) {
  EXPECT_EQ(layout("s4[5]{0:E(4)}").size_bytes(), 3);
  EXPECT_EQ(layout("s4[5]{0}").size_bytes(), 5);
  EXPECT_EQ(layout("s4[5]{0:E(2)}").size_bytes(), 5);
  EXPECT_EQ(layout("f32[5]{0:E(4)}").size_bytes(), 20);
  EXPECT_EQ(layout("pred[9]{0:E(1)}").size_bytes(), 2);
}

TEST(XlaLayout, what_has_no_size_or_no_meaning_is_an_error) {
  EXPECT_EQ(Layout::parse("f32[4]{0:T(2,*)}").error().code, ErrorCode::kInvalidLayout);
  EXPECT_EQ(Layout::parse("f32[8]{0:SC(0:4)}").error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(Layout::parse("f32[8]{0:T(4611686018427387904)}").error().code, ErrorCode::kOverflow);
  EXPECT_EQ(Layout::parse("(f32[8])").error().code, ErrorCode::kUnsupported);
}

TEST(XlaLayout, expressions_are_not_longer_than_can_be_worked_with) {
  std::string tiles = "T(*,3)";
  for (int i = 0; i < 7; ++i) tiles += "(*,2)";
  const auto eight = Layout::parse("f32[16,17]{1,0:" + tiles + "}");
  ASSERT_TRUE(eight) << eight.error().message;
  for (int i = 0; i < 12; ++i) tiles += "(*,2)";
  const auto twenty = Layout::parse("f32[16,17]{1,0:" + tiles + "}");
  ASSERT_FALSE(twenty);
  EXPECT_EQ(twenty.error().code, ErrorCode::kUnsupported) << twenty.error().message;
  // Tiles that combine nothing are no trouble.
  std::string plain = "T(64,128)";
  for (int i = 0; i < 30; ++i) plain += "(2,1)";
  EXPECT_TRUE(Layout::parse("f32[16,17]{1,0:" + plain + "}"));
}

TEST(XlaLayout, a_destination_may_be_the_layout_alone) {
  const auto destination = Layout::parse_destination("{0,1:T(8,128)}", layout("f32[64,300]"));
  ASSERT_TRUE(destination) << destination.error().message;
  EXPECT_EQ(destination->to_string(), "f32[64,300]{0,1:T(8,128)}");
  EXPECT_FALSE(Layout::parse_destination("{0}", layout("f32[64,300]")));
}

TEST(XlaLayout, analyses_see_through_tiles) {
  EXPECT_TRUE(layout("f32[6,8]{1,0}").is_row_major());
  EXPECT_TRUE(layout("f32[6,8]{0,1}").is_column_major());
  EXPECT_TRUE(layout("f32[24,128]{1,0:T(8,128)}").is_row_major());
  EXPECT_FALSE(layout("f32[24,129]{1,0:T(8,128)}").is_row_major());
  EXPECT_EQ(*layout("f32[6,8]{1,0:PAD(6,10)=ZERO}").strides(), (Shape{10, 1}));
  EXPECT_EQ(*layout("f32[2,3,4]{2,1,0:T(*,*,24)}").strides(), (Shape{12, 4, 1}));
  EXPECT_EQ(layout("f32[3,5]{1,0:T(2,2)}").contiguous_elements(), 2);
  EXPECT_EQ(layout("f32[2,10,11]{2,1,0:T(*,*,4)}").contiguous_elements(), 220);
  EXPECT_EQ(layout("f32[4,3,4]{2,1,0:T(2,*,8)}").contiguous_elements(), 8);
}

TEST(XlaLayout, memory_space_and_padding_value_are_carried_along) {
  const auto carried = layout("f32[2,3]{0,1:S(5)PAD(3,5)=HIGHEST}");
  ASSERT_NE(carried.xla(), nullptr);
  EXPECT_EQ(carried.xla()->layout.memory_space, 5);
  EXPECT_EQ(carried.xla()->layout.padding_value, xla::PaddingValue::kHighest);
  EXPECT_EQ(layout("f32[2,3]").xla(), nullptr);
}

TEST(XlaArray, dimensions_may_be_counted_from_the_end) {
  const auto array = xla::make_array(*ElementType::parse("f32"), {4, 1, 7, 0});
  EXPECT_EQ(*xla::dimension_number(array, -1), 3);
  EXPECT_EQ(*xla::dimension_number(array, 2), 2);
  EXPECT_EQ(xla::dimension_number(array, -5).error().code, ErrorCode::kBadArgument);
  EXPECT_EQ(xla::true_rank(array), 2);
}

/// An array of element numbers, -1 where there is padding, row-major in `sizes`.
struct Cells {
  Shape sizes;
  Shape numbers;
};

std::int64_t row_major_place(const Shape& index, const Shape& sizes) {
  std::int64_t place = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) place = place * sizes[i] + index[i];
  return place;
}

Shape index_of(std::int64_t place, const Shape& sizes) {
  Shape index(sizes.size());
  for (std::size_t i = sizes.size(); i-- > 0; place /= sizes[i]) index[i] = place % sizes[i];
  return index;
}

std::int64_t volume(const Shape& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

/// Combining neighbours of a row-major array is a new reading of the same cells.
void combine(Cells& cells, xla::Tile& tile) {
  while (cells.sizes.size() < tile.size()) cells.sizes.insert(cells.sizes.begin(), 1);
  for (std::size_t i = tile.size(); i-- > 0;) {
    if (tile[i] != xla::kCombine) continue;
    const std::size_t at = cells.sizes.size() - tile.size() + i;
    cells.sizes[at + 1] *= cells.sizes[at];
    cells.sizes.erase(cells.sizes.begin() + static_cast<std::ptrdiff_t>(at));
    tile.erase(tile.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

/// Copies the cells into tiles, one after another.
Cells retiled(Cells cells, xla::Tile tile) {
  combine(cells, tile);
  const std::size_t untouched = cells.sizes.size() - tile.size();
  Cells tiled{cells.sizes, {}};
  for (std::size_t i = 0; i < tile.size(); ++i) {
    tiled.sizes[untouched + i] = (cells.sizes[untouched + i] + tile[i] - 1) / tile[i];
  }
  tiled.sizes.insert(tiled.sizes.end(), tile.begin(), tile.end());
  tiled.numbers.assign(static_cast<std::size_t>(volume(tiled.sizes)), -1);
  for (std::size_t place = 0; place < cells.numbers.size(); ++place) {
    Shape index = index_of(static_cast<std::int64_t>(place), cells.sizes);
    Shape inner;
    for (std::size_t i = 0; i < tile.size(); ++i) {
      inner.push_back(index[untouched + i] % tile[i]);
      index[untouched + i] /= tile[i];
    }
    index.insert(index.end(), inner.begin(), inner.end());
    tiled.numbers[static_cast<std::size_t>(row_major_place(index, tiled.sizes))] = cells.numbers[place];
  }
  return tiled;
}

/// The buffer: which element, by row-major number, lies at each place.
Shape buffer_of(const xla::ArrayShape& array) {
  Cells cells;
  Shape order(array.layout.minor_to_major.rbegin(), array.layout.minor_to_major.rend());
  for (const auto dimension : order)
    cells.sizes.push_back(array.dimensions[static_cast<std::size_t>(dimension)]);
  for (std::int64_t place = 0; place < volume(cells.sizes); ++place) {
    const Shape physical = index_of(place, cells.sizes);
    Shape logical(physical.size());
    for (std::size_t i = 0; i < order.size(); ++i) logical[static_cast<std::size_t>(order[i])] = physical[i];
    cells.numbers.push_back(row_major_place(logical, array.dimensions));
  }
  for (const xla::Tile& tile : array.layout.tiles) cells = retiled(std::move(cells), tile);
  const auto alignment = static_cast<std::size_t>(array.layout.tail_padding_alignment);
  cells.numbers.resize((cells.numbers.size() + alignment - 1) / alignment * alignment, -1);
  return cells.numbers;
}

xla::ArrayShape random_array(std::mt19937_64& generator) {
  const auto uniform = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(generator);
  };
  Shape dimensions(static_cast<std::size_t>(uniform(0, 4)));
  for (auto& extent : dimensions) extent = uniform(1, 7);
  auto array = xla::make_array(*ElementType::parse("f32"), dimensions);
  std::shuffle(array.layout.minor_to_major.begin(), array.layout.minor_to_major.end(), generator);
  for (std::int64_t tiles = uniform(0, 3); tiles > 0; --tiles) {
    xla::Tile tile(static_cast<std::size_t>(uniform(1, 4)));
    for (auto& entry : tile) entry = uniform(0, 3) == 0 ? xla::kCombine : uniform(1, 6);
    if (tile.back() == xla::kCombine) tile.back() = 2;
    array.layout.tiles.push_back(tile);
  }
  if (uniform(0, 3) == 0) array.layout.tail_padding_alignment = uniform(2, 50);
  return array;
}

/// Runs `check` on one generator per seed; a failure's seed replays alone.
template <class Check>
void for_seeds(std::uint64_t count, Check check) {
  const char* given = std::getenv("RELAYOUT_TEST_SEED");
  const std::uint64_t first = given != nullptr ? std::stoull(given) : 1;
  for (std::uint64_t seed = first; seed < first + (given != nullptr ? 1 : count); ++seed) {
    SCOPED_TRACE("RELAYOUT_TEST_SEED=" + std::to_string(seed));
    std::mt19937_64 generator(seed);
    check(generator);
  }
}

TEST(XlaRandom, offsets_are_those_of_retiling_by_copies) {
  for_seeds(600, [](std::mt19937_64& generator) {
    const auto array = random_array(generator);
    const auto map = Layout::from_xla(array);
    ASSERT_TRUE(map) << xla::to_string(array);
    const Shape buffer = buffer_of(array);
    ASSERT_EQ(map->physical_elements(), static_cast<std::int64_t>(buffer.size())) << xla::to_string(array);
    const Shape all = offsets(*map);
    for (std::size_t number = 0; number < all.size(); ++number) {
      ASSERT_EQ(buffer[static_cast<std::size_t>(all[number])], static_cast<std::int64_t>(number))
          << xla::to_string(array);
    }
  });
}

TEST(XlaRandom, digits_strides_and_physical_digits_agree_with_the_offsets) {
  for_seeds(300, [](std::mt19937_64& generator) {
    const auto map = *Layout::from_xla(random_array(generator));
    const auto& data = map.data();
    const auto strides = map.strides();
    Shape coordinate(map.shape().size(), 0);
    for (const std::int64_t offset : offsets(map)) {
      std::int64_t by_digits = 0;
      for (const auto& digit : data.digits) {
        by_digits +=
            coordinate[static_cast<std::size_t>(digit.dimension)] / digit.place % digit.extent * digit.stride;
      }
      std::int64_t by_places = 0;
      for (const auto& digit : data.physical_digits) {
        const auto value = *expr::evaluate(digit.index, coordinate);
        ASSERT_TRUE(value >= 0 && value < digit.extent) << map.to_string();
        by_places += value * digit.stride;
      }
      ASSERT_EQ(by_places, offset) << map.to_string();
      if (data.has_digits()) {
        ASSERT_EQ(by_digits, offset) << map.to_string();
      }
      if (strides) {
        ASSERT_EQ(std::inner_product(coordinate.begin(), coordinate.end(), strides->begin(), std::int64_t{0}),
                  offset)
            << map.to_string();
      }
      for (std::size_t d = coordinate.size(); d-- > 0;) {
        if (++coordinate[d] < map.shape()[d]) break;
        coordinate[d] = 0;
      }
    }
  });
}

TEST(XlaRandom, bitcasts_are_where_all_offsets_agree) {
  int free_transposes = 0;
  for_seeds(600, [&](std::mt19937_64& generator) {
    const auto from = random_array(generator);
    Shape permutation(from.dimensions.size());
    std::iota(permutation.begin(), permutation.end(), 0);
    std::shuffle(permutation.begin(), permutation.end(), generator);
    auto to = from;
    for (std::size_t i = 0; i < permutation.size(); ++i) {
      to.dimensions[i] = from.dimensions[static_cast<std::size_t>(permutation[i])];
      const auto moved = std::find(permutation.begin(), permutation.end(), from.layout.minor_to_major[i]);
      to.layout.minor_to_major[i] = moved - permutation.begin();
    }
    if (generator() % 3 == 0) {
      std::shuffle(to.layout.minor_to_major.begin(), to.layout.minor_to_major.end(), generator);
    }
    const auto from_layout = *Layout::from_xla(from);
    const auto to_layout = *Layout::from_xla(to);
    bool expected = to_layout.size_bytes() <= from_layout.size_bytes();
    for (std::int64_t number = 0; number < from_layout.element_count(); ++number) {
      const Shape at = index_of(number, from.dimensions);
      Shape moved;
      for (const auto source : permutation) moved.push_back(at[static_cast<std::size_t>(source)]);
      expected = expected && *from_layout.offset(at) == *to_layout.offset(moved);
    }
    EXPECT_EQ(*xla::transpose_is_bitcast(from, to, permutation), expected)
        << xla::to_string(from) << ' ' << xla::to_string(to);
    free_transposes += expected ? 1 : 0;

    auto other = random_array(generator);
    other.dimensions = {volume(from.dimensions)};
    other.dynamic = {false};
    other.layout.minor_to_major = {0};
    const auto other_layout = *Layout::from_xla(other);
    EXPECT_EQ(*xla::reshape_is_bitcast(from, other), other_layout.size_bytes() <= from_layout.size_bytes() &&
                                                         offsets(from_layout) == offsets(other_layout))
        << xla::to_string(from) << ' ' << xla::to_string(other);
  });
  if (std::getenv("RELAYOUT_TEST_SEED") == nullptr) {
    EXPECT_GT(free_transposes, 100);
  }
}

TEST(XlaBitcast, tiles_count) {
  const auto array = [](const char* text) { return *xla::parse(text)->array; };
  const auto reshape = [&](const char* from, const char* to) {
    return *xla::reshape_is_bitcast(array(from), array(to));
  };
  EXPECT_TRUE(reshape("f32[3,4]{1,0}", "f32[6,2]{1,0}"));
  EXPECT_FALSE(reshape("f32[3,4]{0,1}", "f32[6,2]{1,0}"));
  EXPECT_TRUE(reshape("f32[3,2,2]{1,0,2}", "f32[6,2]{0,1}"));
  EXPECT_FALSE(reshape("f32[3,2,2]{0,1,2}", "f32[6,2]{0,1}"));
  EXPECT_TRUE(reshape("f32[4096,8,256]{2,1,0:T(8,128)}", "f32[32768,256]{1,0:T(8,128)}"));  // 2^26 elements
  EXPECT_FALSE(reshape("f32[10,7,256]{2,1,0:T(8,128)}", "f32[70,256]{1,0:T(8,128)}"));
  EXPECT_FALSE(reshape("f32[8,8]{1,0}", "f32[8,8]{1,0:S(1)}"));
  EXPECT_FALSE(reshape("s4[8,8]{1,0}", "s4[8,8]{1,0:E(4)}"));
  EXPECT_EQ(xla::reshape_is_bitcast(array("f32[3,4]"), array("f32[13]")).error().code,
            ErrorCode::kShapeMismatch);
}

TEST(XlaLayout, packed_elements_share_bytes) {
  const auto packed = layout("s4[10,18]{1,0:T(8,128)(8,1)E(4)}");
  EXPECT_EQ(packed.element_bits(), 4);
  EXPECT_EQ(packed.size_bytes(), 1024);
}

}  // namespace
}  // namespace relayout
