// The calculator's operations that show a layout, and the text of every value.

#include "relayout/cute/text.hpp"
#include "src/notation/cute/arguments.hpp"
#include "src/notation/cute/arithmetic.hpp"

namespace relayout::cute {
namespace {

Result<Value> apply_layout(const Arguments& arguments) {
  return with(
      [](const AnyLayout& any) {
        return std::visit([](const auto& layout) { return Result<Value>(layout); }, any);
      },
      arguments.any_layout(0));
}

Result<Value> apply_print(const Arguments& arguments) {
  if (arguments.is_tuple(0)) return Value(*arguments.tuple(0));
  if (arguments.is_swizzle(0)) return Value(*arguments.swizzle(0));
  return apply_layout(arguments);
}

Result<Value> apply_print_layout(const Arguments& arguments) {
  return with(
      [](const AnyLayout& layout) {
        return with(
            [&](std::string text) {
              return Result<Value>(PrintedTable{std::move(text), layout});
            },
            print_layout(layout));
      },
      arguments.any_layout(0));
}

Result<std::vector<std::int64_t>> listed(const AnyLayout& any) {
  const auto list = [&](const auto& layout) -> Result<std::vector<std::int64_t>> {
    if (layout.size() <= kMaximumPrintedCells) return layout.offsets();
    return Error{ErrorCode::kUnsupported, "layout " + to_string(any) + " has more elements than are printed"};
  };
  return std::visit(list, any);
}

Result<Value> apply_print_1d(const Arguments& arguments) {
  return with(
      [](const AnyLayout& any) {
        return with(
            [&](auto offsets) {
              return Result<Value>(OffsetList{std::move(offsets), any});
            },
            listed(any));
      },
      arguments.any_layout(0));
}

Result<Value> apply_print_2d(const Arguments& arguments) {
  return with(
      [](const AnyLayout& any, const IntTuple& shape) -> Result<Value> {
        if (rank(shape) != 2) return bad_argument("a table needs a layout of rank 2");
        const auto rows = size(shape.elements().front());
        const auto offsets = listed(any);
        if (!offsets) return offsets.error();
        OffsetRows table{std::vector<std::vector<std::int64_t>>(static_cast<std::size_t>(*rows)), any};
        for (std::size_t i = 0; i < offsets->size(); ++i) {
          table.rows[i % table.rows.size()].push_back((*offsets)[i]);
        }
        return Value(std::move(table));
      },
      arguments.any_layout(0), arguments.shape(0));
}

Result<Value> apply_swizzle(const Arguments& arguments) {
  return with(
      [](const Swizzle& swizzle, std::int64_t count) -> Result<Value> {
        if (count < 0 || count > kMaximumPrintedCells) {
          return bad_argument("cannot list " + std::to_string(count) + " offsets");
        }
        OffsetList list;
        for (std::int64_t i = 0; i < count; ++i) list.offsets.push_back(swizzle(i));
        return Value(std::move(list));
      },
      arguments.swizzle(0), arguments.integer(1));
}

Result<Value> apply_print_swizzled(const Arguments& arguments) {
  return with(
      [](const Swizzle& swizzle, const Layout& layout) -> Result<Value> {
        const bool marked = to_string(layout.shape()).find('_') != std::string::npos;
        auto composed =
            ComposedLayout::make(swizzle, marked ? IntTuple::static_integer(0) : IntTuple(0), layout);
        return composed ? Result<Value>(std::move(*composed)) : Result<Value>(composed.error());
      },
      arguments.swizzle(0), arguments.layout(1));
}

std::string joined(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) {
    if (!text.empty()) text += ' ';
    text += std::to_string(number);
  }
  return text;
}

std::string text_of(bool truth) {
  return truth ? "true" : "false";
}
std::string text_of(const PrintedTable& table) {
  return table.text;
}
std::string text_of(const OffsetList& list) {
  return joined(list.offsets);
}
std::string text_of(const OffsetRows& table) {
  const auto text = print_2d(table.layout);
  return text ? *text : std::string();
}
template <class Kind>
std::string text_of(const Kind& value) {
  return to_string(value);
}

}  // namespace

std::string to_string(const Value& value) {
  return std::visit([](const auto& kind) { return text_of(kind); }, value);
}

std::optional<AnyLayout> layout_of(const Value& value) {
  if (const auto* layout = std::get_if<Layout>(&value)) return *layout;
  if (const auto* composed = std::get_if<ComposedLayout>(&value)) return *composed;
  if (const auto* table = std::get_if<PrintedTable>(&value)) return table->layout;
  if (const auto* rows = std::get_if<OffsetRows>(&value)) return rows->layout;
  const auto* list = std::get_if<OffsetList>(&value);
  return list == nullptr ? std::nullopt : list->layout;
}

std::vector<CalculatorOperation> printing_operations() {
  return {{"layout", 1, 1, apply_layout},
          {"parse", 1, 1, apply_layout},
          {"print", 1, 1, apply_print},
          {"print_swizzled", 2, 2, apply_print_swizzled},
          {"print_layout", 1, 1, apply_print_layout},
          {"print1D", 1, 1, apply_print_1d},
          {"print2D", 1, 1, apply_print_2d},
          {"swizzle", 2, 2, apply_swizzle}};
}

}  // namespace relayout::cute
