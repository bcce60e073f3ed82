#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "relayout/loops.hpp"
#include "relayout/relayout.hpp"

namespace relayout {
namespace {

struct Pair {
  Layout source;
  Layout destination;
};

Pair pair_of(const char* source_text, const char* destination_text) {
  const auto source = Layout::parse(source_text);
  const auto destination = Layout::parse_destination(destination_text, *source);
  return {*source, *destination};
}

/// Where every source element goes, walking the boxes; -1 for elements that none moves.
std::vector<std::int64_t> moved(const Pair& pair, const std::vector<LoopBox>& boxes) {
  std::vector<std::int64_t> to(static_cast<std::size_t>(pair.source.physical_elements()), -1);
  for (const LoopBox& box : boxes) {
    std::int64_t count = 1;
    for (const LoopDimension& loop : box.loops) count *= loop.extent;
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t source = box.source_base;
      std::int64_t destination = box.destination_base;
      std::int64_t rest = i;
      for (const LoopDimension& loop : box.loops) {
        source += rest % loop.extent * loop.source_stride;
        destination += rest % loop.extent * loop.destination_stride;
        rest /= loop.extent;
      }
      EXPECT_EQ(to[static_cast<std::size_t>(source)], -1) << "moved twice";
      to[static_cast<std::size_t>(source)] = destination;
    }
  }
  return to;
}

/// The same by the layouts' own offsets, of 2-D layouts.
std::vector<std::int64_t> defined(const Pair& pair) {
  std::vector<std::int64_t> to(static_cast<std::size_t>(pair.source.physical_elements()), -1);
  for (std::int64_t row = 0; row < pair.source.shape()[0]; ++row) {
    for (std::int64_t column = 0; column < pair.source.shape()[1]; ++column) {
      const std::vector<std::int64_t> at = {row, column};
      to[static_cast<std::size_t>(*pair.source.offset(at))] = *pair.destination.offset(at);
    }
  }
  return to;
}

TEST(LoopBoxes, move_every_element_once_to_its_place) {
  for (const Pair& pair : {pair_of("f32[6,8]", "[1, 0]"), pair_of("f32[100,300]", "{1,0:T(8,128)}"),
                           pair_of("bf16[20,130]{1,0:T(8,128)(2,1)}", "{0,1}"),
                           pair_of("u8[12,30]{1,0:T(4,4)}", "{1,0:T(3,5)}")}) {
    const auto boxes = loop_boxes(pair.source, pair.destination, 1000);
    ASSERT_TRUE(boxes) << pair.source.to_string();
    EXPECT_EQ(moved(pair, *boxes), defined(pair)) << pair.source.to_string();
  }
}

TEST(LoopBoxes, a_ragged_tile_is_a_box_of_its_own) {
  const Pair pair = pair_of("f32[8,200]", "{1,0:T(8,128)}");
  EXPECT_EQ(loop_boxes(pair.source, pair.destination)->size(), 2u);
  EXPECT_FALSE(loop_boxes(pair.source, pair.destination, 1));
  EXPECT_FALSE(loop_dimensions(pair.source, pair.destination));
}

TEST(LoopBoxes, there_are_none_where_a_part_of_the_map_takes_too_many) {
  const Pair pair = pair_of("u8[3001,5003]{1,0:T(*,97)}", "u8[3001,5003]{0,1:T(*,89)(47)(11)}");
  EXPECT_FALSE(loop_boxes(pair.source, pair.destination));
  EXPECT_FALSE(loop_boxes(pair.source, pair.destination, 1'000'000));
}

TEST(LoopBoxes, layouts_of_other_shapes_and_empty_arrays_have_none) {
  EXPECT_FALSE(loop_boxes(*Layout::parse("f32[12]"), *Layout::parse("f32[13]")));
  EXPECT_FALSE(loop_boxes(*Layout::parse("f32[0,4]"), *Layout::parse("f32[0,4][1, 0]")));
}

}  // namespace
}  // namespace relayout
