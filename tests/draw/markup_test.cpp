#include "src/draw/markup.hpp"

#include <gtest/gtest.h>

namespace relayout::draw {
namespace {

TEST(Markup, characters_that_it_is_made_of_are_escaped) {
  EXPECT_EQ(escaped("a<b && \"c\">d"), "a&lt;b &amp;&amp; &quot;c&quot;&gt;d");
}

}  // namespace
}  // namespace relayout::draw
