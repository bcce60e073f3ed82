#include "src/interpret/plan_kernels.hpp"

#include <algorithm>
#include <array>
#include <variant>

namespace relayout::interpret {
namespace {

/// A piece of a shuffle kernel; those of 16 bytes use the front.
using Lane = std::array<std::byte, 64>;

/// How far into its piece a byte of a register is.
int place_in_piece(const plan::Side& side, int byte) {
  return byte % std::min(side.piece_bytes(), 1 << side.lane_stride_bytes.size());
}

std::int64_t address(const plan::Side& side, int register_number, int byte) {
  const int place = place_in_piece(side, byte);
  return side.piece(register_number, byte - place).offset_bytes + place;
}

bool exists(const plan::Side& side, int register_number, int byte) {
  const int place = place_in_piece(side, byte);
  return place < side.piece(register_number, byte - place).bytes;
}

/// A table shuffle of one piece, OR-ed into `result`.
void shuffle_into(const Lane& source, const std::vector<std::uint8_t>& index, Lane& result) {
  for (std::size_t byte = 0; byte < index.size(); ++byte) {
    if (index[byte] < 0x80) result[byte] |= source[index[byte] % index.size()];
  }
}

}  // namespace

KernelInterpreter::KernelInterpreter(const plan::Nest& nest, PlanMemory& memory)
    : nest_(nest), memory_(memory) {
  if (const auto* permute = std::get_if<plan::PermuteKernel>(&nest.kernel)) prepare_network(permute->network);
}

void KernelInterpreter::prepare_network_bits(const plan::Network& network) {
  const std::vector<std::vector<int>> origins = plan::simulate_bits(network);
  for (int register_number = 0; register_number < static_cast<int>(origins.size()); ++register_number) {
    const std::vector<int>& bits = origins[static_cast<std::size_t>(register_number)];
    for (int byte = 0; byte < static_cast<int>(bits.size()) / 8; ++byte) {
      ByteOfBits entry;
      entry.destination = address(network.destination, register_number, byte);
      for (int bit = 0; bit < 8; ++bit) {
        const auto place = static_cast<std::size_t>(bit);
        const int origin = bits[static_cast<std::size_t>(byte * 8 + bit)];
        entry.source_bit[place] = origin < 0 ? -1 : origin % 8;
        if (origin < 0) continue;
        const int from = origin / 8;
        entry.source[place] =
            address(network.source, from / network.vector_bytes, from % network.vector_bytes);
      }
      network_bits_.push_back(entry);
    }
  }
}

void KernelInterpreter::prepare_network(const plan::Network& network) {
  const bool within_bytes = std::any_of(network.stages.begin(), network.stages.end(),
                                        [](const plan::Stage& stage) { return stage.shift_bits != 0; });
  if (within_bytes) return prepare_network_bits(network);
  const std::vector<std::vector<int>> origins = plan::simulate(network);
  for (int register_number = 0; register_number < static_cast<int>(origins.size()); ++register_number) {
    const std::vector<int>& bytes = origins[static_cast<std::size_t>(register_number)];
    for (int byte = 0; byte < static_cast<int>(bytes.size()); ++byte) {
      if (!exists(network.destination, register_number, byte)) continue;
      const int origin = bytes[static_cast<std::size_t>(byte)];
      if (origin >= 0 &&
          !exists(network.source, origin / network.vector_bytes, origin % network.vector_bytes)) {
        if (!network.fills_padding)
          return memory_.fail("the network writes a byte that does not exist at the source");
        network_zeros_.push_back(address(network.destination, register_number, byte));
        continue;
      }
      if (origin < 0) return memory_.fail("the network leaves a byte undefined");
      network_bytes_.push_back(
          {address(network.source, origin / network.vector_bytes, origin % network.vector_bytes),
           address(network.destination, register_number, byte)});
    }
  }
}

void KernelInterpreter::run(BytePosition base, const std::vector<std::size_t>& table_entries) {
  if (const auto* copy = std::get_if<plan::CopyKernel>(&nest_.kernel)) {
    const int table = copy->bytes_from_table;
    memory_.move(base, table < 0 ? copy->bytes : length_of(table, table_entries) * copy->element_bytes);
  } else if (const auto* gather = std::get_if<plan::GatherKernel>(&nest_.kernel)) {
    const int table = gather->count_from_table;
    run_gather(*gather, base, table < 0 ? gather->count : length_of(table, table_entries));
  } else if (const auto* shuffle = std::get_if<plan::ShuffleKernel>(&nest_.kernel)) {
    run_shuffle(*shuffle, base);
  } else if (const auto* fill = std::get_if<plan::FillKernel>(&nest_.kernel)) {
    run_fill(*fill, base);
  } else {
    network_bits_.empty() ? run_network(base) : run_network_bits(base);
  }
}

std::int64_t KernelInterpreter::length_of(int table, const std::vector<std::size_t>& table_entries) const {
  const auto index = static_cast<std::size_t>(table);
  return nest_.tables[index][table_entries[index]].length;
}

void KernelInterpreter::run_gather(const plan::GatherKernel& kernel, BytePosition base, std::int64_t count) {
  for (std::int64_t element = 0; element < count; ++element) {
    memory_.move({base.source + element * kernel.source_stride_bytes,
                  base.destination + element * kernel.destination_stride_bytes},
                 kernel.element_bytes);
  }
}

void KernelInterpreter::run_network(BytePosition base) {
  for (const BytePosition& byte : network_bytes_) {
    memory_.move({base.source + byte.source, base.destination + byte.destination}, 1);
  }
  constexpr std::byte kZero{0};
  for (const std::int64_t offset : network_zeros_) memory_.write(base.destination + offset, &kZero, 1);
}

void KernelInterpreter::run_network_bits(BytePosition base) {
  for (const ByteOfBits& entry : network_bits_) {
    std::byte result{0};
    for (std::size_t bit = 0; bit < entry.source.size(); ++bit) {
      if (entry.source_bit[bit] < 0) continue;
      std::byte from{0};
      memory_.read(base.source + entry.source[bit], &from, 1);
      result |= (from >> entry.source_bit[bit] & std::byte{1}) << static_cast<int>(bit);
    }
    memory_.write(base.destination + entry.destination, &result, 1);
  }
}

void KernelInterpreter::run_shuffle(const plan::ShuffleKernel& kernel, BytePosition base) {
  std::vector<Lane> sources(kernel.sources.size(), Lane{});
  for (std::size_t piece = 0; piece < sources.size(); ++piece) {
    memory_.read(base.source + kernel.sources[piece].offset_bytes, sources[piece].data(),
                 kernel.sources[piece].bytes);
  }
  for (std::size_t piece = 0; piece < kernel.destinations.size(); ++piece) {
    Lane result = {};
    for (const plan::ShuffleKernel::Term& term : kernel.terms[piece]) {
      shuffle_into(sources[static_cast<std::size_t>(term.source_piece)], term.index, result);
    }
    memory_.write(base.destination + kernel.destinations[piece].offset_bytes, result.data(),
                  kernel.destinations[piece].bytes);
  }
}

void KernelInterpreter::run_fill(const plan::FillKernel& kernel, BytePosition base) {
  const auto element_bytes = static_cast<std::int64_t>(kernel.element.size());
  for (std::int64_t offset = 0; offset < kernel.bytes; offset += element_bytes) {
    memory_.write(base.destination + offset, reinterpret_cast<const std::byte*>(kernel.element.data()),
                  element_bytes);
  }
}

}  // namespace relayout::interpret
