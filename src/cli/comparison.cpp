#include "src/cli/comparison.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "src/cli/copies.hpp"
#include "src/cli/naive_loop.hpp"
#include "src/cli/timing.hpp"

namespace relayout::cli {
namespace {

/// Interpreters take 10 to 200 ns an element, so they get a leading slice.
constexpr std::int64_t kInterpretedElements = std::int64_t{1} << 20;
/// Up to here caches hold something worth warming.
constexpr std::int64_t kWarmBytes = std::int64_t{96} << 20;
/// Past this, one naive pass would take seconds.
constexpr std::int64_t kNaiveElements = std::int64_t{1} << 25;

constexpr double kMainSeconds = 0.5;
constexpr double kNaiveSeconds = 0.2;
constexpr double kInterpreterSeconds = 0.1;
constexpr double kCompileSeconds = 0.03;

std::optional<double> rate(double bytes, double seconds) {
  if (bytes <= 0 || seconds <= 0) return std::nullopt;
  return bytes / seconds / 1e9;
}

/// Keeps the compiler from dropping or joining repetitions.
void clobber_memory() {
  asm volatile("" ::: "memory");
}

template <class Work>
Contender repeated(Work work) {
  return [work](int repetitions) {
    for (int i = 0; i < repetitions; ++i) {
      work();
      clobber_memory();
    }
  };
}

/// All the contents in one number; a sum would not see words that changed places. Four chains, since one
/// would wait for its multiplications.
std::uint64_t checksum(std::span<const std::byte> bytes) {
  std::array<std::uint64_t, 4> chains = {1, 2, 3, 4};
  for (std::size_t i = 0; i < bytes.size(); i += sizeof chains) {
    std::array<std::uint64_t, 4> words = {};
    std::memcpy(words.data(), bytes.data() + i, std::min(sizeof words, bytes.size() - i));
    for (std::size_t k = 0; k < chains.size(); ++k) {
      chains[k] = (chains[k] ^ words[k]) * 0x9e3779b97f4a7c15u;
      chains[k] ^= chains[k] >> 29;
    }
  }
  return chains[0] ^ std::rotl(chains[1], 16) ^ std::rotl(chains[2], 32) ^ std::rotl(chains[3], 48);
}

std::int64_t element_total(const std::vector<LoopDimension>& loops) {
  std::int64_t elements = 1;
  for (const LoopDimension& loop : loops) elements *= loop.extent;
  return elements;
}

/// Shortens the outermost loop so that little more than kNaiveElements are moved.
std::vector<LoopDimension> shortened(std::vector<LoopDimension> loops) {
  const std::int64_t elements = element_total(loops);
  if (elements <= kNaiveElements) return loops;
  const std::int64_t inner = elements / loops.front().extent;
  loops.front().extent = std::clamp<std::int64_t>(kNaiveElements / inner, 1, loops.front().extent);
  return loops;
}

/// One measurement under way.
class Measurement {
 public:
  Measurement(const ComparisonJob& job, const Relayout& convert, BufferPair& buffers)
      : job_(job), convert_(convert), buffers_(buffers) {}

  Result<Comparison> run() {
    result_.isa = convert_.isa();
    result_.kernel = convert_.kernel();
    result_.bytes = convert_.source_bytes() + convert_.destination_bytes();
    result_.code_bytes = convert_.code_bytes();
    result_.page_kib = buffers_.page_kib();
    measure_copies();
    if (const Status measured = measure_interpreters(); !measured) return measured.error();
    measure_naive_loop();
    measure_compile_time();
    result_.breakeven_calls = breakeven_calls();
    return result_;
  }

 private:
  /// The kernel, memcpy and the streaming copy in turns.
  void measure_copies() {
    const std::byte* source = buffers_.source();
    std::byte* destination = buffers_.destination();
    const auto half = static_cast<std::size_t>(result_.bytes / 2);
    const std::array contenders = {
        repeated([=, convert = convert_] { convert(source, destination); }),
        repeated([=] { library_copy(source, destination, half); }),
        repeated([=] { streaming_copy(source, destination, half); }),
    };
    Budget budget{.seconds = kMainSeconds};
    budget.warm_each_sample = result_.bytes <= kWarmBytes;
    const std::vector<double> seconds = interleaved_medians(contenders, budget);
    const auto bytes = static_cast<double>(result_.bytes);
    result_.call_ns = seconds[0] * 1e9;
    result_.jit_gbps = rate(bytes, seconds[0]);
    result_.memcpy_gbps = rate(bytes, seconds[1]);
    result_.streaming_gbps = rate(bytes, seconds[2]);
    if (result_.jit_gbps) result_.jit_over_memcpy = seconds[1] / seconds[0];
  }

  /// Times both interpreters over what the kernel wrote, which has to stay as it is.
  Status measure_interpreters() {
    const std::span<const std::byte> source(buffers_.source(), size(job_.source));
    const std::span<std::byte> destination(buffers_.destination(), size(job_.destination));
    result_.interpreted_elements = std::min(job_.source.element_count(), kInterpretedElements);
    convert_(source.data(), destination.data());
    const std::uint64_t expected = checksum(destination);
    Status status;
    const auto interpreter = [&](Interpreter kind) {
      return repeated([&, kind] {
        const Status done = run_interpreter(job_.source, job_.destination, source, destination, kind,
                                            result_.interpreted_elements);
        if (!done) status = done;
      });
    };
    const std::array contenders = {interpreter(Interpreter::kScalar), interpreter(Interpreter::kVectorised)};
    const Budget budget{.seconds = kInterpreterSeconds, .minimum_rounds = 1, .maximum_rounds = 9};
    const std::vector<double> seconds = interleaved_medians(contenders, budget);
    if (!status) return status;
    if (checksum(destination) != expected) {
      return Error{ErrorCode::kInternal, "kernel and interpreter disagree: see relayout verify"};
    }
    interpreted_seconds(seconds);
    return {};
  }

