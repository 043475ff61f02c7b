#include "bench/growth.h"

#include <cmath>

namespace tacit {

namespace {

std::optional<double> slope(const std::vector<GrowthPoint>& points, double least_seconds,
                            double (*scale)(double)) {
  double n = 0, sum_k = 0, sum_t = 0, sum_kk = 0, sum_kt = 0;
  for (const GrowthPoint& point : points) {
    if (point.seconds < least_seconds) continue;
    const double k = scale(point.k), t = std::log2(point.seconds);
    n += 1;
    sum_k += k;
    sum_t += t;
    sum_kk += k * k;
    sum_kt += k * t;
  }
  const double spread = n * sum_kk - sum_k * sum_k;
  if (n < 3 || spread <= 0) return std::nullopt;
  return (n * sum_kt - sum_k * sum_t) / spread;
}

} // namespace

std::optional<double> growth_exponent(const std::vector<GrowthPoint>& points,
                                      double least_seconds) {
  return slope(points, least_seconds, [](double k) { return k; });
}

std::optional<double> growth_power(const std::vector<GrowthPoint>& points, double least_seconds) {
  return slope(points, least_seconds, [](double k) { return std::log2(k); });
}

} // namespace tacit
