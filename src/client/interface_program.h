// The component that *is* an interface ("interface program", Henzinger, Jhala and Majumdar,
// Permissive Interfaces, section 6): its state is the interface's state and the tracked values, a
// call asserts its guard, picks one of the outcomes that can happen, and goes on along the cell.
//
// Neutral between languages: c_program.h and java_program.h write it down for the front ends. What
// An outcome that the label of a state excludes is left out there, also where the interface merged
// it with others: `is_open` does not return true in a state that is labelled `!open`. What
// cannot be read is left null, and means that nobody knows: it may hold or not.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "interface/conditions.h"
#include "interface/interface.h"

namespace tacit {

/// What a tracked value becomes; null: nobody knows.
struct ProgramUpdate {
  std::size_t tracked = 0;
  Term value = nullptr;
};

/// A transition.
struct ProgramStep {
  std::vector<std::string> outcomes; // of the component: several where they are merged to `any`
  Term when = nullptr;
  std::vector<ProgramUpdate> set;
  State to = 0;
};

/// A call in a state that allows it.
struct ProgramCase {
  State state = 0;
  Term guard = nullptr;
  std::vector<ProgramStep> steps;
};

/// A letter: a method, or those calls of it whose arguments satisfy a condition.
struct ProgramCall {
  std::string name, method;
  const Procedure* procedure = nullptr;
  std::vector<std::string> outcomes; // of the component
  std::optional<Term> letter;        // the condition of one that was made by hand
  std::vector<ProgramCase> cases;    // states without one refuse it
};

struct ProgramStart {
  std::string constructor;
  const Procedure* procedure = nullptr;
  struct Way {
    Term when = nullptr;
    std::vector<ProgramUpdate> set;
    State state = 0;
  };
  std::vector<Way> ways; // arguments that none covers are refused
};

/// Keeps a reference to the interface.
class InterfaceProgram {
public:
  /// Fails when the result does not carry its component.
  static Result<InterfaceProgram> of(const Interface& interface);
  /// Of an abstraction to sets of enabled calls as well: its calls, and which there are in a state.
  static Result<InterfaceProgram> of_any(const Interface& interface);

  const Interface& interface() const { return *interface_; }
  const Module& module() const { return *module_; }
  const std::vector<ProgramCall>& calls() const { return calls_; }
  const std::vector<ProgramStart>& starts() const { return starts_; }
  /// The variables of tracked values; null for those that are no single values.
  const std::vector<Term>& tracked() const { return tracked_; }
  /// The variable `result` of a call; null when nothing is returned.
  Term result(const Procedure& procedure) const { return conditions_->result(procedure); }
  /// What was not understood.
  const std::vector<std::string>& unreadable() const { return unreadable_; }

private:
  InterfaceProgram() = default;

  Term condition(const std::string& text, const Procedure& procedure);
  std::vector<ProgramUpdate> updates(const TrackedUpdate& set, const Procedure& procedure);
  Result<void> add_call(std::size_t index, const std::vector<std::string>& outcomes);
  void leave_out_impossible(const Component& component);

  const Interface* interface_ = nullptr;
  std::shared_ptr<Module> module_;
  std::shared_ptr<Conditions> conditions_;
  std::vector<ProgramCall> calls_;
  std::vector<ProgramStart> starts_;
  std::vector<Term> tracked_;
  std::vector<std::string> unreadable_;
};

/// What an outcome says about the result, as a condition on `result`; true when it says nothing,
/// null for one that is no return. `all` are the outcomes of the call.
Term outcome_condition(TermArena& arena, const std::string& outcome,
                       const std::vector<std::string>& all, Term result);

/// `IOException` for `throws=IOException`.
std::optional<std::string> thrown_by(const std::string& outcome);

} // namespace tacit
