#include "src/runtime/pair.hpp"

#include <string>

#include "src/layout/layout_data.hpp"

namespace relayout::runtime {
namespace {

Result<plan::Problem> make_problem(const Layout& source, const Layout& destination) {
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
  for (const Layout* side : {&source, &destination}) {
    if (side->element_bits() == side->type().storage_bits()) continue;
    return Error{ErrorCode::kUnsupported, side->to_string() + ": elements of " +
                                              std::to_string(side->element_bits()) +
                                              " bits are described, but not moved"};
  }
  plan::Problem problem;
  problem.extents = source.shape();
  problem.element_bytes = source.type().storage_bytes();
  problem.source_elements = source.physical_elements();
  problem.destination_elements = destination.physical_elements();
  return problem;
}

}  // namespace

Result<plan::Problem> raw_problem(const Layout& source, const Layout& destination) {
  auto problem = make_problem(source, destination);
  if (!problem) return problem;
  problem->source = source.data().raw;
  problem->destination = destination.data().raw;
  return problem;
}

Result<plan::Problem> simplified_problem(const Layout& source, const Layout& destination) {
  auto problem = make_problem(source, destination);
  if (!problem) return problem;
  problem->source = source.data().simplified();
  problem->destination = destination.data().simplified();
  return problem;
}

}  // namespace relayout::runtime
