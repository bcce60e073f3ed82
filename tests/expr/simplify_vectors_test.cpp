// Reference cases from the simplifiers of TVM, Halide, XLA, MLIR, tinygrad, Inductor and Morello, with the
// result that each of those expects.

#include <fstream>

#include <nlohmann/json.hpp>

#include "tests/expr/expression_support.hpp"

namespace relayout::expr {
namespace {

struct VectorCase {
  std::string name;
  std::vector<Variable> variables;
  std::string text;
  int expected_divisions = 0;
};

VectorCase read_case(const std::string& line) {
  const nlohmann::json json = nlohmann::json::parse(line);
  VectorCase result{json["name"], {}, json["input"], json["ops"]};
  for (const auto& [name, bounds] : json["vars"].items()) {
    Range range;
    if (!bounds[0].is_null()) range.lower = bounds[0];
    if (!bounds[1].is_null()) range.upper = bounds[1];
    result.variables.push_back({name, range});
  }
  return result;
}

std::vector<VectorCase> read_cases() {
  std::vector<VectorCase> cases;
  std::ifstream file(RELAYOUT_TEST_DATA "/simplify.jsonl");
  for (std::string line; std::getline(file, line);) cases.push_back(read_case(line));
  return cases;
}

TEST(SimplifyVectors, outputs_equal_their_inputs_on_the_ranges) {
  const auto cases = read_cases();
  ASSERT_EQ(cases.size(), 300U);
  for (const VectorCase& c : cases) {
    const IndexExpr before = testing::expression(c.text, c.variables);
    const auto after = simplify(before);
    ASSERT_TRUE(after.ok()) << c.name << ": " << after.error().message;
    EXPECT_EQ(testing::first_difference(before, *after, c.variables), "")
        << c.name << ": " << c.text << " became " << to_string(*after);
  }
}

TEST(SimplifyVectors, results_are_fixed_points) {
  for (const VectorCase& c : read_cases()) {
    const IndexExpr once = simplify(testing::expression(c.text, c.variables)).value();
    EXPECT_EQ(simplify(once).value(), once) << c.name << ": " << to_string(once);
  }
}

TEST(SimplifyVectors, need_no_more_divisions_than_the_peers) {
  int total = 0;
  int expected_total = 0;
  int not_worse = 0;
  const auto cases = read_cases();
  for (const VectorCase& c : cases) {
    const int divisions = division_count(simplify(testing::expression(c.text, c.variables)).value());
    total += divisions;
    expected_total += c.expected_divisions;
    not_worse += divisions <= c.expected_divisions ? 1 : 0;
  }
  EXPECT_GE(not_worse * 100, static_cast<int>(cases.size()) * 98);
  EXPECT_LE(total, expected_total);
}

}  // namespace
}  // namespace relayout::expr
