#include "base/diagnostic.h"

#include <gtest/gtest.h>

namespace tacit {
namespace {

TEST(Location, LeavesOutPartsThatAreNotKnown) {
  EXPECT_EQ(to_string(Location{"a.c", 3, 7}), "a.c:3:7");
  EXPECT_EQ(to_string(Location{"a.c", 3}), "a.c:3");
  EXPECT_EQ(to_string(Location{"a.c"}), "a.c");
  EXPECT_EQ(to_string(Location{"a.c", 0, 7}), "a.c");
  EXPECT_EQ(to_string(Location{"", 3, 7}), "3:7");
  EXPECT_EQ(to_string(Location{}), "");
}

TEST(Location, IsOrderedByFileThenLineThenColumn) {
  EXPECT_LT((Location{"a.c", 9, 9}), (Location{"b.c", 1, 1}));
  EXPECT_LT((Location{"a.c", 2, 9}), (Location{"a.c", 10, 1}));
  EXPECT_LT((Location{"a.c", 2, 1}), (Location{"a.c", 2, 2}));
  EXPECT_EQ((Location{"a.c", 2, 1}), (Location{"a.c", 2, 1}));
}

TEST(Location, IsKnownByFileOrLine) {
  EXPECT_FALSE(Location{}.known());
  EXPECT_TRUE((Location{"a.c"}.known()));
  EXPECT_TRUE((Location{"", 1}.known()));
}

TEST(Diagnostic, PrintsLocationMessageAndNotes) {
  const Diagnostic complaint{{"a.tir", 2, 5}, "unknown variable 'x'", {"did you mean 'y'?"}};
  EXPECT_EQ(to_string(complaint),
            "a.tir:2:5: error: unknown variable 'x'\n  note: did you mean 'y'?");
  EXPECT_EQ(to_string(Diagnostic{{}, "no input", {}}), "error: no input");
}

Result<int> half(int number) {
  if (number % 2 != 0) return fail(Location{"n", number}, "{} is odd", number);
  return number / 2;
}

Result<void> positive(int number) {
  if (number <= 0) return fail("{} is not positive", number);
  return {};
}

TEST(Result, CarriesAValueOrADiagnostic) {
  EXPECT_EQ(half(4), 2);
  ASSERT_FALSE(half(3).has_value());
  EXPECT_EQ(to_string(half(3).error()), "n:3: error: 3 is odd");
  EXPECT_TRUE(positive(1).has_value());
  EXPECT_EQ(to_string(positive(0).error()), "error: 0 is not positive");
}

} // namespace
} // namespace tacit
