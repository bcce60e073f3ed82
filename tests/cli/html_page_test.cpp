#include "src/cli/html_page.hpp"

#include <gtest/gtest.h>

namespace relayout::cli {
namespace {

TEST(HtmlPage, images_are_urls_of_plain_characters) {
  const std::string shown = image("<svg fill=\"#fff\">\n100%</svg>", "a \"b\"");
  EXPECT_NE(shown.find("alt=\"a &quot;b&quot;\""), std::string::npos) << shown;
  EXPECT_NE(shown.find("%3Csvg fill=%22%23fff%22%3E%0A100%25%3C/svg%3E"), std::string::npos) << shown;
}

TEST(HtmlPage, titles_and_styles_are_part_of_it) {
  const std::string page = html_page("f32 -> <x>", "<p>body</p>\n");
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>\n"));
  const std::string style =
      page.substr(page.find("<style>") + 7, page.find("</style>") - page.find("<style>") - 7);
  EXPECT_EQ(style.find_first_of("&<"), std::string::npos);  // read differently by HTML and XML
  EXPECT_NE(page.find("<title>f32 -&gt; &lt;x&gt;</title>"), std::string::npos);
  EXPECT_NE(page.find("<body>\n<p>body</p>\n</body>"), std::string::npos);
}

}  // namespace
}  // namespace relayout::cli
