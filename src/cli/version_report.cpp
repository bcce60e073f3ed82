// relayout --version: the version, and what the library knows of the machine.

#include <fmt/format.h>

#include "relayout/relayout.hpp"
#include "src/cli/command.hpp"
#include "src/cli/terminal.hpp"

namespace relayout::cli {
namespace {

Json version_report() {
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

}  // namespace

int print_version(bool json) {
  const bool written = write_line(json ? to_line(version_report()) : fmt::format("relayout {}", version()));
  return written ? kExitOk : kExitBadInput;
}

}  // namespace relayout::cli
