// What an engine hands to the finishing pass: an automaton over the component's letters with the
// allowed calls of each state, prefix-closed, one entry per constructor.
#pragma once

#include <map>
#include <vector>

#include "automata/dfa.h"
#include "component/component.h"

namespace tacit {

/// The colour of a state stands for its set of allowed calls, and for its kind where an engine
/// keeps states apart that allow the same.
class Protocol {
public:
  explicit Protocol(const Component& component)
      : dfa(component.letters()), calls_(component.calls().size()) {}

  Dfa dfa;

  State add_state(const std::vector<bool>& allowed) { return dfa.add_state(colour_of(allowed)); }
  Colour colour_of(const std::vector<bool>& allowed, std::size_t kind = 0);
  bool allows(State state, std::size_t call) const { return allowed_[dfa.colour(state) - 1][call]; }
  const std::vector<bool>& allowed(State state) const { return allowed_[dfa.colour(state) - 1]; }
  std::size_t calls() const { return calls_; }

private:
  std::size_t calls_;
  std::vector<std::vector<bool>> allowed_; // by colour - 1
  std::map<std::pair<std::vector<bool>, std::size_t>, Colour> colours_;
};

/// Letters by call name, then outcome: the order of canonical numbering.
std::vector<Letter> alphabetical_letters(const Component& component);

/// The same language with the fewest states, numbered canonically.
struct MinimalProtocol {
  Protocol protocol;
  std::vector<State> origin; // new state -> one old state that it stands for
};
MinimalProtocol minimal(const Protocol& protocol, const Component& component);

/// Fewer states by not telling which outcomes cannot happen: states are merged that allow the same
/// calls and agree wherever both have a successor. What is allowed after words that can happen
/// stays the same. Greedy, so not always the fewest.
Protocol coarsened(const Protocol& protocol, const Component& component);

/// Paper 002's Prune on calls: a call that has an outcome into a dead state is refused, and a state
/// without allowed calls is dead. Dead states are removed; entries into them become no_state.
/// Letters of a call are chosen by the component, so one dead outcome is enough to refuse it.
struct PrunedProtocol {
  Protocol protocol;
  std::vector<State> origin; // new state -> old state
};
PrunedProtocol prune(const Protocol& protocol, const Component& component);

} // namespace tacit
