#include "src/cli/buffer_pair.hpp"

#include <algorithm>

namespace relayout::cli {

Status BufferPair::reserve(std::size_t bytes) {
  if (source_.data() != nullptr && source_.size_bytes() >= bytes) return {};
  source_ = HugeBuffer();
  destination_ = HugeBuffer();
  auto source = HugeBuffer::allocate(bytes);
  if (!source) return source.error();
  auto destination = HugeBuffer::allocate(bytes, 64);
  if (!destination) return destination.error();
  source_ = std::move(*source);
  destination_ = std::move(*destination);
  page_kib_ = std::min(source_.page_kib(), destination_.page_kib());
  return {};
}

}  // namespace relayout::cli
