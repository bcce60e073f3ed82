#include "src/cli/movement_report.hpp"

#include <gtest/gtest.h>

namespace relayout::cli {
namespace {

TEST(MovementReport, a_proof_says_whether_the_kernel_is_right) {
  for (const bool right : {true, false}) {
    MovementReport report;
    note_proof(right, report);
    EXPECT_EQ(report.verified, right);
    EXPECT_EQ(report.movement.note, "");
  }
}

TEST(MovementReport, a_proof_that_could_not_be_made_is_a_note_and_no_verdict) {
  for (const ErrorCode code : {ErrorCode::kUnsupported, ErrorCode::kSystem, ErrorCode::kIsaUnavailable}) {
    MovementReport report;
    note_proof(Error{code, "no memory"}, report);
    EXPECT_EQ(report.verified, std::nullopt);
    EXPECT_EQ(report.movement.note, "no memory");
  }
}

}  // namespace
}  // namespace relayout::cli
