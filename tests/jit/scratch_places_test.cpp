#include "jit/scratch_places.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace relayout::jit {
namespace {

using Strides = std::vector<std::int64_t>;

plan::Network network_of(const Strides& destination_strides) {
  plan::Network network;
  network.vector_bytes = 32;
  network.slots = static_cast<int>(destination_strides.size());
  network.destination.register_stride_bytes = destination_strides;
  return network;
}

TEST(ScratchPlaces, of_vectors_follow_one_another_by_number) {
  EXPECT_EQ(ScratchPlaces(network_of({4096, 32, 64}), false, {}).stride_bytes(), (Strides{32, 64, 128}));
}

TEST(ScratchPlaces, in_runs_follow_one_another_as_at_the_destination) {
  EXPECT_EQ(ScratchPlaces(network_of({4096, 32, -64}), true, {}).stride_bytes(), (Strides{128, 32, 64}));
}

TEST(ScratchPlaces, skip_what_stripes_leave_free) {
  const plan::ScratchStripes stripes{.bytes = 64};
  EXPECT_EQ(ScratchPlaces(network_of({32, 64, 128}), false, stripes).stride_bytes(), (Strides{32, 128, 256}));
}

}  // namespace
}  // namespace relayout::jit
