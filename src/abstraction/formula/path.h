// Words as formulas: the condition that a run follows the letters, and the state at its end, by
// composing the steps.
#pragma once

#include "abstraction/formula/concrete_inputs.h"
#include "abstraction/formula/formulas.h"
#include "component/run.h"
#include "logic/solver/solver.h"

namespace tacit {

/// After a constructor and some letters. Inputs of step i are renamed apart. From above, a path
/// that has no valuation cannot happen; from below, a valuation is a run.
class Path {
public:
  Path(const ComponentFormulas& formulas, std::size_t constructor, Side side);
  /// Where the constructor is about to run; only at_start and run are for this one.
  static Path before(const ComponentFormulas& formulas, std::size_t constructor, Side side);

  void extend(std::size_t letter);

  std::size_t constructor() const { return constructor_; }
  const std::vector<std::size_t>& letters() const { return letters_; }
  /// Conjuncts: the run exists.
  const std::vector<Term>& conditions() const { return conditions_; }
  /// A formula over state variables (and inputs of `body`, renamed as those of the next step) at
  /// the end of the path.
  Term at_end(Term formula, const BodyFormula* body = nullptr) const;
  /// A formula over state variables and inputs of the constructor, before it runs.
  Term at_start(Term formula) const;

  /// The concrete run of a model, and the final call when it has one. The solver has just answered
  /// Sat for conditions() (and errs of the call at the end).
  std::optional<ConcreteRun> run(Solver& solver, std::optional<std::size_t> last_call) const;

private:
  struct AtStart {};
  Path(const ComponentFormulas& formulas, std::size_t constructor, Side side, AtStart);
  Term renamed_input(Term input, std::size_t step) const;
  Substitution step_substitution(const BodyFormula& body, std::size_t step) const;
  std::optional<std::vector<Value>> inputs(Solver& solver, const Procedure& procedure,
                                           const BodyFormula& body, std::size_t step,
                                           const ConcreteState& before, Addresses& addresses) const;

  const ComponentFormulas& formulas_;
  std::size_t constructor_;
  Side side_;
  std::vector<std::size_t> letters_;
  std::vector<Term> conditions_;
  Substitution state_; // every state variable at the end of the path
};

} // namespace tacit
