#include "src/profile/perf_map.hpp"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace relayout::profile {
namespace {

double seconds(const timespec& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double now(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return seconds(time);
}

/// On the clock of file times; 0 if it is not known.
double process_start_seconds() {
  std::ifstream file("/proc/self/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::size_t name_end = text.rfind(')');  // the program's name may hold anything
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(text.substr(name_end + 1));
  constexpr int kStartTimeField = 22;
  std::string field;
  for (int number = 3; number <= kStartTimeField; ++number) fields >> field;
  const double since_boot = static_cast<double>(std::strtoull(field.c_str(), nullptr, 10)) /
                            static_cast<double>(sysconf(_SC_CLK_TCK));
  return now(CLOCK_REALTIME) - now(CLOCK_BOOTTIME) + since_boot;
}

/// Another process's, which had the same number. File times lag behind the clock by up to a tick.
bool is_left_behind(int descriptor) {
  struct stat facts {};
  constexpr double kTickSeconds = 0.02;
  return fstat(descriptor, &facts) == 0 && seconds(facts.st_mtim) < process_start_seconds() - kTickSeconds;
}

}  // namespace

std::string perf_map_lines(const CodeDescription& description) {
  std::string lines;
  for (const FunctionDescription& function : description.functions) {
    char place[40];
    std::snprintf(place, sizeof place, "%lx %zx ", address_of(function.code), function.code.size());
    lines += place + function.name + "\n";
  }
  return lines;
}

Result<PerfMap> PerfMap::open() {
  auto file = OwnFile::open("/tmp/perf-" + std::to_string(getpid()) + ".map", OpenMode::kAppend);
  if (!file) return file.error();
  if (is_left_behind(file->descriptor()) && ftruncate(file->descriptor(), 0) != 0) {
    return file_error(file->path(), errno);
  }
  return PerfMap(std::move(*file));
}

Status PerfMap::add(const CodeDescription& description) {
  return file_.write(perf_map_lines(description));
}

}  // namespace relayout::profile
