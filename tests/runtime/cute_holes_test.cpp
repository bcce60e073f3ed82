// Holes of a CuTe destination: places between its first and last element that no coordinate reaches.

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "relayout/relayout.hpp"
#include "tests/notation/cute_random.hpp"
#include "tests/support/buffers.hpp"

namespace relayout {
namespace {

using testing::RandomCute;
using Bytes = std::vector<std::byte>;

/// Bytes before and behind a buffer that nobody may write.
constexpr std::int64_t kMargin = 128;
constexpr std::byte kUntouched{0xC3};

/// What to do with holes, and what they then hold: an element.
struct Policy {
  CompileOptions options;
  Bytes hole;
};

Policy policy(const char* name, std::int64_t element_bytes) {
  Policy result;
  result.hole.assign(static_cast<std::size_t>(element_bytes), std::byte{0});
  if (name == std::string("leave")) {
    result.options.padding = PaddingPolicy::kLeaveUntouched;
    std::fill(result.hole.begin(), result.hole.end(), kUntouched);
  } else if (name == std::string("fill")) {
    for (std::size_t i = 0; i < result.hole.size(); ++i)
      result.hole[i] = static_cast<std::byte>(0x11 * (i + 1));
    result.options.fill = result.hole;
  }
  return result;
}

/// The buffer after a conversion from the compact layout whose first mode is fastest, which numbers the
/// elements as cute::Layout does.
Bytes expected_buffer(const cute::Layout& layout, const Bytes& source, const Bytes& hole) {
  Bytes result(static_cast<std::size_t>(2 * kMargin), kUntouched);
  for (std::int64_t i = 0; i < layout.cosize(); ++i)
    result.insert(result.end() - kMargin, hole.begin(), hole.end());
  const auto width = static_cast<std::int64_t>(hole.size());
  for (std::int64_t i = 0; i < layout.size(); ++i) {
    const std::int64_t place = layout(i) - layout.range().lowest;
    std::copy_n(source.begin() + i * width, width, result.begin() + kMargin + place * width);
  }
  return result;
}

Bytes converted(const Relayout& convert, const Bytes& source, std::int64_t parts) {
  Bytes buffer(static_cast<std::size_t>(2 * kMargin + convert.destination_bytes()), kUntouched);
  for (std::int64_t part = 0; part < parts; ++part) {
    convert.run_part(source.data(), buffer.data() + kMargin, part, parts);
  }
  return buffer;
}

/// The layout of the same extents without holes.
cute::Layout compact(const cute::Layout& layout) {
  std::vector<cute::IntTuple> extents;
  for (std::int64_t i = 0; i < layout.rank(); ++i) extents.emplace_back(layout.mode(i).size());
  return *cute::Layout::left(cute::IntTuple::tuple(extents));
}

void expect_holes(const ElementType& type, const cute::Layout& layout) {
  const auto destination = from_cute(type, layout);
  const auto source = from_cute(type, compact(layout));
  ASSERT_TRUE(destination && source);
  const Bytes elements = testing::scrambled_bytes(source->size_bytes());
  for (const char* name : {"zero", "fill", "leave"}) {
    Policy asked = policy(name, type.storage_bytes());
    const Bytes expected = expected_buffer(layout, elements, asked.hole);
    for (const Isa isa : runnable_isas()) {
      SCOPED_TRACE(destination->to_string() + ", " + name + ", " + std::string(to_string(isa)));
      asked.options.isa = isa;
      const auto convert = compile(*source, *destination, asked.options);
      ASSERT_TRUE(convert) << convert.error().message;
      ASSERT_EQ(converted(*convert, elements, 1), expected);
      ASSERT_EQ(converted(*convert, elements, 3), expected) << "in 3 parts";
    }
  }
}

const char* const kTypes[] = {"u8", "bf16", "f32", "f64", "c128"};

TEST(CuteHoles, hold_what_the_padding_policy_says) {
  for (const char* text : {"(8,12):(16,1)",                   // at the end of rows
                           "(4,6):(3,20)",                    // between all elements
                           "((2,3),4):((1,5),17)",            // in rows and between them
                           "(12,10):(-20,1)",                 // with the first row last
                           "(12,10):(-1,-16)",                // backwards
                           "(5,3):(3,5)",                     // interleaved: 1, 2, 4, 7, 15, 18, 20, 21
                           "((3,2),(2,2)):((2,30),(7,100))",  // of three kinds
                           "(64,48):(1,80)",                  // behind columns of whole vectors
                           "(48,64):(80,1)",                  // behind rows that are written as tiles
                           "(16,(8,5)):(8,(1,200))",          // between blocks
                           "7:1000",                          // long
                           "(3,700):(1000,1)",                // long rows and long holes
                           "1:0", "(4,4):(4,1)"}) {           // none
    for (const char* type : kTypes) expect_holes(*ElementType::parse(type), *cute::parse_layout(text));
  }
}

/// Leaves with strides of any size and sign, no two elements at one place.
RandomCute::Leaves scattered(RandomCute& random) {
  while (true) {
    RandomCute::Leaves leaves(static_cast<std::size_t>(random.uniform(1, 4)));
    for (auto& leaf : leaves) leaf = {random.uniform(1, 9), random.uniform(-40, 40)};
    const cute::Layout layout = random.layout_of(leaves);
    const auto offsets = *layout.offsets();
    if (std::set(offsets.begin(), offsets.end()).size() == offsets.size()) return leaves;
  }
}

TEST(CuteHoles, of_random_layouts_hold_what_the_padding_policy_says) {
  testing::for_cute_seeds(150, [](RandomCute& random) {
    const auto leaves =
        random.uniform(0, 1) == 0 ? scattered(random) : random.gapped(4, {1, 2, 3, 4, 5, 8, 16});
    const cute::Layout layout = random.layout_of(leaves);
    if (layout.cosize() > 100'000) return;
    expect_holes(*ElementType::parse(kTypes[random.uniform(0, 4)]), layout);
  });
}

}  // namespace
}  // namespace relayout
