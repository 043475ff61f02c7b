// What became legal or illegal between two results: a breadth-first search of the product of the
// two automata, over the words that can happen in both.
//
// Calls and constructors are matched by name, outcomes likewise; `any` matches every outcome. If
// each side has a single constructor, these are matched whatever their names. The words found are
// shortest and, among those, first in the order of the old result's transitions.
//
// Guarded interfaces are compared by concrete words: arguments and results are taken from the
// numbers and texts that conditions mention and from what is near them (choices.h), so that a guard
// that became stronger is shown with a call that it now refuses. A difference is real; none found
// is none up to that bound.
#pragma once

#include <string>
#include <vector>

#include "interface/interface.h"

namespace tacit {

/// A call that one side allows after the same word and the other refuses.
struct CallChange {
  std::string call;
  bool allowed_now = false;
  std::string constructor;
  std::vector<std::string> word; // shortest, this call included; with arguments where they matter
  State old_state = 0, new_state = 0;
  std::string error, at; // of the side that refuses
};

/// An outcome that after the same word only one side can have.
struct OutcomeChange {
  std::string call, outcome;
  bool possible_now = false;
  std::string constructor;
  std::vector<std::string> word; // shortest, the letter with this outcome included
};

struct ConstructorChange {
  std::string constructor; // with arguments where they matter
  bool allowed_now = false;
  std::string error, at; // of the side that refuses
};

struct DiffReport {
  std::vector<std::string> calls_added, calls_removed;
  std::vector<std::string> constructors_added, constructors_removed;
  std::vector<ConstructorChange> constructors; // known to both, allowed by one
  std::vector<CallChange> calls; // at most one of each direction per call; newly refused ones first
  std::vector<OutcomeChange> outcomes; // likewise per letter

  /// Of enabledness abstractions, whose states are compared by the calls they enable: lines about
  /// states, starts and transitions that only one side has.
  std::vector<std::string> epa_added, epa_removed, epa_changed;

  /// Of guarded interfaces: the pairs of states that some word was followed to.
  std::vector<std::pair<State, State>> met;

  /// How far guarded interfaces were compared; "" when the answer is exact. No difference.
  std::string bounded;

  bool empty() const;
};

/// Fails when one result is an interface and the other an enabledness abstraction.
Result<DiffReport> diff(const Interface& old_result, const Interface& new_result);

/// "" for an empty report.
std::string print_diff(const DiffReport& report);

} // namespace tacit
