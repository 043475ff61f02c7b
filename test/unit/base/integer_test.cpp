#include "base/integer.h"

#include <unordered_set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tacit {
namespace {

// 2^120 - 1 and 2^120 in decimal.
constexpr const char* greatest = "1329227995784915872903807060280344575";
constexpr const char* bound = "1329227995784915872903807060280344576";

TEST(Integer, PrintsDecimal) {
  EXPECT_EQ(to_string(Integer{0}), "0");
  EXPECT_EQ(to_string(Integer{-17}), "-17");
  EXPECT_EQ(to_string(integer_bound), bound);
  EXPECT_EQ(to_string(-integer_bound * 127 - integer_bound),
            "-170141183460469231731687303715884105728"); // the least value, -2^127
}

TEST(Integer, ParsesDecimalAndNothingElse) {
  EXPECT_EQ(parse_integer("0"), Integer{0});
  EXPECT_EQ(parse_integer("-42"), Integer{-42});
  EXPECT_EQ(parse_integer("007"), Integer{7});
  for (const char* text : {"", "-", "+1", " 1", "1 ", "1x", "0x10", "--1", "1.5"})
    EXPECT_FALSE(parse_integer(text).has_value()) << text;
}

TEST(Integer, ParsesUpToTheBound) {
  EXPECT_EQ(parse_integer(greatest), integer_bound - 1);
  EXPECT_EQ(parse_integer(std::string("-") + greatest), -(integer_bound - 1));
  EXPECT_FALSE(parse_integer(bound).has_value());
  EXPECT_FALSE(parse_integer(std::string("-") + bound).has_value());
  EXPECT_FALSE(parse_integer(std::string(200, '9')).has_value());
}

TEST(Integer, OperationsStopAtTheBound) {
  const Integer most = integer_bound - 1;
  EXPECT_EQ(checked_add(most - 1, 1), most);
  EXPECT_FALSE(checked_add(most, 1).has_value());
  EXPECT_EQ(checked_sub(-most + 1, 1), -most);
  EXPECT_FALSE(checked_sub(-most, 1).has_value());
  EXPECT_EQ(checked_mul(Integer{1} << 60, (Integer{1} << 60) - 1),
            integer_bound - (Integer{1} << 60));
  EXPECT_FALSE(checked_mul(Integer{1} << 60, Integer{1} << 60).has_value());
  EXPECT_FALSE(checked_mul(most, most).has_value());
  EXPECT_FALSE(checked_mul(most, -most).has_value());
}

TEST(Integer, DivisionRoundsTowardsZero) {
  EXPECT_EQ(div_trunc(7, 2), Integer{3});
  EXPECT_EQ(div_trunc(-7, 2), Integer{-3});
  EXPECT_EQ(div_trunc(7, -2), Integer{-3});
  EXPECT_EQ(mod_trunc(7, -2), Integer{1});
  EXPECT_EQ(mod_trunc(-7, 2), Integer{-1});
  EXPECT_EQ(mod_trunc(-7, -1), Integer{0});
  EXPECT_FALSE(div_trunc(1, 0).has_value());
  EXPECT_FALSE(mod_trunc(1, 0).has_value());
}

RC_GTEST_PROP(Integer, ParsingInvertsPrinting, (std::int64_t high, std::uint32_t low)) {
  const Integer value = (Integer{high} << 32) + low;
  RC_ASSERT(parse_integer(to_string(value)) == value);
}

RC_GTEST_PROP(Integer, AgreesWithMachineArithmetic, (std::int32_t left, std::int32_t right)) {
  const std::int64_t wide = left;
  RC_ASSERT(checked_add(left, right) == Integer{wide + right});
  RC_ASSERT(checked_sub(left, right) == Integer{wide - right});
  RC_ASSERT(checked_mul(left, right) == Integer{wide * right});
  RC_PRE(right != 0);
  RC_ASSERT(div_trunc(left, right) == Integer{wide / right});
  RC_ASSERT(mod_trunc(left, right) == Integer{wide % right});
}

TEST(Integer, HashesIntoUnorderedContainers) {
  std::unordered_set<Integer, IntegerHash> seen;
  for (int i = -50; i <= 50; ++i) seen.insert(Integer{i} << 64);
  EXPECT_EQ(seen.size(), 101u);
  EXPECT_TRUE(seen.contains(Integer{7} << 64));
  EXPECT_NE(hash_value(1), hash_value(Integer{1} << 64));
}

} // namespace
} // namespace tacit
