#include "src/runtime/portable_padding.hpp"

#include <cstring>

namespace relayout::runtime {

void PortablePadding::write_part(std::byte* destination, std::int64_t index,
                                 std::int64_t count) const noexcept {
  for (const plan::PaddingPiece& piece : pieces_) {
    const std::int64_t runs = piece.volume() / piece.length;
    const std::int64_t last = share(runs, index + 1, count);
    for (std::int64_t run = share(runs, index, count); run < last; ++run) {
      std::int64_t element = piece.destination_base;
      std::int64_t rest = run;
      for (const plan::Iterator& iterator : piece.iterators) {
        element += rest % iterator.extent * iterator.destination_stride;
        rest /= iterator.extent;
      }
      write_run(destination, element, piece.length);
    }
  }
}

void PortablePadding::write_run(std::byte* destination, std::int64_t first_element,
                                std::int64_t length) const noexcept {
  const std::size_t element_bytes = element_.size();
  std::byte* const begin = destination + first_element * static_cast<std::int64_t>(element_bytes);
  for (std::int64_t i = 0; i < length; ++i) {
    std::memcpy(begin + static_cast<std::size_t>(i) * element_bytes, element_.data(), element_bytes);
  }
}

}  // namespace relayout::runtime
