// A tile cuts every entry of the current dimensions into a coarse and a fine part (either may be of extent 1)
// and puts all coarse parts, in their order, before all fine parts. So after k tiles a digit has one bit per
// tile, b_1 to b_k, 0 for coarse: its label b_k ... b_1, read as a number. The digits then lie
//   in the order of their labels, and within one label in the order of their dimensions at the start;
//   within a dimension by falling place if the bits are read the other way round, b_1 first.
// What is looked for is the least k that has labels which do not fall along memory, which read backwards rise
// within each dimension from the highest place to the lowest, and where the dimensions that share a label
// have an order that serves all labels.

#include "src/notation/xla/digit_tiles.hpp"

#include <algorithm>
#include <bit>
#include <optional>

namespace relayout::xla {
namespace {

using layout::Digit;
using Label = std::uint32_t;

Label reversed(Label label, int bits) {
  Label result = 0;
  for (int i = 0; i < bits; ++i) result |= (label >> i & 1) << (bits - 1 - i);
  return result;
}

/// Which dimensions lie outside which others. An array has at most 60 dimensions of more than one element.
class DimensionOrder {
 public:
  explicit DimensionOrder(std::size_t dimensions) : inside_(dimensions, 0) {}

  /// False if `inner` already lies outside `outer`.
  bool add(std::size_t outer, std::size_t inner) {
    if (reaches(inner, outer)) return false;
    for (std::size_t i = 0; i < inside_.size(); ++i) {
      if (i == outer || reaches(i, outer)) inside_[i] |= inside_[inner] | bit(inner);
    }
    return true;
  }

  /// The slowest first; the lower number first where nothing else tells.
  std::vector<std::size_t> sorted() const {
    std::vector<std::size_t> order;
    std::uint64_t left = bit(inside_.size()) - 1;
    while (left != 0) {
      std::uint64_t below = 0;
      for (std::size_t i = 0; i < inside_.size(); ++i) {
        if ((left & bit(i)) != 0) below |= inside_[i];
      }
      order.push_back(static_cast<std::size_t>(std::countr_zero(left & ~below)));
      left &= ~bit(order.back());
    }
    return order;
  }

 private:
  static std::uint64_t bit(std::size_t i) { return std::uint64_t{1} << i; }
  bool reaches(std::size_t outer, std::size_t inner) const { return (inside_[outer] & bit(inner)) != 0; }

  std::vector<std::uint64_t> inside_;
};

struct Labelling {
  int bits = 0;
  std::vector<Label> labels;  ///< per digit
  DimensionOrder order;
};

/// A depth-first search along memory, the slowest digit first.
class LabelSearch {
 public:
  /// `dimensions[i]` is the number of digit i's dimension among `count`.
  LabelSearch(const std::vector<Digit>& digits, const std::vector<std::size_t>& dimensions, std::size_t count)
      : digits_(digits), dimensions_(dimensions), count_(count) {}

  std::optional<Labelling> run() {
    for (int bits = 0; bits <= kMaximumBits; ++bits) {
      labels_.clear();
      bits_ = bits;
      if (auto order = extend(DimensionOrder(count_))) return Labelling{bits, labels_, std::move(*order)};
    }
    return std::nullopt;
  }

 private:
  static constexpr int kMaximumBits = 5;
  static constexpr int kMaximumSteps = 20'000;

  std::optional<DimensionOrder> extend(const DimensionOrder& order) {
    const std::size_t next = labels_.size();
    if (next == digits_.size()) return order;
    for (Label label = next == 0 ? 0 : labels_.back(); label >> bits_ == 0; ++label) {
      if (++steps_ > kMaximumSteps) return std::nullopt;
      if (!fits_its_dimension(next, label)) continue;
      DimensionOrder extended = order;
      const bool shared = next > 0 && labels_.back() == label;
      if (shared && !extended.add(dimensions_[next - 1], dimensions_[next])) continue;
      labels_.push_back(label);
      if (auto result = extend(extended)) return result;
      labels_.pop_back();
    }
    return std::nullopt;
  }

  bool fits_its_dimension(std::size_t next, Label label) const {
    for (std::size_t i = 0; i < next; ++i) {
      if (dimensions_[i] != dimensions_[next]) continue;
      const Label before = reversed(labels_[i], bits_);
      const Label now = reversed(label, bits_);
      if (digits_[i].place > digits_[next].place ? before >= now : before <= now) return false;
    }
    return true;
  }

