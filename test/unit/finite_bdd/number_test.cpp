// Arithmetic on vectors of diagrams against arithmetic on integers, for every pair of operands of a
// few bits.
#include <gtest/gtest.h>

#include "base/integer.h"
#include "finite/bdd/encoding.h"
#include "finite/bdd/number.h"

namespace tacit {
namespace {

class Numbers : public testing::Test {
protected:
  static constexpr Integer low = -9, high = 11;
  Numbers() : session_(*BddSession::open()) { session_->need_variables(10); }

  static Bits bits(std::size_t first) {
    return {first, first + 2, first + 4, first + 6, first + 8};
  }

  /// Both operands range over low … high.
  static Number left() { return Encoding::number(bits(0), low); }
  static Number right() { return Encoding::number(bits(1), low); }

  static Integer value_at(const Number& number, const Bdd& point) {
    std::vector<Bdd> constants;
    for (std::size_t i = 0; i < number.width(); ++i)
      constants.push_back(cofactor(number.bit(i), point));
    return Number(constants).as_constant().value();
  }

  template <class Check> static void for_all(Check check) {
    for (Integer a = low; a <= high; ++a)
      for (Integer b = low; b <= high; ++b)
        check(a, b,
              Encoding::code_is(bits(0), static_cast<std::uint64_t>(a - low)) &
                  Encoding::code_is(bits(1), static_cast<std::uint64_t>(b - low)));
  }

  std::shared_ptr<BddSession> session_;
};

TEST_F(Numbers, AddSubtractMultiplyAreExact) {
  const Number sum = add(left(), right()), difference = subtract(left(), right()),
               product = multiply(left(), right());
  for_all([&](Integer a, Integer b, const Bdd& point) {
    EXPECT_EQ(value_at(sum, point), a + b);
    EXPECT_EQ(value_at(difference, point), a - b);
    EXPECT_EQ(value_at(product, point), a * b);
    EXPECT_EQ(value_at(negate(left()), point), -a);
  });
}

TEST_F(Numbers, DivisionTruncatesAndByZeroIsZero) {
  const Division division = divide(left(), right());
  for_all([&](Integer a, Integer b, const Bdd& point) {
    EXPECT_EQ(value_at(division.quotient, point), b == 0 ? 0 : a / b);
    EXPECT_EQ(value_at(division.remainder, point), b == 0 ? 0 : a % b);
  });
}

TEST_F(Numbers, ComparisonsAndWraps) {
  const Bdd is_less = less(left(), right()), is_most = less_equal(left(), right()),
            is_equal = equal(left(), right());
  const Number narrow = wrap(left(), 3, true), natural = wrap(left(), 3, false),
               wide = wrap(left(), 8, false);
  for_all([&](Integer a, Integer b, const Bdd& point) {
    EXPECT_EQ(!(is_less & point).is_false(), a < b);
    EXPECT_EQ(!(is_most & point).is_false(), a <= b);
    EXPECT_EQ(!(is_equal & point).is_false(), a == b);
    EXPECT_EQ(value_at(narrow, point), wrap_integer(a, 3, true));
    EXPECT_EQ(value_at(natural, point), wrap_integer(a, 3, false));
    EXPECT_EQ(value_at(wide, point), wrap_integer(a, 8, false));
  });
}

TEST_F(Numbers, ConstantsAreCutToTheirWidth) {
  for (Integer value : {Integer{0}, Integer{-1}, Integer{1}, Integer{-128}, Integer{INT64_MAX},
                        Integer{INT64_MIN}}) {
    EXPECT_EQ(Number::constant(value).as_constant(), value);
    EXPECT_TRUE(beyond_64_bits(Number::constant(value)).is_false());
  }
  EXPECT_EQ(Number::constant(-1).width(), 1u);
  EXPECT_TRUE(beyond_64_bits(Number::constant(Integer{INT64_MAX} + 1)).is_true());
  EXPECT_EQ(signed_width(-8, 7), 4u);
  EXPECT_EQ(signed_width(0, 8), 5u);
}

TEST_F(Numbers, BelowIsTheRangeOfACode) {
  for (std::uint64_t size = 17; size <= 32; ++size)
    for (std::uint64_t code = 0; code < 32; ++code)
      EXPECT_EQ(!(Encoding::below(bits(0), size) & Encoding::code_is(bits(0), code)).is_false(),
                code < size);
}

} // namespace
} // namespace tacit
