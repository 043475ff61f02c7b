// Predicate abstraction statement by statement, after "Synthesis of Interface Specifications for
// Java Classes" (section 4): from a component and predicates over its state to a program whose
// variables are Booleans, one per predicate. It can do at least what the component can.
//
//   x := e          every predicate about x becomes true, false or * by what the predicates say
//                   about its weakest precondition
//   if (c)          by what the predicates say about c, else *
//   assume c        blocks where the predicates exclude c
//   havoc, new      * for the predicates about the variable
//   loops           cut at their heads: what the loop writes is * there, within an invariant
//
// `*` is `havoc unknown`; values that are chosen together are kept consistent by an `assume`. What
// predicates say is computed by judge.h.
//
// Besides the predicates about the state, a body gets *derived* ones about its parameters and
// locals: its own conditions, and weakest preconditions of predicates, as far as these mention a
// parameter or local. Nothing is derived about the state alone: that is the user's choice.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "component/component.h"
#include "logic/solver/solver.h"

namespace tacit {

struct BooleanProgram {
  Module module;                // of the same procedures; shares the component's arena
  std::vector<Term> predicates; // what each state variable of the module stands for
  std::size_t derived = 0;      // predicates about parameters and locals, over all bodies
  std::size_t variables = 0;    // Boolean variables, all bodies together

  /// A formula over the module's state, about the component.
  Term meaning(Term formula) const;
};

/// Loops may be given invariants (ComponentFormulas::invariants).
Result<BooleanProgram> boolean_program(const Component& component,
                                       const std::vector<Term>& predicates,
                                       const std::map<std::string, Term>& invariants,
                                       Solver& solver);

/// The program as a component of its own. Its letters are those of the component, in the same
/// order.
Result<Component> abstract_component(const Component& component, const BooleanProgram& program);

} // namespace tacit
