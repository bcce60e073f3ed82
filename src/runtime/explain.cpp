#include <string>

#include "relayout/explanation.hpp"
#include "relayout/offset_map.hpp"
#include "src/runtime/compiled_relayout.hpp"
#include "src/runtime/fork_gate.hpp"

namespace relayout::runtime {
namespace {

std::string layout_line(const Layout& layout) {
  std::string line = layout.to_string() + ", " + std::to_string(layout.element_count()) + " elements, " +
                     std::to_string(layout.size_bytes()) + " bytes, physical shape [";
  const Shape shape = layout.physical_shape();
  for (std::size_t i = 0; i < shape.size(); ++i) line += (i == 0 ? "" : ",") + std::to_string(shape[i]);
  return line + "]";
}

/// `source o destination^-1` as a layout, or what is in the way.
std::string offset_map_lines(const CompiledRelayout& compiled) {
  const auto map = offset_map(compiled.source, compiled.destination);
  if (!map) return map.error().message + "\n";
  const std::int64_t bits = map->contiguous_elements * compiled.source.element_bits();
  return "source o destination^-1 is " + cute::to_string(map->layout) + ", contiguous in runs of " +
         std::to_string(map->contiguous_elements) + " elements (" +
         (bits % 8 == 0 ? std::to_string(bits / 8) + " bytes)\n" : std::to_string(bits) + " bits)\n");
}

void section(std::string& text, int number, std::string_view title) {
  text += (number == 1 ? "" : "\n") + std::to_string(number) + ". " + std::string(title) + "\n";
}

}  // namespace

std::string stages_text(const CompiledRelayout& compiled) {
  std::string text;
  section(text, 1, "Layouts");
  text += "source       " + layout_line(compiled.source) + "\n";
  text += "destination  " + layout_line(compiled.destination) + "\n";
  section(text, 2, "Raw expressions (offsets in elements)");
  text += "source       " + compiled.source.raw_expression() + "\n";
  text += "destination  " + compiled.destination.raw_expression() + "\n";
  section(text, 3, "Simplified expressions");
  text += "source       " + compiled.source.simplified_expression() + "\n";
  text += "destination  " + compiled.destination.simplified_expression() + "\n";
  section(text, 4, "Loop nest (strides in elements)");
  return text + plan::to_string(compiled.loop_nest) + offset_map_lines(compiled);
}

std::string explain(const CompiledRelayout& compiled) {
  const ForkPass pass;
  const auto explained = explanation(compiled);
  std::string text = explained ? to_string(*explained) : explained.error().message + "\n";
  section(text, 6, "Code");
  if (!compiled.code) return text + "none is generated\n";
  const auto reasoned = with_reasons(compiled);
  return text + std::to_string(compiled.code_bytes()) + " bytes, tables included\n" +
         jit::listing(reasoned ? reasoned->plan : compiled.plan);
}

}  // namespace relayout::runtime
