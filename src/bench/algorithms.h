// `tacit bench algorithms`: the three engines of "Algorithms for Interface Synthesis" on its
// families, published times beside ours.
#pragma once

#include <ostream>

namespace tacit {

struct AlgorithmsBench {
  double seconds_allowed = 5; // per engine and row
  bool beyond = true;         // also the rows that the paper could not do
};

void bench_algorithms(std::ostream& out, const AlgorithmsBench& options);

} // namespace tacit
