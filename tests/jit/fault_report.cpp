#include "tests/jit/fault_report.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <unistd.h>

#include <gtest/gtest.h>

namespace relayout::testing {

namespace {

/// What the handler writes; nothing else may be touched there.
std::array<char, 512> text_of_fault;
std::size_t text_bytes = 0;

void report_and_die(int signal) {
  const ssize_t written = write(STDERR_FILENO, text_of_fault.data(), text_bytes);
  std::signal(signal, SIG_DFL);  // the faulting instruction runs again and ends the process
  static_cast<void>(written);
}

}  // namespace

FaultReport::FaultReport(const std::string& text) {
  const ::testing::TestInfo* test = ::testing::UnitTest::GetInstance()->current_test_info();
  std::string whole = "fault in ";
  whole.append(test->test_suite_name())
      .append(".")
      .append(test->name())
      .append(": ")
      .append(text)
      .append("\n");
  text_bytes = std::min(whole.size(), text_of_fault.size());
  std::copy_n(whole.begin(), text_bytes, text_of_fault.begin());
  for (int signal : {SIGSEGV, SIGBUS, SIGILL}) std::signal(signal, report_and_die);
}

FaultReport::~FaultReport() {
  for (int signal : {SIGSEGV, SIGBUS, SIGILL}) std::signal(signal, SIG_DFL);
}

}  // namespace relayout::testing
