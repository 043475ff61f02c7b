// What the engines over predicates decide differently, and every limit that they keep to, each with
// its reason. An engine is its paper's loop and a choice of these.
#pragma once

#include <cstddef>
#include <cstdint>

#include "synthesis/protocol/engine.h"

namespace tacit {

struct Strategy {
  // ---- where predicates come from (refiner.h)

  /// What makes a predicate worth having.
  enum class Novelty {
    Divides, // it is true in some states and false in others: two queries
    Differs, // also, no predicate at hand equals it or its negation: two more for each of these
  };
  Novelty novelty = Novelty::Divides;
  /// Interpolants before preconditions, where there are some. They are few and about the reason,
  /// but cost a run of a Horn solver.
  bool interpolants_first = false;
  /// Make each precondition short before the next one is computed from it: for long words.
  bool shorten = false;
  /// A letter that often in a word that teaches something looks like counting: order replaces
  /// equality with one value after the other. 0: never.
  std::size_t suspicious_repetitions = 0;
  /// More new predicates than that, and those that the word needs are looked for; posts are
  /// exponential in predicates at worst, so an abstraction that is rebuilt is worth the search.
  /// None: all are taken.
  std::optional<std::size_t> most_unselected;
  /// By how many more predicates the search tries when fewer do not suffice.
  std::size_t selection_step = 5;

  // ---- how long it is tried

  /// Words that taught something. The largest of examples/, with 31 states, takes as many.
  std::size_t most_words = 400;
  /// Words that were learnt from behind a refusal that stays open. An open pair should not hide
  /// what can be shown of others, but where it goes on and on nothing is lost by an end.
  std::size_t most_words_past_open = 40;
  /// States that no word reaches are a matter of looks, and each may cost a new interface.
  std::size_t most_unreachable = 40;
  /// Must-nodes for one goal; a goal that is provable takes some few per state on the way.
  std::size_t most_nodes = 40;
  /// The same once a word was met that stays open because values are hidden: what other words into
  /// the state say that is different is said soon, and the goal is not shown any more.
  std::size_t most_nodes_past_open = 10;
  /// Must-nodes for fullness that nobody asked for.
  std::size_t most_unasked_nodes = 20;

  // ---- words about outcomes (maymust without --full): beyond any of these, a full interface is
  // taken not to exist, and the permissive one is built

  std::size_t most_outcome_words = 6;              // full interfaces of examples/ take three
  std::size_t widest_for_outcomes = 32;            // cubes that one word may lead to
  std::uint64_t most_queries_for_outcomes = 8'000; // some seconds

  // ---- what is left to do at the end

  /// Bounds are over all predicates, and over the first half while they are not found in half of
  /// the time that is left; with so few it ends.
  std::size_t least_bound_predicates = 8;
  /// For each bound: it comes on top of a budget that has run out.
  double bound_seconds = 1;
  std::uint64_t bound_steps = 20'000; // states of an automaton that nobody would read
  /// Pairs of interface state and region that Theorem 2 of maymust is checked on: a second search
  /// should take no longer than the first.
  std::size_t most_pairs = 20'000;
  /// Words that the game tries on the way to one that it refuses without need, and predicates that
  /// it suggests for them: people read them.
  std::size_t most_word_tries = 200, most_suggested = 6;
};

/// Two abstractions of their own predicates, rebuilt for every interface: few predicates.
inline Strategy permissive_strategy() {
  return {.suspicious_repetitions = 3, .most_unselected = 6};
}

/// One abstraction for both sides, and questions about many long words: predicates that differ.
inline Strategy maymust_strategy(Refinement refinement) {
  return {.novelty = Strategy::Novelty::Differs,
          .interpolants_first = refinement != Refinement::Wp,
          .shorten = true};
}

} // namespace tacit
