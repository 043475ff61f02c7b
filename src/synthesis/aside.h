// Sites that no protocol decides (docs/semantics.md, 13): a call that no state allows because,
// wherever a client may be and whatever it passes, a choice that is not the client's may make it
// err. Where a collaborator chooses the site is decided: nothing helps against it. Where nobody
// knows the value the site is undecided.
//
// As few sites as possible: those without which some state and arguments are left that cannot err.
// A site that errs by itself stays what it is, a call that is never allowed.
#pragma once

#include "base/budget.h"
#include "component/component.h"
#include "interface/interface.h"

namespace tacit {

/// What to set aside next, given what was found for the component with those set aside so far.
/// Labels that do not read for this component, a finer view, count as `true`.
std::vector<SetAside> sites_to_set_aside(const Interface& found, const Component& component,
                                         Budget& budget);

/// The same before anything was found: of calls that may err in all states whatsoever, and sites
/// where what nobody knows is asked for and no state and no arguments make the error certain.
std::vector<SetAside> sites_to_set_aside(const Component& component, Budget& budget);

/// Of sites that were set aside, those that clients of what was found then may meet. `counting`:
/// the component without anything set aside.
std::vector<SetAside> sites_that_matter(std::vector<SetAside> sites, const Interface& found,
                                        const Component& counting, Budget& budget);

/// Not decided after all: where in the label of some state the call need not err by what the
/// environment does. `counting`: the component without anything set aside.
void withdraw_decided(std::vector<SetAside>& sites, const Interface& found,
                      const Component& counting, Budget& budget);

/// Whether some state allows the call for some arguments, or the constructor can be used.
bool allows_somewhere(const Interface& found, const std::string& call);

} // namespace tacit
