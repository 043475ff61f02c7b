// Is this result right, and does its evidence prove it? Judged by enumeration: labels and
// must-nodes are evaluated on every valuation of the state variables, calls are run in the
// interpreter. What has to hold is what the comments of Evidence and MustNode
// (interface/interface.h) say; no code is shared with src/check.
//
// For components whose state variables are all finite, without references.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "interface/interface.h"
#include "support/brute_force.h"

namespace tacit {

class EvidenceJudge {
public:
  /// How many valuations there are; nullopt when some variable is not finite or there are too many.
  static std::optional<std::size_t> valuations(const Component& component,
                                               std::size_t limit = 4000);

  explicit EvidenceJudge(const Component& component);

  /// Everything that is wrong (up to one entry per kind of condition and place); empty for a
  /// correct result.
  std::vector<std::string> wrong(const Interface& result);

private:
  using Set = std::vector<bool>; // of valuations

  struct Behaviour {
    bool errs = false;
    std::map<std::size_t, std::vector<std::size_t>> after; // outcome -> valuations
  };

  struct Construction {
    bool errs = false;
    std::vector<std::size_t> after;
  };

  // Structure.
  void vocabulary();
  void automaton();
  void refusals();
  void runs();
  void examples();
  void minimal();
  // Claims.
  void read_labels();
  void labelling(const std::vector<Set>& labels, bool primary);
  void constructors();
  void shown_labels();
  void permissive();
  void must_nodes();
  void full();

  void complain(std::string what) { wrong_.push_back(std::move(what)); }
  std::size_t index_of(const ConcreteState& state) const;
  const Set& set_of(const std::string& label);
  std::vector<std::size_t> outcomes_of(const InterfaceTransition& transition) const;
  std::optional<std::size_t> transition_at(State from, std::size_t call, std::size_t outcome) const;
  bool possible(const InterfaceTransition& transition, std::size_t outcome) const;
  std::optional<Set> node_at(std::size_t node, State at);
  std::optional<std::string> refusal_run(const Refusal& refusal);
  std::optional<std::string> example(const InterfaceTransition& transition);
  std::optional<ProcedureRun> feed(const Call& call, const ConcreteState& before,
                                   const std::vector<std::string>& texts);
  bool agrees(const ConcreteState& state, const std::map<std::string, std::string>& written);

  const Component& component_;
  CallSemantics semantics_;
  Interpreter interpreter_;
  std::vector<ConcreteState> states_;
  std::map<std::vector<Integer>, std::size_t> index_;
  std::vector<std::vector<Behaviour>> calls_; // call, valuation
  std::vector<Construction> constructors_;
  std::map<std::string, Set> sets_;

  // Of the result at hand:
  const Interface* result_ = nullptr;
  std::vector<std::string> wrong_;
  std::vector<std::size_t> call_of_; // call of the result -> of the component
  std::vector<Set> safe_, permissive_, must_;
};

} // namespace tacit