  const std::vector<Digit>& digits_;
  const std::vector<std::size_t>& dimensions_;
  std::size_t count_;
  int bits_ = 0;
  int steps_ = 0;
  std::vector<Label> labels_;
};

/// Tiles that first take every dimension apart, then sort the digits by the bits of their places in memory.
Labelling sorting_labels(const std::vector<Digit>& digits, const std::vector<std::size_t>& dimensions,
                         std::size_t count) {
  std::vector<Label> above(digits.size(), 0);  // digits of the dimension with a higher place
  Label most = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    for (std::size_t k = 0; k < digits.size(); ++k) {
      if (dimensions[i] == dimensions[k] && digits[k].place > digits[i].place) ++above[i];
    }
    most = std::max(most, above[i]);
  }
  const int apart = static_cast<int>(std::bit_width(most));
  const int sorted = static_cast<int>(std::bit_width(digits.size() - 1));
  Labelling result{apart + sorted, {}, DimensionOrder(count)};
  for (std::size_t i = 0; i < digits.size(); ++i) {
    result.labels.push_back(static_cast<Label>(i) << apart | reversed(above[i], apart));
  }
  return result;
}

/// One of the current dimensions: what it is made of, the highest place first. Extent 1 without digits.
using Entry = std::vector<std::size_t>;

/// The tile that tells labels apart at `bit`; the entries become those of the tiled shape.
Tile cut(std::vector<Entry>& entries, const std::vector<Digit>& digits, const Labelling& labelling, int bit) {
  std::vector<Entry> coarse, fine;
  Tile tile;
  for (const Entry& entry : entries) {
    Entry& outer = coarse.emplace_back();
    Entry& inner = fine.emplace_back();
    std::int64_t extent = 1;
    for (const std::size_t digit : entry) {
      const bool is_fine = (labelling.labels[digit] >> bit & 1) != 0;
      (is_fine ? inner : outer).push_back(digit);
      if (is_fine) extent *= digits[digit].extent;
    }
    if (tile.empty() && extent == 1) {
      fine.pop_back();
    } else {
      tile.push_back(extent);
    }
  }
  coarse.insert(coarse.end(), fine.begin(), fine.end());
  entries = std::move(coarse);
  return tile;
}

/// All dimensions, the slowest first, given the order of those with more than one element. The others stand
/// as in row-major order, in column-major arrays as in column-major order.
std::vector<std::int64_t> with_unit_dimensions(const relayout::Shape& shape,
                                               std::vector<std::int64_t> order) {
  const bool falls = order.size() > 1 && std::is_sorted(order.rbegin(), order.rend());
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 1) continue;
    const auto dimension = static_cast<std::int64_t>(i);
    const auto before = std::find(order.begin(), order.end(), dimension - 1);
    const auto place =
        before == order.end() ? (falls ? order.end() : order.begin()) : before + (falls ? 0 : 1);
    order.insert(place, dimension);
  }
  return order;
}

/// Each digit's dimension, counted without those of one element.
std::vector<std::size_t> numbered(const std::vector<Digit>& digits,
                                  const std::vector<std::int64_t>& dimensions) {
  std::vector<std::size_t> numbers;
  for (const Digit& digit : digits) {
    const auto found = std::find(dimensions.begin(), dimensions.end(), digit.dimension);
    numbers.push_back(static_cast<std::size_t>(found - dimensions.begin()));
  }
  return numbers;
}

/// The dimensions before any tile.
std::vector<Entry> whole_entries(const std::vector<Digit>& digits, const std::vector<std::int64_t>& order) {
  std::vector<Entry> entries(order.size());
  for (std::size_t entry = 0; entry < order.size(); ++entry) {
    for (std::size_t i = 0; i < digits.size(); ++i) {
      if (digits[i].dimension == order[entry]) entries[entry].push_back(i);
    }
    std::sort(entries[entry].begin(), entries[entry].end(),
              [&](std::size_t a, std::size_t b) { return digits[a].place > digits[b].place; });
  }
  return entries;
}

}  // namespace

DigitTiles tiles_of(const relayout::Shape& shape, const std::vector<Digit>& digits) {
  std::vector<std::int64_t> dimensions;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] > 1) dimensions.push_back(static_cast<std::int64_t>(i));
  }
  const std::vector<std::size_t> numbers = numbered(digits, dimensions);
  auto labelling = LabelSearch(digits, numbers, dimensions.size()).run();
  if (!labelling) labelling = sorting_labels(digits, numbers, dimensions.size());
  std::vector<std::int64_t> order;
  for (const std::size_t number : labelling->order.sorted()) order.push_back(dimensions[number]);
  order = with_unit_dimensions(shape, std::move(order));
  std::vector<Entry> entries = whole_entries(digits, order);
  DigitTiles result{{order.rbegin(), order.rend()}, {}};
  for (int bit = 0; bit < labelling->bits; ++bit) {
    Tile tile = cut(entries, digits, *labelling, bit);
    if (!tile.empty()) result.tiles.push_back(std::move(tile));
  }
  return result;
}

}  // namespace relayout::xla
