// relayout offsets: the offset of every logical coordinate.

#include <algorithm>
#include <fmt/format.h>
#include <memory>

#include "src/cli/command.hpp"
#include "src/cli/request.hpp"

namespace relayout::cli {
namespace {

/// More offsets than this fill the memory rather than inform.
constexpr std::int64_t kMaxElements = std::int64_t{1} << 22;

/// Steps `coordinate` to the next one in row-major order. False after the last.
bool advance(Shape& coordinate, const Shape& shape) {
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (++coordinate[i] < shape[i]) return true;
    coordinate[i] = 0;
  }
  return false;
}

Result<Json> list_offsets(const Layout& layout) {
  Json offsets = Json::array();
  if (layout.element_count() == 0) return offsets;
  Shape coordinate(layout.shape().size(), 0);
  do {
    const auto offset = layout.offset(coordinate);
    if (!offset) return offset.error();
    offsets.push_back(*offset);
  } while (advance(coordinate, layout.shape()));
  return offsets;
}

/// Where each element of a packed layout starts, in bits from the start of the buffer.
Json bit_offsets(const Json& offsets, std::int64_t element_bits) {
  Json bits = Json::array();
  for (const Json& offset : offsets) bits.push_back(offset.get<std::int64_t>() * element_bits);
  return bits;
}

Result<Json> answer_offsets(const Json& request) {
  const auto spec = required_text(request, "spec");
  if (!spec) return spec.error();
  const auto layout = Layout::parse(*spec);
  if (!layout) return layout.error();
  if (layout->element_count() > kMaxElements) {
    return Error{ErrorCode::kUnsupported, fmt::format("{} has {} elements: at most {} offsets are listed",
                                                      *spec, layout->element_count(), kMaxElements)};
  }
  auto offsets = list_offsets(*layout);
  if (!offsets) return offsets.error();
  Json answer{{"spec", *spec},
              {"shape", layout->shape()},
              {"physical_elements", layout->physical_elements()},
              {"bytes", layout->size_bytes()}};
  if (layout->element_bits() % 8 != 0) answer["bit_offsets"] = bit_offsets(*offsets, layout->element_bits());
  answer["offsets"] = std::move(*offsets);
  return answer;
}

/// One grid: the last two dimensions from `first` on, columns aligned.
std::string render_grid(const Shape& offsets, std::size_t first, const Shape& extents, std::size_t width) {
  std::string text;
  for (std::int64_t row = 0; row < extents[0]; ++row) {
    for (std::int64_t column = 0; column < extents[1]; ++column) {
      const auto index = first + static_cast<std::size_t>(row * extents[1] + column);
      text += fmt::format("{}{:>{}}", column == 0 ? "" : " ", offsets[index], width);
    }
    text += '\n';
  }
  return text;
}

/// The heading of a grid of an array of more than two dimensions: `[1, 0, :, :]`.
std::string grid_heading(std::span<const std::int64_t> leading) {
  return fmt::format("[{}, :, :]\n", fmt::join(leading, ", "));
}

std::string render_grids(const Shape& shape, const Shape& offsets) {
  if (offsets.empty()) return {};
  const std::size_t width = fmt::format("{}", *std::max_element(offsets.begin(), offsets.end())).size();
  Shape padded = shape;
  while (padded.size() < 2) padded.insert(padded.begin(), 1);
  const Shape extents(padded.end() - 2, padded.end());
  const Shape leading_shape(padded.begin(), padded.end() - 2);

  std::string text;
  Shape leading(leading_shape.size(), 0);
  std::size_t first = 0;
  do {
    if (!leading.empty()) text += (first == 0 ? "" : "\n") + grid_heading(leading);
    text += render_grid(offsets, first, extents, width);
    first += static_cast<std::size_t>(extents[0] * extents[1]);
  } while (advance(leading, leading_shape));
  text.pop_back();
  return text;
}

std::string render_offsets(const Json& answer) {
  return render_grids(answer["shape"].get<Shape>(), answer["offsets"].get<Shape>());
}

}  // namespace

void add_offsets(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("offsets", "Show the offset of every logical coordinate");
  const auto output = std::make_shared<OutputOptions>();
  const CLI::Option* spec = command->add_option("SPEC", "Layout, such as 'f32[6,8][1, 0, 1 p(4)]'");
  add_output_options(*command, *output, "\"spec\"");
  command->footer(
      examples({"relayout offsets 'f32[6,8]'", "relayout offsets 'f32[6,8][1, 0, 1 p(4)]' --json"}));
  command->callback([=, &exit_code] {
    Json request = Json::object();
    put_argument(spec, "spec", output->batch, request);
    exit_code = run_command({answer_offsets, render_offsets}, *output, request);
  });
}

}  // namespace relayout::cli
