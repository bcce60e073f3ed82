#include "src/cli/environment.hpp"

#include <fmt/format.h>
#include <fstream>
#include <gnu/libc-version.h>
#include <string>
#include <sys/utsname.h>
#include <thread>

#include "relayout/relayout.hpp"
#include "src/cli/commit.hpp"
#include "src/cli/huge_buffer.hpp"

namespace relayout::cli {
namespace {

/// The first line of a file of the system's; null if it cannot be read.
Json first_line(const char* path) {
  std::ifstream file(path);
  std::string line;
  return std::getline(file, line) ? Json(line) : Json(nullptr);
}

/// The word in brackets of a line such as `always [madvise] never`.
Json chosen_word(const Json& line) {
  if (!line.is_string()) return nullptr;
  const auto text = line.get<std::string>();
  const auto open = text.find('[');
  const auto close = text.find(']');
  if (open == std::string::npos || close == std::string::npos) return line;
  return text.substr(open + 1, close - open - 1);
}

std::string operating_system() {
  utsname system{};
  uname(&system);
  return fmt::format("{} {}", system.sysname, system.release);
}

}  // namespace

Json machine_json() {
  const MachineInfo& machine = machine_info();
  Json levels = Json::array();
  for (const Isa isa : runnable_isas()) levels.push_back(to_string(isa));
  return Json{{"version", version()},
              {"isas", levels},
              {"default_isa", to_string(machine.default_isa)},
              {"processor", machine.processor},
              {"cost_model", machine.cost_model},
              {"level1_data_bytes", machine.level1_data_bytes},
              {"level2_bytes", machine.level2_bytes},
              {"level3_bytes", machine.level3_bytes},
              {"line_bytes", machine.line_bytes},
              {"page_bytes", machine.page_bytes},
              {"streaming_threshold_bytes", machine.streaming_threshold_bytes}};
}

Json environment_json() {
  Json environment = machine_json();
  environment["commit"] = commit();
  environment["compiler"] = __VERSION__;
  environment["c_library"] = gnu_get_libc_version();
  environment["system"] = operating_system();
  environment["processors"] = std::thread::hardware_concurrency();
  environment["governor"] = first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  environment["huge_pages"] = chosen_word(first_line("/sys/kernel/mm/transparent_hugepage/enabled"));
  environment["seed"] = fmt::format("{:#x}", HugeBuffer::kSeed);
  return environment;
}

}  // namespace relayout::cli
