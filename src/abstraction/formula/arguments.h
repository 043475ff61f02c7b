// Arguments that are mostly good, as terms over the state: with the angelic reading, a call does
// not err where one of them neither errs nor is rejected. They stand in for "there is a good
// argument" where that cannot be had as a formula; whoever checks a proof can put them in as well.
#pragma once

#include "abstraction/formula/body_formula.h"
#include "logic/solver/solver.h"

namespace tacit {

/// Over the client's inputs: the call takes these arguments at all.
Term accepted(TermArena& arena, const Procedure& procedure, const BodyFormula& body);

/// Over the client's inputs and the state: there is a run with these arguments, as far as the first
/// assumptions of the body say.
Term taken(TermArena& arena, const Procedure& procedure, const BodyFormula& body);

/// What an input of the client goes to: a parameter, or state that it owns.
Term receiver_of(const Procedure& procedure, const BodyFormula& body, const FormulaInput& input);

/// Over the body's inputs, renamed by `copy`: with these arguments the call may err or be rejected,
/// or it does not take them at all.
Term spoilt(TermArena& arena, const Procedure& procedure, const BodyFormula& body,
            const Substitution& arguments, const std::string& copy);

/// Arguments (client inputs -> terms over the state) such that each is good in some state in which
/// the call may err and those before it are not, `known` ones first. Candidates are what the body
/// itself compares arguments with.
std::vector<Substitution> good_arguments(const Component& component, const Procedure& procedure,
                                         const BodyFormula& body, Term facts, Solver& solver,
                                         std::vector<Substitution> known);

} // namespace tacit
