// Must-nodes on predicates (docs/evidence.md): "every realizable word into state q can reach the
// goal", shown backwards.
//
// A state of the automaton whose label implies the goal needs nothing. Otherwise the goal is a node
// there; each transition into the state asks for the exact weakest precondition of the goal at its
// origin, and so on until labels suffice, an earlier node implies it or a start state is met whose
// constructor cannot produce the predicate. That last case gives a word: either it cannot happen,
// or it does not reach the goal, or whether it does depends on values that are hidden.
#pragma once

#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "abstraction/formula/formulas.h"
#include "automata/dfa.h"
#include "base/budget.h"

namespace tacit {

class MustNodes {
public:
  struct Source {
    State from = 0;
    std::size_t letter = 0;
    std::optional<std::size_t> node; // nullopt: the label of `from`
  };
  struct Node {
    State state = 0;
    Term predicate = nullptr; // implies the label
    std::vector<Source> sources;
  };

  /// Why a goal was not shown.
  struct Gap {
    std::string reason;
    // Into the state, when a word is the reason.
    std::optional<std::size_t> constructor;
    std::vector<std::size_t> letters;
  };

  /// The automaton's entries are the constructors; `labels` hold one predicate per state.
  MustNodes(ComponentFormulas& formulas, const Dfa& dfa, std::vector<Term> labels, Solver& solver,
            Budget& budget);

  /// Told a gap that has a word; true: pass over it, there may be others.
  using PassOver = std::function<bool(const Gap&)>;

  /// The node that shows it, or nullopt when the label alone does. Nodes that justify others are
  /// shared between goals. Gives up after `most` nodes, and at the first gap unless that is passed
  /// over: then after `most_past` nodes. What comes back is the gap that was not passed over, or
  /// else the first.
  std::expected<std::optional<std::size_t>, Gap> show(State state, Term goal, std::size_t most,
                                                      const PassOver& pass_over = {},
                                                      std::size_t most_past = 0);

  /// In the whole label of the state.
  bool holds(State state, Term goal) { return implied(state, goal, formulas_.arena().truth()); }

  const std::vector<Node>& nodes() const { return nodes_; }

private:
  struct Pending {
    std::size_t node = 0;
    // The node that this one is a source of, and by which letter.
    std::optional<std::size_t> serves;
    std::size_t letter = 0;
  };

  /// A letter to a predicate that a node stands for already.
  struct Shared {
    std::size_t pending = 0; // of the node that the letter leads to
    State from = 0;
    std::size_t letter = 0;
    std::size_t node = 0;
  };

  /// Gaps of one goal; stops at one that is not passed over.
  class Gaps;

  std::optional<std::size_t> claim(State state, Term goal, std::optional<std::size_t> serves,
                                   std::size_t letter);
  void justify(std::size_t pending, Gaps& gaps);
  void justify_starts(const Pending& pending, Gaps& gaps);
  void look_behind_shared(Gaps& gaps);
  void letters_from(const Pending& pending, std::vector<std::size_t>& into) const;
  /// The shortest into each state.
  std::vector<std::optional<Gap>> words() const;
  bool implied(State state, Term goal, Term by);
  bool possible(State from, std::size_t letter);

  ComponentFormulas& formulas_;
  const Dfa& dfa_;
  std::vector<Term> labels_;
  Solver& solver_;
  Budget& budget_;
  std::vector<std::vector<std::pair<State, std::size_t>>> into_;
  std::vector<Node> nodes_;
  std::vector<Pending> pending_;
  std::vector<Shared> shared_;
  std::map<std::pair<State, std::size_t>, bool> possible_;
};

} // namespace tacit
