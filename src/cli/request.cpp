#include "src/cli/request.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace relayout::cli {

Error prefixed(std::string_view where, const Error& error) {
  return {error.code, fmt::format("{}: {}", where, error.message)};
}

Result<std::optional<std::string>> optional_text(const Json& request, std::string_view key) {
  const auto field = request.find(std::string(key));
  if (field == request.end() || field->is_null()) return std::optional<std::string>();
  if (!field->is_string()) {
    return Error{ErrorCode::kBadArgument, fmt::format("\"{}\" is not a string", key)};
  }
  return std::optional<std::string>(field->get<std::string>());
}

Result<std::string> required_text(const Json& request, std::string_view key) {
  auto text = optional_text(request, key);
  if (!text) return text.error();
  if (!*text) return Error{ErrorCode::kBadArgument, fmt::format("\"{}\" is missing", key)};
  return **text;
}

Result<std::string> required_path(const Json& request, std::string_view key) {
  auto path = required_text(request, key);
  if (path && path->find('\0') != std::string::npos)
    return Error{ErrorCode::kBadArgument, fmt::format("\"{}\" holds a NUL character", key)};
  return path;
}

Result<int> optional_integer(const Json& request, std::string_view key, int lowest, int highest) {
  const auto field = request.find(std::string(key));
  if (field == request.end() || field->is_null()) return lowest;
  if (field->is_number_integer() && *field >= lowest && *field <= highest) return field->get<int>();
  return Error{ErrorCode::kBadArgument,
               fmt::format("\"{}\" is no number from {} to {}", key, lowest, highest)};
}

Status check_keys(const Json& request, std::span<const std::string_view> known) {
  for (const auto& [key, value] : request.items()) {
    if (std::ranges::find(known, key) == known.end())
      return Error{ErrorCode::kBadArgument, fmt::format("unknown key \"{}\"", key)};
  }
  return {};
}

Result<bool> optional_flag(const Json& request, std::string_view key) {
  const auto field = request.find(std::string(key));
  if (field == request.end() || field->is_null()) return false;
  if (!field->is_boolean()) {
    return Error{ErrorCode::kBadArgument, fmt::format("\"{}\" is neither true nor false", key)};
  }
  return field->get<bool>();
}

namespace {

Status read_isa(const Json& request, CompileOptions& options) {
  const auto text = optional_text(request, "isa");
  if (!text) return text.error();
  if (!*text) return {};
  options.isa = parse_isa(**text);
  if (options.isa) return {};
  return Error{ErrorCode::kBadArgument,
               fmt::format("isa: \"{}\" is none of portable, avx2, avx512, avx512_vbmi", **text)};
}

Status read_kernel(const Json& request, CompileOptions& options) {
  const auto text = optional_text(request, "kernel");
  if (!text) return text.error();
  if (!*text) return {};
  const auto family = parse_kernel_family(**text);
  if (!family) {
    return Error{ErrorCode::kBadArgument,
                 fmt::format("kernel: \"{}\" is none of automatic, copy, permute, gather", **text)};
  }
  options.kernel = *family;
  return {};
}

}  // namespace

Result<CompileOptions> read_compile_options(const Json& request) {
  CompileOptions options;
  if (const Status isa = read_isa(request, options); !isa) return isa.error();
  if (const Status kernel = read_kernel(request, options); !kernel) return kernel.error();
  const auto choice = optional_text(request, "choice");
  if (!choice) return choice.error();
  options.choice = choice->value_or("");
  const auto strict = optional_flag(request, "strict");
  if (!strict) return strict.error();
  options.strict = *strict;
  const auto tune = optional_flag(request, "tune");
  if (!tune) return tune.error();
  if (*tune) options.tune = Tuning::kMeasure;
  return options;
}

Result<PairRequest> read_pair(const Json& request) {
  const auto source_text = required_text(request, "src");
  if (!source_text) return source_text.error();
  const auto destination_text = required_text(request, "dst");
  if (!destination_text) return destination_text.error();

  const auto source = Layout::parse(*source_text);
  if (!source) return prefixed("source", source.error());
  const auto destination = Layout::parse_destination(*destination_text, *source);
  if (!destination) return prefixed("destination", destination.error());

  const auto options = read_compile_options(request);
  if (!options) return options.error();
  return PairRequest{*source, *destination, *options};
}

}  // namespace relayout::cli
