// A libFuzzer target: whatever parses prints, and reads back to the same text; what is an array with a size
// has offsets inside its buffer. Build: clang++ -std=c++20 -fsanitize=fuzzer,address,undefined with the
// sources of src/expr, src/layout and src/notation.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "relayout/layout.hpp"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

/// The first and the last element lie inside the buffer.
void check_layout(const relayout::xla::ArrayShape& array) {
  const auto layout = relayout::Layout::from_xla(array);
  if (!layout || layout->element_count() == 0) return;
  relayout::Shape coordinate(layout->shape().size(), 0);
  const auto first = layout->offset(coordinate);
  for (std::size_t i = 0; i < coordinate.size(); ++i) coordinate[i] = layout->shape()[i] - 1;
  const auto last = layout->offset(coordinate);
  require(first && *first == 0);
  require(last && *last >= 0 && *last < layout->physical_elements());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto strict = relayout::xla::parse(text, {.strict = true});
  const auto parsed = relayout::xla::parse(text);
  require(parsed || !strict);  // strict refuses more, never less
  if (!parsed) return 0;
  const std::string printed = relayout::xla::to_string(*parsed);
  if (!relayout::xla::validate(*parsed)) return 0;
  const auto again = relayout::xla::parse(printed);
  require(again && relayout::xla::to_string(*again) == printed);
  if (parsed->array) check_layout(*parsed->array);
  return 0;
}