  void interpreted_seconds(const std::vector<double>& seconds) {
    const double bytes = bytes_per_element() * static_cast<double>(result_.interpreted_elements);
    result_.interpreted_gbps = rate(bytes, seconds[0]);
    result_.vectorised_gbps = rate(bytes, seconds[1]);
  }

  /// The better of both loop orders.
  void measure_naive_loop() {
    const auto loops = loop_dimensions(job_.source, job_.destination);
    if (!loops || job_.source.element_count() == 0 || !(is_packed() || has_built_in_width())) return;
    const std::array nests = {shortened(ordered(*loops, LoopOrder::kSource)),
                              shortened(ordered(*loops, LoopOrder::kDestination))};
    const auto contender = [&](const std::vector<LoopDimension>& nest) {
      return repeated([&] { convert_naively(nest); });
    };
    const std::array contenders = {contender(nests[0]), contender(nests[1])};
    const Budget budget{.seconds = kNaiveSeconds, .minimum_rounds = 1, .maximum_rounds = 9};
    const std::vector<double> seconds = interleaved_medians(contenders, budget);
    for (std::size_t i = 0; i < nests.size(); ++i) {
      const double bytes = bytes_per_element() * static_cast<double>(element_total(nests[i]));
      result_.naive_gbps = std::max(result_.naive_gbps, rate(bytes, seconds[i]));
    }
  }

  void convert_naively(const std::vector<LoopDimension>& nest) {
    if (is_packed()) {
      const PackedSpacing spacing = {job_.source.element_bits(), job_.destination.element_bits()};
      return naive_convert_packed(nest, spacing, buffers_.source(), buffers_.destination());
    }
    naive_convert(nest, element_bytes(), buffers_.source(), buffers_.destination());
  }

  bool is_packed() const {
    const std::int64_t bits = job_.source.type().storage_bits();
    return job_.source.element_bits() != bits || job_.destination.element_bits() != bits;
  }

  /// Read and written.
  double bytes_per_element() const {
    return static_cast<double>(job_.source.element_bits() + job_.destination.element_bits()) / 8;
  }

  bool has_built_in_width() const {
    const std::int64_t bytes = element_bytes();
    return bytes <= 16 && (bytes & (bytes - 1)) == 0;
  }

  double compile_seconds() const {
    CompileOptions options = job_.options;
    options.bypass_cache = true;
    const double start = now_seconds();
    const auto source = Layout::parse(job_.source_text);
    const auto destination = Layout::parse_destination(job_.destination_text, *source);
    const auto compiled = compile(*source, *destination, options);
    return compiled ? now_seconds() - start : 0;
  }

  void measure_compile_time() {
    std::vector<double> compiles;
    const double start = now_seconds();
    do {
      compiles.push_back(compile_seconds());
    } while (compiles.size() < 31 && (compiles.size() < 3 || now_seconds() - start < kCompileSeconds));
    result_.compile_us = median(compiles) * 1e6;
    const std::array hit = {
        repeated([this] { (void)compile(job_.source, job_.destination, job_.options).ok(); })};
    result_.hit_us = interleaved_medians(hit, Budget{.seconds = 0.01}).front() * 1e6;
  }

  /// Seconds that the fastest way without compiling would take for the whole pair.
  std::optional<double> seconds_without_compiling() const {
    const double best = std::max(result_.naive_gbps.value_or(0), result_.vectorised_gbps.value_or(0));
    if (best <= 0) return std::nullopt;
    return static_cast<double>(result_.bytes) / best / 1e9;
  }

  std::optional<double> breakeven_calls() const {
    const auto slow = seconds_without_compiling();
    const double saved_us = slow ? *slow * 1e6 - result_.call_ns / 1e3 : 0;
    if (saved_us <= 0) return std::nullopt;
    return result_.compile_us / saved_us;
  }

  std::int64_t element_bytes() const { return job_.source.type().storage_bytes(); }
  static std::size_t size(const Layout& layout) { return static_cast<std::size_t>(layout.size_bytes()); }

  const ComparisonJob& job_;
  const Relayout& convert_;
  BufferPair& buffers_;
  Comparison result_;
};

}  // namespace

Status BufferPair::reserve(std::size_t bytes) {
  if (source_.data() != nullptr && source_.size_bytes() >= bytes) return {};
  source_ = HugeBuffer();
  destination_ = HugeBuffer();
  auto source = HugeBuffer::allocate(bytes);
  if (!source) return source.error();
  auto destination = HugeBuffer::allocate(bytes, 64);
  if (!destination) return destination.error();
  source_ = std::move(*source);
  destination_ = std::move(*destination);
  page_kib_ = std::min(source_.page_kib(), destination_.page_kib());
  return {};
}

Result<Comparison> compare_pair(const ComparisonJob& job, BufferPair& buffers) {
  const auto convert = compile(job.source, job.destination, job.options);
  if (!convert) return convert.error();
  const std::int64_t bytes = std::max(convert->source_bytes(), convert->destination_bytes());
  if (const Status reserved = buffers.reserve(static_cast<std::size_t>(bytes)); !reserved)
    return reserved.error();
  return Measurement(job, *convert, buffers).run();
}

}  // namespace relayout::cli
