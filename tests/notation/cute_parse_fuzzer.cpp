// A libFuzzer target: whatever parses as a layout prints and reads back to the same text, with offsets inside
// its range; whatever the calculator yields has a text, and its layout reads back. Build: clang++ -std=c++20
// -fsanitize=fuzzer,address,undefined with the sources of src/notation/cute.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "relayout/cute.hpp"

namespace {

using namespace relayout;

/// Layouts with more elements than this are looked at by their first and last offset alone.
constexpr std::int64_t kMaximumElements = 512;

void require(bool condition) {
  if (!condition) std::abort();
}

void check_plain(const cute::Layout& layout) {
  const cute::OffsetRange range = layout.range();
  require(range.highest - range.lowest < layout.cosize());
  require(layout(0) == 0);
  const auto last = layout.offset(layout.size() - 1);
  require(last && *last >= range.lowest && *last <= range.highest);
  const auto merged = cute::coalesce(layout);
  require(merged && merged->size() == layout.size());
  for (std::int64_t i = 0; i < std::min(layout.size(), kMaximumElements); ++i) {
    require((*merged)(i) == layout(i));
  }
}

void check(const cute::AnyLayout& layout) {
  const std::string text = cute::to_string(layout);
  const auto again = cute::parse(text);
  require(again && cute::to_string(*again) == text);
  if (const auto* plain = std::get_if<cute::Layout>(&layout)) check_plain(*plain);
  const auto* composed = std::get_if<cute::ComposedLayout>(&layout);
  if (composed != nullptr && composed->offset().value() >= 0 && composed->inner().range().lowest >= 0) {
    require((*composed)(composed->size() - 1) < composed->span());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto layout = cute::parse(text)) check(*layout);
  const auto value = cute::calculate(text);
  if (!value) {
    require(!value.error().message.empty());
    return 0;
  }
  const bool list = std::holds_alternative<cute::OffsetList>(*value);  // of 0 offsets, perhaps
  require(list || !cute::to_string(*value).empty());
  if (const auto layout = cute::layout_of(*value)) check(*layout);
  return 0;
}
