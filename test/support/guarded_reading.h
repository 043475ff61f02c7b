// A guarded interface as it is read by the reference: its texts as terms over what they may speak
// of, and what these come to for given values. Guards speak of parameters, client-owned state and
// tracked values; cells and updates of the result as well; terms of tracked values of the
// component's state.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "component/component.h"
#include "interface/interface.h"
#include "logic/term/evaluate.h"

namespace tacit {

class GuardedReading {
public:
  /// Fails when a text cannot be read, or when a name is missing or means two things.
  static Result<GuardedReading> read(const Interface& interface, const Component& component);

  using Values = std::vector<Value>;

  /// For each call of the component the interface's, and the other way round.
  std::size_t written_call(std::size_t call) const { return written_[call]; }

  /// Whether the guard holds: never where the state does not allow the call.
  bool allows(State q, std::size_t call, const Values& arguments, const Values& tracked) const;
  /// The transitions for a call with an outcome of the component, by index into the interface's.
  std::vector<std::size_t> transitions_of(State q, std::size_t call, std::size_t outcome) const;
  /// Those whose cell holds.
  std::vector<std::size_t> cells(State q, std::size_t call, std::size_t outcome,
                                 const Values& arguments, const std::optional<Value>& result,
                                 const Values& tracked) const;
  bool mentions_result(std::size_t transition) const;
  bool cell_holds(std::size_t transition, const Values& arguments,
                  const std::optional<Value>& result, const Values& tracked) const;
  Values updated(std::size_t transition, const Values& arguments,
                 const std::optional<Value>& result, const Values& tracked) const;
  /// Of a constructor's arguments: entries of `initial` whose condition holds.
  std::vector<std::size_t> starts(std::size_t constructor, const Values& arguments) const;
  Values start_values(std::size_t initial, const Values& arguments) const;
  /// What the tracked terms are in a state of the component.
  Values tracked_in(const std::vector<Value>& state) const;
  Sort tracked_sort(std::size_t index) const { return tracked_[index].sort; }

  /// Some text had no value: it speaks of a result that there is not, or a number is too large.
  const std::optional<std::string>& failure() const { return failure_; }

private:
  struct Tracked {
    Term variable = nullptr; // in guards, cells and updates
    Sort sort = nullptr;
    Term term = nullptr; // over the state
  };
  struct Update {
    std::size_t tracked = 0;
    Term value = nullptr;
  };
  struct Arrow {
    Term when = nullptr;
    std::vector<Update> set;
  };
  using Known = std::map<Term, Value>;

  GuardedReading(const Interface& interface, const Component& component)
      : interface_(&interface), component_(&component) {}

  Result<void> read_all();
  Result<void> read_tracked();
  Result<void> read_guards();
  Result<void> read_transitions();
  Result<void> read_starts();
  Result<std::vector<Update>> read_updates(const TrackedUpdate& set, const Call& call, bool result);
  Result<Term> condition(const std::string& text, const Call& call, bool result);
  Known known(const Call& call, const Values& arguments, const Values& tracked,
              const std::optional<Value>& result) const;
  Value value_of(Term term, const Known& known) const;
  const Call& component_call(std::size_t written) const;

  const Interface* interface_;
  const Component* component_;
  std::vector<std::size_t> written_; // component's call -> interface's
  std::vector<Tracked> tracked_;
  std::map<std::pair<State, std::size_t>, Term> guards_; // by the interface's call
  std::vector<Arrow> transitions_, starts_;
  mutable std::optional<std::string> failure_;
};

/// The variables that a call's arguments are values of: parameters, then client-owned state.
std::vector<Variable> argument_variables(const Component& component, const Call& call);

} // namespace tacit
