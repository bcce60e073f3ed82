#include "src/profile/jitdump.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#include <climits>

#include "src/profile/byte_writer.hpp"
#include "src/profile/frame_table.hpp"

namespace relayout::profile {
namespace {

constexpr std::uint32_t kMagic = 0x4A695444;  // "JiTD", which also tells the byte order
constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kHeaderBytes = 40;
constexpr std::size_t kMarkerBytes = 1;  // the kernel rounds up to a page

enum Record : std::uint32_t { kCodeLoad = 0, kDebugInfo = 2, kClose = 3, kUnwinding = 4 };

/// perf records samples with the same clock under `-k mono`.
std::uint64_t timestamp() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(time.tv_nsec);
}

/// Starts with identity, size and time; `end` fills in the size.
class RecordWriter : public ByteWriter {
 public:
  explicit RecordWriter(Record record) {
    put(static_cast<std::uint32_t>(record));
    put(std::uint32_t{0});
    put(timestamp());
  }
  std::span<const std::uint8_t> end() {
    overwrite(4, static_cast<std::uint32_t>(size()));
    return bytes();
  }
};

std::vector<std::uint8_t> dump_header() {
  ByteWriter writer;
  writer.put(kMagic);
  writer.put(kVersion);
  writer.put(kHeaderBytes);
  writer.put(std::uint32_t{EM_X86_64});
  writer.put(std::uint32_t{0});
  writer.put(static_cast<std::uint32_t>(getpid()));
  writer.put(timestamp());
  writer.put(std::uint64_t{0});  // no flags
  return writer.take();
}

std::string folder() {
  const char* chosen = std::getenv("JITDUMPDIR");
  char buffer[PATH_MAX];
  const char* wanted = chosen != nullptr && *chosen != '\0' ? chosen : ".";
  const char* absolute = realpath(wanted, buffer);
  return absolute != nullptr ? absolute : wanted;
}

void put_lines(RecordWriter& writer, const FunctionDescription& function, const std::string& path,
               int lines_before) {
  const std::uint64_t start = address_of(function.code);
  writer.put(start);
  writer.put(static_cast<std::uint64_t>(function.lines.size()));
  for (const LineMark& mark : function.lines) {
    writer.put(start + mark.offset);
    writer.put(static_cast<std::uint32_t>(lines_before + mark.line));
    writer.put(std::uint32_t{0});  // discriminator
    writer.put_text(path);
  }
}

void put_unwinding(RecordWriter& writer, const FunctionDescription& function) {
  const RelativeFrameTable frames = relative_frame_table(function);
  writer.put(static_cast<std::uint64_t>(frames.table.size() + frames.header.size()));
  writer.put(static_cast<std::uint64_t>(frames.header.size()));
  writer.put(std::uint64_t{0});  // the running process has no copy of them
  writer.put_bytes(frames.table);
  writer.put_bytes(frames.header);
  writer.pad_to(8);
}

void put_code(RecordWriter& writer, const FunctionDescription& function, std::uint64_t index) {
  writer.put(static_cast<std::uint32_t>(getpid()));
  writer.put(static_cast<std::uint32_t>(gettid()));
  writer.put(address_of(function.code));
  writer.put(address_of(function.code));
  writer.put(static_cast<std::uint64_t>(function.code.size()));
  writer.put(index);
  writer.put_text(function.name);
  writer.put_bytes(function.code);
}

}  // namespace

Result<Jitdump> Jitdump::open() {
  const std::string base = folder() + "/jit-" + std::to_string(getpid());
  auto dump = OwnFile::open(base + ".dump", OpenMode::kFresh);
  if (!dump) return dump.error();
  auto plan = OwnFile::open(base + ".plan", OpenMode::kFresh);
  if (!plan) return plan.error();
  Jitdump opened(std::move(*dump), std::move(*plan));
  if (auto status = opened.dump_.write(dump_header()); !status) return status.error();
  if (auto status = opened.map_marker(); !status) return status.error();
  return opened;
}

/// perf notices an executable mapping of a file of this name, and so finds the file.
Status Jitdump::map_marker() {
  void* marker = mmap(nullptr, kMarkerBytes, PROT_READ | PROT_EXEC, MAP_PRIVATE, dump_.descriptor(), 0);
  if (marker == MAP_FAILED) return file_error(dump_.path(), errno);
  marker_ = marker;
  return {};
}

Jitdump::Jitdump(Jitdump&& other) noexcept
    : dump_(std::move(other.dump_)),
      plan_(std::move(other.plan_)),
      marker_(std::exchange(other.marker_, nullptr)),
      lines_(other.lines_),
      functions_(other.functions_) {}

Jitdump& Jitdump::operator=(Jitdump&& other) noexcept {
  std::swap(dump_, other.dump_);
  std::swap(plan_, other.plan_);
  std::swap(marker_, other.marker_);
  std::swap(lines_, other.lines_);
  std::swap(functions_, other.functions_);
  return *this;
}

Jitdump::~Jitdump() {
  if (marker_ != nullptr) munmap(marker_, kMarkerBytes);
}

Status Jitdump::add(const CodeDescription& description) {
  const int lines_before = lines_;
  if (auto status = plan_.write(description.source_text); !status) return status;
  lines_ +=
      static_cast<int>(std::count(description.source_text.begin(), description.source_text.end(), '\n'));
  for (const FunctionDescription& function : description.functions) {
    if (auto status = add_function(function, lines_before); !status) return status;
  }
  return {};
}

/// perf wants lines and frames in front of the code that they belong to.
Status Jitdump::add_function(const FunctionDescription& function, int lines_before) {
  ByteWriter records;
  RecordWriter lines(kDebugInfo);
  put_lines(lines, function, plan_.path(), lines_before);
  records.put_bytes(lines.end());
  RecordWriter unwinding(kUnwinding);
  put_unwinding(unwinding, function);
  records.put_bytes(unwinding.end());
  RecordWriter code(kCodeLoad);
  put_code(code, function, functions_++);
  records.put_bytes(code.end());
  return dump_.write(records.bytes());
}

Status Jitdump::close() {
  RecordWriter close_record(kClose);
  return dump_.write(close_record.end());
}

}  // namespace relayout::profile
