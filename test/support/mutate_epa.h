// Enabledness abstractions with one thing changed so that they are wrong, for testing the checker.
// Every mutant is wrong when the original is exact (all of it certain, Definition 3.7) and has
// states; "no invariant" only if the invariant says something.
#pragma once

#include <string>
#include <vector>

#include "interface/interface.h"

namespace tacit {

struct EpaMutant {
  Interface result;
  std::string change;
};

std::vector<EpaMutant> epa_mutants(const Interface& original);

} // namespace tacit
