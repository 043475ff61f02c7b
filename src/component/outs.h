// Out-parameters: what a call writes through one is observed by the client, as its result is
// (docs/semantics.md, 11).
//
// Where the outcomes of a call tell everything about what it returns (`int f(int *out)` that
// returns 0 or -1), `result` is free to stand for what was written: the procedure returns that. So
// engines and checks need not know; conditions are written with the name of the out-parameter.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "component/component.h"

namespace tacit {

/// Lets calls return what they write through their out-parameter, where that may tell something of
/// what errors depend on.
void show_outs(Module& module, const std::vector<Call>& calls);

/// A condition over `result`, as the files have it.
std::string with_out_named(const Procedure& procedure, std::string_view condition);

} // namespace tacit
