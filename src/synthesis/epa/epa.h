// The engine `epa`: enabledness-preserving abstractions (Enabledness-based Program Abstractions for
// Behaviour Validation), for people who want to see what a component really does.
//
// A state of the result stands for all component states that enable the same calls, and there is a
// transition wherever some of those leads to some of these (Definition 3.7). Every legal word is in
// the result (it is permissive); not every word in it is legal. action_system.h says what enabled
// means, epa_explore.h has Algorithm 1, epa_findings.h the reader's remarks; here are the choice of
// the invariant, certainty, reachability, and the result.
#pragma once

#include "synthesis/epa/epa_explore.h"
#include "synthesis/protocol/engine.h"

namespace tacit {

struct EpaOptions {
  std::optional<RequiresFrom>
      requires_from;                    // without: given if the program has clauses, else mined
  std::vector<std::string> invariants;  // besides the program's own
  std::vector<std::string> over, under; // 'call: COND': approximations of a requires clause
  std::vector<std::string> facts;       // 'a,b: COND': in states that enable exactly a and b
  bool reachable = false;               // successors of reachable states only
  EpaSearch search = EpaSearch::Models;
  bool pruning = true;
  std::size_t workers = 1;
  bool for_readers = true;          // labels and findings, which take queries of their own
  std::vector<std::string> why_not; // 'STATE CALL STATE'
  Story story;
};

struct EpaResult {
  Interface interface;
  bool settled = true;              // explored to the end
  std::vector<std::string> answers; // to why_not
  /// The program with the clauses and the invariant that were used, for saving and editing.
  Module annotated;
};

/// `module` is what the component was built from.
Result<EpaResult> synthesise_epa(const Module& module, const Component& component,
                                 const EpaOptions& options, Budget& budget);

} // namespace tacit
