// Fields of the objects that a map of the component holds become maps by the same keys: where
// `entries.value[k]` leads to an object that is made here, put there once and reached in no other
// way, its field `Entry.started[entries.value[k]]` is `entries.started[k]`. Without it a proof
// would have to say that different keys lead to different objects, which takes a quantifier; with
// it fields of elements are tracked like any other map.
//
// A map of references is taken when
//  1. every reference through which one of the records' fields is read or written in any body is
//     null, a new object of that body, or what the map holds somewhere, through locals;
//  2. what is put into the map is a new object of the body, which is put there once, or null.
// An object that somebody else takes the place of in the map is not followed any longer: what its
// fields hold is unknown from then on.
//
// Exact but for that. Runs on bodies without calls.
#pragma once

#include "program/ir/module.h"

namespace tacit {

/// Methods and constructors only. Returns how many maps were taken.
std::size_t attach_element_fields(Module& module);

} // namespace tacit
