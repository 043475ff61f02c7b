// Labels of an automaton over a predicate abstraction, and evidence written from them.
#pragma once

#include <map>
#include <vector>

#include "abstraction/formula/trace.h"
#include "abstraction/maymust/may_oracle.h"
#include "abstraction/maymust/must_nodes.h"
#include "synthesis/finish/finish.h"
#include "synthesis/protocol/engine.h"

namespace tacit {

/// For each state of an automaton, the cubes that words into it reach.
struct CubeLabels {
  std::vector<std::vector<Cube>> cubes;
  // How each pair was reached first, for counterexamples.
  struct Origin {
    State state = no_state;
    Cube cube;
    std::size_t letter = 0;
    std::size_t constructor = 0;
  };
  std::map<std::pair<State, Cube>, Origin> origins;
  std::vector<std::pair<State, Cube>> order; // breadth first

  /// The letters along which the pair was reached.
  std::vector<std::size_t> word(State state, Cube cube) const;
};

CubeLabels cube_labels(const Dfa& dfa, MayOracle& oracle);

/// A word that the protocol allows and an abstraction does not, the first: its call errs behind it
/// or, without a call, its last letter can happen and has no transition.
std::optional<Trace> unsafe_word(const Protocol& protocol, MayOracle& oracle,
                                 const CubeLabels& labels);

/// What an engine over predicate abstractions has shown about an automaton.
struct PredicateProof {
  std::vector<Term> safe;       // labels
  std::vector<Term> permissive; // labels; empty: the safe ones serve
  std::vector<MustNodes::Node> nodes;
  std::map<std::pair<State, std::size_t>, std::size_t> refusals; // (state, call) -> node
  std::map<std::pair<State, std::size_t>, std::size_t> outcomes; // (state, letter) -> node
  std::map<std::string, Term> invariants;                        // of loop heads
  std::map<std::string, std::size_t> unwind, followed;
  /// By call: arguments that were tried, by the name of what receives them.
  std::map<std::string, std::vector<std::map<std::string, Term>>> arguments;
};

/// Writes a proof about the very automaton that is finished.
class ProofLabeller : public Labeller {
public:
  /// All outlive the labeller.
  ProofLabeller(const PredicateProof& proof, const Component& component, MayOracle& oracle,
                Solver& solver)
      : proof_(proof), component_(component), oracle_(oracle), solver_(solver) {}

  bool label(Interface& interface, const Protocol& protocol) override;
  void label_pruned(Interface& interface, const Protocol& protocol) override;
  std::optional<LetterExample> example(State, std::size_t) override { return std::nullopt; }
  std::optional<ErrorSite> error_site(State state, std::size_t call) override {
    return oracle_.error_site_in(proof_.safe[state], call);
  }

private:
  void write_nodes(Interface& interface) const;

  const PredicateProof& proof_;
  const Component& component_;
  MayOracle& oracle_;
  Solver& solver_;
};

/// Takes back all claims of a result whose labels were left out: unlike those of an exhaustive
/// exploration, they are nothing without.
void withdraw_unlabelled(Synthesis& result);

/// Takes back what a finished result does not show: its claims need labels, and a refusal a run.
void withdraw_unproved(Synthesis& result);

} // namespace tacit
