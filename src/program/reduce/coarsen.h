// Hides what an error does not depend on: a coarser program with fewer variables, every run of
// which stands for at least the runs of the original.
//
// What counts is the backward slice of errors (program/graph/dependence.h): conditions that decide
// whether one is reached, and what flows into them. A condition about anything else becomes a
// choice of nobody (Chooser::Unknown), so what is proved of the coarser program, that a call cannot
// err or that it surely does, holds of the original: an unknown choice has to be answered whatever
// it is. Calls, outcomes and errors stay the same; which outcome a call has may be known less well.
//
// Runs late, like slice.h, when every exit carries its outcome and errors are terminators.
#pragma once

#include "program/ir/module.h"
#include "program/reduce/slice.h"

namespace tacit {

enum class Detail {
  All,    ///< hide nothing
  Slice,  ///< what decides whether an error is reached, and whether what counts is written
  Guards, ///< one way to each condition of an error; the heap only if a condition looks at it
  Flags   ///< likewise, and other state that flows into what counts is hidden
};

/// Methods and constructors only; other procedures must be gone. An observed result that depends on
/// what is hidden becomes a value that nobody chooses.
void coarsen(Module& module, Detail detail, Results results = Results::Dropped);

} // namespace tacit
