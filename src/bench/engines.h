// What our engines cost, in counts that no machine changes and times that only compare within one
// run: on the papers' components, and on families of components that grow in one respect.
//
//   engines   subjects × permissive, maymust, auto: queries, predicates, states, and the re-check
//   by
//             the second solver beside
//   scaling   methods, variables that do not matter, independent resources, phases, length of
//             bodies: the degree of the power of the size that queries and time grow with
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace tacit {

struct EnginesBench {
  double seconds_allowed = 20;   // for each run
  bool json = false;             // one array of objects instead of a table
  std::vector<std::string> only; // subjects or families; empty: all
};

/// False when a name in `only` is not known.
bool bench_engines(std::ostream& out, const EnginesBench& options);
bool bench_scaling(std::ostream& out, const EnginesBench& options);

/// The component of a scaling family, in .tir.
std::string scaling_component(const std::string& family, unsigned size);

} // namespace tacit
