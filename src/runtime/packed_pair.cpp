#include "src/runtime/packed_pair.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "src/layout/layout_data.hpp"
#include "src/runtime/pair.hpp"
#include "src/runtime/portable_padding.hpp"

namespace relayout::runtime {
namespace {

constexpr std::int64_t kWidestSpacingBits = 1 << 20;

Status check_spacing(const Layout& layout) {
  const std::int64_t bits = layout.element_bits();
  if ((bits % 8 == 0 || 8 % bits == 0) && bits <= kWidestSpacingBits) return {};
  return Error{ErrorCode::kUnsupported, layout.to_string() + ": elements " + std::to_string(bits) +
                                            " bits apart are described, but not moved"};
}

}  // namespace

Result<interpret::PackedWidths> packed_widths(const Layout& source, const Layout& destination) {
  if (auto status = check_spacing(source); !status) return status.error();
  if (auto status = check_spacing(destination); !status) return status.error();
  interpret::PackedWidths widths;
  widths.source_spacing_bits = static_cast<int>(source.element_bits());
  widths.destination_spacing_bits = static_cast<int>(destination.element_bits());
  // An element is as wide as its type, or as the narrower of the two places that hold it.
  widths.moved_bits =
      std::min({source.type().storage_bits(), widths.source_spacing_bits, widths.destination_spacing_bits});
  if (source.type().storage_bits() > 8) {
    return Error{ErrorCode::kUnsupported,
                 source.to_string() + ": only elements of at most a byte are spaced by bits"};
  }
  return widths;
}

bool is_packed_pair(const Layout& source, const Layout& destination) {
  return source.element_bits() != source.type().storage_bits() ||
         destination.element_bits() != destination.type().storage_bits();
}

std::optional<std::uint8_t> packed_fill(const CompileOptions& options,
                                        const interpret::PackedWidths& widths) {
  if (options.padding != PaddingPolicy::kFill) return std::nullopt;
  const auto element =
      options.fill.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(options.fill.front());
  return interpret::packed_fill_byte(element, widths);
}

Result<PackedPair> PackedPair::make(const Layout& source, const Layout& destination,
                                    const interpret::PackedWidths& widths, const CompileOptions& options) {
  auto problem = raw_problem(source, destination);
  if (!problem) return problem.error();
  plan::LoopNest nest;
  if (source.element_count() > 0) {
    auto refined = plan::refine(*problem);
    if (!refined) return refined.error();
    if (std::any_of(refined->factors.begin(), refined->factors.end(),
                    [](const plan::Factor& factor) { return factor.pieces.empty(); })) {
      return Error{ErrorCode::kUnsupported, "packed elements under layouts past the budget of refinement"};
    }
    nest = std::move(*refined);
  }
  PackedPair pair(nest, widths);
  pair.empty_ = source.element_count() == 0;
  pair.destination_bytes_ = destination.size_bytes();
  pair.fill_byte_ = packed_fill(options, widths);
  return pair;
}

void PackedPair::run_part(const std::byte* source, std::byte* destination, std::int64_t index,
                          std::int64_t count) const noexcept {
  const std::int64_t unit_bytes = widths_.unit_bytes();
  const std::int64_t units = destination_bytes_ / unit_bytes;
  const std::int64_t first = share(units, index, count);
  const std::int64_t last = share(units, index + 1, count);
  if (fill_byte_) {
    std::memset(destination + first * unit_bytes, *fill_byte_,
                static_cast<std::size_t>((last - first) * unit_bytes));
  }
  if (empty_) return;
  mover_.run(source, destination, {first * widths_.unit_elements(), last * widths_.unit_elements()});
}

}  // namespace relayout::runtime
