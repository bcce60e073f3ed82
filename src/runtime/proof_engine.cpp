#include "src/runtime/proof_engine.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <optional>

#include "src/runtime/proof_buffer.hpp"
#include "src/runtime/proof_path.hpp"

namespace relayout::runtime {
namespace {

/// What the destination holds before a run. Two values: a byte that was not written differs from at least
/// one.
constexpr std::array<std::byte, 2> kBefore = {std::byte{0xA5}, std::byte{0x5A}};

std::string hexadecimal(std::byte value) {
  std::array<char, 8> text = {};
  std::snprintf(text.data(), text.size(), "0x%02x", std::to_integer<unsigned>(value));
  return text.data();
}

/// Offset of the first difference, or -1.
std::int64_t first_difference(const std::byte* actual, const std::byte* expected, std::int64_t bytes) {
  if (bytes == 0 || std::memcmp(actual, expected, static_cast<std::size_t>(bytes)) == 0) return -1;
  return std::mismatch(actual, actual + bytes, expected).first - actual;
}

/// Sizes the buffer for a pattern; one spare byte gives empty ones an address.
std::vector<std::byte> pattern(std::int64_t bytes) {
  return std::vector<std::byte>(static_cast<std::size_t>(bytes) + 1);
}

/// Source and expected destination of one level, for both values before.
class Level {
 public:
  Level(const Numbering& numbering, int level)
      : numbering_(numbering), level_(level), source_(pattern(numbering.source_bytes())) {
    numbering.write_source(level, source_.data());
    for (std::size_t before = 0; before < kBefore.size(); ++before) {
      if (before > 0 && numbering.fills()) break;  // every byte gets written: one expectation serves both
      expected_[before] = pattern(numbering.destination_bytes());
      numbering.write_expected(level, kBefore[before], expected_[before].data());
    }
  }

  const std::byte* source() const { return source_.data(); }
  const std::byte* expected(std::size_t before) const {
    return expected_[numbering_.fills() ? 0 : before].data();
  }

  /// Compares a destination; fills in the outcome if it is wrong.
  bool check(const std::byte* destination, std::size_t before, ProofOutcome& outcome) const {
    const std::int64_t byte = first_difference(destination, expected(before), numbering_.destination_bytes());
    if (byte < 0) return true;
    outcome.ok = false;
    outcome.wrong_byte = byte;
    outcome.message = "destination byte " + std::to_string(byte) + " holds " +
                      hexadecimal(destination[byte]) + " instead of " + hexadecimal(expected(before)[byte]) +
                      ", " + numbering_.describe(byte, level_);
    return false;
  }

 private:
  const Numbering& numbering_;
  int level_;
  std::vector<std::byte> source_;
  std::array<std::vector<std::byte>, kBefore.size()> expected_;
};

std::string path_name(const ProofTask& task, const ProofPath& path) {
  return "source " + to_string(path.source) + ", destination " + to_string(path.destination) + ", " +
         task.variants[static_cast<std::size_t>(path.variant)].name + ", " + std::to_string(path.parts) +
         (path.parts == 1 ? " part" : " parts");
}

/// Runs paths in one pair of guarded buffers until one fails.
class PathRunner {
 public:
  PathRunner(const Numbering& numbering, const ProofTask& task, GuardedMemory source,
             GuardedMemory destination)
      : numbering_(numbering),
        task_(task),
        source_(std::move(source)),
        destination_(std::move(destination)) {}

  const ProofOutcome& outcome() const { return outcome_; }

  /// Over both values before on the first level, where an unwritten byte shows; over one on each of the
  /// others.
  bool run(const Level& level, int level_number, const std::vector<ProofPath>& paths) {
    placed_.reset();
    for (std::size_t number = 0; number < paths.size(); ++number) {
      if (task_.announce) task_.announce(path_name(task_, paths[number]));
      const std::size_t before = (number + static_cast<std::size_t>(level_number)) % kBefore.size();
      if (!run_once(level, paths[number], before)) return false;
      if (level_number == 0 && !run_once(level, paths[number], 1 - before)) return false;
    }
    return true;
  }

