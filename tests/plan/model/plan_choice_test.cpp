#include "src/plan/model/plan_choice.hpp"

#include <gtest/gtest.h>

namespace relayout::plan {
namespace {

TEST(PlanChoice, nothing_said_is_nothing_chosen) {
  EXPECT_EQ(to_string(PlanChoice{}), "");
  EXPECT_EQ(to_string(*parse_choice("")), "");
}

TEST(PlanChoice, parts_are_read_and_printed) {
  const auto choice =
      parse_choice("prefetch=off,kernel=network-16x16,stores=streaming,loops=source,vectors=32");
  ASSERT_TRUE(choice) << choice.error().message;
  EXPECT_EQ(choice->kernel, "network-16x16");
  EXPECT_EQ(choice->loops, LoopWalk::kSource);
  EXPECT_EQ(choice->vector_bytes, 32);
  EXPECT_EQ(choice->stores, StorePolicy::kStreaming);
  EXPECT_EQ(choice->prefetch, false);
  EXPECT_EQ(to_string(*choice), "kernel=network-16x16,loops=source,vectors=32,stores=streaming,prefetch=off");
  EXPECT_EQ(parse_choice("masks=on")->masks, true);
  EXPECT_EQ(to_string(*parse_choice("masks=off")), "masks=off");
}

TEST(PlanChoice, every_walk_has_a_name) {
  for (const std::string text : {"loops=blocked", "loops=source", "loops=destination", "loops=turns"})
    EXPECT_EQ(to_string(*parse_choice(text)), text);
}

TEST(PlanChoice, other_parts_are_refused_by_name) {
  for (const std::string part :
       {"speed=high", "loops=inwards", "vectors=16", "stores=", "prefetch", "masks=k7", "kernel="}) {
    const auto choice = parse_choice("loops=source," + part);
    ASSERT_FALSE(choice) << part;
    EXPECT_EQ(choice.error().code, ErrorCode::kBadArgument);
    EXPECT_NE(choice.error().message.find("\"" + part + "\""), std::string::npos) << choice.error().message;
  }
}

}  // namespace
}  // namespace relayout::plan
