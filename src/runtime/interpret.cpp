#include "relayout/interpret.hpp"

#include <algorithm>
#include <string>

#include "src/interpret/scalar.hpp"
#include "src/interpret/vectorised.hpp"
#include "src/layout/memory_guard.hpp"
#include "src/runtime/buffers.hpp"
#include "src/runtime/packed_pair.hpp"
#include "src/runtime/pair.hpp"

namespace relayout {
namespace {

/// Byte strides that cut elements make a problem of their parts.
std::int64_t parts_per_element(const plan::Problem& problem, const Layout& source) {
  return source.type().storage_bytes() / problem.element_bytes;
}

struct PackedTask {
  std::span<const std::byte> source;
  std::span<std::byte> destination;
  Interpreter interpreter = Interpreter::kScalar;
  std::int64_t elements = 0;
};

Status interpret_packed(const Layout& source, const Layout& destination, const PackedTask& task) {
  const auto widths = runtime::packed_widths(source, destination);
  if (!widths) return widths.error();
  if (task.interpreter == Interpreter::kScalar) {
    const auto problem = runtime::raw_problem(source, destination);
    if (!problem) return problem.error();
    return interpret::run_scalar(*problem, *widths, task.source.data(), task.destination.data(),
                                 task.elements);
  }
  const auto problem = runtime::simplified_problem(source, destination);
  if (!problem) return problem.error();
  const auto program = interpret::VectorisedProgram::build(*problem, default_isa(), *widths);
  if (!program) return program.error();
  program->run(task.source.data(), task.destination.data(), 0, task.elements);
  return {};
}

}  // namespace

Status run_interpreter(const Layout& source, const Layout& destination,
                       std::span<const std::byte> source_buffer, std::span<std::byte> destination_buffer,
                       Interpreter interpreter, std::int64_t max_elements) {
  return layout::without_exceptions([&]() -> Status {
    if (auto status = runtime::check_buffers(source, destination, source_buffer, destination_buffer);
        !status) {
      return status;
    }
    if (max_elements < 0) return Error{ErrorCode::kBadArgument, "max_elements is negative"};
    const std::int64_t elements = std::min(max_elements, source.element_count());
    if (runtime::is_packed_pair(source, destination)) {
      return interpret_packed(source, destination,
                              {source_buffer, destination_buffer, interpreter, elements});
    }
    if (interpreter == Interpreter::kScalar) {
      const auto problem = runtime::raw_problem(source, destination);
      if (!problem) return problem.error();
      return interpret::run_scalar(*problem, source_buffer.data(), destination_buffer.data(),
                                   elements * parts_per_element(*problem, source));
    }
    const auto problem = runtime::simplified_problem(source, destination);
    if (!problem) return problem.error();
    const auto program = interpret::VectorisedProgram::build(*problem, default_isa());
    if (!program) return program.error();
    program->run(source_buffer.data(), destination_buffer.data(), 0,
                 elements * parts_per_element(*problem, source));
    return {};
  });
}

}  // namespace relayout
