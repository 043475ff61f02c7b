// What a learner believes: a Moore machine of live states, all of them Legal, with
// two implicit sinks for the other two answers.
//
//   live states 0 … n-1      rows of the successor table
//   illegal_sink             targets only; every word that gets there stays there
//   cannot_happen_sink
//
// A hypothesis handed out by a learner is canonical: states are numbered breadth
// first with the letters ascending, and access words are the least among the
// shortest. Machines of equal behaviour and equal size are then equal values,
// whichever learner found them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "automata/dfa.h"
#include "learning/oracle.h"

namespace tacit {

/// Targets besides the live states. no_state is none of them: inside a learner it marks
/// a transition whose target is not known yet.
inline constexpr State illegal_sink = no_state - 1;
inline constexpr State cannot_happen_sink = no_state - 2;

/// A live state, as opposed to a sink or no_state.
constexpr bool live(State state) { return state < cannot_happen_sink; }

/// The answer that words into this target have. Requires target != no_state.
Answer answer_of(State target);

/// The sink for an answer other than Legal.
State sink_for(Answer answer);

struct Hypothesis {
  std::size_t letters = 0;
  State entry = illegal_sink; ///< 0, or a sink when the empty word is not Legal
  std::vector<State> next;    ///< next[state * letters + letter], live or a sink
  std::vector<Word> access;   ///< by live state, a word that leads there

  std::size_t states() const { return access.size(); }

  State target(State from, Letter letter) const { return next[from * letters + letter]; }
  std::span<const State> row(State from) const { return {next.data() + from * letters, letters}; }

  /// Adds a live state whose transitions all have the target given.
  State add_state(Word access_word, State target = illegal_sink);
  void set_target(State from, Letter letter, State to) { next[from * letters + letter] = to; }

  /// Where the word leads from the entry; sinks stay sinks.
  State run(std::span<const Letter> word) const;
  Answer classify(std::span<const Letter> word) const { return answer_of(run(word)); }

  /// The live states in colour 1, in their numbering. Edges into either sink are
  /// missing; target() tells which sink it was. One entry, no_state if the empty word
  /// is not Legal.
  Dfa to_dfa() const;

  /// The same, with the sinks that are in use as explicit, looping last states: Illegal
  /// in colour 0, CannotHappen in colour 2. For comparing all three answers with
  /// difference_by_colour() and minimise().
  Dfa to_dfa_with_sinks() const;

  friend bool operator==(const Hypothesis&, const Hypothesis&) = default;
};

/// Renumbered as described above. States that the entry does not reach are dropped.
Hypothesis canonical(const Hypothesis& hypothesis);

} // namespace tacit
