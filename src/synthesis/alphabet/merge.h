// Fewer states of an interface over letters: what a tracked value rules out is no reason to tell
// states apart (docs/semantics.md, 11).
//
// A letter of a refined component carries a condition. Where the label of a state contradicts it,
// the letter cannot happen there, so that it is all the same whether it is allowed and where it
// leads. Two states are one when they agree about all other letters, and so do the states that
// these lead to. The label of the new state is the disjunction of theirs.
//
// States that must-nodes speak of stay as they are: more words would lead there.
#pragma once

#include "abstraction/formula/formulas.h"
#include "component/refine.h"
#include "interface/interface.h"

namespace tacit {

constexpr std::uint64_t label_queries = 200; // spent on making one label short

struct Merging {
  const RefinedComponent& refined;
  ComponentFormulas& formulas; // of the component before it was refined
  Solver& solver;
  std::vector<Term> apart = {}; // states that differ in what they say of these stay apart
};

/// No value when no two states can be merged, or there are no labels.
std::optional<Interface> with_fewer_states(const Interface& fine, const Merging& by);

/// What a label says of the state before the next call: the client may have written what it owns,
/// so that values of that kind get other names.
Term without_clients_values(const Module& module, Term label);

} // namespace tacit
