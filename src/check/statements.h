// What a result says besides its automaton and its evidence: which component and errors it is
// about, constants, sites that were set aside, guards for readers, what refusals need, strengths of
// claims. Each is compared with the component, or named as something that was not checked.
#pragma once

#include "check/report.h"
#include "check/structure.h"
#include "component/component.h"
#include "interface/interface.h"

namespace tacit {

void check_statements(const Interface& interface, const Component& component, Findings& findings);

/// The sites that were set aside as decided: the call may err there in every state of the labels
/// and for all arguments. Needs the component's text. Returns the number of queries.
std::size_t check_aside(const Interface& interface, const Component& component, Budget* budget,
                        Findings& findings);

} // namespace tacit
