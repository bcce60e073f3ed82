#include "jit/scratch_places.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "src/plan/machine/line.hpp"

namespace relayout::jit {

ScratchPlaces::ScratchPlaces(const plan::Network& network, bool in_runs, const plan::ScratchStripes& stripes)
    : stripes_(stripes), stride_bytes_(static_cast<std::size_t>(network.slots)) {
  std::vector<int> order(stride_bytes_.size());
  std::iota(order.begin(), order.end(), 0);
  if (in_runs)
    std::ranges::stable_sort(order, {}, [&](int slot) { return network.destination.reach_bytes(slot); });
  for (std::size_t place = 0; place < order.size(); ++place) {
    const std::int64_t stride = std::int64_t{network.vector_bytes} << place;
    const bool skips_stripes = stripes.bytes > 0 && stride >= stripes.bytes;
    stride_bytes_[static_cast<std::size_t>(order[place])] = skips_stripes ? 2 * stride : stride;
  }
}

void ScratchPlaces::point_to_first(Emitter& emitter, const asmjit::x86::Gp& pointer) const {
  auto& assembler = emitter.assembler();
  if (stripes_.bytes == 0) {
    assembler.mov(pointer, registers::kScratch);
    return;
  }
  assembler.lea(pointer.r32(), emitter.address(registers::kDestination, stripes_.ahead_bytes));
  assembler.sub(pointer.r32(), registers::kScratch.r32());
  assembler.and_(pointer.r32(), 2 * stripes_.bytes - plan::kLineBytes);
  assembler.add(pointer, registers::kScratch);
}

}  // namespace relayout::jit
