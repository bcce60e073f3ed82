// On a packed side, the axes with strides 1, 2, 4 up to half a byte's elements are split off: they count
// within bytes. An axis that does so in the same place on both sides stays in its byte and is dropped. Any
// other becomes part of an extra tile bit (network_bits.cpp); what remains is counted in whole bytes.

#include "src/plan/boxes/packed_boxes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <string>

namespace relayout::plan {
namespace {

constexpr int kNoPlace = -1;

/// One side of the pair.
struct PackedSide {
  std::int64_t Axis::*stride;
  int bits;

  std::int64_t elements_per_byte() const { return 8 / bits; }
  int places() const { return std::countr_zero(static_cast<unsigned>(8 / bits)); }
};

struct SubAxis {
  Axis axis;
  std::array<int, 2> place = {kNoPlace, kNoPlace};  ///< within bytes of the source, of the destination
};

Error unsupported_packing(const char* message) {
  return {ErrorCode::kUnsupported, std::string("packed elements: ") + message};
}

/// Divides offsets by the elements of a byte; remembers whether all were multiples.
class ByteOffsets {
 public:
  explicit ByteOffsets(std::int64_t elements_per_byte) : elements_per_byte_(elements_per_byte) {}

  void divide(std::int64_t& offset) {
    whole_ = whole_ && offset % elements_per_byte_ == 0;
    offset /= elements_per_byte_;
  }
  bool all_whole() const { return whole_; }

 private:
  std::int64_t elements_per_byte_;
  bool whole_ = true;
};

class BoxPacker {
 public:
  BoxPacker(const Box& box, const PackedSpacing& spacing)
      : box_(box),
        sides_{PackedSide{&Axis::source_stride, spacing.source_bits},
               PackedSide{&Axis::destination_stride, spacing.destination_bits}} {
    for (const Axis& axis : box.axes) axes_.push_back({axis});
  }

  Result<Box> run() {
    for (const std::size_t side : {0U, 1U}) {
      for (int place = 0; place < sides_[side].places(); ++place) {
        if (!split_off(side, place)) return unsupported_packing("rows begin within bytes");
      }
    }
    for (const SubAxis& axis : axes_) {
      if (axis.place[0] != axis.place[1] && axis.place[0] != kNoPlace && axis.place[1] != kNoPlace)
        return unsupported_packing("an axis has another place within bytes on either side");
    }
    to_bytes();
    for (int place = 0; place < std::max(sides_[0].places(), sides_[1].places()); ++place) add_bit(place);
    if (!source_offsets_.all_whole() || !destination_offsets_.all_whole())
      return unsupported_packing("offsets within bytes");
    keep_whole_bytes();
    return std::move(box_);
  }

 private:
  /// Gives the axis of stride 1 << place its place within bytes, cutting it down to two elements.
  bool split_off(std::size_t side, int place) {
    const auto stride = sides_[side].stride;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      const Axis axis = axes_[i].axis;
      if (axis.*stride != std::int64_t{1} << place || axes_[i].place[side] != kNoPlace) continue;
      if (axis.guard >= 0 || axis.run_table >= 0 || axis.extent % 2 != 0) return false;
      axes_[i].axis.extent = 2;
      axes_[i].place[side] = place;
      if (axis.extent > 2) {
        SubAxis rest = {axis};
        rest.axis.extent /= 2;
        rest.axis.source_stride *= 2;
        rest.axis.destination_stride *= 2;
        axes_.push_back(rest);
      }
      return true;
    }
    return false;
  }

  /// Offsets and strides in bytes, but for strides within bytes.
  void to_bytes() {
    source_offsets_.divide(box_.source_base);
    destination_offsets_.divide(box_.destination_base);
    for (RunTable& table : box_.tables) {
      for (Run& run : table) {
        source_offsets_.divide(run.source_offset_bytes);
        destination_offsets_.divide(run.destination_offset_bytes);
      }
    }
    for (SubAxis& axis : axes_) {
      if (axis.place[0] == kNoPlace) source_offsets_.divide(axis.axis.source_stride);
      if (axis.place[1] == kNoPlace) destination_offsets_.divide(axis.axis.destination_stride);
    }
  }

  const SubAxis* axis_at(std::size_t side, int place) const {
    const auto found = std::find_if(axes_.begin(), axes_.end(),
                                    [&](const SubAxis& axis) { return axis.place[side] == place; });
    return found == axes_.end() ? nullptr : &*found;
  }

  void add_bit(int place) {
    const SubAxis* source = axis_at(0, place);
    const SubAxis* destination = axis_at(1, place);
    if (source == destination) return;  // both: the axis stays in its byte
    TileBit bit;
    bit.sub_byte = SubByte::kExchange;
    if (destination == nullptr) bit.sub_byte = SubByte::kSplit;
    if (source == nullptr) bit.sub_byte = SubByte::kJoin;
    if (source != nullptr) bit.destination_stride_bytes = source->axis.destination_stride;
    if (destination != nullptr) bit.source_stride_bytes = destination->axis.source_stride;
    bit.shift_bits = std::min(sides_[0].bits, sides_[1].bits) << place;
    box_.sub_byte_bits.push_back(bit);
  }

  void keep_whole_bytes() {
    box_.axes.clear();
    for (const SubAxis& axis : axes_)
      if (axis.place[0] == kNoPlace && axis.place[1] == kNoPlace) box_.axes.push_back(axis.axis);
    std::stable_sort(box_.axes.begin(), box_.axes.end(), [](const Axis& a, const Axis& b) {
      return std::abs(a.destination_stride) < std::abs(b.destination_stride);
    });
  }

  Box box_;
  std::array<PackedSide, 2> sides_;
  std::vector<SubAxis> axes_;
  ByteOffsets source_offsets_{sides_[0].elements_per_byte()};
  ByteOffsets destination_offsets_{sides_[1].elements_per_byte()};
};

}  // namespace

Result<Box> pack_box(const Box& box, const PackedSpacing& spacing) {
  const bool one_packing = spacing.source_bits == spacing.destination_bits || spacing.source_bits == 8 ||
                           spacing.destination_bits == 8;
  if (!one_packing || spacing.source_bits > 8 || spacing.destination_bits > 8)
    return unsupported_packing("two different spacings");
  return BoxPacker(box, spacing).run();
}

Result<std::vector<PaddingPiece>> pack_padding(std::vector<PaddingPiece> pieces, int destination_bits) {
  if (destination_bits > 8) return unsupported_packing("padding of places wider than a byte");
  ByteOffsets offsets(8 / destination_bits);
  for (PaddingPiece& piece : pieces) {
    offsets.divide(piece.destination_base);
    offsets.divide(piece.length);
    for (Iterator& iterator : piece.iterators) offsets.divide(iterator.destination_stride);
  }
  if (!offsets.all_whole()) return unsupported_packing("padding within bytes");
  return pieces;
}

}  // namespace relayout::plan
