#include "src/plan/loops/side_count.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace relayout::plan {
namespace {

/// Whether the offsets are groups of `count` that are `stride_bytes` apart within.
bool repeats(const std::vector<std::int64_t>& offsets, std::size_t count, std::int64_t stride_bytes) {
  if (offsets.size() % count != 0) return false;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] - offsets[i - i % count] != static_cast<std::int64_t>(i % count) * stride_bytes)
      return false;
  }
  return true;
}

/// Takes the innermost regular repeat out of rising offsets, whose first ones are left; of irregular ones all
/// at once, at the mean distance as far as their alignment allows. \pre two offsets
Repeat innermost_repeat(std::vector<std::int64_t>& offsets) {
  const std::int64_t stride = offsets[1] - offsets[0];
  std::size_t count = offsets.size();
  while (count > 1 && !repeats(offsets, count, stride)) --count;
  if (count > 1) {
    for (std::size_t i = 0; i * count < offsets.size(); ++i) offsets[i] = offsets[i * count];
    offsets.erase(offsets.begin() + static_cast<std::ptrdiff_t>(offsets.size() / count), offsets.end());
    return {static_cast<double>(count), stride};
  }
  std::int64_t alignment = 0;
  for (const std::int64_t offset : offsets) alignment = std::gcd(alignment, offset - offsets.front());
  const auto steps = static_cast<std::int64_t>(offsets.size()) - 1;
  const std::int64_t mean = (offsets.back() - offsets.front()) / steps;
  offsets.erase(offsets.begin() + 1, offsets.end());
  return {static_cast<double>(steps + 1), std::max(mean / alignment, std::int64_t{1}) * alignment};
}

/// Of runs that begin at multiples of `alignment`.
double mean_lines(double run_bytes, std::int64_t alignment_bytes) {
  const auto alignment = static_cast<double>(alignment_bytes);
  const double touched = std::ceil(run_bytes / alignment) * alignment;
  return 1 + (touched - alignment) / kLineBytes;
}

/// Those of one run that begins in the first set.
LinesPerSet run_per_set(double lines) {
  LinesPerSet sets;
  const auto around = static_cast<double>(sets.size());
  sets.fill(static_cast<float>(std::floor(lines / around)));
  double left = std::fmod(lines, around);
  for (std::size_t set = 0; left > 0; ++set, left -= 1) sets[set] += static_cast<float>(std::min(left, 1.0));
  return sets;
}

void add_moved(LinesPerSet& to, const LinesPerSet& lines, std::int64_t bytes) {
  const auto shift = static_cast<std::size_t>(bytes / kLineBytes) % lines.size();
  const std::size_t head = lines.size() - shift;
  for (std::size_t set = 0; set < head; ++set) to[set + shift] += lines[set];
  for (std::size_t set = head; set < lines.size(); ++set) to[set - head] += lines[set];
}

/// By halves.
void repeat_in_sets(LinesPerSet& sets, std::int64_t count, std::int64_t stride_bytes) {
  if (count <= 1) return;
  const LinesPerSet one = sets;
  repeat_in_sets(sets, count / 2, stride_bytes);
  add_moved(sets, LinesPerSet(sets), count / 2 * stride_bytes);
  if (count % 2 != 0) add_moved(sets, one, (count - 1) * stride_bytes);
}

}  // namespace

SideFootprint::SideFootprint(const std::vector<Extent>& runs) {
  if (runs.empty()) return;
  run_bytes_ = std::ranges::min_element(runs, {}, &Extent::bytes)->bytes;
  std::vector<std::int64_t> offsets(runs.size());
  std::ranges::transform(runs, offsets.begin(), &Extent::offset_bytes);
  while (offsets.size() > 1) add(innermost_repeat(offsets));
}

void SideFootprint::add(Repeat repeat) {
  repeat.stride_bytes = std::abs(repeat.stride_bytes);
  if (repeat.count <= 1 || repeat.stride_bytes == 0) return;
  const auto shorter = [&](const Repeat& other) { return other.stride_bytes <= repeat.stride_bytes; };
  repeats_.insert(std::ranges::find_if_not(repeats_, shorter), repeat);
}

