// A component as formulas: the steps of its letters, the errors of its calls and the states it
// starts in, from above and from below. Built once; all abstractions of the component share it.
//
// The two sides differ only where a loop has no bound. From above, such a loop is cut at its head
// and the formulas hold at least all runs; from below, it is followed for some rounds and they hold
// only real runs. What cannot happen is shown from above, what can happen from below.
//
// The reading of arguments (docs/semantics.md, 2.3) is part of the guards, so nobody else has to
// know of it: with angelic arguments, steps are those of good arguments, and errs is false where
// there is a good one.
#pragma once

#include <memory>

#include "abstraction/formula/answers.h"
#include "abstraction/formula/body_formula.h"
#include "abstraction/formula/loop_clauses.h"
#include "logic/solver/solver.h"
#include "logic/z3/eliminate.h"

namespace tacit {

enum class Side { Above, Below };

/// One call or constructor on one side.
struct CallFormulas {
  BodyFormula body;
  std::vector<StepFormula> outcomes; // of a constructor: one, its normal returns
  Term errs = nullptr;               // inputs free
  // With angelic arguments, else null:
  Term good = nullptr;     // the arguments are good; over state and the client's inputs
  Term some_err = nullptr; // some argument errs; inputs free
  // With angelic arguments of a body in which good arguments cannot be described by a formula:
  std::vector<Substitution> tried; // arguments as terms over the state that mostly are good
  Term sure = nullptr;             // below: states in which the call surely errs
};

/// What is spent on loops before anything is asked: with Light, each is cut and followed for some
/// rounds without a query, so that nothing is known at its head.
enum class LoopEffort { Full, Light };

class ComponentFormulas {
public:
  /// Fails on what cannot be put into formulas, with the reason. The solver and the eliminator
  /// outlive this.
  static Result<std::unique_ptr<ComponentFormulas>> create(const Component& component,
                                                           Solver& solver, Eliminator& eliminator,
                                                           LoopEffort effort = LoopEffort::Full);

  const Component& component() const { return component_; }
  TermArena& arena() const { return component_.arena(); }

  const CallFormulas& call(std::size_t call, Side side) const { return *calls_[call].on(side); }
  const CallFormulas& constructor(std::size_t index, Side side) const {
    return *constructors_[index].on(side);
  }
  const StepFormula& letter(std::size_t letter, Side side) const;

  /// State variables before any constructor: those with an initial value mapped to it.
  const Substitution& initial() const { return initial_; }
  /// Ranges of the state variables.
  Term facts() const { return facts_; }

  /// What was asked of these formulas.
  Answers& answers() const { return *answers_; }

  // Over the state alone; these fail when the choices could not be eliminated.
  /// In these states the call errs for some choice of client and environment, whatever is hidden.
  Result<Term> surely_errs(std::size_t call);
  /// Or there is no run, by an `assume` that the hidden values do not satisfy. Guarded only: else
  /// the same.
  Result<Term> surely_errs_if_at_all(std::size_t call);
  /// From these states some choice leads by the letter into `into`, whatever is hidden.
  Result<Term> surely_leads(std::size_t letter, Term into);
  /// Where some choice of the environment, and of the client if it is asked too, makes the goal
  /// true whatever is hidden.
  Result<Term> surely(const BodyFormula& body, Term goal, bool client_too);
  /// Before the constructor (initial values put in): some choice makes it produce such a state.
  Result<Term> surely_starts(std::size_t constructor, Term into);

  /// Whether something a call does is known only from above, by a summary or an approximation.
  bool approximate(std::size_t call) const {
    return calls_[call].on(Side::Below)->body.approximate();
  }

  // Loops
  bool has_cuts() const { return has_cuts_; }
  /// Finds invariants of loops that are cut, in terms of the predicates; true when they changed.
  Result<bool> find_invariants(const std::vector<Term>& predicates);
  /// By "call/block".
  const std::map<std::string, Term>& invariants() const { return invariants_; }
  const std::map<std::string, std::size_t>& unwind() const { return unwind_; }

private:
  struct Sides {
    std::shared_ptr<CallFormulas> above, below;
    std::shared_ptr<const BodyFormula> raw; // above, with placeholders for invariants
    std::optional<LoopAtoms> atoms;         // that the invariants at hand are made of
    const std::shared_ptr<CallFormulas>& on(Side side) const {
      return side == Side::Above ? above : below;
    }
  };

  ComponentFormulas(const Component& component, Solver& solver, Eliminator& eliminator,
                    LoopEffort effort)
      : component_(component), solver_(solver), eliminator_(eliminator), effort_(effort) {}

  Term stopped(const BodyFormula& body) const;
  bool guarded() const { return component_.options().arguments == Arguments::Guarded; }
  Result<Term> whatever_is_passed(const Call& call, const BodyFormula& body, Term goal);
  Result<Sides> bodies(const Call& call, const std::string& prefix, const Substitution& before);
  /// Steps and errors from bodies.
  void derive(Sides& sides, const Call& call, bool constructor);
  void read_angelically(Sides& sides);
  void try_arguments(Sides& sides, const Procedure& procedure);

  const Component& component_;
  Solver& solver_;
  Eliminator& eliminator_;
  LoopEffort effort_;
  std::vector<Sides> calls_, constructors_;
  Substitution initial_;
  Term facts_ = nullptr;
  std::unique_ptr<Answers> answers_ = std::make_unique<Answers>();
  bool has_cuts_ = false;
  std::map<std::string, Term> invariants_;
  std::map<std::string, std::size_t> unwind_;
};

} // namespace tacit
