#include "src/runtime/pair.hpp"

#include <numeric>
#include <string>

#include "src/layout/layout_data.hpp"

namespace relayout::runtime {
namespace {

using expr::IndexExpr;

Status check_pair(const Layout& source, const Layout& destination) {
  if (source.shape() != destination.shape()) {
    return Error{ErrorCode::kShapeMismatch,
                 "the source is " + layout::type_and_shape(source.type(), source.shape()) +
                     ", the destination " + layout::type_and_shape(destination.type(), destination.shape())};
  }
  if (source.type().storage_bits() != destination.type().storage_bits()) {
    return Error{ErrorCode::kShapeMismatch, "elements of the source (" + std::string(source.type().name()) +
                                                ") and of the destination (" +
                                                std::string(destination.type().name()) + ") differ in width"};
  }
  return {};
}

/// Byte strides that cut elements: the element becomes a row of smaller ones, `unit_bytes` each, along one
/// more innermost variable.
void split_elements(plan::Problem& problem, std::int64_t unit_bytes) {
  const std::int64_t parts = problem.element_bytes / unit_bytes;
  const int index = static_cast<int>(problem.extents.size());
  const IndexExpr part = IndexExpr::variable(index, "part", {0, parts - 1});
  problem.extents.push_back(parts);
  problem.element_bytes = unit_bytes;
  problem.source = problem.source + part;
  problem.destination = problem.destination + part;
}

Result<plan::Problem> make_problem(const Layout& source, const Layout& destination, bool simplified) {
  if (auto status = check_pair(source, destination); !status) return status.error();
  const layout::LayoutData& from = source.data();
  const layout::LayoutData& to = destination.data();
  plan::Problem problem;
  problem.extents = source.shape();
  problem.element_bytes = source.type().storage_bytes();
  problem.source = simplified ? from.simplified() : from.raw;
  problem.destination = simplified ? to.simplified() : to.raw;
  const std::int64_t unit_bytes = std::gcd(from.unit_bytes, to.unit_bytes);
  if (unit_bytes != problem.element_bytes) {
    problem.source = problem.source * (from.unit_bytes / unit_bytes);
    problem.destination = problem.destination * (to.unit_bytes / unit_bytes);
    split_elements(problem, unit_bytes);
  } else {
    problem.permuted_destination = to.permuted;
  }
  const bool split = unit_bytes != source.type().storage_bytes();
  problem.source_elements = split ? from.size_bytes() / unit_bytes : from.physical_elements;
  problem.destination_elements = split ? to.size_bytes() / unit_bytes : to.physical_elements;
  return problem;
}

}  // namespace

Result<plan::Problem> raw_problem(const Layout& source, const Layout& destination) {
  return make_problem(source, destination, false);
}

Result<plan::Problem> simplified_problem(const Layout& source, const Layout& destination) {
  return make_problem(source, destination, true);
}

plan::Problem offsets_of(const Layout& source, const Layout& destination) {
  plan::Problem problem;
  problem.extents = source.shape();
  problem.source = source.data().raw * source.data().unit_bytes;
  problem.destination = destination.data().raw * destination.data().unit_bytes;
  return problem;
}

}  // namespace relayout::runtime
