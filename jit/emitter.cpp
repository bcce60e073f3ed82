#include "jit/emitter.hpp"

#include <algorithm>
#include <limits>

namespace relayout::jit {

using asmjit::x86::Gp;
using asmjit::x86::Mem;
using asmjit::x86::Vec;

// The API was renamed after 1.9; the CMake package carries no version to ask for.
static_assert(ASMJIT_LIBRARY_VERSION == 0x010900, "relayout uses the API of asmjit 1.9");

namespace {

constexpr std::uint32_t kConstantAlignmentBytes = 64;

/// The vector of ones in the width of `vector`, 16 or 32 bytes.
Vec ones_like(const Vec& vector) {
  return Emitter::vector(static_cast<int>(registers::kVectorOfOnes.id()), static_cast<int>(vector.size()));
}

bool fits_32_bits(std::int64_t value) {
  return value == static_cast<std::int32_t>(value);
}

}  // namespace

Emitter::Emitter(asmjit::CodeHolder& code, Isa isa) : target_(target_of(isa)), assembler_(&code) {
  code.setErrorHandler(this);
  // A loop may be entered thousands of times, each through up to 63 bytes of padding.
  assembler_.addEncodingOptions(asmjit::EncodingOptions::kOptimizedAlign);
}

Emitter::~Emitter() {
  assembler_.code()->setErrorHandler(nullptr);
}

Mem Emitter::constant(std::span<const std::uint8_t> bytes) {
  const auto known = std::find_if(constants_.begin(), constants_.end(), [&](const Constant& constant) {
    return std::equal(bytes.begin(), bytes.end(), constant.bytes.begin(), constant.bytes.end());
  });
  if (known != constants_.end()) return asmjit::x86::ptr(known->label);
  constants_.push_back({assembler_.newLabel(), {bytes.begin(), bytes.end()}});
  return asmjit::x86::ptr(constants_.back().label);
}

Vec Emitter::vector(int index, int bytes) {
  const auto number = static_cast<std::uint32_t>(index);
  if (bytes == 64) return asmjit::x86::Zmm(number);
  if (bytes == 32) return asmjit::x86::Ymm(number);
  return asmjit::x86::Xmm(number);
}

void Emitter::load(const Vec& to, const Mem& from) {
  const bool evex = to.isZmm() || to.id() >= 16;
  if (evex) {
    assembler_.vmovdqu32(to, from);
  } else {
    assembler_.vmovdqu(to, from);
  }
}

void Emitter::store(const Mem& to, const Vec& from) {
  const bool evex = from.isZmm() || from.id() >= 16;
  if (evex) {
    assembler_.vmovdqu32(to, from);
  } else {
    assembler_.vmovdqu(to, from);
  }
}

void Emitter::prepare_mask() {
  if (target_.has_evex) {
    assembler_.kxnorq(registers::kMaskOfOnes, registers::kMaskOfOnes, registers::kMaskOfOnes);
  } else {
    assembler_.vpcmpeqd(registers::kVectorOfOnes, registers::kVectorOfOnes, registers::kVectorOfOnes);
  }
}

void Emitter::load_source(const Vec& to, const Mem& from) {
  if (!under_masks_) return load(to, from);
  if (target_.has_evex) {
    assembler_.k(registers::kMaskOfOnes).z().vmovdqu32(to, from);
  } else {
    assembler_.vpmaskmovd(to, ones_like(to), from);
  }
}

void Emitter::store_destination(const Mem& to, const Vec& from) {
  if (!under_masks_) return store(to, from);
  if (target_.has_evex) {
    assembler_.k(registers::kMaskOfOnes).vmovdqu32(to, from);
  } else {
    assembler_.vpmaskmovd(to, ones_like(from), from);
  }
}

void Emitter::store_streaming(const Mem& to, const Vec& from) {
  if (streaming_) {
    assembler_.vmovntdq(to, from);
  } else {
    store_destination(to, from);
  }
}

Mem Emitter::address(const Gp& base, std::int64_t displacement_bytes, const Gp& temporary) {
  if (fits_32_bits(displacement_bytes)) {
    return asmjit::x86::ptr(base, static_cast<std::int32_t>(displacement_bytes));
  }
  move_immediate(temporary, displacement_bytes);
  return asmjit::x86::ptr(base, temporary);
}

void Emitter::move_immediate(const Gp& to, std::int64_t value) {
  if (value >= 0 && value <= std::numeric_limits<std::uint32_t>::max()) {
    assembler_.mov(to.r32(), static_cast<std::uint32_t>(value));
  } else {
    assembler_.mov(to, value);
  }
}

void Emitter::add_immediate(const Gp& to, std::int64_t value, const Gp& temporary) {
  if (value == 0) return;
  if (fits_32_bits(value)) {
    assembler_.add(to, value);
    return;
  }
  move_immediate(temporary, value);
  assembler_.add(to, temporary);
}

Mem Emitter::current_length(int table) const {
  return asmjit::x86::qword_ptr(asmjit::x86::rsp, length_slots_[static_cast<std::size_t>(table)]);
}

void Emitter::note(const std::string& text) {
  if (annotating()) assembler_.comment(text.c_str(), text.size());
}

void Emitter::enter_nest(int nest, int kernel_row) {
  nest_ = nest;
  kernel_row_ = kernel_row;
}

void Emitter::mark(int row) {
  if (recording_) marks_.plan.push_back({assembler_.offset(), nest_, row});
}

void Emitter::mark_frame(std::int32_t caller_distance_bytes, const Gp* saved) {
  if (!recording_) return;
  int number = FrameMark::kNoRegister;
  // Of those that functions save, DWARF numbers rbp alone differently from the processor.
  if (saved != nullptr) number = *saved == asmjit::x86::rbp ? 6 : static_cast<int>(saved->id());
  marks_.frames.push_back({assembler_.offset(), caller_distance_bytes, number});
}

void Emitter::fail(std::string message) {
  if (!error_) error_ = Error{ErrorCode::kInternal, std::move(message)};
}

void Emitter::finish() {
  for (const Constant& constant : constants_) {
    assembler_.align(asmjit::AlignMode::kData, kConstantAlignmentBytes);
    assembler_.bind(constant.label);
    assembler_.embed(constant.bytes.data(), constant.bytes.size());
  }
}

void Emitter::handleError(asmjit::Error, const char* message, asmjit::BaseEmitter*) {
  fail(std::string("assembler: ") + message);
}

}  // namespace relayout::jit
