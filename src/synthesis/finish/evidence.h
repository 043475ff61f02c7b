// Labels and must-nodes for an automaton over an exact oracle (docs/evidence.md).
//
// The label of a state is the set of component states that some word into it reaches: the least
// solution of initiation and consecution. A refusal or an outcome that holds for the whole label
// needs nothing more. Where the states of one word disagree, a must-node names those that agree
// with the claim, and is justified backwards: along every transition into the state, the states
// that can reach it are a must-node at the transition's origin, and so on until the whole label is
// meant or a node repeats.
#pragma once

#include <vector>

#include "synthesis/finish/finish.h"

namespace tacit {

class SetLabeller : public Labeller {
public:
  explicit SetLabeller(SetOracle& oracle) : oracle_(oracle) {}

  bool label(Interface& interface, const Protocol& protocol) override;
  void label_pruned(Interface& interface, const Protocol& protocol) override;
  std::optional<LetterExample> example(State state, std::size_t letter) override {
    return oracle_.example(regions_[state], letter);
  }

private:
  SetOracle& oracle_;
  std::vector<Region> regions_; // the label of each state
};

} // namespace tacit
