// `minimal` of a guarded interface: no two states can be merged, no tracked value and no cell can
// be dropped (docs/semantics.md 2.11).
//
// Two states can be merged if nothing tells them apart where their tracked values agree: no
// arguments that one admits and the other refuses, no letter that leads to states which cannot be
// merged in turn or to other tracked values. Whether there are such values is asked of the labels,
// so a difference that only unreachable states of the component show counts as one.
#pragma once

#include "check/client_conditions.h"
#include "check/report.h"
#include "check/structure.h"

namespace tacit {

/// Whether it is minimal; when not, or when that is open, this has been reported.
bool check_minimal(const Interface& interface, const Component& component,
                   const Alignment& alignment, const ClientConditions& conditions, Budget* budget,
                   Findings& findings);

} // namespace tacit
