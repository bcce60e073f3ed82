#include "src/runtime/announce.hpp"

#include <string>

#include "src/plan/plan_text.hpp"
#include "src/profile/registry.hpp"
#include "src/profile/symbol_name.hpp"
#include "src/runtime/log.hpp"

namespace relayout::runtime {
namespace {

/// One function in the code of a nest.
struct FunctionRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool streaming = false;
};

struct FamilyName {
  const char* operator()(const plan::CopyKernel&) const { return "copy"; }
  const char* operator()(const plan::PermuteKernel&) const { return "permute"; }
  const char* operator()(const plan::ShuffleKernel&) const { return "permute"; }
  const char* operator()(const plan::GatherKernel&) const { return "gather"; }
  const char* operator()(const plan::FillKernel&) const { return "fill"; }
};

class Describer {
 public:
  explicit Describer(const CompiledRelayout& compiled)
      : compiled_(compiled),
        source_(compiled.source.to_string()),
        destination_(compiled.destination.to_string()),
        plan_(plan::numbered_text(compiled.plan)) {}

  profile::CodeDescription describe() && {
    profile::CodeDescription description;
    description.code = compiled_.code->bytes();
    description.owner = compiled_.code;
    const auto nests = compiled_.code->nests();
    for (std::size_t i = 0; i < nests.size(); ++i) {
      const jit::NestCode& nest = nests[i];
      const bool streams = nest.streaming != nullptr;
      const std::size_t temporal_end = streams ? nest.streaming_offset : nest.end_offset;
      description.functions.push_back(function(i, {nest.temporal_offset, temporal_end}));
      if (streams)
        description.functions.push_back(function(i, {nest.streaming_offset, nest.end_offset, true}));
    }
    description.source_text = std::move(plan_.text);
    return description;
  }

 private:
  profile::FunctionDescription function(std::size_t nest, FunctionRange range) const {
    profile::FunctionDescription function;
    const char* family = kernel_family(compiled_.plan.nests[nest].kernel);
    function.name = profile::symbol_name(
        {source_, destination_, to_string(compiled_.isa), family, nest, range.streaming});
    function.code = compiled_.code->bytes().subspan(range.begin, range.end - range.begin);
    const jit::CodeMarks& marks = compiled_.code->marks();
    for (const jit::PlanMark& mark : marks.plan) {
      if (mark.offset < range.begin || mark.offset >= range.end) continue;
      function.lines.push_back({mark.offset - range.begin, plan_.nest_lines[nest] + mark.row});
    }
    for (const jit::FrameMark& mark : marks.frames) {
      if (mark.offset < range.begin || mark.offset >= range.end) continue;
      function.frames.push_back({mark.offset - range.begin, mark.caller_distance_bytes, mark.saved_register});
    }
    return function;
  }

  const CompiledRelayout& compiled_;
  std::string source_;
  std::string destination_;
  plan::NumberedText plan_;
};

}  // namespace

const char* kernel_family(const plan::Kernel& kernel) {
  return std::visit(FamilyName{}, kernel);
}

profile::CodeDescription describe(const CompiledRelayout& compiled) {
  return Describer(compiled).describe();
}

void announce(CompiledRelayout& compiled) {
  profile::Registry& registry = profile::Registry::instance();
  if (compiled.code && registry.chosen().any()) compiled.registration = registry.announce(describe(compiled));
  for (const std::string& warning : registry.take_warnings())
    log(LogLevel::kWarning, "profiling: " + warning);
}

}  // namespace relayout::runtime
