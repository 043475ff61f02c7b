// `tacit verify`: re-checks a result from nothing but the result itself.
//
//   Result file ─> component ─┬─> structure.h    vocabulary, determinism, words, minimality
//                             ├─> statements.h   errors, constants, sites set aside and the like
//                             ├─> obligations.h  labels and must-nodes, with cvc5
//                             ├─> guarded.h      likewise, for guarded arguments; mergeable.h
//                             ├─> replay.h       concrete runs, in the interpreter
//                             ├─> serial.h       pruning, for interfaces of infinite runs
//                             └─> epa.h          enabledness abstractions, all of it
//
// Shares no code with the engines that made the result. A claim of `proved` without evidence is
// rejected, or unknown when the result says that evidence was left out for size. What the result
// says and nothing here looks into is named in the report.
#pragma once

#include "base/diagnostic.h"
#include "check/report.h"
#include "component/component.h"
#include "interface/interface.h"

namespace tacit {

/// One thread: terms are added to the component's arena.
CheckReport check_evidence(const Interface& interface, const Component& component,
                           const CheckOptions& options);

/// Rebuilds the component; fails when that is not possible.
Result<CheckReport> check_evidence(const Interface& interface, const CheckOptions& options);

} // namespace tacit
