// Deterministic automata: the currency of the whole tool.
//
// A Dfa is a dense table states × letters. It is partial: a missing successor
// is written no_state and means that the word dies there, i.e. is rejected
// together with all its extensions. Each state has a colour. Colour 0 rejects,
// every other colour accepts; further colours tell kinds of accepting states
// apart (say, "object alive" from "object consumed").
//
// The entries are the initial states, one per constructor of the component, in
// the constructors' order. Several entries may be the same state, and an entry
// may be no_state: this constructor has no legal use. Two automata are compared
// entry by entry.
//
//   Dfa dfa(2);                       // letters 0 and 1
//   State idle = dfa.add_state();     // colour 1
//   State busy = dfa.add_state();
//   dfa.set_next(idle, 0, busy);
//   dfa.set_next(busy, 1, idle);
//   dfa.add_entry(idle);
//   dfa.run(idle, {0, 1}) == idle;
//   dfa.run(idle, {1}) == no_state;
//
// Costs: 4 bytes per cell of the table and 4 per state, in two flat vectors.
// A Dfa is a value; it may be read by several threads at once.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "automata/alphabet.h"

namespace tacit {

using State = std::uint32_t;
inline constexpr State no_state = UINT32_MAX;

using Colour = std::uint32_t;

class Dfa {
public:
  explicit Dfa(std::size_t letters) : letters_(letters) {}

  /// A new state without successors; states are numbered 0, 1, 2, …
  State add_state(Colour colour = 1) {
    assert(colours_.size() < no_state);
    table_.resize(table_.size() + letters_, no_state);
    colours_.push_back(colour);
    return static_cast<State>(colours_.size() - 1);
  }

  /// Room for this many states in total; changes nothing else.
  void reserve(std::size_t states) {
    table_.reserve(states * letters_);
    colours_.reserve(states);
  }

  /// Replaces the successor; `to` may be no_state. Requires existing states.
  void set_next(State from, Letter letter, State to) {
    assert(to == no_state || to < states());
    table_[cell(from, letter)] = to;
  }

  /// no_state if missing. Requires from < states().
  State next(State from, Letter letter) const { return table_[cell(from, letter)]; }

  /// All successors of a state, indexed by letter.
  std::span<const State> row(State from) const {
    assert(from < states());
    return {table_.data() + std::size_t{from} * letters_, letters_};
  }

  Colour colour(State state) const {
    assert(state < states());
    return colours_[state];
  }
  void set_colour(State state, Colour colour) {
    assert(state < states());
    colours_[state] = colour;
  }

  /// Acceptance of a state that may be missing.
  bool accepting(State state) const { return state != no_state && colour(state) != 0; }

  std::size_t states() const { return colours_.size(); }
  std::size_t letters() const { return letters_; }

  void add_entry(State state) {
    assert(state == no_state || state < states());
    entries_.push_back(state);
  }
  void set_entry(std::size_t index, State state) {
    assert(state == no_state || state < states());
    entries_.at(index) = state;
  }
  std::span<const State> entries() const { return entries_; }

  /// Where the word leads; no_state when it dies on the way or starts nowhere.
  State run(State from, const Word& word) const;

  bool accepts(State from, const Word& word) const { return accepting(run(from, word)); }

  /// Equal tables, colours and entries: the same automaton with the same
  /// numbering. For equal languages see operations.h, and canonical.h for equal
  /// up to numbering.
  friend bool operator==(const Dfa&, const Dfa&) = default;

private:
  std::size_t cell(State from, Letter letter) const {
    assert(from < states() && letter < letters_);
    return std::size_t{from} * letters_ + letter;
  }

  std::size_t letters_;
  std::vector<State> table_; // table_[state * letters_ + letter]
  std::vector<Colour> colours_;
  std::vector<State> entries_;
};

} // namespace tacit
