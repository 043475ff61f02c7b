// Bodies as formulas: a loop-free body is one large block, the list of its exits with the condition
// under which each is taken and the state it leaves behind, as terms over the state before and the
// inputs.
//
// Merging at joins keeps the size of the terms near that of the body. Loops are not unrolled: a
// body with a loop is cut at its loop heads (see Segments), each segment being loop-free.
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "component/component.h"

namespace tacit {

/// A parameter or havoc: a fresh variable, with who chooses it.
struct FormulaInput {
  Term variable = nullptr;
  Chooser chooser = Chooser::Environment;
  Type type;
  // Where it is chosen: a statement of a block, or a parameter.
  std::optional<std::size_t> parameter;
  BlockId block = 0;
  std::size_t statement = 0;
};

struct FormulaExit {
  bool error = false;
  bool rejecting = false;
  std::size_t outcome = 0; // when not an error
  const Terminator* end = nullptr;
  Term guard = nullptr; // over state variables and inputs, ranges of inputs included
  Substitution after;   // state variables that change -> terms over state and inputs
};

struct BodyFormula {
  std::vector<FormulaInput> inputs;
  std::vector<FormulaExit> exits;
  /// False when something could not be put into formulas exactly: claims that something *can*
  /// happen then fail.
  bool exact = true;
};

/// Inputs get names that no variable of the module has: `prefix!name`. Fails on a loop.
Result<BodyFormula> body_formula(const Component& component, const Procedure& procedure,
                                 const std::string& prefix);

/// The exits of one kind put together: since at most one exit is taken for given inputs, the state
/// afterwards is a choice between theirs.
struct StepFormula {
  Term guard = nullptr; // false: it cannot happen
  Substitution after;
};
StepFormula outcome_step(TermArena& arena, const BodyFormula& body, std::size_t outcome);
/// All normal exits whose outcome is wanted.
StepFormula combined_step(TermArena& arena, const BodyFormula& body,
                          const std::function<bool(const FormulaExit&)>& wanted);

/// The condition that some input makes the call err in a state, with inputs still free.
Term error_guard(TermArena& arena, const BodyFormula& body);

/// Facts about state variables that hold in every state: ranges of their types.
Term state_facts(const Component& component);

} // namespace tacit
