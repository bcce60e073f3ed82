#include <algorithm>
#include <array>

#include "relayout/compile.hpp"
#include "src/layout/layout_data.hpp"
#include "src/layout/memory_guard.hpp"
#include "src/runtime/buffers.hpp"
#include "src/runtime/cache.hpp"
#include "src/runtime/compiled_relayout.hpp"
#include "src/runtime/prove.hpp"
#include "src/runtime/tune.hpp"

namespace relayout {
namespace {

constexpr std::array<std::string_view, 4> kFamilyNames = {"automatic", "copy", "permute", "gather"};

std::string_view fill_text(const CompileOptions& options) {
  return {reinterpret_cast<const char*>(options.fill.data()), options.fill.size()};
}

Result<Relayout> proved(Relayout relayout) {
  const auto proof = runtime::prove_compiled(relayout.compiled());
  if (!proof) return proof.error();
  if (!proof->ok) return Error{ErrorCode::kInternal, "the proof failed: " + proof->message};
  return relayout;
}

}  // namespace

std::string_view to_string(KernelFamily family) noexcept {
  return kFamilyNames[static_cast<std::size_t>(family)];
}

std::optional<KernelFamily> parse_kernel_family(std::string_view text) noexcept {
  const auto* found = std::find(kFamilyNames.begin(), kFamilyNames.end(), text);
  if (found == kFamilyNames.end()) return std::nullopt;
  return static_cast<KernelFamily>(found - kFamilyNames.begin());
}

void Relayout::operator()(const void* source, void* destination) const noexcept {
  compiled_->run(source, destination);
}

Status Relayout::run(std::span<const std::byte> source, std::span<std::byte> destination) const {
  return layout::without_exceptions([&]() -> Status {  // messages need memory
    auto checked = runtime::check_buffers(compiled_->source, compiled_->destination, source, destination);
    if (checked) compiled_->run(source.data(), destination.data());
    return checked;
  });
}

void Relayout::run_part(const void* source, void* destination, std::int64_t index,
                        std::int64_t count) const noexcept {
  compiled_->run_part(source, destination, index, count, nullptr);
}

void Relayout::run_part(const void* source, void* destination, std::int64_t index, std::int64_t count,
                        void* scratch) const noexcept {
  compiled_->run_part(source, destination, index, count, scratch);
}

std::size_t Relayout::scratch_bytes() const noexcept {
  return compiled_->scratch_bytes;
}
std::int64_t Relayout::source_bytes() const noexcept {
  return compiled_->source.size_bytes();
}
std::int64_t Relayout::destination_bytes() const noexcept {
  return compiled_->destination.size_bytes();
}
Isa Relayout::isa() const noexcept {
  return compiled_->isa;
}
std::string Relayout::kernel() const {
  return compiled_->kernel;
}
std::size_t Relayout::code_bytes() const noexcept {
  return compiled_->code_bytes();
}
std::optional<CallCounts> Relayout::call_counts() const noexcept {
  if (!compiled_->observer || !compiled_->observer->counts()) return std::nullopt;
  return compiled_->observer->counted();
}
std::string Relayout::explain() const {
  return runtime::explain(*compiled_);
}

namespace {

Result<Relayout> find_or_compile(const Layout& source, const Layout& destination,
                                 const CompileOptions& options) {
  const auto isa = runtime::choose_isa(options);
  if (!isa) return isa.error();
  const auto compile_now = [&] {
    return options.tune == Tuning::kMeasure ? runtime::compile_measured(source, destination, options, *isa)
                                            : runtime::compile_pair(source, destination, options, *isa);
  };
  const std::string chosen =
      options.choice.empty() ? std::string() : options.choice + '\n' + std::string(fill_text(options));
  runtime::Cache& cache = runtime::Cache::instance();
  const runtime::CacheKeyView key{source.data().canonical,
                                  destination.data().canonical,
                                  *isa,
                                  options.kernel,
                                  options.streaming,
                                  options.padding,
                                  runtime::CallObserver::choose(options),
                                  profile::Registry::instance().chosen(),
                                  options.strict,
                                  options.tune,
                                  !options.choice.empty(),
                                  options.choice.empty() ? fill_text(options) : std::string_view(chosen)};
  auto outcome = options.bypass_cache ? compile_now() : cache.find_or_compile(key, compile_now);
  if (!outcome) return outcome.error();
  Relayout relayout(std::move(*outcome));
  if (!options.prove) return relayout;
  return proved(std::move(relayout));
}

}  // namespace

Result<Relayout> compile(const Layout& source, const Layout& destination, const CompileOptions& options) {
  return layout::without_exceptions([&] { return find_or_compile(source, destination, options); });
}

CacheStatistics cache_statistics() {
  return runtime::Cache::instance().statistics();
}
void set_cache_capacity(std::size_t relayouts) {
  runtime::Cache::instance().set_capacity(relayouts);
}
void clear_cache() {
  runtime::Cache::instance().clear();
}

}  // namespace relayout
