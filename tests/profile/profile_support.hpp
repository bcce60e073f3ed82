#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "relayout/relayout.hpp"

namespace relayout::testing {

inline std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Compiles `spec` to column-major at the level of this machine that generates code.
inline Relayout column_major_of(const std::string& spec, const CompileOptions& options = {}) {
  const auto source = Layout::parse(spec);
  const auto destination = Layout::parse_destination("[1, 0]", *source);
  auto convert = compile(*source, *destination, options);
  EXPECT_TRUE(convert.ok());
  return std::move(convert).value();
}

/// Runs `body` in a child process; its result is the exit status, -1 if it died.
inline int in_child(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Profiling for one test, which starts with an empty cache. Files are left in a folder that is then removed.
class ProfilingFor : public ::testing::Test {
 protected:
  explicit ProfilingFor(const Profiling& profiling) : profiling_(profiling) {}

  void SetUp() override {
    if (machine_isa() == Isa::kPortable) GTEST_SKIP() << "no code is generated on this machine";
    folder_ = ::testing::TempDir() + "relayout-profile-" + std::to_string(getpid());
    std::filesystem::create_directories(folder_);
    setenv("JITDUMPDIR", folder_.c_str(), 1);
    clear_cache();
    const Status status = set_profiling(profiling_);
    ASSERT_TRUE(status.ok()) << status.error().message;
  }
  void TearDown() override {
    EXPECT_TRUE(set_profiling({}).ok());
    clear_cache();
    unlink(map_path(getpid()).c_str());
    std::filesystem::remove_all(folder_);
    unsetenv("JITDUMPDIR");
  }

  static std::string map_path(pid_t process) { return "/tmp/perf-" + std::to_string(process) + ".map"; }
  std::string dump_path(pid_t process) const { return folder_ + "/jit-" + std::to_string(process) + ".dump"; }
  std::string plan_path(pid_t process) const { return folder_ + "/jit-" + std::to_string(process) + ".plan"; }

 private:
  Profiling profiling_;
  std::string folder_;
};

}  // namespace relayout::testing
