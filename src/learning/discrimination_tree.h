// The learner with few questions: discrimination trees in the tradition of Kearns and
// Vazirani (An Introduction to Computational Learning Theory, 1994, chapter 8) and TTT
// (Isberner, Howar, Steffen; RV 2014), with the analysis of counterexamples by Rivest and
// Schapire (learning/counterexample.h).
//
// Every live state has an access word, and the answers of all its one-letter extensions
// are asked: the transitions need them anyway. What remains is to find the target of each
// Legal transition, that is, to sift its word down a tree whose inner nodes are suffixes
// and whose leaves are the states. Three things keep that cheap:
//
//  1. The suffixes are first of all the single letters, whose answers are known for every
//     state. Longer ones come from counterexamples, for states that no letter separates.
//  2. The tree is not stored. Since the rows of the states are known, each inner node is
//     chosen when a word gets there: the suffix that is expected to tell most about this
//     word, given which states are still possible and how likely each is.
//  3. If the word turns out to be a new state, the letters asked on the way are among its
//     extensions and were needed in any case.
//
// All answers are kept, and a state is possible for a word as long as no suffix with two
// known answers separates them (the apartness of L#; Vaandrager, Garhewal, Rot, Wißmann;
// TACAS 2022). Invariants whenever nothing is open:
//
//  I1. Two states are separated by a suffix whose answers are known for both.
//  I2. The word of a transition is separated from every state except its target.
//  I3. No known answer contradicts the hypothesis. In particular a counterexample has been
//      used until it, and all its prefixes, are explained.
//
// By I2 a counterexample leaves no state possible for the transition it blames, so it
// gives a new one; and by I1 there are never more states than the language has.
//
// Questions: with n states and t Legal transitions, n·letters for the extensions, about
// log n for each of the t-n+1 transitions that do not find a new state, and log |w| for
// each counterexample w. The price are equivalence queries, up to n.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "learning/knowledge.h"
#include "learning/learner.h"

namespace tacit {

class DiscriminationTree : public Learner {
public:
  DiscriminationTree(std::size_t letters, WordOracle& oracle, LearnerOptions options);

  const Hypothesis& hypothesis() override;
  void refine(const Word& counterexample) override;
  bool stopped() const override { return knowledge_.stopped(); }
  std::uint64_t queries() const override { return knowledge_.queries(); }
  std::uint64_t letters_in_queries() const override { return knowledge_.letters_in_queries(); }

private:
  /// The answers that a word may have, one bit for each; all three while it is not known.
  using Possible = std::uint8_t;

  /// A Legal word with what is known about its extensions by the suffixes.
  struct Row {
    Word word;
    AnswerTrie::Node node;
    std::vector<Possible> answers; // by suffix; may lag behind what is known
  };

  struct Transition {
    State from;
    Letter letter;
    Row row;
    State target = no_state; // no_state: open
  };

  Row make_row(Word word) const;
  void update(Row& row, std::size_t first) const;
  void update_state(State state, std::size_t first);
  static bool separated(const Row& left, const Row& right);
  bool ask(Row& row, std::size_t suffix);

  bool add_state(const Word& word);
  void open(std::size_t transition);
  void close(std::size_t transition, State target);
  bool sift(std::size_t transition);
  std::size_t best_suffix(const Transition& transition, std::span<const State> candidates) const;
  double weight(const Transition& transition, State candidate) const;

  bool settle();
  std::optional<Word> contradiction() const;
  bool split(const Word& contradicting);

  Knowledge knowledge_;
  std::vector<Word> suffixes_; // the letters, then longer ones
  std::vector<Row> states_;
  std::vector<Transition> transitions_;    // the Legal ones
  std::vector<std::size_t> transition_of_; // by state * letters + letter
  std::deque<std::size_t> open_;           // transitions without a target
  Hypothesis machine_;                     // in the order of states_
  Hypothesis hypothesis_;                  // the last one that was finished, canonical
  bool settled_ = false;

  // What best_suffix() learns from the transitions that have a target, and from the rows of
  // all states.
  std::size_t resolved_ = 0;
  std::size_t loops_ = 0;
  std::vector<std::uint32_t> arrivals_;            // by target * letters + letter
  std::vector<std::array<std::uint32_t, 3>> seen_; // by suffix, how often each answer
};

} // namespace tacit
