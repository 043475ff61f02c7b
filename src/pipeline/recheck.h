// The second opinion on a result, and what becomes of claims that it does not share.
//
// A claim that was not confirmed is not made: it becomes unknown, with the reason among the details
// of the verdict. In an enabledness abstraction, transitions and starts that were not confirmed
// become uncertain.
#pragma once

#include "check/check.h"
#include "interface/interface.h"

namespace tacit {

/// A check of a small answer gets this much even where nothing is left, by what lowering and the
/// last query have taken.
constexpr double least_checking_seconds = 0.5;

/// Claims nothing as proved any more.
void withdraw_claims(Interface& result, const std::string& why);

/// Nothing when evidence was left out for size: the claims stay, and the result says what they
/// rest on.
std::optional<CheckReport> recheck(Interface& result, const Component& component, Budget& budget);

/// A word that errs at a site about which nothing is known is allowed: nobody may take that for
/// proved. Permissiveness stands: what cannot err at all cannot err at the other sites.
void leave_undecided_open(Interface& result);

/// For results of kind "epa".
CheckReport recheck_enabledness(Interface& result, const Component& component, Budget& budget);

} // namespace tacit
