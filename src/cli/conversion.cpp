#include "src/cli/conversion.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include "src/cli/fill_value.hpp"
#include "src/cli/huge_buffer.hpp"
#include "src/cli/mapped_file.hpp"
#include "src/cli/npy.hpp"
#include "src/cli/packed.hpp"
#include "src/cli/progress.hpp"
#include "src/cli/request.hpp"
#include "src/cli/team.hpp"
#include "src/cli/timing.hpp"

namespace relayout::cli {
namespace {

/// Bytes of one part where progress is shown or threads share the work: some milliseconds of work.
constexpr std::int64_t kPartBytes = std::int64_t{16} << 20;
/// Reading the clock takes some 25 ns.
constexpr double kSampleSeconds = 50e-6;

/// The array in the file, and the header that the converted file gets.
struct Payload {
  std::span<const std::byte> buffer;
  std::string destination_header;
  bool is_big_endian = false;
};

/// Whether the buffer is an array of the physical shape: nothing is padded, packed or spaced.
bool is_dense(const Layout& layout) {
  return !is_packed(layout) && layout.physical_elements() == layout.element_count();
}

/// The bare buffer as one dimension of items of the type's bytes.
Shape buffer_shape(const Layout& layout) {
  return {layout.size_bytes() / layout.type().storage_bytes()};
}

/// The layout's physical shape where that is all there is, else one dimension.
Shape file_shape(const Layout& layout) {
  return is_dense(layout) ? layout.physical_shape() : buffer_shape(layout);
}

/// A Fortran-order array is a C-order buffer of the reversed shape.
Shape buffer_shape(const NpyHeader& header) {
  Shape shape = header.shape;
  if (header.fortran_order) std::reverse(shape.begin(), shape.end());
  return shape;
}

/// Whether the file's buffer is what `layout` describes: the logical array in its own order, the physical
/// array, or the bare buffer.
bool fits_shape(const NpyHeader& header, const Layout& layout) {
  const Shape shape = buffer_shape(header);
  if (shape == buffer_shape(layout)) return true;
  if (is_packed(layout)) return false;
  if (layout.is_row_major() && !header.fortran_order && header.shape == layout.shape()) return true;
  if (layout.is_column_major() && header.fortran_order && header.shape == layout.shape()) return true;
  return !header.fortran_order && is_dense(layout) && shape == layout.physical_shape();
}

std::string tuple_text(const Shape& shape) {
  return fmt::format("({})", fmt::join(shape, ", "));
}

Error shape_error(const NpyHeader& header, const Layout& layout) {
  if (header.shape != layout.shape()) {
    return {
        ErrorCode::kShapeMismatch,
        fmt::format("the array's shape {} is neither the shape {} nor the physical shape {} of --from",
                    tuple_text(header.shape), tuple_text(layout.shape()), tuple_text(file_shape(layout)))};
  }
  return {
      ErrorCode::kShapeMismatch,
      fmt::format("the file is in {} order, which is not what --from says ({}); its buffer has the shape {}",
                  header.fortran_order ? "Fortran (column-major)" : "C (row-major)", layout.to_string(),
                  tuple_text(buffer_shape(header)))};
}

Result<Payload> npy_payload(std::span<const std::byte> file, const ConversionJob& job) {
  const auto header = parse_npy_header(file);
  if (!header) return header.error();
  if (header->item_bytes != job.source.type().storage_bytes()) {
    return Error{ErrorCode::kShapeMismatch,
                 fmt::format("items of {} bytes ('{}') are not {}", header->item_bytes, header->descr,
                             job.source.type().name())};
  }
  const auto buffer = file.subspan(header->data_offset);
  if (static_cast<std::int64_t>(buffer.size()) != job.source.size_bytes()) {
    return Error{ErrorCode::kShapeMismatch,
                 fmt::format("the array of shape {} has {} bytes, but --from takes {}",
                             tuple_text(header->shape), buffer.size(), job.source.size_bytes())};
  }
  if (!fits_shape(*header, job.source)) return shape_error(*header, job.source);
  return Payload{buffer, npy_header(header->descr, file_shape(job.destination)),
                 header->descr.starts_with('>')};
}

Result<Payload> raw_payload(std::span<const std::byte> file, const ConversionJob& job) {
  if (static_cast<std::int64_t>(file.size()) == job.source.size_bytes()) return Payload{file, {}, false};
  return Error{ErrorCode::kShapeMismatch,
               fmt::format("{} bytes, but --from takes {}", file.size(), job.source.size_bytes())};
}

/// How to compile, the fill in the byte order of the file.
Result<CompileOptions> options_for(const ConversionJob& job, const Payload& payload) {
  CompileOptions options = job.options;
  if (!job.fill) return options;
  const ElementType& type = job.destination.type();
  auto fill = fill_bytes(*job.fill, type);
  if (!fill) return fill.error();
  options.fill = payload.is_big_endian ? big_endian(std::move(*fill), type) : std::move(*fill);
  return options;
}

/// Runs a conversion on `threads` threads, in parts if threads or a progress bar want them.
class Executor {
 public:
  Executor(Relayout convert, int threads) : convert_(std::move(convert)), team_(threads) {}

