// What an argument leads to is the client's to choose: a field that is forgotten where a call
// begins, since clients may have changed it (`havoc unknown R.f`), holds for the object behind a
// parameter `p` what stands in a parameter of its own, `R.f[p]`, as beside references that nobody
// tells apart (attach_fields.h). Of all other objects it stays unknown.
//
// Exact for clients that know what they hand in. Two parameters may be one object: then choices
// that differ are runs that there are not, which claims have to hold for as well.
#pragma once

#include "program/ir/module.h"

namespace tacit {

/// Methods and constructors only; other procedures must be gone.
void choose_handed_fields(Module& module);

} // namespace tacit
