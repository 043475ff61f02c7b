#include "synthesis/finish/evidence.h"

#include "logic/term/print.h"

namespace tacit {

namespace {

class EvidenceBuilder {
public:
  EvidenceBuilder(Interface& interface, const std::vector<Region>& regions, SetOracle& oracle)
      : interface_(interface), regions_(regions), oracle_(oracle), component_(oracle.component()) {}

  bool run() {
    if (!labels()) return false;
    for (std::size_t i = 0; i < interface_.transitions.size(); ++i)
      into_[interface_.transitions[i].to].push_back(i);
    for (std::size_t i = 0; i < interface_.forbidden.size(); ++i) {
      const Refusal& refusal = interface_.forbidden[i];
      if (!refusal.state) continue;
      if (auto node = claim(*refusal.state, oracle_.erring(regions_[*refusal.state], refusal.call)))
        evidence().refusal_must[i] = *node;
    }
    for (std::size_t i = 0; i < interface_.transitions.size(); ++i)
      for (std::size_t letter : component_letters(i)) {
        const State from = interface_.transitions[i].from;
        if (auto node = claim(from, oracle_.able(regions_[from], letter, std::nullopt)))
          component_letters(i).size() == 1
              ? evidence().transition_must[i] = *node
              : evidence().outcome_must[{i, outcome_name(letter)}] = *node;
      }
    for (std::size_t n = 0; n < nodes_.size(); ++n) justify(n); // nodes_ grows on the way
    evidence().unwind = oracle_.loop_bounds();
    return write_nodes();
  }

private:
  struct Node {
    State state = 0;
    Region region = empty_region;
    std::vector<MustNode::Incoming> incoming;
  };

  Evidence& evidence() { return interface_.evidence; }

  const std::string& outcome_name(std::size_t letter) const {
    const CallOutcome at = component_.letter(letter);
    return component_.calls()[at.call].outcomes[at.outcome];
  }

  /// The component's letters that a transition of the interface stands for.
  std::vector<std::size_t> component_letters(std::size_t transition) const {
    const InterfaceTransition& t = interface_.transitions[transition];
    const Call& call = component_.calls()[t.call];
    const std::string& outcome = interface_.calls[t.call].outcomes[t.outcome];
    std::vector<std::size_t> letters;
    for (std::size_t o = 0; o < call.outcomes.size(); ++o)
      if (outcome == "any" || outcome == call.outcomes[o])
        letters.push_back(component_.letter_of(t.call, o));
    return letters;
  }

  bool labels() {
    for (State q = 0; q < interface_.states.size(); ++q) {
      const auto label = oracle_.describe(regions_[q]);
      if (!label) return false;
      interface_.states[q].label = to_string(*label);
      evidence().safe.push_back(interface_.states[q].label);
    }
    return true;
  }

  /// The must-node for a part of a label; nullopt when the part is the whole.
  std::optional<std::size_t> claim(State q, Region part) {
    if (part == regions_[q]) return std::nullopt;
    for (std::size_t n = 0; n < nodes_.size(); ++n)
      if (nodes_[n].state == q && nodes_[n].region == part) return n;
    nodes_.push_back({q, part, {}});
    return nodes_.size() - 1;
  }

  void justify(std::size_t n) {
    for (std::size_t i : into_[nodes_[n].state]) {
      const State from = interface_.transitions[i].from;
      for (std::size_t letter : component_letters(i)) {
        const Region sources = oracle_.able(regions_[from], letter, nodes_[n].region);
        const auto source = claim(from, sources); // may move the nodes
        nodes_[n].incoming.push_back({i, source, outcome_name(letter)});
      }
    }
  }

  bool write_nodes() {
    for (const Node& node : nodes_) {
      const auto predicate = oracle_.describe(node.region);
      if (!predicate) return false;
      evidence().must.push_back({node.state, to_string(*predicate), node.incoming});
    }
    return true;
  }

  Interface& interface_;
  const std::vector<Region>& regions_;
  SetOracle& oracle_;
  const Component& component_;
  std::map<State, std::vector<std::size_t>> into_;
  std::vector<Node> nodes_;
};

} // namespace

bool SetLabeller::label(Interface& interface, const Protocol& protocol) {
  regions_ = oracle_.reachable(protocol.dfa);
  if (!oracle_.failure() && EvidenceBuilder(interface, regions_, oracle_).run() &&
      !oracle_.failure())
    return true;
  interface.evidence = {};
  return false;
}

void SetLabeller::label_pruned(Interface& interface, const Protocol& protocol) {
  regions_ = oracle_.reachable(protocol.dfa);
  for (State q = 0; q < interface.states.size() && !oracle_.failure(); ++q)
    if (const auto label = oracle_.describe(regions_[q]))
      interface.states[q].label = to_string(*label);
}

} // namespace tacit
