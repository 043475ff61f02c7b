// JIST, "Synthesis of Interface Specifications for Java Classes" (Alur, Černý, Madhusudan, Nam):
// the component is abstracted to a Boolean program over predicates that the user gives
// (abstraction/boolean/boolean_program.h), and the game with partial information between the client
// and that program is solved by L* (game_teacher.h).
//
// The interface is safe for the component, by labels made of the predicates. Whether it is most
// permissive is first of all a statement about the predicates; what it is worth for the component
// itself is then tried with must-nodes, and where that fails, one refinement of `permissive` along
// a word that is refused and legal tells which predicates to add.
#pragma once

#include "abstraction/boolean/boolean_program.h"
#include "synthesis/protocol/engine.h"

namespace tacit {

Result<Synthesis> synthesise_game(const Component& component, const SynthesisOptions& options,
                                  Budget& budget);

/// The Boolean program that the engine plays on.
Result<BooleanProgram> game_program(const Component& component, const SynthesisOptions& options,
                                    Budget& budget);

} // namespace tacit
