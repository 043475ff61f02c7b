// Drops what cannot matter: assignments and choices whose value no condition ever depends on, state
// variables that only such assignments write, and branches that have become pointless. Runs last,
// when every exit carries its outcome and every error is a terminator, so that returned values are
// of no further interest, unless the client looks at them.
//
// The sinks are the variables of conditions, assumptions, invariants and preconditions, followed
// by data dependence alone (program/graph/dependence.h): control needs no edges, as every condition
// is a sink.
//
// Sound both ways: a run of the sliced component is a run of the original without the dropped
// variables. The one exception is an assignment that would leave its variable's range and so block
// the run; with the variable gone the run goes on, as it does in reality.
#pragma once

#include "program/ir/module.h"

namespace tacit {

/// Whether anybody looks at what a call returns beyond its outcome. Dropped results are of no
/// interest; observed ones are part of what a client sees, and so is all that they depend on.
enum class Results { Dropped, Observed };

/// Slices methods and constructors; other procedures must be gone.
void slice(Module& module, Results results = Results::Dropped);

/// A procedure of which some returns have no value any more returns none.
void drop_partial_results(Procedure& procedure);

} // namespace tacit
