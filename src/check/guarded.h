// The obligations of a guarded interface (docs/evidence.md, docs/semantics.md 2.11), argument by
// argument. For a state q with label L, a call with arguments a under the guard g, a tracked value
// standing for its term t(s):
//
//   safety        no run of L ∧ g errs
//   consecution   a run of L ∧ g within a cell ends in the label of its target, and t(s') is what
//   the
//                 cell's update says
//   cells         every run of L ∧ g is in exactly one cell of its outcome
//   starts        likewise for constructors, over their arguments
//   permissive    in L ∧ ¬g the call errs, or has no run at all; or everywhere in a must-node it
//   errs must-nodes    whatever was observed, the same can be observed on a way into the node full
//   from L an outcome that has a transition can happen, for some arguments of the guard
//
// Arguments, results and what the client can read afterwards are observed: they are the same in all
// runs of a concrete word, so no obligation of a must-node lets anyone choose them.
#pragma once

#include "check/client_conditions.h"
#include "check/report.h"
#include "check/structure.h"
#include "component/component.h"
#include "interface/interface.h"

namespace tacit {

/// Only what the verdict claims as proved. Returns the number of queries.
std::size_t check_guarded(const Interface& interface, const Component& component,
                          const Alignment& alignment, const ClientConditions& conditions,
                          Budget* budget, Findings& findings);

} // namespace tacit
