#include "base/should.h"

#include <string>

#include <gtest/gtest.h>

namespace tacit {
namespace {

TEST(Should, IsSilentWhenTheConditionHolds) { EXPECT_NO_THROW(should(true, "one should be one")); }

TEST(Should, NamesThePlaceOfTheCaller) {
  const int line = __LINE__ + 2;
  try {
    should(false, "the list should be sorted");
    FAIL() << "nothing was thrown";
  } catch (const InternalError& error) {
    const std::string text = error.what();
    EXPECT_TRUE(text.ends_with(":" + std::to_string(line) + ": the list should be sorted")) << text;
    EXPECT_NE(text.find("should_test.cpp"), std::string::npos) << text;
  }
}

TEST(Should, ThrowsForPlacesThatShouldNotBeReached) {
  EXPECT_THROW(should_not_be_reached("all cases are above"), InternalError);
}

} // namespace
} // namespace tacit
