// Labels with fewer words that mean the same.
#include "export/plain_label.h"

#include <gtest/gtest.h>

namespace tacit {
namespace {

using Alternatives = std::vector<std::vector<std::string>>;

const EnumDomains domains{{"mode", {"Idle", "Busy", "Done", "Failed", "Gone"}}};

TEST(PlainLabel, SumsOfNumbersBecomeLimits) {
  EXPECT_EQ(plain_alternatives("tries + 2 < 3", domains), (Alternatives{{"tries < 1"}}));
  EXPECT_EQ(plain_alternatives("tries + 1 < 3 && tries + 2 >= 3", domains),
            (Alternatives{{"tries == 1"}}));
  EXPECT_EQ(plain_alternatives("n >= 0 && n < 8 && n != 0 && n != 4", domains),
            (Alternatives{{"n > 0", "n < 8", "n != 4"}}));
  EXPECT_EQ(plain_alternatives("a - b - 1 >= 0", domains), (Alternatives{{"a - b > 0"}}));
}

TEST(PlainLabel, EnumeratorsThatAreLeftAreNamed) {
  EXPECT_EQ(plain_alternatives("mode == Busy && mode != Idle && a", domains),
            (Alternatives{{"mode == Busy", "a"}}));
  EXPECT_EQ(
      plain_alternatives("mode != Idle && mode != Busy && mode != Gone && mode != Failed", domains),
      (Alternatives{{"mode == Done"}}));
  EXPECT_EQ(plain_alternatives("a && mode != Idle && mode != Busy && mode != Gone", domains),
            (Alternatives{{"a", "(mode == Done || mode == Failed)"}}));
  EXPECT_EQ(plain_alternatives("mode != Idle", domains), (Alternatives{{"mode != Idle"}}));
}

TEST(PlainLabel, AlternativesAreJoined) {
  EXPECT_EQ(plain_alternatives("a && n < 32 || a && n == 32", domains),
            (Alternatives{{"a", "n <= 32"}}));
  EXPECT_EQ(plain_alternatives("a && b || a && !b", domains), (Alternatives{{"a"}}));
  EXPECT_EQ(plain_alternatives("a || !a && b", domains), (Alternatives{{"a"}, {"b"}}));
  EXPECT_EQ(plain_alternatives("x != null || x == null && a", domains),
            (Alternatives{{"x != null"}, {"a"}}));
  EXPECT_EQ(plain_alternatives("a && b || a", domains), (Alternatives{{"a"}}));
  EXPECT_EQ(plain_alternatives("n < 3 && a || n > 3 && a", domains),
            (Alternatives{{"n != 3", "a"}}));
  EXPECT_EQ(plain_alternatives("c && (!a && b || a)", domains), (Alternatives{{"c", "(b || a)"}}));
  EXPECT_EQ(plain_alternatives("n < 3 || n >= 3", domains), (Alternatives{{"true"}}));
}

TEST(PlainLabel, WhatCannotHoldIsLeftOutUnlessThatIsAll) {
  EXPECT_EQ(plain_alternatives("n < 3 && n > 4 || a", domains), (Alternatives{{"a"}}));
  EXPECT_EQ(plain_alternatives("n < 3 && n > 4", domains), (Alternatives{{"n < 3", "n > 4"}}));
}

TEST(PlainLabel, WhatIsNotUnderstoodStaysAsItIs) {
  for (const std::string label : {"", "a ? b : c && d", "a => b < 3", "!(a || b)", "m[x + 1 < 2]",
                                  "a == b", "f(a == 1, b != 2)", "`a < 3`", "0 <= n"}) {
    const Alternatives as_it_is{{label}};
    EXPECT_EQ(plain_alternatives(label, domains), as_it_is);
  }
}

} // namespace
} // namespace tacit
