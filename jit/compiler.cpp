#include "jit/compiler.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include <asmjit/x86.h>

#include "jit/code_memory.hpp"
#include "jit/emitter.hpp"
#include "src/plan/plan_text.hpp"

namespace relayout::jit {

namespace {

constexpr std::uint32_t kFunctionAlignmentBytes = 64;

/// The code of a plan before it has an address.
class Emission {
 public:
  Emission(const plan::Plan& plan, asmjit::Logger* logger, const CompileSettings& settings) {
    if (logger != nullptr) code_.setLogger(logger);
    code_.init(asmjit::Environment(asmjit::Arch::kX64));
    Emitter emitter(code_, plan.isa);
    if (settings.marks) emitter.record_marks();
    if (settings.validate) {
      emitter.assembler().addDiagnosticOptions(asmjit::DiagnosticOptions::kValidateAssembler);
    }
    nests_.reserve(plan.nests.size());
    for (const plan::Nest& nest : plan.nests) emit(emitter, nest);
    instruction_bytes_ = emitter.assembler().offset();
    emitter.finish();
    marks_ = emitter.take_marks();
    error_ = emitter.error();
    if (!error_ && !self_contained()) error_ = Error{ErrorCode::kInternal, "generated code with open links"};
  }

  const std::optional<Error>& error() const { return error_; }
  std::size_t instruction_bytes() const { return instruction_bytes_; }
  bool streams() const { return streams_; }
  std::vector<NestCode> take_nests() { return std::move(nests_); }
  CodeMarks take_marks() { return std::move(marks_); }
  std::span<const std::uint8_t> bytes() const {
    const asmjit::CodeBuffer& buffer = code_.textSection()->buffer();
    return {buffer.data(), buffer.size()};
  }

 private:
  void emit(Emitter& emitter, const plan::Nest& nest) {
    NestCode code;
    emitter.enter_nest(static_cast<int>(nests_.size()), plan::kernel_row(nest));
    const bool in_runs = nest.store == plan::StorePolicy::kStreamingRuns;
    emitter.set_streaming(in_runs);
    annotate(emitter, in_runs ? "streaming in runs: " : "temporal: ", nest);
    const bool has_streaming = nest.store == plan::StorePolicy::kStreaming && nest.destination_aligned;
    streams_ = streams_ || in_runs || has_streaming;
    emitter.set_compact(has_streaming);
    code.temporal_offset = emit_function(emitter, nest);
    emitter.set_compact(false);
    emitter.set_streaming(false);
    if (has_streaming) {
      emitter.set_streaming(true);
      annotate(emitter, "streaming: ", nest);
      code.streaming_offset = emit_function(emitter, nest);
      emitter.set_streaming(false);
    }
    code.end_offset = emitter.assembler().offset();
    if (!emitter.error()) code.trips = nest.cut_trips();  // otherwise its indices may be anything
    nests_.push_back(code);
  }

  static void annotate(Emitter& emitter, const char* stores, const plan::Nest& nest) {
    if (emitter.annotating()) emitter.note(stores + nest.reason);
  }

  static std::size_t emit_function(Emitter& emitter, const plan::Nest& nest) {
    emitter.assembler().align(asmjit::AlignMode::kCode, kFunctionAlignmentBytes);
    const std::size_t offset = emitter.assembler().offset();
    emit_nest(emitter, nest);
    return offset;
  }

  /// asmjit accepts unbound labels silently; absolute addresses would need a relocation, and none is used.
  bool self_contained() {
    code_.flatten();
    code_.resolveUnresolvedLinks();
    return !code_.hasUnresolvedLinks() && !code_.hasRelocEntries();
  }

  asmjit::CodeHolder code_;
  std::vector<NestCode> nests_;
  bool streams_ = false;
  CodeMarks marks_;
  std::optional<Error> error_;
  std::size_t instruction_bytes_ = 0;
};

class MappedCode final : public CompiledCode {
 public:
  MappedCode(CodeMemory memory, Emission& emission)
      : CompiledCode(emission.take_nests(), emission.streams()),
        memory_(std::move(memory)),
        marks_(emission.take_marks()),
        instruction_bytes_(emission.instruction_bytes()) {
    for (NestCode& nest : nests_) {
      nest.temporal = function_at(nest.temporal_offset);
      if (nest.streaming_offset != 0) nest.streaming = function_at(nest.streaming_offset);
    }
  }

  std::span<const std::uint8_t> bytes() const noexcept override { return memory_.bytes(); }
  std::size_t instruction_bytes() const noexcept override { return instruction_bytes_; }
  const CodeMarks& marks() const noexcept override { return marks_; }

 private:
  KernelFunction function_at(std::size_t offset) const {
    return std::bit_cast<KernelFunction>(memory_.bytes().data() + offset);
  }

  CodeMemory memory_;
  CodeMarks marks_;
  std::size_t instruction_bytes_;
};

}  // namespace

Result<std::shared_ptr<const CompiledCode>> compile(const plan::Plan& plan, const CompileSettings& settings) {
  if (plan.isa == Isa::kPortable) {
    return Error{ErrorCode::kInternal, "a plan without machine code"};
  }
  Emission emission(plan, nullptr, settings);
  if (emission.error()) return *emission.error();
  Result<CodeMemory> memory = CodeMemory::create(emission.bytes(), settings.unique_addresses);
  if (!memory) return memory.error();
  return std::shared_ptr<const CompiledCode>(
      std::make_shared<const MappedCode>(std::move(memory).value(), emission));
}

std::string listing(const plan::Plan& plan) {
  if (plan.isa == Isa::kPortable) return {};
  asmjit::StringLogger logger;
  const Emission emission(plan, &logger, {.validate = true});
  std::string text(logger.data(), logger.dataSize());
  if (emission.error()) text += "error: " + emission.error()->message + "\n";
  return text;
}

}  // namespace relayout::jit
