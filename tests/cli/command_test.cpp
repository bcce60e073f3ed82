#include "src/cli/command.hpp"

#include <ios>
#include <memory>
#include <sstream>
#include <streambuf>

#include <gtest/gtest.h>

namespace relayout::cli {
namespace {

/// Its answers say whether a proof failed: {"ok":...} as the line has it.
Command proving() {
  Command command;
  command.answer = [](const Json& request) -> Result<Json> {
    if (!request.contains("ok")) return Error{ErrorCode::kBadArgument, "\"ok\" is missing"};
    return request;
  };
  command.exit_code = [](const Json& answer) { return answer["ok"] == true ? kExitOk : kExitFailedVerify; };
  return command;
}

/// What cannot be read, as a folder on standard input.
class Unreadable : public std::streambuf {
  int_type underflow() override { throw std::ios_base::failure("Is a directory"); }
};

/// A batch's exit code and what it prints.
struct Outcome {
  int exit_code = kExitOk;
  std::string answers;
  std::string errors;
};

Outcome outcome_of(std::istream& lines) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int exit_code = answer_lines(proving(), Json::object(), lines);
  return {exit_code, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

TEST(Command, a_batch_ends_well_where_every_proof_does) {
  std::istringstream lines("{\"ok\":true}\nnonsense\n{}\n");
  EXPECT_EQ(outcome_of(lines).exit_code, kExitOk);
}

TEST(Command, a_proof_that_fails_is_the_exit_code_of_its_batch_and_the_lines_after_it_are_answered) {
  std::istringstream lines("{\"ok\":true}\n{\"ok\":false}\n{\"ok\":true}\n");
  const Outcome outcome = outcome_of(lines);
  EXPECT_EQ(outcome.exit_code, kExitFailedVerify);
  EXPECT_EQ(outcome.answers, "{\"ok\":true}\n{\"ok\":false}\n{\"ok\":true}\n");
}

TEST(Command, a_report_that_cannot_be_written_does_not_take_the_answer_with_it) {
  Command command = proving();
  command.report_status =
      std::make_shared<const Status>(Error{ErrorCode::kSystem, "page.html: No space left on device"});
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int exit_code = run_command(command, {.json = true, .batch = false}, Json{{"ok", true}});
  EXPECT_EQ(exit_code, kExitBadInput);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "{\"ok\":true}\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "relayout: page.html: No space left on device\n");
}

TEST(Command, standard_input_that_cannot_be_read_is_an_error) {
  Unreadable buffer;
  std::istream lines(&buffer);
  const Outcome outcome = outcome_of(lines);
  EXPECT_EQ(outcome.exit_code, kExitBadInput);
  EXPECT_EQ(outcome.errors, "relayout: standard input: cannot read\n");
}

}  // namespace
}  // namespace relayout::cli
