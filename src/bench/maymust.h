// `tacit bench maymust`: Table 1 of "May and Must Abstractions", nine components by four ways to
// refine, published figures beside ours.
#pragma once

#include <ostream>

namespace tacit {

struct MayMustBench {
  double seconds_allowed = 60; // per component and way to refine
};

void bench_maymust(std::ostream& out, const MayMustBench& options);

} // namespace tacit
