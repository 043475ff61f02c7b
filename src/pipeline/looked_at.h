// What an answer is about (docs/semantics.md, 2.12): which errors counted, at how many sites, and
// which calls were left out. Where nothing counts there is no protocol to prove.
#pragma once

#include <optional>

#include "base/diagnostic.h"
#include "component/component.h"
#include "frontend/llvm/facts/helper_sites.h"
#include "interface/interface.h"

namespace tacit {

/// The complaint when no call and no constructor can err, with what could count as an error, the
/// likeliest first, each as the option to type. `module` is what the component was built from.
std::optional<Diagnostic> nothing_to_prove(const Component& component, const Module& module);

/// What could count, as notes of a complaint.
std::vector<std::string> candidate_notes(const Module& module);

/// Fills in errors with their sites, what was left out, and for refusals what is thrown and by way
/// of which helper. `component` is the one that the result is about.
void tell_what_was_looked_at(Interface& result, const Component& component, const Module& module);

/// Names the helpers of refusals whose lines the front end put into the called method.
void name_helpers(Interface& result, const std::vector<HelperSite>& helpers);

} // namespace tacit
