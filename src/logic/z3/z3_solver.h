// The solver on Z3. The query log, `SolverOptions::log`, is SMT-LIB 2 that any solver can run; the
// answers stand in it as comments.
#pragma once

#include <memory>

#include "logic/solver/solver.h"

namespace tacit {

/// Has a Z3 context of its own; making one takes milliseconds, so keep it for many queries.
std::unique_ptr<Solver> make_z3_solver(SolverOptions options = {});

} // namespace tacit
