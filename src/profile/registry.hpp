#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "relayout/profile.hpp"
#include "src/profile/code_description.hpp"
#include "src/profile/gdb_jit.hpp"
#include "src/profile/jitdump.hpp"
#include "src/profile/perf_map.hpp"

namespace relayout::profile {

/// Code that tools were told of, until this is destroyed. It keeps the code.
class Registration {
 public:
  explicit Registration(CodeDescription description) : description_(std::move(description)) {}
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;
  ~Registration();

 private:
  friend class Registry;
  CodeDescription description_;
  std::unique_ptr<GdbEntry> gdb_;
};

/// What tools are told, and the files for it: one of each per process. All members are thread safe.
class Registry {
 public:
  /// Never destroyed.
  static Registry& instance();

  /// \error kSystem if a file cannot be made
  Status choose(const Profiling& profiling);
  /// The first call reads the environment, unless `choose` was called before.
  Profiling chosen();

  /// Tells the chosen tools of this code. After a failure a tool is left out, with a warning.
  std::shared_ptr<const Registration> announce(CodeDescription description);

  /// What went wrong since the last time, to be logged.
  std::vector<std::string> take_warnings();

  // Around a fork: nobody is in the middle of a change then.
  void lock_for_fork() { mutex_.lock(); }
  void unlock_after_fork() { mutex_.unlock(); }

 private:
  friend class Registration;
  static constexpr std::uint8_t kUnread = 0xFF;

  Registry() = default;

  void choose_from_environment();
  void publish();
  /// Opens what is chosen and not open, and closes what is not chosen.
  Status open_files();
  Status open_perf_map();
  Status open_jitdump();
  void start_over_in_child();
  void tell(const CodeDescription& description);
  /// Leaves a tool out from now on.
  void give_up_perf_map(const Error& reason);
  void give_up_jitdump(const Error& reason);
  void forget(Registration& registration);
  static void close_at_exit();

  std::once_flag environment_;
  std::mutex mutex_;
  Profiling profiling_;
  /// `profiling_` for those who only look, without the lock; kUnread until it was chosen once.
  std::atomic<std::uint8_t> published_{kUnread};
  std::optional<PerfMap> perf_map_;
  std::optional<Jitdump> jitdump_;
  pid_t process_ = 0;  ///< whose files are open
  std::vector<const Registration*> live_;
  std::vector<std::string> warnings_;
};

}  // namespace relayout::profile
