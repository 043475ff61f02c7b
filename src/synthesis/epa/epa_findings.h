// What a reader should look at in an enabledness abstraction: the paper's validation (its section
// 5.3) made mechanical. None of these is an error by itself.
#pragma once

#include "interface/interface.h"
#include "synthesis/epa/epa_explore.h"

namespace tacit {

struct FindingContext {
  const ActionSystem& system;
  const EpaGraph& graph;
  const std::vector<State>& number; // of graph states in the interface
  Solver& solver;
  Budget& budget;
};

std::vector<EpaAbout::Remark> epa_findings(const FindingContext& context);

} // namespace tacit
