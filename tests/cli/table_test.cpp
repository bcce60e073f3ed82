#include "src/cli/table.hpp"

#include <gtest/gtest.h>

namespace relayout::cli {
namespace {

const Table kTable{"Speeds", {{"name", "GB/s", "share"}, {"copy", "~9.50", "7%"}, {"a|b", "-", "100%"}}};

TEST(Table, figures_stand_to_the_right_and_words_to_the_left) {
  EXPECT_EQ(to_text(kTable),
            "Speeds\n"
            "name   GB/s  share\n"
            "copy  ~9.50     7%\n"
            "a|b       -   100%\n");
}

TEST(Table, markdown_has_a_rule_and_escapes_bars) {
  EXPECT_EQ(to_markdown(kTable),
            "## Speeds\n\n"
            "| name | GB/s | share |\n"
            "| --- | ---: | ---: |\n"
            "| copy | ~9.50 | 7% |\n"
            "| a\\|b | - | 100% |\n");
}

TEST(Table, a_heading_alone_is_a_table) {
  EXPECT_EQ(to_text({"", {{"a", "b"}}}), "a  b\n");
}

}  // namespace
}  // namespace relayout::cli
