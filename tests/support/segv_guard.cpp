#include "tests/support/segv_guard.hpp"

#include <csignal>
#include <cstring>
#include <unistd.h>

namespace relayout::testing {
namespace {

// The handler may only touch plain memory.
constexpr std::size_t kCapacity = 1024;
char crash_message[2 * kCapacity];
std::size_t name_length = 0;
volatile std::size_t message_length = 0;

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
struct sigaction previous_actions[4];

void append(std::string_view text) {
  const std::size_t length = text.size() < kCapacity ? text.size() : kCapacity - 64;
  std::memcpy(crash_message + message_length, text.data(), length);
  message_length = message_length + length;
}

void report_and_die(int signal_number) {
  const ssize_t written = write(STDERR_FILENO, crash_message, message_length);
  const ssize_t ended = write(STDERR_FILENO, "\n", 1);
  static_cast<void>(written + ended);
  std::signal(signal_number, SIG_DFL);
  raise(signal_number);
}

}  // namespace

SegvGuard::SegvGuard(std::string_view name) {
  message_length = 0;
  append("crashed in ");
  append(name.substr(0, kCapacity - 64));
  name_length = message_length;
  struct sigaction action = {};
  action.sa_handler = report_and_die;
  for (int number = 0; number < 4; ++number) sigaction(kSignals[number], &action, &previous_actions[number]);
}

SegvGuard::~SegvGuard() {
  for (int number = 0; number < 4; ++number) sigaction(kSignals[number], &previous_actions[number], nullptr);
}

void SegvGuard::set_detail(std::string_view detail) {
  message_length = name_length;
  append("; ");
  append(detail.substr(0, kCapacity - 64));
}

}  // namespace relayout::testing
