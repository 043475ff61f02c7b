// The action system of a component as formulas (Enabledness-based Abstractions, Definition 3.1):
// requires clauses R, functions F, the invariant, and the initial states.
//
// A requires clause speaks of state and arguments. A call is *enabled* in a state when some
// arguments satisfy its clause; the arguments are eliminated here, once (the paper's splitting,
// section 4.2.2). Where that fails the two sides differ: `above` holds at least where the call is
// enabled, `below` only there, and what rests on the difference is uncertain.
//
// Clauses are given (`requires` in the program), mined (some arguments bring the call to a normal
// return), or both. With mined clauses, runs that end in an exception of own code are no behaviour;
// with given ones only errors are left out, since a clause is whatever its author says.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "abstraction/formula/formulas.h"

namespace tacit {

enum class RequiresFrom { Given, Mined, Both };

/// "In the states that enable exactly these calls, this holds": the paper's pseudo-invariants.
struct StateFact {
  std::vector<std::size_t> calls;
  Term condition = nullptr;
};

/// What a person says of the states in which some arguments satisfy a clause; it is checked.
struct Approximation {
  enum class Kind {
    Over, // they all satisfy the condition
    Under // all that satisfy the condition are such states
  };
  Kind kind = Kind::Over;
  std::size_t call = 0;
  Term condition = nullptr;
};

struct ActionOptions {
  RequiresFrom from = RequiresFrom::Given;
  std::vector<Approximation> approximations; // of given clauses that could not be split
  Term invariant = nullptr; // besides the program's own, which only mined clauses ignore; or null
  std::vector<StateFact> facts;
};

enum class Splitting {
  Precise,      // no part of the clause mixes state and arguments
  ByChoice,     // some part does, and arguments that satisfy it were found
  Approximated, // none were found
};

struct Action {
  std::string name;
  Term clause = nullptr;                 // as given, over state and parameters; or null
  Term above = nullptr, below = nullptr; // enabled, over the state
  StepFormula step_above, step_below;    // the clause is part of the guard
  Term errs = nullptr;                   // within the clause, from above
  bool exact = false;                    // nothing is cut or hidden: step_above is right
  bool any_contents = false;             // what is read through arguments was taken to be anything
  bool from_above = false; // mined: enabled wherever what is known allows it, by assumption
  Splitting splitting = Splitting::Precise;
  std::vector<std::vector<Term>> choices; // ByChoice: rows of terms for the parameters

  bool enabledness_known() const { return above == below; }
};

/// How a constructor leaves the state, initial values put in.
struct ActionStart {
  std::string name;
  StepFormula above, below;
  bool exact = false;
};

class ActionSystem {
public:
  /// Fails on clauses that cannot be used, with the clause. What is given outlives this.
  static Result<std::unique_ptr<ActionSystem>> create(ComponentFormulas& formulas, Solver& solver,
                                                      Eliminator& eliminator,
                                                      const ActionOptions& options);

  ComponentFormulas& formulas() const { return formulas_; }
  const Component& component() const { return formulas_.component(); }
  TermArena& arena() const { return formulas_.arena(); }

  const std::vector<Action>& actions() const { return actions_; }
  const std::vector<ActionStart>& starts() const { return starts_; }
  Term facts() const { return formulas_.facts(); }
  Term invariant() const { return invariant_; }
  /// Whether a mined clause takes arguments to be objects with any contents.
  bool free_contents() const { return std::ranges::any_of(actions_, &Action::any_contents); }
  /// Whether loops leave open what some clause is.
  bool open_by_loops() const;
  /// Mined clauses that are not settled are taken to hold wherever what is known allows it.
  void take_from_above();
  void strengthen(Term inferred) { invariant_ = arena().conj(invariant_, inferred); }

private:
  ActionSystem(ComponentFormulas& formulas, Solver& solver, Eliminator& eliminator)
      : formulas_(formulas), solver_(solver), eliminator_(eliminator) {}

  Term given_clause(const Procedure& procedure, const BodyFormula& body) const;
  Action action(std::size_t call, RequiresFrom from);
  void split(Action& action, const BodyFormula& body, Term clause);
  Result<void> approximate(const Approximation& given);
  void mine(Action& action, std::size_t call, bool only);
  ActionStart start(std::size_t constructor, RequiresFrom from);
  /// "There are values of `bound`", whatever is read through `objects` among them being free too.
  Result<Term> with_free_contents(Term formula, const std::vector<Term>& objects,
                                  const std::vector<Term>& bound);
  void add_facts(const std::vector<StateFact>& facts);

  ComponentFormulas& formulas_;
  Solver& solver_;
  Eliminator& eliminator_;
  std::vector<Action> actions_;
  std::vector<ActionStart> starts_;
  Term invariant_ = nullptr;
};

} // namespace tacit
