#include "src/cli/compare/reference.hpp"

#include <cstring>

#include <gtest/gtest.h>

namespace relayout::cli {
namespace {

/// A pair in buffers, its kernel and the reference.
class ReferenceTest : public testing::Test {
 protected:
  void set_up(const char* source_text, const char* destination_text) {
    const auto source = Layout::parse(source_text);
    const auto destination = Layout::parse_destination(destination_text, *source);
    convert_.emplace(*compile(*source, *destination));
    CompileOptions leaving;
    leaving.padding = PaddingPolicy::kLeaveUntouched;
    leaving_.emplace(*compile(*source, *destination, leaving));
    ASSERT_TRUE(buffers_.reserve(static_cast<std::size_t>(convert_->destination_bytes())));
    reference_.emplace(*Reference::make(*source, *destination, {}, buffers_));
  }

  void run(const Relayout& convert) { convert(buffers_.source(), buffers_.destination()); }

  BufferPair buffers_;
  std::optional<Relayout> convert_;
  std::optional<Relayout> leaving_;
  std::optional<Reference> reference_;
};

TEST_F(ReferenceTest, is_met_by_the_kernel) {
  set_up("f32[100,300]", "[1, 0]");
  EXPECT_TRUE(reference_->is_met_by([&] { run(*convert_); }, Padding::kFilled));
  EXPECT_TRUE(reference_->holds());
}

TEST_F(ReferenceTest, is_not_met_by_nothing_nor_by_a_copy_nor_by_one_wrong_byte) {
  set_up("f32[100,300]", "[1, 0]");
  run(*convert_);
  EXPECT_FALSE(reference_->is_met_by([] {}, Padding::kFilled));
  EXPECT_FALSE(reference_->is_met_by([&] { std::memcpy(buffers_.destination(), buffers_.source(), 120000); },
                                     Padding::kFilled));
  for (const std::size_t byte : {0u, 60001u, 119999u}) {
    const auto with_fault = [&] {
      run(*convert_);
      buffers_.destination()[byte] ^= std::byte{1};
    };
    EXPECT_FALSE(reference_->is_met_by(with_fault, Padding::kFilled)) << byte;
  }
}

TEST_F(ReferenceTest, tells_filled_padding_from_padding_that_was_left_alone) {
  set_up("f32[20,200]", "{1,0:T(8,128)}");
  EXPECT_TRUE(reference_->is_met_by([&] { run(*convert_); }, Padding::kFilled));
  EXPECT_FALSE(reference_->is_met_by([&] { run(*convert_); }, Padding::kUntouched));
  EXPECT_TRUE(reference_->is_met_by([&] { run(*leaving_); }, Padding::kUntouched));
  EXPECT_FALSE(reference_->is_met_by([&] { run(*leaving_); }, Padding::kFilled));
}

}  // namespace
}  // namespace relayout::cli
