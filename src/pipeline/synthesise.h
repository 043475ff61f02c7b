// From a module to an interface whose claims a second solver has confirmed.
//
//   request ─ check ─> component ─> engine, on views from coarse to fine ─> parts ─> needs
//                                                                 │
//                 checked result and its component <─ withdrawal <─ re-check
//
// Prints nothing and keeps nothing between two runs. A budget that runs out is no error: the
// answer is not settled then. What was found before still gets its explanation and its proof, for
// which a share of the time is set aside.
//
// Threads: runs on different modules may go on at the same time, except that decision diagrams
// belong to one thread (finite/bdd/diagram.h): another one is refused them.
#pragma once

#include "check/report.h"
#include "pipeline/request.h"

namespace tacit {

struct SynthesisAnswer {
  Interface interface;
  std::shared_ptr<const Component> component; // that the evidence is about: maybe a coarser view
  /// Everything that was asked for is known and confirmed.
  bool settled = false;
  std::optional<CheckReport> check; // of the whole; nothing where evidence was not checked
};

/// The clock of the budget starts with the caller; `module` need not outlive the answer.
Result<SynthesisAnswer> synthesise(const Module& module, const SynthesisRequest& request,
                                   Budget& budget);

} // namespace tacit
