#include "src/interpret/plan_memory.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "src/plan/machine/line.hpp"

namespace relayout::interpret {
namespace {

struct ByteRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

std::int64_t begin_of_line(std::int64_t offset_bytes) {
  return plan::line_of(offset_bytes) * plan::kLineBytes;
}

/// What the run that lies at this offset of the destination, which begins on a line, writes of itself.
ByteRange written_of_run(const plan::Staging& staging, std::int64_t offset_bytes, PlaceInRow place) {
  const std::int64_t end = offset_bytes + staging.run_bytes;
  if (staging.overlap_bytes == 0) return {offset_bytes, end};
  return {place.first ? offset_bytes : begin_of_line(offset_bytes + staging.overlap_bytes),
          place.last ? end : begin_of_line(end)};
}

}  // namespace

PlanMemory::PlanMemory(const plan::Plan& plan, const PlanBuffers& buffers)
    : buffers_(buffers), source_bytes_(plan.source_bytes), destination_bytes_(plan.destination_bytes) {
  if (buffers_.write_counts != nullptr) {
    buffers_.write_counts->resize(static_cast<std::size_t>(destination_bytes_), 0);
  }
}

void PlanMemory::move(BytePosition position, std::int64_t bytes) {
  if (bytes <= 0) return;
  if (!inside("source", position.source, bytes, source_bytes_)) return;
  write(position.destination, buffers_.source + position.source, bytes);
}

void PlanMemory::read(std::int64_t source_offset, std::byte* bytes, std::int64_t count) {
  if (!inside("source", source_offset, count, source_bytes_)) return;
  std::memcpy(bytes, buffers_.source + source_offset, static_cast<std::size_t>(count));
}

void PlanMemory::write(std::int64_t destination_offset, const std::byte* bytes, std::int64_t count) {
  if (staging_) return stage(destination_offset, bytes, count);
  if (!inside("destination", destination_offset, count, destination_bytes_)) return;
  std::memcpy(buffers_.destination + destination_offset, bytes, static_cast<std::size_t>(count));
  if (buffers_.write_counts == nullptr) return;
  for (std::int64_t byte = destination_offset; byte < destination_offset + count; ++byte) {
    std::uint8_t& writes = (*buffers_.write_counts)[static_cast<std::size_t>(byte)];
    if (writes < UINT8_MAX) ++writes;
  }
}

void PlanMemory::begin_staging(const plan::Staging& staging) {
  const auto bytes = static_cast<std::size_t>(staging.scratch_bytes());
  const std::vector<std::uint8_t>& background = staging.background;
  staging_ = true;
  scratch_.assign(bytes, std::byte{0});
  staged_.assign(bytes, !background.empty());
  if (background.empty()) return;
  for (std::size_t byte = 0; byte < bytes; ++byte)
    scratch_[byte] = std::byte{background[byte % background.size()]};
}

void PlanMemory::stage(std::int64_t offset, const std::byte* bytes, std::int64_t count) {
  if (!inside("scratch", offset, count, static_cast<std::int64_t>(scratch_.size()))) return;
  std::copy_n(bytes, count, scratch_.begin() + offset);
  std::fill_n(staged_.begin() + offset, count, true);
}

void PlanMemory::end_staging(const plan::Staging& staging, std::int64_t destination_offset,
                             PlaceInRow place) {
  staging_ = false;
  for (std::int64_t run = 0; run < staging.all_runs() && !failed(); ++run) {
    const std::int64_t from = run * staging.scratch_stride_bytes;
    const auto first = staged_.begin() + from;
    if (std::find(first, first + staging.run_bytes, false) != first + staging.run_bytes)
      return fail("run " + std::to_string(run) + " leaves the scratch before it is whole");
    const std::int64_t to =
        run / staging.runs * staging.group_stride_bytes + run % staging.runs * staging.run_stride_bytes;
    const ByteRange written = written_of_run(staging, destination_offset + to, place);
    write(written.begin, scratch_.data() + from + (written.begin - destination_offset - to),
          written.end - written.begin);
  }
}

void PlanMemory::fail(std::string fault) {
  if (fault_.empty()) fault_ = std::move(fault);
}

bool PlanMemory::inside(const char* side, std::int64_t offset, std::int64_t count, std::int64_t size) {
  if (failed()) return false;
  if (offset >= 0 && count >= 0 && count <= size && offset <= size - count) return true;
  fail(std::string(side) + " bytes [" + std::to_string(offset) + ", " + std::to_string(offset + count) +
       ") are outside the buffer of " + std::to_string(size));
  return false;
}

}  // namespace relayout::interpret
