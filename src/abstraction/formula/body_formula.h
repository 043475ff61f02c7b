// Bodies as formulas: a body is one large block, the list of its exits with the condition under
// which each is taken and the state it leaves behind, as terms over the state before and the
// inputs. Merging at joins keeps the size of the terms near that of the body.
//
// A loop is either followed for some rounds, runs that go on being left out (`beyond` says which),
// or cut at its head: what the loop writes takes any value there that satisfies an invariant. The
// invariant is a placeholder in the formulas, filled in by loops.h.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "component/component.h"
#include "program/graph/unroll.h"

namespace tacit {

/// A parameter, a havoc, or a value that is not known at the head of a loop: a fresh variable, with
/// who chooses it.
struct FormulaInput {
  Term variable = nullptr;
  Chooser chooser = Chooser::Environment;
  Type type;
  Term fact = nullptr; // what is known of it: part of every guard behind the choice
  bool fresh = false;  // an address that was allocated: nothing else refers to it
  // Where it is chosen: a parameter, or a statement of a copy of a block (loops repeat blocks).
  std::optional<std::size_t> parameter;
  std::size_t copy = 0;
  std::size_t statement = 0;
  bool at_head = false; // no choice of a run: what a cut loop may have written
  // Of an opaque callee:
  std::shared_ptr<const OpaqueChoice> opaque;
  Term reached = nullptr;      // the condition of getting there
  std::vector<Term> arguments; // of the callee, over state and inputs; null where not known
};

struct FormulaExit {
  bool error = false;
  bool rejecting = false;
  std::size_t outcome = 0; // when not an error
  const Terminator* end = nullptr;
  Term value = nullptr; // what is returned or thrown, over the same as the guard; may be null
  Term guard = nullptr; // over state variables and inputs, ranges of inputs included
  Substitution after;   // state variables that change -> terms over state and inputs
};

/// A place in a body: the condition of getting there, and the variables' values.
struct FormulaPlace {
  Term path = nullptr;
  Substitution values; // state, parameters and locals; what is missing is unchanged
};

/// A loop that is cut at its head.
struct LoopCut {
  BlockId block = 0;
  Term placeholder = nullptr;       // a Boolean variable: the invariant at the head
  std::vector<FormulaPlace> arrive; // from outside, before anything is forgotten
  std::vector<FormulaPlace> go_on;  // after a round
  FormulaPlace head;                // with what the loop writes forgotten
};

struct BodyFormula {
  std::vector<FormulaInput> inputs;
  std::vector<FormulaExit> exits;
  std::vector<LoopCut> cuts; // outer loops before those inside
  Term beyond = nullptr;     // a loop goes on after its last round; false when there is none
  std::shared_ptr<const Unrolled> graph; // the copies that inputs speak of

  /// A hidden value: what can happen is known only from above.
  bool approximate() const;
};

/// How many rounds of a loop are followed; nullopt: it is cut.
using LoopRounds = std::optional<std::size_t>;

/// Inputs get names that no variable of the module has: `prefix!name`. Fails when a loop has
/// several entries or following the loops gives too large a formula.
Result<BodyFormula> body_formula(const Component& component, const Procedure& procedure,
                                 const std::string& prefix, LoopRounds rounds);

bool has_loop(const Procedure& procedure);

/// The exits of one kind put together: since at most one exit is taken for given inputs, the state
/// afterwards is a choice between theirs.
struct StepFormula {
  Term guard = nullptr; // false: it cannot happen
  Substitution after;
};
/// All normal exits that are wanted.
StepFormula combined_step(TermArena& arena, const BodyFormula& body,
                          const std::function<bool(const FormulaExit&)>& wanted);

/// What a type says about a value: its range, and for maps with few keys those of the elements.
Term value_facts(TermArena& arena, const Type& type, Term term);

/// Facts about state variables that hold in every state.
Term state_facts(const Component& component);

} // namespace tacit
