// Scalar replacement of the component's objects that a Java client makes and keeps to itself: what
// is kept about such an object (`component.state[c]`) becomes a local of the body. Loops then need
// no invariants about maps, and callees that get other objects leave it alone.
//
// An object is replaced when one statement makes it, the variables that refer to it are copies of
// each other, all of them are set to the newest object before they are used, and nothing else is
// done with them than to read and write what is kept, to compare them with null, and to return.
#pragma once

#include "client/end_states.h"
#include "client/events.h"
#include "program/ir/module.h"

namespace tacit {

/// Puts callees in place of calls and replaces what can be replaced. Returns the notes of inlining.
/// Objects that are replaced and end in a state in which they may not are refused that: where their
/// method ends and does not return them, and where the next one is made in their place. A method
/// whose objects are not replaced is noted in the program as open.
std::vector<std::string> separate_new_objects(Module& module, WrittenProgram& program,
                                              const EndStates& end);

/// Objects that fields hold and a call returns, or to which others get by the fields, are in
/// anybody's hands: what is known of objects when a call begins is forgotten then. After the above.
void forget_given_away(Module& module, bool open_fields);

} // namespace tacit
