// From letters back to calls: an interface over a refined component (component/refine.h) as one of
// the component itself, with guards, cells and tracked values (docs/semantics.md, 11).
//
// A call is allowed under the conditions of its allowed variants. Steps of one outcome into the
// same state that do the same to the tracked values are one transition, whose cell is the
// conditions of its letters. Labels and must-nodes speak of the component's state and stay what
// they are.
#pragma once

#include "abstraction/formula/formulas.h"
#include "component/refine.h"
#include "interface/interface.h"

namespace tacit {

struct Folding {
  const RefinedComponent& refined;
  const CallSplits& alphabet;
  ComponentFormulas& formulas; // of the component itself
  Solver& solver;
  Term lost = nullptr; // on failure: the tracked term
};

/// A tracked value that cannot be followed in some state is left out where no condition needs it.
/// Fails when one does: the message says which, and where.
Result<Interface> fold(const Interface& fine, Folding& by);

} // namespace tacit
