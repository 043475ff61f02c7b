// How time grows with the size of a family: the exponent e of time ~ 2^(e·k).
#pragma once

#include <optional>
#include <vector>

namespace tacit {

struct GrowthPoint {
  unsigned k = 0;
  double seconds = 0;
};

/// The slope of the straight line that is nearest to the logarithms, by least squares. Only points
/// of at least `least_seconds` count, since less is the start of a process; nothing when there are
/// fewer than three.
std::optional<double> growth_exponent(const std::vector<GrowthPoint>& points, double least_seconds);

/// Of time ~ k^e: the same with logarithms of both.
std::optional<double> growth_power(const std::vector<GrowthPoint>& points, double least_seconds);

} // namespace tacit
