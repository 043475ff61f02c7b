// Stronger labels of an interface over letters: what the conditions of letters say of the state and
// every run keeps, state by state (abstraction/formula/houdini.h). A condition that a label
// excludes is no reason to refuse a call, and none to tell outcomes apart (docs/semantics.md, 11).
#pragma once

#include "abstraction/formula/formulas.h"
#include "component/refine.h"
#include "interface/interface.h"
#include "logic/solver/solver.h"

namespace tacit {

struct Strengthening {
  const RefinedComponent& refined;
  const CallSplits& alphabet;
  ComponentFormulas& formulas; // of the component before it was refined
  Solver& solver;
};

/// No value when labels say all there is, or must-nodes speak of them.
std::optional<Interface> with_stronger_labels(const Interface& fine, const Strengthening& by);

} // namespace tacit
