#include "src/profile/byte_writer.hpp"

namespace relayout::profile {

// Out of line: inlined, g++ 12 sees an overflow in vector::insert that is not there.
void ByteWriter::append(const void* data, std::size_t size) {
  const std::size_t end = bytes_.size();
  bytes_.resize(end + size);
  if (size != 0) std::memcpy(bytes_.data() + end, data, size);
}

}  // namespace relayout::profile
