// The guards, cells and updates of a guarded interface as terms (docs/semantics.md 2.11).
//
// What they mean is said by interface/conditions.h; here they are read for the checker, which
// trusts nothing: a condition may speak of the parameters of its call, of state that the client
// owns, of what a parameter or the result points to, of `result` and of tracked values, and of no
// other state of the component. In the terms, parameters and client-owned state are the component's
// own variables (the values that the client passes); `result` and tracked values are variables of
// their own. What stands for them is for the caller to put in: terms (guarded.h) or values
// (replay.h).
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
  /// Sets and maps are several: their elements, keys and size, as far as these have terms.
  struct Tracked {
    std::string name;
    Term variable = nullptr; // in conditions and updates
    Term term = nullptr;     // over the component's state
  };
  /// What becomes of a tracked value.
  struct Update : Condition {
    enum class Kind { Kept, Set, Anything };
    Kind kind = Kind::Kept;
  };
  /// A cell, or a start: where it applies and what becomes of the tracked values.
  struct Cell {
    Condition when;
    std::vector<Update> set;
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

/// Names in labels: state variables, and tracked values for their terms.
std::optional<Term> read_label(const Interface& interface, const Component& component,
                               const std::string& text, std::string& why_not);

} // namespace tacit
