// The guards, cells and updates of a guarded interface as terms (docs/semantics.md 2.11).
//
// A condition speaks of the parameters of its call, of state that the client owns, of what a
// parameter points to, of `result` and of tracked values; of nothing else. In the terms here,
// parameters and client-owned state are the component's own variables (the values that the client
// passes), `result` and each tracked value are variables that nothing else uses. What stands for
// them is for the caller to put in: terms (guarded.h) or values (replay.h).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check/report.h"
#include "check/structure.h"
#include "component/component.h"
#include "interface/interface.h"

namespace tacit {

struct Condition {
  Term term = nullptr;
  bool mentions_result = false;
};

class ClientConditions {
public:
  struct Tracked {
    std::string name;
    Term variable = nullptr; // in conditions and updates
    Term term = nullptr;     // over the component's state
  };
  /// A cell, or a start: where it applies and what becomes of the tracked values (a null term:
  /// kept).
  struct Cell {
    Condition when;
    std::vector<Condition> set;
  };

  /// Reads everything; nullopt after a complaint that rejects all claims.
  static std::optional<ClientConditions> read(const Interface& interface,
                                              const Component& component,
                                              const Alignment& alignment, Findings& findings);

  const std::vector<Tracked>& tracked() const { return tracked_; }
  /// Of a call of the interface; false where it is not allowed, true where nothing is said.
  Term guard(State state, std::size_t call) const;
  const Cell& cell(std::size_t transition) const { return cells_[transition]; }
  const Cell& start(std::size_t initial) const { return starts_[initial]; }
  /// The variable that stands for what a call (of the component) returns; null when it returns
  /// nothing that the client can look at.
  static Term result_of(const Component& component, const Call& call);

private:
  ClientConditions(const Interface& interface, const Component& component)
      : interface_(&interface), component_(&component) {}

  const Interface* interface_;
  const Component* component_;
  std::vector<Tracked> tracked_;
  std::map<std::pair<State, std::size_t>, Term> guards_;
  std::vector<Cell> cells_, starts_;

  friend class ConditionReader;
};

/// The guard of a call, tracked values replaced by their terms; nullopt when it cannot be read.
std::optional<Term> read_guard(const Interface& interface, const Component& component,
                               const Call& call, const std::string& text);

/// Names in labels: state variables, and tracked values for their terms.
std::optional<Term> read_label(const Interface& interface, const Component& component,
                               const std::string& text, std::string& why_not);

} // namespace tacit
