// What a label says, with fewer words: engines write `tries + 1 < 3 && tries + 2 >= 3` and
// `mode != A && mode != B`, people `tries == 1` and `mode == C`.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace tacit {

/// Of variables, by name as it stands in labels: the enumerators they can be.
using EnumDomains = std::map<std::string, std::vector<std::string>>;

/// The alternatives of a label, each a list of conjuncts; equal to it for all whole numbers and
/// enumerators. Comparisons with constants are joined to ranges and sets of enumerators,
/// alternatives that say less are dropped, and those that differ in one respect only become one.
std::vector<std::vector<std::string>> plain_alternatives(const std::string& label,
                                                         const EnumDomains& domains);

} // namespace tacit
