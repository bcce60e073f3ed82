// Composition is exact: it has an answer wherever brute force finds one, and nowhere else, and the answer is
// right. RELAYOUT_TEST_PAIRS sets how many random pairs are tried.

#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include "tests/notation/cute_random.hpp"

namespace relayout {
namespace {

using testing::RandomCute;
using Leaves = RandomCute::Leaves;
using Offsets = std::vector<std::int64_t>;

std::uint64_t pairs_to_try() {
  const char* given = std::getenv("RELAYOUT_TEST_PAIRS");
  return given != nullptr ? std::stoull(given) : 4000;
}

/// Whether g on [0, |g|) is a layout: it is linear, or for some divisor s > 1 of its size it is linear within
/// every s, the same everywhere, and a layout on the multiples of s.
bool is_layout(const Offsets& g) {
  const auto size = static_cast<std::int64_t>(g.size());
  if (size == 1) return g[0] == 0;
  for (std::int64_t s = 2; s <= size; ++s) {
    if (size % s != 0) continue;
    bool splits = true;
    for (std::int64_t i = 0; i < size && splits; ++i) {
      splits = g[static_cast<std::size_t>(i)] == g[static_cast<std::size_t>(i - i % s)] + (i % s) * g[1];
    }
    if (!splits) continue;
    Offsets multiples;
    for (std::int64_t i = 0; i < size; i += s) multiples.push_back(g[static_cast<std::size_t>(i)]);
    if (is_layout(multiples)) return true;
  }
  return false;
}

/// A(B(i)) for every i.
Offsets composed(const Leaves& a, const Leaves& b) {
  Offsets offsets;
  for (std::int64_t i = 0; i < RandomCute::size_of(b); ++i) {
    offsets.push_back(RandomCute::evaluate(a, RandomCute::evaluate(b, i)));
  }
  return offsets;
}

/// Whether a layout that is compatible with B has these offsets: they are a sum of layouts of B's leaves.
bool layout_exists(const Leaves& b, const Offsets& offsets) {
  Offsets sums(offsets.size(), 0);
  std::int64_t place = 1;
  for (const auto& leaf : b) {
    Offsets own;
    for (std::int64_t i = 0; i < leaf.size; ++i) own.push_back(offsets[static_cast<std::size_t>(i * place)]);
    if (!is_layout(own)) return false;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] += own[i / static_cast<std::size_t>(place) % own.size()];
    }
    place *= leaf.size;
  }
  return sums == offsets;
}

/// The library's answer is right if there is one, and there is one if brute force finds one.
void check_exact(RandomCute& random, const Leaves& a, const Leaves& b) {
  const cute::Layout outer = random.layout_of(a);
  const cute::Layout inner = random.layout_of(b);
  const Offsets expected = composed(a, b);
  const auto result = cute::composition(outer, inner);
  const std::string name = to_string(outer) + " o " + to_string(inner);
  ASSERT_EQ(result.ok(), layout_exists(b, expected)) << name << (result ? " = " + to_string(*result) : "");
  if (!result) {
    EXPECT_EQ(result.error().code, ErrorCode::kUnsupported) << result.error().message;
    return;
  }
  ASSERT_EQ(*result->offsets(), expected) << name << " = " << to_string(*result);
  ASSERT_TRUE(compatible(inner.shape(), result->shape())) << name << " = " << to_string(*result);
}

Leaves random_leaves(RandomCute& random, std::int64_t maximum_rank, std::int64_t maximum_stride) {
  Leaves leaves(static_cast<std::size_t>(random.uniform(1, maximum_rank)));
  for (auto& leaf : leaves) leaf = {random.uniform(1, 12), random.uniform(0, maximum_stride)};
  return leaves;
}

TEST(CuteComposition, example) {
  const auto a = cute::parse_layout("(6,2):(8,2)");
  const auto b = cute::parse_layout("(4,3):(3,1)");
  EXPECT_EQ(to_string(*cute::composition(*a, *b)), "((2,2),3):((24,2),8)");
}

TEST(CuteComposition, of_a_compact_layout_and_a_vector_is_exact) {
  testing::for_cute_seeds(pairs_to_try(), [](RandomCute& random) {
    const Leaves a = random.compact(3, {2, 3, 4, 5, 6, 8, 9, 10, 12});
    const std::int64_t size = RandomCute::size_of(a);
    const std::int64_t step = random.uniform(1, std::max<std::int64_t>(1, size / 2));
    check_exact(random, a, {{random.uniform(1, std::min<std::int64_t>(24, (size - 1) / step + 1)), step}});
  });
}

TEST(CuteComposition, of_arbitrary_layouts_is_exact) {
  testing::for_cute_seeds(pairs_to_try(), [](RandomCute& random) {
    const Leaves a = random_leaves(random, 4, 20);
    check_exact(random, a, random_leaves(random, 3, random.one_of<std::int64_t>({3, 8, 30})));
  });
}

/// Small strides of A make its modes cancel one another's carries now and then.
TEST(CuteComposition, with_carries_that_cancel_is_exact) {
  testing::for_cute_seeds(pairs_to_try(), [](RandomCute& random) {
    Leaves a(static_cast<std::size_t>(random.uniform(2, 5)));
    for (auto& leaf : a) leaf = {random.uniform(1, 3), random.uniform(-1, 2)};
    Leaves b(static_cast<std::size_t>(random.uniform(1, 2)));
    for (auto& leaf : b) leaf = {random.uniform(1, 4), random.uniform(0, 9)};
    check_exact(random, a, b);
  });
}

