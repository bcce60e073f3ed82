#include "src/cli/huge_buffer.hpp"

#include <algorithm>
#include <cstdint>

#include <gtest/gtest.h>

#include "src/cli/copies.hpp"

namespace relayout::cli {
namespace {

std::uintptr_t address(const HugeBuffer& buffer) {
  return reinterpret_cast<std::uintptr_t>(buffer.data());
}

TEST(HugeBuffer, starts_where_asked_past_a_huge_page_boundary) {
  constexpr std::uintptr_t kHugePage = std::uintptr_t{2} << 20;
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{1}, std::size_t{kHugePage}, std::size_t{5000000}}) {
    const auto plain = HugeBuffer::allocate(bytes);
    const auto shifted = HugeBuffer::allocate(bytes, 64);
    ASSERT_TRUE(plain.ok() && shifted.ok());
    EXPECT_EQ(address(*plain) % kHugePage, 0u);
    EXPECT_EQ(address(*shifted) % kHugePage, 64u);
    EXPECT_EQ(shifted->size_bytes(), bytes);
  }
}

TEST(HugeBuffer, reports_one_of_the_two_page_sizes) {
  const auto buffer = HugeBuffer::allocate(std::size_t{4} << 20);
  ASSERT_TRUE(buffer.ok());
  const int kib = buffer->page_kib();
  EXPECT_TRUE(kib == 4 || kib == 2048) << kib;
}

TEST(HugeBuffer, too_much_memory_is_an_error) {
  const auto buffer = HugeBuffer::allocate(std::size_t{1} << 60);
  ASSERT_FALSE(buffer.ok());
  EXPECT_EQ(buffer.error().code, ErrorCode::kSystem);
}

TEST(StreamingCopy, copies_every_length_and_nothing_more) {
  const auto source = HugeBuffer::allocate(400);
  const auto destination = HugeBuffer::allocate(400, 64);
  ASSERT_TRUE(source.ok() && destination.ok());
  for (std::size_t bytes = 0; bytes < 300; ++bytes) {
    std::fill(destination->bytes().begin(), destination->bytes().end(), std::byte{0xA5});
    streaming_copy(source->data(), destination->data(), bytes);
    ASSERT_TRUE(std::equal(source->data(), source->data() + bytes, destination->data())) << bytes;
    ASSERT_EQ(destination->data()[bytes], std::byte{0xA5}) << bytes;
  }
}

}  // namespace
}  // namespace relayout::cli
