// The algebra's results satisfy what defines them, on random layouts.

#include <algorithm>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "tests/notation/cute_random.hpp"

namespace relayout {
namespace {

using cute::Layout;
using testing::RandomCute;
using Leaves = RandomCute::Leaves;

constexpr std::uint64_t kLayouts = 500;

const std::vector<std::int64_t> kSizes{1, 2, 3, 4, 6};

/// Leaves of any kind: compact, with gaps, or with arbitrary strides.
Leaves any_leaves(RandomCute& random) {
  const std::int64_t kind = random.uniform(0, 2);
  if (kind == 0) return random.compact(4, kSizes);
  if (kind == 1) return random.gapped(4, kSizes);
  Leaves leaves(static_cast<std::size_t>(random.uniform(1, 4)));
  for (auto& leaf : leaves) leaf = {random.one_of(kSizes), random.uniform(-2, 12)};
  return leaves;
}

Layout layout(const char* text) {
  return *cute::parse_layout(text);
}
template <class Kind>
std::string text(const Result<Kind>& result) {
  return result ? to_string(*result) : "error: " + result.error().message;
}

TEST(CuteCoalesce, keeps_the_function_with_depth_one_and_no_mergeable_neighbours) {
  testing::for_cute_seeds(kLayouts, [](RandomCute& random) {
    const Layout a = random.layout_of(any_leaves(random));
    const auto r = cute::coalesce(a);
    ASSERT_TRUE(r);
    EXPECT_LE(r->depth(), 1) << to_string(a);
    ASSERT_EQ(*r->offsets(), *a.offsets()) << to_string(a) << ' ' << to_string(*r);
    for (std::int64_t i = 0; i + 1 < r->rank(); ++i) {
      const auto size = r->mode(i).size(), stride = r->mode(i).stride().value();
      EXPECT_NE(size * stride, r->mode(i + 1).stride().value()) << to_string(*r);
      EXPECT_NE(size, 1) << to_string(*r);
    }
  });
}

TEST(CuteCoalesce, by_profile_keeps_the_rank) {
  EXPECT_EQ(text(cute::coalesce(layout("(2,(1,6)):(1,(6,2))"), *cute::parse_int_tuple("(1,1)"))),
            "(2,6):(1,2)");
  EXPECT_FALSE(cute::coalesce(layout("(2,6):(1,2)"), *cute::parse_int_tuple("(1,1,1)")));
}

TEST(CuteFilter, drops_broadcasts_and_nothing_else) {
  testing::for_cute_seeds(kLayouts, [](RandomCute& random) {
    const Layout a = random.layout_of(any_leaves(random));
    const auto r = cute::filter(a);
    const auto all = *a.offsets(), kept = *r->offsets();
    EXPECT_EQ(std::set<std::int64_t>(all.begin(), all.end()),
              std::set<std::int64_t>(kept.begin(), kept.end()));
  });
}

TEST(CuteComplement, is_increasing_disjoint_and_fills_the_extent) {
  testing::for_cute_seeds(kLayouts, [](RandomCute& random) {
    const Layout a = random.layout_of(random.gapped(4, kSizes));
    const std::int64_t extent = random.uniform(1, 3 * a.cosize());
    const auto r = cute::complement(a, extent);
    ASSERT_TRUE(r) << to_string(a) << ' ' << r.error().message;
    const auto own = *a.offsets(), rest = *r->offsets();
    EXPECT_TRUE(std::is_sorted(rest.begin(), rest.end(), std::less_equal<>())) << to_string(*r);
    for (std::size_t i = 1; i < rest.size(); ++i) {
      ASSERT_EQ(std::count(own.begin(), own.end(), rest[i]), 0) << to_string(a) << ' ' << to_string(*r);
    }
    const auto both = cute::make_layout({a, *r});
    EXPECT_GE(both->cosize(), extent) << to_string(*both);
    const auto offsets = *both->offsets();
    EXPECT_EQ(std::set<std::int64_t>(offsets.begin(), offsets.end()).size(), offsets.size())
        << to_string(*both);
  });
}

TEST(CuteComplement, of_layouts_that_are_not_ordered_is_refused) {
  EXPECT_EQ(cute::complement(layout("(4,2):(1,2)"), 8).error().code, ErrorCode::kAliasing);
  EXPECT_EQ(cute::complement(layout("(2,2):(2,3)"), 19).error().code, ErrorCode::kAliasing);
  EXPECT_EQ(cute::complement(layout("4:1"), 0).error().code, ErrorCode::kBadArgument);
}

TEST(CuteRightInverse, inverts_and_is_as_long_as_the_contiguous_run) {
  testing::for_cute_seeds(kLayouts, [](RandomCute& random) {
    const Leaves leaves = any_leaves(random);
    const Layout a = random.layout_of(leaves);
    const auto r = cute::right_inverse(a);
    ASSERT_TRUE(r);
    for (std::int64_t i = 0; i < r->size(); ++i) {
      ASSERT_EQ(RandomCute::evaluate(leaves, (*r)(i)), i) << to_string(a) << ' ' << to_string(*r);
    }
  });
  testing::for_cute_seeds(kLayouts, [](RandomCute& random) {
    const Layout a = random.layout_of(random.compact(4, kSizes));
    EXPECT_EQ(cute::right_inverse(a)->size(), a.size()) << to_string(a);
  });
}

TEST(CuteLeftInverse, inverts_injective_layouts) {
  testing::for_cute_seeds(kLayouts, [](RandomCute& random) {
    Leaves leaves = random.gapped(4, kSizes);
    if (random.uniform(0, 4) == 0) {
      for (auto& leaf : leaves) leaf.stride = -leaf.stride;
    }
    const Layout a = random.layout_of(leaves);
    const auto r = cute::left_inverse(a);
    ASSERT_TRUE(r) << to_string(a) << ' ' << r.error().message;
    for (std::int64_t i = 0; i < a.size(); ++i)
      ASSERT_EQ((*r)(a(i)), i) << to_string(a) << ' ' << to_string(*r);
  });
}

TEST(CuteLeftInverse, of_any_layout_is_an_error_or_leads_back_to_the_same_offset) {
  testing::for_cute_seeds(kLayouts, [](RandomCute& random) {
    const Layout a = random.layout_of(any_leaves(random));
    const auto r = cute::left_inverse(a);
    if (!r) return;
    for (std::int64_t i = 0; i < a.size(); ++i) {
      ASSERT_EQ(a((*r)(a(i))), a(i)) << to_string(a) << ' ' << to_string(*r);
    }
  });
}

TEST(CuteNullspace, holds_what_leads_to_offset_zero) {
  testing::for_cute_seeds(kLayouts, [](RandomCute& random) {
    Leaves leaves = any_leaves(random);
    for (auto& leaf : leaves) leaf.stride *= random.uniform(0, 1);
    const Layout a = random.layout_of(leaves);
    const auto r = cute::nullspace(a);
    ASSERT_TRUE(r);
    EXPECT_EQ(r->size(), a.size() / cute::filter(a)->size()) << to_string(a);
    for (std::int64_t i = 0; i < r->size(); ++i) ASSERT_EQ(a((*r)(i)), 0) << to_string(a);
  });
}

TEST(CuteDivide, has_the_tile_in_mode_0_and_all_elements) {
  testing::for_cute_seeds(kLayouts, [](RandomCute& random) {
    const Layout a = random.layout_of(random.compact(4, {2, 4, 8}));
    const Layout b =
        random.layout_of({{random.one_of<std::int64_t>({1, 2, 4}), random.one_of<std::int64_t>({1, 2, 4})}});
    const auto r = cute::logical_divide(a, b);
    const auto tile = cute::composition(a, b);
    ASSERT_EQ(r.ok(), tile.ok()) << to_string(a) << " / " << to_string(b);
    if (!r) return;
    EXPECT_EQ(r->mode(0), *tile);
    if (b.cosize() > a.size()) return;
    auto all = *a.offsets(), divided = *r->offsets();
    if (divided.size() != all.size()) return;  // the tile overhangs
    std::sort(all.begin(), all.end());
    std::sort(divided.begin(), divided.end());
    EXPECT_EQ(all, divided) << to_string(a) << " / " << to_string(b) << " = " << to_string(*r);
  });
}

TEST(CuteDivide, variants_regroup_the_same_modes) {
  const Layout a = layout("(6,8,5):(8,1,48)");
  const auto tiler = *cute::Tiler::of_shape(*cute::parse_int_tuple("(3,4)"));
  EXPECT_EQ(text(cute::logical_divide(a, tiler)), "((3,2),(4,2),5):((8,24),(1,4),48)");
  EXPECT_EQ(text(cute::zipped_divide(a, tiler)), "((3,4),(2,2,5)):((8,1),(24,4,48))");
  EXPECT_EQ(text(cute::tiled_divide(a, tiler)), "((3,4),2,2,5):((8,1),24,4,48)");
  EXPECT_EQ(text(cute::flat_divide(a, tiler)), "(3,4,2,2,5):(8,1,24,4,48)");
  EXPECT_EQ(cute::zipped_divide(a, tiler)->mode(0), *cute::composition(a, tiler));
}

TEST(CuteDivide, an_open_mode_stays_whole) {
  const auto tiler = cute::Tiler::modes({cute::Tiler::underscore(), layout("4:1")});
  EXPECT_EQ(text(cute::logical_divide(layout("(3,28):(1,3)"), tiler)), "(3,(4,7)):(1,(3,12))");
  EXPECT_EQ(text(cute::zipped_divide(layout("(3,28):(1,3)"), tiler)), "((3,4),(1,7)):((1,3),(0,12))");
}

TEST(CuteDivide, a_rest_that_does_not_divide_rounds_up) {
  EXPECT_EQ(text(cute::logical_divide(layout("(4,6):(1,4)"), layout("5:1"))), "(5,5):(1,5)");
  EXPECT_EQ(text(cute::zipped_divide(layout("(10,7):(7,1)"),
                                     *cute::Tiler::of_shape(*cute::parse_int_tuple("(4,4)")))),
            "((4,4),(3,2)):((7,1),(28,4))");
}

TEST(CuteProduct, repeats_the_block_without_overlap) {
  testing::for_cute_seeds(kLayouts, [](RandomCute& random) {
    const Layout a = random.layout_of(random.gapped(3, kSizes));
    const Layout b = random.layout_of(random.compact(2, kSizes));
    const auto r = cute::logical_product(a, b);
    if (!r) {
      EXPECT_EQ(r.error().code, ErrorCode::kUnsupported) << r.error().message;
      return;
    }
    EXPECT_EQ(r->mode(0), a);
    EXPECT_TRUE(cute::compatible(b.shape(), r->mode(1).shape())) << to_string(*r);
    const auto offsets = *r->offsets();
    EXPECT_EQ(std::set<std::int64_t>(offsets.begin(), offsets.end()).size(), offsets.size()) << to_string(*r);
  });
}

TEST(CuteProduct, blocked_and_raked_hold_the_same_offsets) {
  testing::for_cute_seeds(kLayouts, [](RandomCute& random) {
    const Layout a = random.layout_of(random.compact(3, {2, 3, 4}));
    const Layout b = random.layout_of(random.compact(3, {2, 3, 4}));
    const auto blocked = cute::blocked_product(a, b);
    const auto raked = cute::raked_product(a, b);
    ASSERT_TRUE(blocked && raked) << to_string(a) << " * " << to_string(b);
    auto x = *blocked->offsets(), y = *raked->offsets();
    std::sort(x.begin(), x.end());
    std::sort(y.begin(), y.end());
    EXPECT_EQ(x, y);
    if (a.rank() == 1 && b.rank() == 1) return;
    for (std::int64_t i = 0; i < blocked->rank(); ++i) {
      EXPECT_EQ(blocked->mode(i).mode(0), raked->mode(i).mode(1));
      EXPECT_EQ(blocked->mode(i).mode(1), raked->mode(i).mode(0));
    }
  });
}

TEST(CuteTileToShape, has_the_target_shape_and_fills_it_once) {
  testing::for_cute_seeds(kLayouts, [](RandomCute& random) {
    const Layout block = random.layout_of(random.compact(3, {2, 3}));
    std::vector<cute::IntTuple> target;
    for (std::int64_t i = 0; i < block.rank(); ++i)
      target.emplace_back(block.mode(i).size() * random.uniform(1, 4));
    const auto shape = cute::IntTuple::tuple(target);
    const auto r = cute::tile_to_shape(block, shape);
    ASSERT_TRUE(r) << to_string(block) << ' ' << r.error().message;
    EXPECT_EQ(r->size(), *cute::size(shape));
    auto offsets = *r->offsets();
    std::sort(offsets.begin(), offsets.end());
    std::vector<std::int64_t> expected(offsets.size());
    std::iota(expected.begin(), expected.end(), std::int64_t{0});
    EXPECT_EQ(offsets, expected) << to_string(block) << ' ' << to_string(*r);
  });
}

TEST(CuteRecast, down_and_up_again_is_the_layout) {
  testing::for_cute_seeds(kLayouts, [](RandomCute& random) {
    const Layout a = random.layout_of(random.compact(3, {2, 3, 4}));
    const std::int64_t count = random.uniform(1, 5);
    const auto down = cute::downcast(a, count);
    if (!down) return;
    const auto again = cute::upcast(*down, count);
    ASSERT_TRUE(again) << to_string(a) << ' ' << again.error().message;
    EXPECT_EQ(*again, a) << to_string(*down);
  });
}

TEST(CuteRecast, counts_bits) {
  EXPECT_EQ(text(cute::recast_layout(layout("(32,4):(1,32)"), 32, 8)), "(8,4):(1,8)");
  EXPECT_EQ(text(cute::recast_layout(layout("(8,4):(1,8)"), 12, 8)),
            "error: 4:8: neither of stride 8 and 3 divides the other");
  EXPECT_EQ(text(cute::recast_layout(layout("(6,4):(1,6)"), 12, 8)), "(4,4):(1,4)");
  EXPECT_EQ(text(cute::downcast(layout("4:2"), 2)),
            "error: downcast needs adjacent elements, 4:2 has no stride 1");
  EXPECT_EQ(text(cute::upcast(*cute::Swizzle::make(3, 4, 3), 8)), "Sw<3,1,3>");
  EXPECT_EQ(text(cute::upcast(*cute::Swizzle::make(3, 1, 3), 4)), "Sw<2,0,3>");
}

TEST(CuteCommon, elements_lie_at_the_same_offset_in_both) {
  testing::for_cute_seeds(kLayouts, [](RandomCute& random) {
    const Layout a = random.layout_of(random.compact(3, {2, 3, 4}));
    const Layout b = random.layout_of(random.compact(3, {2, 3, 4}));
    if (a.size() != b.size()) return;
    const auto common = cute::max_common_layout(a, b);
    ASSERT_TRUE(common) << to_string(a) << ' ' << to_string(b) << ' ' << common.error().message;
    for (std::int64_t i = 0; i < common->size(); ++i) {
      ASSERT_EQ(a((*common)(i)), i) << to_string(a) << ' ' << to_string(b) << ' ' << to_string(*common);
      ASSERT_EQ(b((*common)(i)), i) << to_string(a) << ' ' << to_string(b) << ' ' << to_string(*common);
    }
    EXPECT_EQ(*cute::max_common_vector(a, b), common->size());
  });
}

TEST(CuteCommon, a_distribution_divides_the_shape_and_the_count) {
  const auto r = cute::domain_distribute(*cute::parse_int_tuple("(15,14)"), 6);
  EXPECT_EQ(text(r), "(3,2):(1,15)");
  EXPECT_FALSE(cute::domain_distribute(*cute::parse_int_tuple("(15,14)"), 0));
}

TEST(CuteMarks, a_result_is_static_if_all_arguments_are) {
  EXPECT_EQ(text(cute::composition(layout("(_6,_2):(_8,_2)"), layout("(_4,_3):(_3,_1)"))),
            "((_2,_2),_3):((_24,_2),_8)");
  EXPECT_EQ(text(cute::composition(layout("(_6,_2):(_8,_2)"), layout("(_4,_3):(_3,1)"))),
            "((2,2),3):((24,2),8)");
}

TEST(CuteMarks, what_fills_up_a_static_layout_is_static) {
  EXPECT_EQ(text(cute::blocked_product(layout("_3:_1"), layout("(_2,_6):(_1,_2)"))),
            "((_3,_2),(_1,_6)):((_1,_3),(_0,_6))");
  EXPECT_EQ(text(cute::raked_product(layout("(_4,_4):(_4,_1)"), layout("_4:_1"))),
            "((_4,_4),(_1,_4)):((_16,_4),(_0,_1))");
  EXPECT_EQ(
      text(cute::zipped_divide(layout("(_4,_8):(_8,_1)"), cute::Tiler::modes({cute::Tiler(layout("_2:_1")),
                                                                              cute::Tiler::underscore()}))),
      "((_2,_8),(_2,_1)):((_8,_1),(_16,_0))");
  EXPECT_EQ(text(cute::blocked_product(layout("3:1"), layout("(2,6):(1,2)"))), "((3,2),(1,6)):((1,3),(0,6))");
}

}  // namespace
}  // namespace relayout
