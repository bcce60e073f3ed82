#include "src/cli/batch.hpp"

#include <sstream>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace relayout::cli {
namespace {

/// Answers {"n":...} with its double; anything else is an error.
Result<Json> doubled(const Json& request) {
  if (!request.contains("n")) return Error{ErrorCode::kBadArgument, "\"n\" is missing"};
  return Json{{"twice", 2 * request["n"].get<int>()}};
}

/// All lines that a batch writes.
std::string output_of(const std::string& lines, const Json& defaults = Json::object()) {
  std::istringstream in(lines);
  std::string out;
  run_batch(doubled, defaults, in, [&](const std::string& line) {
    out += line + "\n";
    return true;
  });
  return out;
}

TEST(Batch, example) {
  EXPECT_EQ(output_of("{\"n\":1}\n{\"n\":2}\n"), "{\"twice\":2}\n{\"twice\":4}\n");
}

TEST(Batch, a_bad_line_is_answered_and_the_next_one_too) {
  const std::string out = output_of("{}\n{\"n\":2}");
  EXPECT_EQ(out, "{\"error\":\"\\\"n\\\" is missing\"}\n{\"twice\":4}\n");
}

TEST(Batch, values_nested_beyond_any_use_are_an_error_rather_than_the_end_of_the_stack) {
  const std::string nested = std::string(500'000, '[') + std::string(500'000, ']');
  const std::string out = output_of("{\"n\":1,\"other\":" + nested + "}\n{\"n\":2}\n");
  EXPECT_EQ(out, "{\"error\":\"bad JSON: nested deeper than 100\"}\n{\"twice\":4}\n");
}

TEST(Batch, every_line_gets_one_line_whatever_it_holds) {
  for (const char* line :
       {"", "nonsense", "[1]", "3", "null", "{\"n\":\"text\"}", "{\"n\":1}{\"n\":2}", "\xff\xfe"}) {
    const Json answer = answer_line(doubled, Json::object(), line);
    EXPECT_TRUE(answer.contains("error")) << line;
    EXPECT_EQ(to_line(answer).find('\n'), std::string::npos) << line;
  }
}

TEST(Batch, defaults_stand_in_for_missing_and_null_keys) {
  const Json defaults{{"n", 5}};
  EXPECT_EQ(output_of("{}\n{\"n\":null}\n{\"n\":1}\n", defaults),
            "{\"twice\":10}\n{\"twice\":10}\n{\"twice\":2}\n");
}

TEST(Batch, unknown_keys_are_ignored) {
  EXPECT_EQ(output_of("{\"n\":1,\"note\":{}}\n"), "{\"twice\":2}\n");
}

TEST(Batch, exceptions_become_errors) {
  const Answer throwing = [](const Json&) -> Result<Json> { throw std::runtime_error("no memory"); };
  EXPECT_EQ(answer_line(throwing, Json::object(), "{}"), (Json{{"error", "no memory"}}));
}

TEST(Batch, stops_when_nobody_reads) {
  std::istringstream in("{}\n{}\n{}\n");
  int written = 0;
  EXPECT_FALSE(run_batch(doubled, Json::object(), in, [&](const std::string&) { return ++written < 2; }));
  EXPECT_EQ(written, 2);
}

}  // namespace
}  // namespace relayout::cli
