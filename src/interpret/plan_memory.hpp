#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/interpret/plan_interpreter.hpp"

namespace relayout::interpret {

/// A pair of byte offsets into the buffers.
struct BytePosition {
  std::int64_t source = 0;
  std::int64_t destination = 0;
};

/// Where a run lies in a row of such runs.
struct PlaceInRow {
  bool first = true;
  bool last = true;
};

/// Both buffers with every access checked. The first access outside is remembered and nothing moves from then
/// on.
class PlanMemory {
 public:
  PlanMemory(const plan::Plan& plan, const PlanBuffers& buffers);

  /// Moves `bytes` bytes.
  void move(BytePosition position, std::int64_t bytes);
  /// Reads `bytes` bytes from a source offset.
  void read(std::int64_t source_offset, std::byte* bytes, std::int64_t count);
  /// Writes `bytes` bytes to a destination offset.
  void write(std::int64_t destination_offset, const std::byte* bytes, std::int64_t count);
  /// From now on writes go to a scratch, which holds the background, if there is one.
  void begin_staging(const plan::Staging& staging);
  /// Writes the scratch's runs to the destination, the first of them to this offset. It is a fault if a byte
  /// of theirs was not written, and there is no background. \param place of the runs in their rows, which
  /// decides what those that overlap write
  void end_staging(const plan::Staging& staging, std::int64_t destination_offset, PlaceInRow place);
  /// Remembers a fault that is not an access. The first fault stays.
  void fail(std::string fault);

  bool failed() const noexcept { return !fault_.empty(); }
  const std::string& fault() const noexcept { return fault_; }

 private:
  void stage(std::int64_t offset, const std::byte* bytes, std::int64_t count);
  bool inside(const char* side, std::int64_t offset, std::int64_t count, std::int64_t size);

  PlanBuffers buffers_;
  std::int64_t source_bytes_ = 0;
  std::int64_t destination_bytes_ = 0;
  bool staging_ = false;
  std::vector<std::byte> scratch_;
  std::vector<bool> staged_;  ///< bytes of the scratch that were written
  std::string fault_;
};

}  // namespace relayout::interpret
