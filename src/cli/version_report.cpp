// relayout --version: the version; with --json, what the library knows of the machine.

#include <fmt/format.h>

#include "relayout/relayout.hpp"
#include "src/cli/command.hpp"
#include "src/cli/environment.hpp"
#include "src/cli/terminal.hpp"

namespace relayout::cli {

int print_version(bool json) {
  const bool written = write_line(json ? to_line(machine_json()) : fmt::format("relayout {}", version()));
  return written ? kExitOk : kExitBadInput;
}

}  // namespace relayout::cli
