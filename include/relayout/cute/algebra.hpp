#pragma once

#include <cstdint>
#include <vector>

#include "relayout/cute/layout.hpp"
#include "relayout/cute/swizzle.hpp"

/// The algebra of layouts. Each operation is defined by what holds of its result R; where no layout has that
/// property, the error says why. A(i) is the offset of the i-th element, |A| the size. Integers past 64 bits
/// are errors (kOverflow) everywhere, and so is a lack of memory (kSystem).
namespace relayout::cute {

/// What tiles a layout: a layout (of all elements in 1-D order), a tuple of tilers (mode by mode), or `_`
/// (leaves the mode alone).
class Tiler {
 public:
  Tiler(Layout layout) : layout_(std::move(layout)) {}
  static Tiler modes(std::vector<Tiler> modes);
  static Tiler underscore();
  /// An integer n is the layout n:1, a tuple the tuple of its elements' tilers. \error kInvalidLayout
  static Result<Tiler> of_shape(const IntTuple& shape);

  bool is_layout() const noexcept { return kind_ == Kind::kLayout; }
  bool is_underscore() const noexcept { return kind_ == Kind::kUnderscore; }
  /// \pre is_layout()
  const Layout& layout() const noexcept { return layout_; }
  /// Of a tuple; of anything else, none.
  const std::vector<Tiler>& modes() const noexcept { return modes_; }

 private:
  enum class Kind : std::uint8_t { kLayout, kModes, kUnderscore };
  Tiler() = default;
  Kind kind_ = Kind::kLayout;
  Layout layout_;
  std::vector<Tiler> modes_;
};

/// R(i) = A(i) for i < |A|, depth at most 1, as few modes as possible.
Result<Layout> coalesce(const Layout& layout);
/// The same at every integer of `profile`, whose nesting is kept. \error kBadArgument if it does not fit
Result<Layout> coalesce(const Layout& layout, const IntTuple& profile);
/// The modes whose stride is not 0, coalesced; 1:0 if there is none.
Result<Layout> filter(const Layout& layout);
Result<Layout> filter(const Layout& layout, const IntTuple& profile);

/// R(i) = A(B(i)) for i < |B|, and every coordinate of B is one of R. Exact: whenever a layout has these
/// offsets, it is found. A goes on beyond its size along its last mode, as in CuTe; at negative arguments
/// A(-i) = -A(i). \error kUnsupported where no layout has these offsets, or where 2^20 coordinates (steps of
/// both signs) or parts of the domain were not enough to tell
Result<Layout> composition(const Layout& a, const Layout& b);
/// Mode by mode; modes that the tiler does not reach are dropped. \error kBadArgument for too many
Result<Layout> composition(const Layout& a, const Tiler& tiler);

/// Strictly increasing offsets that A does not have, apart from 0, such that (A, R) fills `extent` if the
/// strides of A divide one another. Strides count without their sign. \error kAliasing unless each stride is
/// at least size * stride of the next smaller one
Result<Layout> complement(const Layout& layout, std::int64_t extent);
/// Within the cosize of the filtered layout.
Result<Layout> complement(const Layout& layout);

/// A(R(i)) = i for i < |R|: the longest run from 0 that sorted strides give; 1:0 at worst.
Result<Layout> right_inverse(const Layout& layout);
/// R(A(i)) = i; with strides of 0, A(R(A(i))) = A(i). \error kAliasing if other elements share an offset,
/// kUnsupported if the strides have both signs or do not divide one another
Result<Layout> left_inverse(const Layout& layout);
/// A(R(i)) = 0, |R| = |A| / |filter(A)|.
Result<Layout> nullspace(const Layout& layout);

/// A o (B, complement(B, |A|)): mode 0 is the tile, mode 1 the tiles; a tuple divides mode by mode.
Result<Layout> logical_divide(const Layout& layout, const Tiler& tiler);
/// The tiles' modes together, then the rests' and the modes that are left: ((tiles), (rests...)).
Result<Layout> zipped_divide(const Layout& layout, const Tiler& tiler);
/// ((tiles), rests...)
Result<Layout> tiled_divide(const Layout& layout, const Tiler& tiler);
/// (tiles..., rests...)
Result<Layout> flat_divide(const Layout& layout, const Tiler& tiler);

/// (A, complement(A, |A| * cosize(B)) o B): A repeated as B says; a tuple multiplies mode by mode.
Result<Layout> logical_product(const Layout& block, const Tiler& tiler);
Result<Layout> zipped_product(const Layout& block, const Tiler& tiler);
Result<Layout> tiled_product(const Layout& block, const Tiler& tiler);
Result<Layout> flat_product(const Layout& block, const Tiler& tiler);
/// logical_product with the modes of both zipped, ((A0,B0),(A1,B1),..): a grid of blocks. Both are filled up
/// with 1:0 to the same rank.
Result<Layout> blocked_product(const Layout& block, const Layout& tiler);
/// ((B0,A0),(B1,A1),..): the blocks interleaved.
Result<Layout> raked_product(const Layout& block, const Layout& tiler);
/// Blocks repeated until they have the shape `target`, in the order of make_ordered_layout; without one, the
/// first mode first. \error kBadArgument unless the block divides the target
Result<Layout> tile_to_shape(const Layout& block, const IntTuple& target);
Result<Layout> tile_to_shape(const Layout& block, const IntTuple& target, const IntTuple& order);

/// The layout in units of `count` elements, or of 1/count of an element. \error kBadArgument unless each
/// stride divides count or is a multiple of it (upcast), or no stride is 1 (downcast)
Result<Layout> upcast(const Layout& layout, std::int64_t count);
Result<Layout> downcast(const Layout& layout, std::int64_t count);
/// The layout of the same memory seen as elements of another width. \error kBadArgument
Result<Layout> recast_layout(const Layout& layout, std::int64_t new_bits, std::int64_t old_bits);
/// Likewise for the swizzle of offsets. \error kBadArgument unless count is a power of 2
Result<Swizzle> upcast(const Swizzle& swizzle, std::int64_t count);
Result<Swizzle> downcast(const Swizzle& swizzle, std::int64_t count);

/// A(R(i)) = B(R(i)) = i, as long as the layouts' inverses allow; 1:0 at worst.
Result<Layout> max_common_layout(const Layout& a, const Layout& b);
/// The size of max_common_layout: how many elements may be copied at once.
Result<std::int64_t> max_common_vector(const Layout& a, const Layout& b);
/// A tiler of up to `count` elements that divides the shape. \error kBadArgument, kOverflow
Result<Layout> domain_distribute(const IntTuple& shape, std::int64_t count);

}  // namespace relayout::cute