  /// `progress` is told of parts; null if nobody watches.
  void run(std::span<const std::byte> source, std::span<std::byte> destination, Progress* progress) {
    // A part split costs a little.
    if (team_.threads() == 1 && progress == nullptr) return convert_(source.data(), destination.data());
    const std::int64_t count = parts();
    team_.run(count, [&](std::int64_t part) {
      convert_.run_part(source.data(), destination.data(), part, count);
      if (progress != nullptr) progress->step();
    });
  }

  std::int64_t total_bytes() const { return convert_.source_bytes() + convert_.destination_bytes(); }

  /// As many for each thread.
  std::int64_t parts() const {
    const std::int64_t threads = team_.threads();
    return threads * (total_bytes() / kPartBytes / threads + 1);
  }

 private:
  Relayout convert_;
  Team team_;
};

/// Seconds of one conversion.
double timed_run(Executor& executor, std::span<const std::byte> source, std::span<std::byte> destination) {
  Progress progress(executor.parts());
  const double start = now_seconds();
  executor.run(source, destination, progress.is_visible() ? &progress : nullptr);
  return now_seconds() - start;
}

/// Seconds of one of `repetitions` conversions: the median of samples that are long for the clock.
double repeated_seconds(Executor& executor, int repetitions, std::span<const std::byte> source,
                        std::span<std::byte> destination) {
  Progress progress(repetitions);
  std::vector<double> samples;
  int in_sample = 1;
  for (int left = repetitions; left > 0;) {
    const int count = std::min(in_sample, left);
    const double start = now_seconds();
    for (int i = 0; i < count; ++i) executor.run(source, destination, nullptr);
    samples.push_back((now_seconds() - start) / count);
    progress.step(count);
    left -= count;
    in_sample = repetitions_for(kSampleSeconds, samples.back());
  }
  return median(samples);
}

/// Converts `repetitions` times between buffers like those of `compare`; the result goes to `destination` at
/// the end.
Result<double> repeated_run(Executor& executor, int repetitions, std::span<const std::byte> source,
                            std::span<std::byte> destination) {
  auto from = HugeBuffer::allocate(source.size());
  if (!from) return from.error();
  auto to = HugeBuffer::allocate(destination.size(), 64);
  if (!to) return to.error();
  if (!source.empty()) std::memcpy(from->data(), source.data(), source.size());
  const double seconds = repeated_seconds(executor, repetitions, from->bytes(), to->bytes());
  if (!destination.empty()) std::memcpy(destination.data(), to->data(), destination.size());
  return seconds;
}

}  // namespace

Result<ConversionReport> convert_file(const ConversionJob& job) {
  if (const Status checked = check_output(job.destination_path, job.source_path); !checked)
    return checked.error();
  const auto input = MappedInput::open(job.source_path);
  if (!input) return input.error();
  const auto payload = job.raw ? raw_payload(input->bytes(), job) : npy_payload(input->bytes(), job);
  if (!payload) return prefixed(job.source_path, payload.error());
  const auto options = options_for(job, *payload);
  if (!options) return options.error();
  const auto convert = compile(job.source, job.destination, *options);
  if (!convert) return convert.error();

  const std::string& header = payload->destination_header;
  auto output = MappedOutput::create(job.destination_path,
                                     header.size() + static_cast<std::size_t>(convert->destination_bytes()));
  if (!output) return output.error();
  std::copy_n(reinterpret_cast<const std::byte*>(header.data()), header.size(), output->bytes().data());
  const auto destination = output->bytes().subspan(header.size());

  Executor executor(*convert, job.threads);
  const auto seconds = job.repetitions == 1
                           ? Result<double>(timed_run(executor, payload->buffer, destination))
                           : repeated_run(executor, job.repetitions, payload->buffer, destination);
  if (!seconds) return seconds.error();
  if (const Status committed = output->commit(); !committed) return committed.error();
  return ConversionReport{executor.total_bytes(), *seconds, convert->kernel(), convert->isa()};
}

}  // namespace relayout::cli
