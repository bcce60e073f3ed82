#include "src/cli/transposer_terms.hpp"

#include <fmt/format.h>
#include <limits>
#include <numeric>

#include "relayout/strided.hpp"
#include "relayout/xla.hpp"

namespace relayout::cli {
namespace {

/// A request as numbers.
struct Terms {
  ElementType type;  ///< of both sides; narrower than a byte if the destination is packed
  Shape dimensions;
  Shape permutation;
  Shape input_tiling;
  Shape output_tiling;
  Shape input_stride_bytes;
  bool is_packed = false;
};

Result<std::int64_t> integer(const Json& value, std::string_view key) {
  const bool too_large = value.is_number_unsigned() &&
                         value.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()};
  if (value.is_number_integer() && !too_large) return value.get<std::int64_t>();
  return Error{ErrorCode::kBadArgument, fmt::format("\"{}\": {} is not a 64-bit integer", key, value.dump())};
}

/// Puts the list under `key` into `numbers`, which stays as it is if there is none.
Status read_list(const Json& request, std::string_view key, Shape& numbers) {
  const auto field = request.find(std::string(key));
  if (field == request.end()) return {};
  if (!field->is_array()) {
    return Error{ErrorCode::kBadArgument, fmt::format("\"{}\" is not a list of integers", key)};
  }
  numbers.clear();
  for (const Json& value : *field) {
    const auto number = integer(value, key);
    if (!number) return number.error();
    numbers.push_back(*number);
  }
  return {};
}

Status read_lists(const Json& request, Terms& terms) {
  if (const Status status = read_list(request, "dims", terms.dimensions); !status) return status;
  terms.permutation.resize(terms.dimensions.size());
  std::iota(terms.permutation.begin(), terms.permutation.end(), 0);
  if (const Status status = read_list(request, "permutation", terms.permutation); !status) return status;
  if (const Status status = read_list(request, "input_tiling", terms.input_tiling); !status) return status;
  if (const Status status = read_list(request, "output_tiling", terms.output_tiling); !status) return status;
  return read_list(request, "input_striding_bytes", terms.input_stride_bytes);
}

/// The type that stands for any of `bytes`.
Result<ElementType> type_of_width(std::int64_t bytes) {
  switch (bytes) {
    case 1:
      return *ElementType::parse("u8");
    case 2:
      return *ElementType::parse("u16");
    case 4:
      return *ElementType::parse("u32");
    case 8:
      return *ElementType::parse("u64");
    case 16:
      return *ElementType::parse("c128");
    default:
      break;
  }
  return Error{ErrorCode::kBadArgument,
               fmt::format("\"elem_size_bytes\": {} is none of 1, 2, 4, 8, 16", bytes)};
}

/// The type whose values are the `bits` lowest of a byte.
Result<ElementType> type_of_packed(std::int64_t bits, std::int64_t element_bytes) {
  if (bits != 1 && bits != 2 && bits != 4) {
    return Error{ErrorCode::kBadArgument,
                 fmt::format("\"dest_bits_per_element\": {} is none of 1, 2, 4", bits)};
  }
  if (element_bytes != 1) {
    return Error{ErrorCode::kBadArgument, "\"dest_bits_per_element\" needs \"elem_size_bytes\" 1"};
  }
  return *ElementType::parse(fmt::format("s{}", bits));
}

Result<Terms> read_terms(const Json& request) {
  const auto element_bytes = integer(request.at("elem_size_bytes"), "elem_size_bytes");
  if (!element_bytes) return element_bytes.error();
  const auto packed = request.find("dest_bits_per_element");
  const bool is_packed = packed != request.end();
  const auto bits = is_packed ? integer(*packed, "dest_bits_per_element") : Result<std::int64_t>(0);
  if (!bits) return bits.error();
  const auto type = is_packed ? type_of_packed(*bits, *element_bytes) : type_of_width(*element_bytes);
  if (!type) return type.error();
  Terms terms{*type, {}, {}, {}, {}, {}, is_packed};
  if (const Status status = read_lists(request, terms); !status) return status.error();
  if (is_packed && !terms.output_tiling.empty()) {
    return Error{ErrorCode::kUnsupported,
                 "\"output_tiling\" together with \"dest_bits_per_element\" is not supported"};
  }
  return terms;
}

Result<Layout> source_of(const Terms& terms) {
  const auto tiles = strided(terms.type, {terms.dimensions, terms.input_tiling, terms.input_stride_bytes});
  if (!tiles) return tiles.error();
  return tiles->transposed(terms.permutation);
}

Result<Layout> destination_of(const Terms& terms, const Shape& dimensions) {
  if (!terms.is_packed) return strided(terms.type, {dimensions, terms.output_tiling, {}});
  xla::ArrayShape array = xla::make_array(terms.type, dimensions);
  array.layout.element_bits = terms.type.logical_bits();
  return Layout::from_xla(std::move(array));
}

}  // namespace

bool has_transposer_terms(const Json& request) {
  return request.contains("elem_size_bytes");
}

Result<PairRequest> read_transposer_terms(const Json& request) {
  const auto terms = read_terms(request);
  if (!terms) return terms.error();
  const auto source = source_of(*terms);
  if (!source) return prefixed("source", source.error());
  const auto destination = destination_of(*terms, source->shape());
  if (!destination) return prefixed("destination", destination.error());
  const auto options = read_compile_options(request);
  if (!options) return options.error();
  return PairRequest{*source, *destination, *options};
}

}  // namespace relayout::cli
