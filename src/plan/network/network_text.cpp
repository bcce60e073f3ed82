#include <sstream>

#include "src/plan/network/network.hpp"
#include "src/plan/network/network_moves.hpp"

namespace relayout::plan {
namespace {

template <class T>
void print_list(std::ostream& out, const std::vector<T>& values) {
  out << '[';
  for (std::size_t i = 0; i < values.size(); ++i) out << (i == 0 ? "" : ", ") << values[i];
  out << ']';
}

void print_pieces(std::ostream& out, const char* name, const Side& side, bool zeros_elsewhere) {
  out << "  " << name << ": pieces of up to " << side.piece_bytes() << " bytes, bytes at offset";
  for (const SidePiece& piece : side.pieces)
    if (piece.bytes != 0) out << ' ' << piece.bytes << '@' << piece.offset_bytes;
  if (zeros_elsewhere) out << ", zeros elsewhere";
  out << '\n';
}

void print_side(std::ostream& out, const char* name, const Side& side, bool fills_padding) {
  if (!side.pieces.empty()) return print_pieces(out, name, side, fills_padding);
  out << "  " << name << ": pieces of " << side.piece_bytes() << " bytes, lane strides ";
  print_list(out, side.lane_stride_bytes);
  out << ", register strides ";
  print_list(out, side.register_stride_bytes);
  out << '\n';
}

void print_table(std::ostream& out, const std::vector<std::uint8_t>& table) {
  constexpr char kDigits[] = "0123456789abcdef";
  out << ' ';
  for (const std::uint8_t byte : table) out << kDigits[byte >> 4] << kDigits[byte & 15];
}

void print_stage(std::ostream& out, const Stage& stage) {
  out << "    " << network::move_name(stage.move);
  if (stage.shift_bits > 0) out << " by " << stage.shift_bits;
  if (stage.slot >= 0) out << " on slot " << stage.slot;
  for (const auto& table : stage.tables) print_table(out, table);
  out << '\n';
}

}  // namespace

std::string to_string(const Network& network) {
  std::ostringstream out;
  out << "network of " << (1 << network.slots) << " vectors of " << network.vector_bytes
      << " bytes, elements of " << network.element_bytes << ", " << network.predicted_cycles_per_vector
      << " cycles per vector predicted\n";
  print_side(out, "source", network.source, network.fills_padding);
  print_side(out, "destination", network.destination, network.fills_padding);
  for (const Phase& phase : network.phases) {
    out << "  phase on slots ";
    print_list(out, phase.slots);
    out << (phase.half_by_half ? ", half by half\n" : "\n");
    for (int s = phase.first_stage; s < phase.last_stage; ++s)
      print_stage(out, network.stages[static_cast<std::size_t>(s)]);
  }
  if (network.reads_whole_lines)
    out << "  vectors that share a line to read are loaded one after the other\n";
  if (network.stores_by_address && network.destination.piece_bytes() < network.vector_bytes)
    out << "  pieces to write that are neighbours in memory are stored one after the other\n";
  if (network.scratch_bytes == 0) return out.str();
  out << "  scratch of " << network.scratch_bytes << " bytes";
  if (network.scratch_stripes.bytes > 0)
    out << ", where lines are streamed in stripes of " << network.scratch_stripes.bytes
        << ", clear of the cache sets of these lines";
  out << '\n';
  return out.str();
}

}  // namespace relayout::plan
