#pragma once

namespace relayout::plan {

/// Bits from one element to the next on either side, where elements are of at most a byte. An element has as
/// many bits as the narrower of both; the others of a place are zero at the destination.
struct PackedSpacing {
  int source_bits = 8;
  int destination_bits = 8;

  bool is_packed() const { return source_bits != 8 || destination_bits != 8; }
};

}  // namespace relayout::plan
