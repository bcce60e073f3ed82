// DWARF call frame information, as the x86-64 psABI and the Linux Standard Base (".eh_frame") have it: one
// common entry (CIE) with the state at a function's first instruction, one entry (FDE) per function that says
// what changes where.

#include "src/profile/frame_table.hpp"

#include "src/profile/byte_writer.hpp"

namespace relayout::profile {
namespace {

// Numbers of registers in DWARF.
constexpr int kStackPointer = 7;
constexpr int kReturnAddress = 16;

// Call frame instructions.
constexpr int kAdvance4 = 0x04;
constexpr int kDefineFrame = 0x0C;
constexpr int kFrameOffset = 0x0E;
constexpr int kRegisterSavedAt = 0x80;  // | register
constexpr int kNothing = 0x00;

// Encodings of addresses.
constexpr int kAbsolute = 0x00;
constexpr int kUnsigned4 = 0x03;
constexpr int kRelativeToField4 = 0x1B;
constexpr int kRelativeToHeader4 = 0x3B;

constexpr int kSlotBytes = 8;
constexpr int kMinusEightSigned = 0x78;  // -8 as a signed LEB
constexpr std::size_t kAlignmentBytes = 8;

/// Fills up an entry and writes its length into its first 4 bytes.
void end_entry(ByteWriter& writer, std::size_t start) {
  writer.pad_to(kAlignmentBytes, kNothing);
  writer.overwrite(start, static_cast<std::uint32_t>(writer.size() - start - 4));
}

void put_common_entry(ByteWriter& writer, int address_encoding) {
  const std::size_t start = writer.size();
  writer.put(std::uint32_t{0});  // length
  writer.put(std::uint32_t{0});  // a common entry
  writer.put_byte(1);            // version
  writer.put_text("zR");         // one item of extra data: how addresses are encoded
  writer.put_leb(1);             // unit of code offsets
  writer.put_byte(kMinusEightSigned);
  writer.put_byte(kReturnAddress);
  writer.put_leb(1);
  writer.put_byte(address_encoding);
  writer.put_byte(kDefineFrame);
  writer.put_leb(kStackPointer);
  writer.put_leb(kSlotBytes);
  writer.put_byte(kRegisterSavedAt | kReturnAddress);
  writer.put_leb(1);
  end_entry(writer, start);
}

void put_frame_steps(ByteWriter& writer, std::span<const FrameMark> frames) {
  std::size_t offset = 0;
  for (const FrameMark& mark : frames) {
    if (mark.offset != offset) {
      writer.put_byte(kAdvance4);
      writer.put(static_cast<std::uint32_t>(mark.offset - offset));
      offset = mark.offset;
    }
    writer.put_byte(kFrameOffset);
    writer.put_leb(static_cast<std::uint64_t>(mark.caller_distance_bytes));
    if (mark.saved_register < 0) continue;
    writer.put_byte(kRegisterSavedAt | mark.saved_register);
    writer.put_leb(static_cast<std::uint64_t>(mark.caller_distance_bytes / kSlotBytes));
  }
}

std::int32_t backwards(std::size_t distance) {
  return -static_cast<std::int32_t>(distance);
}

}  // namespace

std::vector<std::uint8_t> absolute_frame_table(std::span<const FunctionDescription> functions) {
  ByteWriter writer;
  put_common_entry(writer, kAbsolute);
  for (const FunctionDescription& function : functions) {
    const std::size_t start = writer.size();
    writer.put(std::uint32_t{0});                           // length
    writer.put(static_cast<std::uint32_t>(writer.size()));  // distance to the common entry
    writer.put(address_of(function.code));
    writer.put(static_cast<std::uint64_t>(function.code.size()));
    writer.put_leb(0);  // no extra data
    put_frame_steps(writer, function.frames);
    end_entry(writer, start);
  }
  writer.put(std::uint64_t{0});  // the end
  return writer.take();
}

RelativeFrameTable relative_frame_table(const FunctionDescription& function) {
  const std::size_t code_bytes =
      (function.code.size() + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes;
  ByteWriter table;
  put_common_entry(table, kRelativeToField4);
  const std::size_t entry = table.size();
  table.put(std::uint32_t{0});
  table.put(static_cast<std::uint32_t>(table.size()));
  table.put(backwards(code_bytes + table.size()));
  table.put(static_cast<std::uint32_t>(function.code.size()));
  table.put_leb(0);
  put_frame_steps(table, function.frames);
  end_entry(table, entry);
  table.put(std::uint64_t{0});

  ByteWriter header;
  header.put_byte(1);  // version
  header.put_byte(kRelativeToField4);
  header.put_byte(kUnsigned4);
  header.put_byte(kRelativeToHeader4);
  header.put(backwards(table.size() + header.size()));
  header.put(std::uint32_t{1});  // one function
  header.put(backwards(code_bytes + table.size()));
  header.put(backwards(table.size() - entry));
  return {table.take(), header.take()};
}

}  // namespace relayout::profile