 private:
  bool run_once(const Level& level, const ProofPath& path, std::size_t before) {
    const std::byte* source = place_source(level, path.source);
    std::byte* destination = destination_.buffer(path.destination);
    destination_.fill(kBefore[before]);
    const ProofVariant& variant = task_.variants[static_cast<std::size_t>(path.variant)];
    for (std::int64_t part = 0; part < path.parts; ++part)
      variant.run_part(source, destination, part, path.parts);
    ++outcome_.runs;
    const bool right = level.check(destination, before, outcome_) && check_margins(path, kBefore[before]) &&
                       check_source(level, source);
    if (!right) outcome_.message += " (" + path_name(task_, path) + ")";
    return right;
  }

  /// Copies the level's source unless it already lies there.
  const std::byte* place_source(const Level& level, const Placement& placement) {
    std::byte* source = source_.buffer(placement);
    if (placed_ != placement)
      std::memcpy(source, level.source(), static_cast<std::size_t>(numbering_.source_bytes()));
    placed_ = placement;
    return source;
  }

  bool check_margins(const ProofPath& path, std::byte before) {
    const std::optional<std::int64_t> byte = destination_.changed_margin_byte(path.destination, before);
    if (!byte) return true;
    outcome_.ok = false;
    outcome_.wrong_byte = *byte;
    outcome_.message = "byte " + std::to_string(*byte) + " was written, outside the destination of " +
                       std::to_string(numbering_.destination_bytes());
    return false;
  }

  bool check_source(const Level& level, const std::byte* source) {
    const std::int64_t byte = first_difference(source, level.source(), numbering_.source_bytes());
    if (byte < 0) return true;
    outcome_.ok = false;
    outcome_.message = "source byte " + std::to_string(byte) + " was written";
    return false;
  }

  const Numbering& numbering_;
  const ProofTask& task_;
  GuardedMemory source_;
  GuardedMemory destination_;
  std::optional<Placement> placed_;  ///< where the current level's source lies
  ProofOutcome outcome_;
};

}  // namespace

Result<ProofOutcome> prove_paths(const ProofTask& task) {
  return prove_paths(ByteNumbering(task.map), task);
}

Result<ProofOutcome> prove_paths(const Numbering& numbering, const ProofTask& task) {
  Result<GuardedMemory> source = GuardedMemory::allocate(numbering.source_bytes());
  if (!source) return source.error();
  Result<GuardedMemory> destination = GuardedMemory::allocate(numbering.destination_bytes());
  if (!destination) return destination.error();
  const std::vector<ProofPath> paths =
      proof_paths({task.map.element_bytes, static_cast<int>(task.variants.size()), task.thorough});
  PathRunner runner(numbering, task, *std::move(source), *std::move(destination));
  for (int level = 0; level < numbering.levels(); ++level) {
    if (!runner.run(Level(numbering, level), level, paths)) break;
  }
  return runner.outcome();
}

ProofOutcome compare_with_map(
    const ExpectedMap& map, const std::function<void(const std::byte* source, std::byte* destination)>& run) {
  return compare_with_map(ByteNumbering(map), run);
}

ProofOutcome compare_with_map(
    const Numbering& numbering,
    const std::function<void(const std::byte* source, std::byte* destination)>& run) {
  std::vector<std::byte> destination = pattern(numbering.destination_bytes());
  ProofOutcome outcome;
  for (int number = 0; number < numbering.levels(); ++number) {
    const Level level(numbering, number);
    for (std::size_t before = 0; before < kBefore.size(); ++before) {
      std::fill(destination.begin(), destination.end(), kBefore[before]);
      run(level.source(), destination.data());
      ++outcome.runs;
      if (!level.check(destination.data(), before, outcome)) return outcome;
    }
  }
  return outcome;
}

}  // namespace relayout::runtime
