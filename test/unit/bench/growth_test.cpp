#include "bench/growth.h"

#include <cmath>

#include <gtest/gtest.h>

namespace tacit {
namespace {

TEST(Growth, TheExponentOfPowersOfTwo) {
  for (const double exponent : {0.0, 1.0, 2.0, 3.0}) {
    std::vector<GrowthPoint> points;
    for (unsigned k = 4; k <= 10; k += 2) points.push_back({k, 0.01 * std::exp2(exponent * k)});
    const auto found = growth_exponent(points, 0.001);
    ASSERT_TRUE(found);
    EXPECT_NEAR(*found, exponent, 1e-9);
  }
}

TEST(Growth, ShortTimesDoNotCount) {
  const std::vector<GrowthPoint> points{{2, 0.001}, {4, 0.001}, {6, 0.04}, {8, 0.16}, {10, 0.64}};
  const auto found = growth_exponent(points, 0.01);
  ASSERT_TRUE(found);
  EXPECT_NEAR(*found, 1, 1e-9);
}

TEST(Growth, TwoPointsSayNothing) {
  EXPECT_FALSE(growth_exponent({{2, 0.1}, {4, 0.4}}, 0.01));
  EXPECT_FALSE(growth_exponent({{2, 0.1}, {2, 0.4}, {2, 0.8}}, 0.01));
}

} // namespace
} // namespace tacit