TEST(CuteComposition, with_negative_strides_is_exact) {
  testing::for_cute_seeds(pairs_to_try(), [](RandomCute& random) {
    Leaves a = random_leaves(random, 3, 9);
    for (auto& leaf : a) leaf.stride -= 4;
    Leaves b = random_leaves(random, 3, 12);
    for (auto& leaf : b) leaf.stride -= random.one_of<std::int64_t>({0, 4, 12});
    check_exact(random, a, b);
  });
}

TEST(CuteComposition, with_tiles_that_fit_is_exact) {
  testing::for_cute_seeds(pairs_to_try(), [](RandomCute& random) {
    const Leaves a = random.gapped(4, {2, 3, 4, 6});
    check_exact(random, a, random.gapped(3, {1, 2, 3, 4, 6}));
  });
}

TEST(CuteComposition, an_answer_exists_where_carries_cancel) {
  // A(0), A(3), A(6) = 0, 1, 2, although 3 neither divides nor is divided by 2 and 4.
  const auto result = cute::composition(*cute::parse_layout("(2,2,3):(0,1,1)"), *cute::parse_layout("3:3"));
  ASSERT_TRUE(result);
  EXPECT_EQ(to_string(*result), "3:1");
}

/// A and B whose places and steps have much in common, with strides that make carries cancel.
TEST(CuteComposition, with_carries_that_cancel_again_and_again_is_exact) {
  int answers = 0;
  testing::for_cute_seeds(pairs_to_try(), [&](RandomCute& random) {
    const std::int64_t unit = random.uniform(1, 4);
    Leaves a(static_cast<std::size_t>(random.uniform(3, 4)));
    std::int64_t stride = 1;
    for (auto& leaf : a) {
      leaf = {unit * random.uniform(1, 3) + random.uniform(0, 1), stride};
      stride = stride * leaf.size + random.uniform(-1, 1);
    }
    Leaves b(static_cast<std::size_t>(random.uniform(2, 3)));
    const std::int64_t step = random.uniform(1, 2 * a[0].size);
    for (auto& leaf : b) leaf = {random.uniform(2, 9), step * random.uniform(1, 4)};
    check_exact(random, a, b);
    answers += cute::composition(random.layout_of(a), random.layout_of(b)).ok() ? 1 : 0;
  });
  EXPECT_GT(answers, static_cast<int>(pairs_to_try() / 50));
}

/// The offsets of A o B at random coordinates of B, and at its corners.
void expect_samples(const cute::Layout& a, const cute::Layout& b, const cute::Layout& result) {
  ASSERT_EQ(result.size(), b.size());
  RandomCute random(1);
  for (int i = 0; i < 2000; ++i) {
    const std::int64_t index = i == 0 ? b.size() - 1 : random.uniform(0, b.size() - 1);
    ASSERT_EQ(result(index), a(b(index))) << index;
  }
}

TEST(CuteComposition, is_decided_past_any_number_of_coordinates) {
  struct Case {
    const char* a;
    const char* b;
    const char* result;
  };
  const Case cases[] = {
      // 1025 n carries into both places of A at once, at every 1024th n: 1024 * 1025 - 1 offsets a block.
      {"(1024,1025,4194304):(1,1025,1050624)", "(2000,3000):(1025,2050000)", "(2000,3000):(1026,2052000)"},
      {"(1024,1025,4194304):(1,1025,1050624)", "90000000:1025", "90000000:1026"},
      // One variable goes round 2 places for ever, the other meets both of them once.
      {"(2,3,9223372036):(1,3,8)", "(1073741824,2):(3,2)", "(1073741824,2):(4,3)"}};
  for (const Case& each : cases) {
    SCOPED_TRACE(std::string(each.a) + " o " + each.b);
    const auto a = cute::parse_layout(each.a);
    const auto b = cute::parse_layout(each.b);
    const auto result = cute::composition(*a, *b);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(to_string(*result), each.result);
    expect_samples(*a, *b, *result);
  }
}

TEST(CuteComposition, is_refused_past_any_number_of_coordinates) {
  // As above, but the other variable is one off.
  const auto result = cute::composition(*cute::parse_layout("(2,3,9223372036):(1,3,8)"),
                                        *cute::parse_layout("(1073741824,3):(3,2)"));
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("the offset is"), std::string::npos) << result.error().message;
}

TEST(CuteComposition, a_refusal_names_a_coordinate_that_no_layout_has) {
  const auto result =
      cute::composition(*cute::parse_layout("(6,2):(1,7)"), *cute::parse_layout("(3,2):(2,3)"));
  ASSERT_FALSE(result);
  EXPECT_EQ(
      result.error().message,
      "(6,2):(1,7) o (3,2):(2,3) is no layout: at (2,1) of the modes (3:2,2:3) the offset is 8, where a "
      "layout that has the offsets of each mode has 7");
}

TEST(CuteComposition, huge_layouts_take_no_time) {
  const auto a = cute::parse_layout("(1048576,1048576,1024):(1,2097152,4398046511104)");
  const auto b = cute::parse_layout("(1024,1048576,4096):(1048576,1,1073741824)");
  ASSERT_TRUE(a && b);
  const auto result = cute::composition(*a, *b);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(to_string(*result), "(1024,1048576,(1024,4)):(2097152,1,(2147483648,4398046511104))");
}

TEST(CuteComposition, offsets_past_64_bits_are_an_error) {
  const auto result =
      cute::composition(*cute::parse_layout("(2,2):(1,4611686018427387904)"), *cute::parse_layout("2:8"));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kOverflow);
  const auto far = cute::composition(*cute::parse_layout("(2,2):(1,4611686018427387904)"),
                                     *cute::parse_layout("(2,2):(2305843009213693953,2305843009213693951)"));
  ASSERT_FALSE(far);
  EXPECT_EQ(far.error().code, ErrorCode::kOverflow);
}

}  // namespace
}  // namespace relayout
