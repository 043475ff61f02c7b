// A proof setting for guarded interfaces: conditions as terms over the component's state, and
// copies of the state, for statements about two states at once (guarded.h, mergeable.h).
#pragma once

#include <deque>

#include "check/client_conditions.h"
#include "check/labelled.h"

namespace tacit {

/// Values of state variables under other names.
using StateCopy = Substitution;

class GuardedSetting : public LabelledSetting {
protected:
  GuardedSetting(const Interface& interface, const Component& component, const Alignment& alignment,
                 const ClientConditions& conditions, Budget* budget, Findings& findings);
  ~GuardedSetting() = default;

  /// A condition or update as a term over state, arguments and, at an exit, its result.
  Term over_state(Term condition, const CallRuns& runs, Term result_variable = nullptr,
                  Term result = nullptr);
  /// Likewise for a constructor: the state is the one before it.
  Term at_start(Term condition, const CallRuns& runs) {
    return substitute(arena_, over_state(condition, runs), initial_);
  }
  Term guard(State q, std::size_t written_call, const CallRuns& runs) {
    return over_state(conditions_.guard(q, written_call), runs);
  }
  /// A run that ends so is in the cell. A cell that looks at a result is not for exits that have
  /// none.
  Term applies(const ClientConditions::Cell& cell, const CallRuns& runs, const Call& call,
               const Exit& exit);
  /// The tracked values after the exit are what the cell says.
  Term updated(const ClientConditions::Cell& cell, const CallRuns& runs, const Call& call,
               const Exit& exit);

  /// The n-th copy of the state; the 0th is the state itself.
  const StateCopy& copy(std::size_t n);
  /// Without some variables, which stay the same.
  StateCopy copy(std::size_t n, const TermSet& shared);
  /// Two states with the same tracked values.
  Term same_tracked(const StateCopy& a, const StateCopy& b);
  /// What the conditions of a call in a state read through its arguments is the same in two states:
  /// the client knows what it passes.
  Term same_passed(State q, std::size_t written_call, const CallRuns& runs, const StateCopy& a,
                   const StateCopy& b);

  std::string letter_name(std::size_t call, std::size_t outcome) const {
    return component_.letter_name(component_.letter_of(call, outcome));
  }

  const ClientConditions& conditions_;
  std::vector<Term> tracked_; // erased, over the state
  std::string prefix_;        // no state variable's name starts with it

private:
  /// The arguments of a call: its parameters and the state that the client owns.
  Substitution arguments(const CallRuns& runs);

  std::deque<StateCopy> copies_; // references stay valid
};

} // namespace tacit
