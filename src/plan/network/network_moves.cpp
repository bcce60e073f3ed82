// The action of every instruction on index bits. Positions 0..3 are the byte within a 128-bit lane, 4 and 5
// the lane, kSlot the register of the pair. An unpack of granule g interleaves: the register bit comes to
// position g, what was at g and above moves up by one, and what was at 3 leaves to the register number.

#include "src/plan/network/network_moves.hpp"

#include <bit>
#include <utility>

namespace relayout::plan::network {
namespace {

using Routes = std::initializer_list<std::pair<int, int>>;  // (position, the position it receives from)

Positions positions(Routes routes) {
  Positions from = kIdentity;
  for (const auto& [to, source] : routes)
    from[static_cast<std::size_t>(to)] = static_cast<std::int8_t>(source);
  return from;
}

MoveAction pair_move(Move move, Routes routes) {
  return {.move = move, .takes_slot = true, .from = positions(routes)};
}

MoveAction single_move(Move move, Routes routes) {
  return {.move = move, .from = positions(routes)};
}

MoveAction table_move(Move move, int low, int high, int granule) {
  return {.move = move, .has_table = true, .low = low, .high = high, .granule = granule};
}

MoveAction two_table_move(Move move, int low, int high) {
  return {.move = move, .takes_slot = true, .has_table = true, .low = low, .high = high, .granule = low};
}

void add_in_lane_moves(std::vector<MoveAction>& moves, int element_bits) {
  if (element_bits <= 0)
    moves.push_back(pair_move(Move::kUnpack8, {{0, kSlot}, {1, 0}, {2, 1}, {3, 2}, {kSlot, 3}}));
  if (element_bits <= 1)
    moves.push_back(pair_move(Move::kUnpack16, {{1, kSlot}, {2, 1}, {3, 2}, {kSlot, 3}}));
  if (element_bits <= 2) {
    moves.push_back(pair_move(Move::kUnpack32, {{2, kSlot}, {3, 2}, {kSlot, 3}}));
    moves.push_back(pair_move(Move::kShufflePs, {{3, kSlot}, {2, 3}, {kSlot, 2}}));
    moves.push_back(single_move(Move::kPermuteDwords, {{2, 3}, {3, 2}}));
  }
  if (element_bits <= 3) moves.push_back(pair_move(Move::kUnpack64, {{3, kSlot}, {kSlot, 3}}));
  if (element_bits <= 1) moves.push_back(table_move(Move::kByteShuffle, element_bits, 4, 0));
}

void add_blend_moves(std::vector<MoveAction>& moves, int element_bits) {
  if (element_bits <= 2) moves.push_back(pair_move(Move::kBlendExchange32, {{2, kSlot}, {kSlot, 2}}));
  if (element_bits <= 3) moves.push_back(pair_move(Move::kBlendExchange64, {{3, kSlot}, {kSlot, 3}}));
}

void add_moves_between_lanes(std::vector<MoveAction>& moves, int lanes) {
  if (lanes == 5) moves.push_back(pair_move(Move::kPermute128, {{4, kSlot}, {kSlot, 4}}));
  if (lanes != 6) return;
  moves.push_back(pair_move(Move::kShuffleLanes44, {{5, kSlot}, {kSlot, 5}}));
  moves.push_back(pair_move(Move::kShuffleLanes88, {{5, kSlot}, {4, 5}, {kSlot, 4}}));
  moves.push_back(single_move(Move::kSwapLanes, {{4, 5}, {5, 4}}));
}

void add_table_moves(std::vector<MoveAction>& moves, const NetworkTarget& target, int element_bits) {
  const int lanes = lane_positions(target);
  if (lanes == 4) return;  // the byte shuffle reaches everything
  const bool evex = target.isa >= Isa::kAvx512;
  const bool bytes = target.isa >= Isa::kAvx512Vbmi && element_bits <= 0;
  if (bytes) moves.push_back(table_move(Move::kTablePermute8, 0, lanes, 0));
  if (evex && element_bits <= 1) moves.push_back(table_move(Move::kTablePermute16, 1, lanes, 1));
  if (element_bits <= 2) moves.push_back(table_move(Move::kTablePermute32, 2, lanes, 2));
  if (element_bits <= 3 && lanes == 5)  // by immediate
    moves.push_back(single_move(Move::kTablePermute64, {{3, 4}, {4, 3}}));
  if (element_bits <= 3 && lanes == 6) moves.push_back(table_move(Move::kTablePermute64, 3, lanes, 3));
  if (bytes) moves.push_back(two_table_move(Move::kTwoTablePermute8, 0, lanes));
  if (evex && element_bits <= 1) moves.push_back(two_table_move(Move::kTwoTablePermute16, 1, lanes));
  if (evex && element_bits <= 2) moves.push_back(two_table_move(Move::kTwoTablePermute32, 2, lanes));
  if (evex && element_bits <= 3) moves.push_back(two_table_move(Move::kTwoTablePermute64, 3, lanes));
}

}  // namespace

int lane_positions(const NetworkTarget& target) {
  return std::countr_zero(static_cast<unsigned>(target.vector_bytes));
}

std::vector<MoveAction> available_moves(const NetworkTarget& target, int element_bits) {
  std::vector<MoveAction> moves;
  add_in_lane_moves(moves, element_bits);
  if (target.isa < Isa::kAvx512) add_blend_moves(moves, element_bits);
  add_moves_between_lanes(moves, lane_positions(target));
  add_table_moves(moves, target, element_bits);
  return moves;
}

Resource resource_of(Move move) {
  switch (move) {
    case Move::kShuffleLanes44:
    case Move::kShuffleLanes88:
    case Move::kPermute128:
    case Move::kSwapLanes:
    case Move::kByteShuffle:
    case Move::kTablePermute8:
    case Move::kTablePermute16:
    case Move::kTablePermute32:
    case Move::kTablePermute64:
    case Move::kExchangeBits:  // one shift a vector
    case Move::kSplitBits:
    case Move::kJoinBits:
      return Resource::kCrossing;
    case Move::kTwoTablePermute8:
    case Move::kTwoTablePermute16:
    case Move::kTwoTablePermute32:
    case Move::kTwoTablePermute64:
      return Resource::kTwoTable;
    default:
      return Resource::kAnyPipe;
  }
}

bool permutes_by_table(Move move) {
  switch (move) {
    case Move::kByteShuffle:
    case Move::kTablePermute8:
    case Move::kTablePermute16:
    case Move::kTablePermute32:
    case Move::kTablePermute64:
      return true;
    default:
      return resource_of(move) == Resource::kTwoTable;
  }
}

double operations_per_vector(Move move) {
  switch (move) {
    case Move::kBlendExchange32:
    case Move::kBlendExchange64:
    case Move::kExchangeBits:
      return 2;
    case Move::kSplitBits:
      return 1.5;
    default:
      return 1;
  }
}

std::string_view move_name(Move move) {
  switch (move) {
    case Move::kUnpack8:
      return "vpunpckl/hbw";
    case Move::kUnpack16:
      return "vpunpckl/hwd";
    case Move::kUnpack32:
      return "vpunpckl/hdq";
    case Move::kUnpack64:
      return "vpunpckl/hqdq";
    case Move::kShufflePs:
      return "vshufps 88/DD";
    case Move::kShuffleLanes44:
      return "vshufi32x4 44/EE";
    case Move::kShuffleLanes88:
      return "vshufi32x4 88/DD";
    case Move::kPermute128:
      return "vperm2i128 20/31";
    case Move::kPermuteDwords:
      return "vpshufd D8";
    case Move::kSwapLanes:
      return "vshufi32x4 D8";
    case Move::kByteShuffle:
      return "vpshufb";
    case Move::kTablePermute8:
      return "vpermb";
    case Move::kTablePermute16:
      return "vpermw";
    case Move::kTablePermute32:
      return "vpermd";
    case Move::kTablePermute64:
      return "vpermq";
    case Move::kBlendExchange32:
      return "vpshufd A0/F5, vpblendd";
    case Move::kBlendExchange64:
      return "vpshufd 44/EE, vpblendd";
    case Move::kTwoTablePermute8:
      return "vpermt2b";
    case Move::kTwoTablePermute16:
      return "vpermt2w";
    case Move::kTwoTablePermute32:
      return "vpermt2d";
    case Move::kTwoTablePermute64:
      return "vpermt2q";
    case Move::kExchangeBits:
      return "exchange of bits";
    case Move::kSplitBits:
      return "split of bytes";
    case Move::kJoinBits:
      return "join to bytes";
  }
  return "?";
}

}  // namespace relayout::plan::network
