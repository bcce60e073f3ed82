#include "src/profile/registry.hpp"

#include <cstdlib>
#include <unistd.h>
#include <utility>

#include "src/layout/memory_guard.hpp"
#include "src/profile/elf_image.hpp"
#include "src/profile/environment.hpp"

namespace relayout::profile {

Registration::~Registration() {
  Registry::instance().forget(*this);
}

Registry& Registry::instance() {
  static Registry* const registry = new Registry;
  return *registry;
}

void Registry::choose_from_environment() {
  const std::lock_guard lock(mutex_);
  const char* text = std::getenv("RELAYOUT_PROFILE");
  const ProfilingRequest request = parse_profiling(text == nullptr ? "" : text);
  for (const std::string& word : request.unknown_words) {
    warnings_.push_back("RELAYOUT_PROFILE: '" + word + "' is none of perfmap, jitdump, gdb");
  }
  profiling_ = request.profiling;
  if (const Status status = open_files(); !status) warnings_.push_back(status.error().message);
  publish();
}

std::vector<std::string> Registry::take_warnings() {
  const std::lock_guard lock(mutex_);
  return std::exchange(warnings_, {});
}

Status Registry::choose(const Profiling& profiling) {
  std::call_once(environment_, [] {});
  const std::lock_guard lock(mutex_);
  profiling_ = profiling;
  const Status status = open_files();
  publish();
  return status;
}

void Registry::publish() {
  const int bits = (profiling_.perf_map ? 1 : 0) | (profiling_.jitdump ? 2 : 0) | (profiling_.gdb ? 4 : 0);
  published_.store(static_cast<std::uint8_t>(bits), std::memory_order_release);
}

Profiling Registry::chosen() {
  if (published_.load(std::memory_order_acquire) == kUnread) {
    std::call_once(environment_, [this] { choose_from_environment(); });
  }
  const std::uint8_t bits = published_.load(std::memory_order_acquire);
  if (bits == kUnread) return {};  // another thread is about to choose
  return {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
}

Status Registry::open_files() {
  if (process_ != getpid()) start_over_in_child();
  const Status map = open_perf_map();
  const Status dump = open_jitdump();
  return map ? dump : map;
}

Status Registry::open_perf_map() {
  if (!profiling_.perf_map) perf_map_.reset();
  if (!profiling_.perf_map || perf_map_) return {};
  auto opened = PerfMap::open();
  profiling_.perf_map = opened.ok();
  if (!opened) return opened.error();
  perf_map_.emplace(std::move(*opened));
  return {};
}

Status Registry::open_jitdump() {
  if (!profiling_.jitdump && jitdump_) {
    const Status status = jitdump_->close();
    jitdump_.reset();
    return status;
  }
  if (!profiling_.jitdump || jitdump_) return {};
  auto opened = Jitdump::open();
  profiling_.jitdump = opened.ok();
  if (!opened) return opened.error();
  jitdump_.emplace(std::move(*opened));
  static const bool registered = std::atexit(close_at_exit) == 0;
  static_cast<void>(registered);
  return {};
}

/// The files of a parent stay as they are: a child gets its own, which begin with what it inherited.
void Registry::start_over_in_child() {
  perf_map_.reset();
  jitdump_.reset();
  const bool inherited = process_ != 0;
  process_ = getpid();
  if (!inherited) return;
  if (const Status status = open_files(); !status) warnings_.push_back(status.error().message);
  for (const Registration* registration : live_) tell(registration->description_);
}

std::shared_ptr<const Registration> Registry::announce(CodeDescription description) {
  auto registration = std::make_shared<Registration>(std::move(description));
  const std::lock_guard lock(mutex_);
  if (process_ != getpid()) start_over_in_child();
  live_.push_back(registration.get());
  tell(registration->description_);
  if (profiling_.gdb) registration->gdb_ = std::make_unique<GdbEntry>(elf_image(registration->description_));
  return registration;
}

void Registry::tell(const CodeDescription& description) {
  if (perf_map_) {
    if (const Status status = perf_map_->add(description); !status) give_up_perf_map(status.error());
  }
  if (jitdump_) {
    if (const Status status = jitdump_->add(description); !status) give_up_jitdump(status.error());
  }
}

void Registry::give_up_perf_map(const Error& reason) {
  warnings_.push_back(reason.message);
  profiling_.perf_map = false;
  publish();
  perf_map_.reset();
}

void Registry::give_up_jitdump(const Error& reason) {
  warnings_.push_back(reason.message);
  profiling_.jitdump = false;
  publish();
  jitdump_.reset();
}

void Registry::forget(Registration& registration) {
  const std::lock_guard lock(mutex_);
  std::erase(live_, &registration);
  registration.gdb_.reset();
}

void Registry::close_at_exit() {
  Registry& registry = instance();
  const std::lock_guard lock(registry.mutex_);
  if (!registry.jitdump_ || registry.process_ != getpid()) return;
  static_cast<void>(registry.jitdump_->close());
  registry.jitdump_.reset();
}

}  // namespace relayout::profile

namespace relayout {

Status set_profiling(const Profiling& profiling) {
  return layout::without_exceptions([&] { return profile::Registry::instance().choose(profiling); });
}

Profiling profiling() {
  return profile::Registry::instance().chosen();
}

}  // namespace relayout
