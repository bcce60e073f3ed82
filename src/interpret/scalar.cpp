#include "src/interpret/scalar.hpp"

#include <cstring>
#include <exception>
#include <string>

#include "src/interpret/domain.hpp"

namespace relayout::interpret {
namespace {

/// Both offsets of one domain point, in elements.
struct Offsets {
  std::int64_t source = 0;
  std::int64_t destination = 0;
};

Error outside(const char* side, std::int64_t offset, const std::vector<std::int64_t>& coordinate) {
  return Error{ErrorCode::kInternal, std::string(side) + " offset " + std::to_string(offset) +
                                         " of coordinate " + to_string(coordinate) +
                                         " is outside the buffer"};
}

Result<Offsets> offsets_at(const plan::Problem& problem, const std::vector<std::int64_t>& coordinate) {
  const Offsets offsets = {expr::evaluate_unchecked(problem.source, coordinate),
                           expr::evaluate_unchecked(problem.destination, coordinate)};
  if (offsets.source < 0 || offsets.source >= problem.source_elements) {
    return outside("source", offsets.source, coordinate);
  }
  if (offsets.destination < 0 || offsets.destination >= problem.destination_elements) {
    return outside("destination", offsets.destination, coordinate);
  }
  return offsets;
}

/// The first domain point that lands on `destination`. \pre there is one
std::vector<std::int64_t> first_point_on(const plan::Problem& problem, std::int64_t destination) {
  Domain domain(problem.extents);
  while (expr::evaluate_unchecked(problem.destination, domain.coordinate()) != destination) domain.advance();
  return domain.coordinate();
}

/// A map in which every destination element is padding.
Result<std::vector<std::int64_t>> unset_map(std::int64_t elements) {
  try {
    return std::vector<std::int64_t>(static_cast<std::size_t>(elements), -1);
  } catch (const std::exception&) {  // bad_alloc or length_error
    return Error{ErrorCode::kSystem,
                 "no memory to list " + std::to_string(elements) + " destination elements"};
  }
}

/// Calls `move` with the offsets of the first `max_elements` points in row-major order.
template <class Move>
Status for_each_element(const plan::Problem& problem, std::int64_t max_elements, Move move) {
  Domain domain(problem.extents);
  for (std::int64_t moved = 0; domain.valid() && moved < max_elements; ++moved, domain.advance()) {
    const Result<Offsets> offsets = offsets_at(problem, domain.coordinate());
    if (!offsets) return offsets.error();
    move(*offsets);
  }
  return {};
}

}  // namespace

Status run_scalar(const plan::Problem& problem, const std::byte* source, std::byte* destination,
                  std::int64_t max_elements) {
  const std::int64_t bytes = problem.element_bytes;
  return for_each_element(problem, max_elements, [&](const Offsets& offsets) {
    std::memcpy(destination + offsets.destination * bytes, source + offsets.source * bytes,
                static_cast<std::size_t>(bytes));
  });
}

Status run_scalar(const plan::Problem& problem, const PackedWidths& widths, const std::byte* source,
                  std::byte* destination, std::int64_t max_elements) {
  return for_each_element(problem, max_elements, [&](const Offsets& offsets) {
    move_packed_element(source, destination, {offsets.source, offsets.destination}, widths);
  });
}

Result<std::vector<std::int64_t>> source_of_destination(const plan::Problem& problem) {
  auto unset = unset_map(problem.destination_elements);
  if (!unset) return unset;
  std::vector<std::int64_t> map = *std::move(unset);
  for (Domain domain(problem.extents); domain.valid(); domain.advance()) {
    const Result<Offsets> offsets = offsets_at(problem, domain.coordinate());
    if (!offsets) return offsets.error();
    std::int64_t& entry = map[static_cast<std::size_t>(offsets->destination)];
    if (entry >= 0) {
      return Error{ErrorCode::kAliasing,
                   "coordinates " + to_string(first_point_on(problem, offsets->destination)) + " and " +
                       to_string(domain.coordinate()) + " share destination element " +
                       std::to_string(offsets->destination)};
    }
    entry = offsets->source;
  }
  return map;
}

}  // namespace relayout::interpret
