#include "src/cli/compare/subject.hpp"

#include <fmt/format.h>

#include "src/cli/copies.hpp"

namespace relayout::cli {

std::optional<double> Timing::gbps() const {
  if (bytes <= 0 || seconds.median <= 0) return std::nullopt;
  return bytes / seconds.median / 1e9;
}

Budget Subject::budget(double seconds) const {
  Budget budget{.seconds = seconds};
  budget.warm_each_sample = bytes() <= kWarmBytes;
  return budget;
}

bool Subject::is_kept_by(const std::function<void()>& work) const {
  convert_once();
  work();
  return reference.holds();
}

Contender converting(const Subject& subject, const Relayout& convert) {
  return repeated([convert, source = subject.buffers.source(), destination = subject.buffers.destination()] {
    convert(source, destination);
  });
}

Contender copying(const Subject& subject) {
  return repeated([half = subject.half(), source = subject.buffers.source(),
                   destination = subject.buffers.destination()] { library_copy(source, destination, half); });
}

Contender streaming(const Subject& subject) {
  return repeated(
      [half = subject.half(), source = subject.buffers.source(),
       destination = subject.buffers.destination()] { streaming_copy(source, destination, half); });
}

Error wrong_result(std::string_view contender) {
  return {ErrorCode::kInternal, fmt::format("{}: wrong result: see relayout verify", contender)};
}

}  // namespace relayout::cli