void SideFootprint::lengthen(std::int64_t bytes) {
  if (run_bytes_ > 0) run_bytes_ += bytes;
}

SideFootprint::Rows SideFootprint::rows() const {
  Rows rows{static_cast<double>(run_bytes_)};
  for (; rows.first < repeats_.size(); ++rows.first) {
    const auto stride = static_cast<double>(repeats_[rows.first].stride_bytes);
    if (stride > rows.run_bytes && stride >= kLineBytes) break;
    rows.run_bytes += stride * (repeats_[rows.first].count - 1);
  }
  return rows;
}

std::int64_t SideFootprint::alignment_of_rows(std::int64_t alignment_bytes) const {
  return alignment_of(rows(), alignment_bytes);
}

std::int64_t SideFootprint::alignment_of(const Rows& rows, std::int64_t alignment_bytes) const {
  for (std::size_t i = rows.first; i < repeats_.size(); ++i)
    alignment_bytes = std::gcd(alignment_bytes, repeats_[i].stride_bytes);
  return alignment_bytes;
}

double SideFootprint::lines(std::int64_t alignment_bytes) const {
  if (run_bytes_ == 0) return 0;
  const Rows rows = this->rows();
  double lines = mean_lines(rows.run_bytes, alignment_of(rows, alignment_bytes));
  for (std::size_t i = rows.first; i < repeats_.size(); ++i) lines *= repeats_[i].count;
  return lines;
}

LinesPerSet SideFootprint::per_set(std::int64_t alignment_bytes, std::int64_t further_bytes) const {
  if (run_bytes_ == 0) return {};
  const Rows rows = this->rows();
  LinesPerSet sets = run_per_set(
      mean_lines(rows.run_bytes + static_cast<double>(further_bytes), alignment_of(rows, alignment_bytes)));
  for (std::size_t i = rows.first; i < repeats_.size(); ++i)
    repeat_in_sets(sets, std::llround(std::ceil(repeats_[i].count)), repeats_[i].stride_bytes);
  return sets;
}

SideCount::SideCount(const std::vector<Extent>& runs, const std::vector<Loop>& loops,
                     std::int64_t Loop::*step, std::int64_t base_bytes)
    : footprint_(runs), loops_(loops), step_(step) {
  alignments_.reserve(loops.size() + 1);
  alignments_.push_back(std::gcd(kLineBytes, base_bytes));
  for (const Loop& loop : loops) alignments_.push_back(std::gcd(alignments_.back(), loop.*step));
  lines_ = fetched_ = footprint_.lines(alignments_.back());
}

bool SideCount::goes_on_behind_runs(const Loop& loop) const {
  return loop.*step_ != 0 && std::abs(loop.*step_) <= std::max(footprint_.run_bytes(), kLineBytes);
}

void SideCount::fetch_next_lines() {
  if (std::ranges::none_of(loops_, [this](const Loop& loop) { return goes_on_behind_runs(loop); })) return;
  if (footprint_.alignment_of_rows(alignments_.back()) == kLineBytes) {
    next_bytes_ = kLineBytes;
    return;
  }
  // A block of rows that begin anywhere ends within a line, which the next block fetches again: with that
  // line counted the destination's order is chosen for f64[149,427] transposed, 0.47 and 0.80 of memcpy;
  // counted for rows on lines as well it was for f64[4,16,28,27] out of (8) tiles, 1.24 and 0.75 (Emerald
  // Rapids).
  footprint_.lengthen(kLineBytes);
  lines_ = fetched_ = footprint_.lines(alignments_.back());
}

LinesPerSet SideCount::per_set(std::size_t index) const {
  return footprint_.per_set(alignments_[index + 1], next_bytes_);
}

void SideCount::widen(std::size_t index, double trips, double kept) {
  const double lost = next_bytes_ > 0 && goes_on_behind_runs(loops_[index]) ? 2 : 1;
  footprint_.add({trips, loops_[index].*step_});
  const double before = std::exchange(lines_, footprint_.lines(alignments_[index]));
  const double fresh = before > 0 ? lines_ / before : trips;
  fetched_ *= kept * fresh + (1 - kept) * trips * lost;
}

}  // namespace relayout::plan
