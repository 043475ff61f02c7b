// Nondeterministic automata without epsilon edges, and their determinisation.
//
// An Nfa is first gathered, then frozen into a compact form (one sorted edge
// list with an offset per state), then only read:
//
//            add_state, add_edge, add_entry        next, colour, entries
//                     ┌──────┐                            ┌──────┐
//                     ▼      │          freeze            ▼      │
//     Nfa(letters) ─► GATHERING ────────────────────────► FROZEN ┘
//
// A call out of turn throws InternalError (base/should.h). As in a Dfa, colour 0
// rejects. Each entry is a *set* of states, so that one entry of the Nfa
// becomes one entry of the determinised automaton.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "automata/dfa.h"

namespace tacit {

class Nfa {
public:
  explicit Nfa(std::size_t letters) : letters_(letters) {}

  // --- gathering

  State add_state(Colour colour = 1);
  /// Repeated edges count once.
  void add_edge(State from, Letter letter, State to);
  /// One more entry: this set of states (possibly empty), or a single state.
  void add_entry(std::span<const State> states);
  void add_entry(State state) { add_entry(std::span<const State>(&state, 1)); }

  void freeze();

  // --- frozen

  /// The successors in ascending order, each once.
  std::span<const State> next(State from, Letter letter) const;

  // --- at any time

  bool frozen() const { return frozen_; }
  Colour colour(State state) const { return colours_[state]; }
  std::size_t states() const { return colours_.size(); }
  std::size_t letters() const { return letters_; }
  std::size_t entries() const { return entries_.size(); }
  /// The states of one entry, ascending, each once.
  std::span<const State> entry(std::size_t index) const { return entries_[index]; }

private:
  struct Edge {
    State from;
    Letter letter;
    State to;
    friend auto operator<=>(const Edge&, const Edge&) = default;
  };

  std::size_t letters_;
  std::vector<Colour> colours_;
  std::vector<std::vector<State>> entries_;
  bool frozen_ = false;
  std::vector<Edge> gathered_; // empty once frozen

  /// Frozen form: the edges of state q are at first_[q] … first_[q+1]-1 of the
  /// two parallel lists, sorted by letter, then by target.
  std::vector<std::size_t> first_;
  std::vector<Letter> edge_letters_;
  std::vector<State> edge_targets_;
};

/// Joins the colours of two states of a subset; has to be associative and
/// commutative, because the subset is folded in ascending order of states.
using CombineColours = std::function<Colour(Colour, Colour)>;

/// Subset construction over the subsets reachable from the entries, numbered
/// breadth first (entries in order, letters ascending). Requires nfa.frozen().
/// The empty subset is a missing successor (or an absent entry), not a state.
/// The default colour of a subset is the maximum of its members' colours: a word
/// is accepted if some run accepts it. May be exponential in nfa.states().
Dfa determinise(const Nfa& nfa);
Dfa determinise(const Nfa& nfa, const CombineColours& combine);

} // namespace tacit
