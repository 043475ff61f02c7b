// The reference semantics: runs a procedure on a concrete state with given inputs.
//
// Inputs are consumed in order: the parameters, then each havoc as it is met. When they run out the
// run stops with NeedsInput and names the variable, so that a caller can enumerate by extending the
// list and running again; no choice is ever made here.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "program/ir/module.h"

namespace tacit {

/// Values of the state variables in declaration order, and the next fresh address.
struct ConcreteState {
  std::vector<Value> values;
  Integer next_reference = 1;
};

/// The first address above all those in a value.
Integer above_addresses(const Value& value, Sort sort);

bool operator==(const ConcreteState& a, const ConcreteState& b);
bool operator<(const ConcreteState& a, const ConcreteState& b);

enum class RunEnd {
  Returned,   // `value` holds the result if there is one
  Threw,      // `value` holds the exception
  Erred,      // an `error` statement: `end` tells which
  Blocked,    // an assume failed or a value left its range: there is no such run
  NeedsInput, // `needs` is the variable whose value is missing
  GaveUp,     // step limit, or a number left the range of Integer: `reason`
};

struct ProcedureRun {
  RunEnd how = RunEnd::GaveUp;
  Value value;
  ConcreteState after;
  const Terminator* end = nullptr; // Returned, Threw, Erred: the terminator that ended the run
  const Variable* needs = nullptr;
  Chooser chooser = Chooser::Client; // NeedsInput
  std::string reason;
  std::size_t used = 0; // inputs consumed
  std::size_t steps = 0;
};

/// Keeps tables about the module, which must neither change nor move while the interpreter is in
/// use. Any number of threads may run at once.
class Interpreter {
public:
  explicit Interpreter(const Module& module, std::size_t step_limit = 100'000);

  /// Calls within the module are followed; externs need bodies (externs.h).
  ProcedureRun run(const Procedure& procedure, const ConcreteState& before,
                   std::span<const Value> inputs) const;

  /// The state before any constructor: initialisers, and `inputs` for the variables that have none
  /// (in order). nullopt when inputs run out or one lies outside of its variable's type.
  std::optional<ConcreteState> initial(std::span<const Value> inputs) const;
  /// The state variables without initialiser, in declaration order: what `initial` needs.
  std::vector<const StateVariable*> uninitialised() const;

  const Module& module() const { return module_; }

private:
  struct Tables;

  const Module& module_;
  std::size_t step_limit_;
  std::shared_ptr<const Tables> tables_;
};

/// The state with these values of the state variables, in order; fresh addresses are above all of
/// theirs.
ConcreteState concrete_state(const Module& module, std::vector<Value> values);

std::string to_string(const Module& module, const ConcreteState& state);

} // namespace tacit
