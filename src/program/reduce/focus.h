// Scalar replacement of one heap object, whose fields become plain variables: the one that a state
// variable p refers to, when every call works on that object alone. A C handle with its state
// behind a pointer (`strm->state`) is such a component; its maps `EState.mode[state]` become
// `state.mode`.
//
// A record is focused on p if, in every body, all reads and writes of its fields go through one and
// the same reference: the value that p has on entry, or (where a body sets the object up) one that
// is made once and is what p refers to at the end. While p is null the fields hold their defaults:
// nobody reads them then, since pointers that are followed are valid or have been compared with
// null, and what is known to everybody can be followed by clients.
//
// Exact: the value of the field of the one object is all that a body can see of the map.
#pragma once

#include "program/ir/module.h"

namespace tacit {

/// Methods and constructors must be free of calls. Returns how many records were focused.
std::size_t focus(Module& module);

} // namespace tacit
