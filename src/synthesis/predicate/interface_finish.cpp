// From a proof to a result: verdict, evidence, bounds and guards (interface_proof.h).
#include <algorithm>

#include "abstraction/formula/arguments.h"
#include "logic/solver/simplify.h"
#include "logic/term/print.h"
#include "synthesis/predicate/bounds.h"
#include "synthesis/predicate/interface_proof.h"
#include "synthesis/protocol/explore.h"

namespace tacit {

std::unique_ptr<InterfaceProof>
InterfaceProof::of_first(PredicateSetting& setting, std::vector<Term> predicates, Solver& solver) {
  const Strategy& strategy = setting.strategy();
  if (predicates.size() > strategy.most_bound_predicates)
    predicates.resize(strategy.most_bound_predicates);
  MayOracle oracle(setting.formulas(), std::move(predicates), solver);
  Budget budget({.seconds = strategy.bound_seconds,
                 .memory_bytes = {},
                 .queries = {},
                 .steps = strategy.bound_steps});
  const auto explored = explore(oracle, budget);
  if (!explored || oracle.failure()) return of_nothing(setting, solver);
  Protocol protocol = minimal(explored->protocol, setting.component()).protocol;
  std::vector<Term> labels;
  for (const auto& cubes : cube_labels(protocol.dfa, oracle).cubes)
    labels.push_back(setting.shorter(oracle.formula(cubes), solver));
  return std::make_unique<InterfaceProof>(setting, std::move(protocol), std::move(labels));
}

Verdict InterfaceProof::verdict() const {
  Verdict verdict;
  verdict.assumptions = component_.assumptions();
  verdict.safe = Claim::Proved;
  verdict.permissive = permissive_.shown() ? Claim::Proved : Claim::Unknown;
  verdict.full = permissive_.shown() && full_.shown() ? Claim::Proved : Claim::Unknown;
  if (!permissive_.shown()) verdict.details["permissive"] = permissive_.reason;
  if (!full_.shown()) verdict.details["full"] = full_.reason;
  return verdict;
}

/// Whose two runs are looked for: the component may be the reason why a refusal is open.
std::vector<DisputedCall> InterfaceProof::disputed() const {
  std::vector<DisputedCall> made;
  if (!permissive_.shown())
    for (const auto& [pair, left] : left_)
      made.push_back({pair.state, left.word.constructor, left.word.letters, pair.call});
  return made;
}

/// Whether every refusal that labels show is shown by those for safety.
bool InterfaceProof::safe_labels_suffice(Solver& solver) {
  TermArena& arena = setting_.arena();
  for (State q = 0; q < protocol_.dfa.states(); ++q) {
    std::vector<Term> wrong;
    const std::vector<bool> asked = refused(q);
    for (std::size_t c = 0; c < asked.size(); ++c) {
      if (!asked[c] || proof_.refusals.contains({q, c})) continue;
      const auto goal = setting_.goals().errs_if_at_all(c);
      if (!goal) return false;
      wrong.push_back(arena.negate(*goal));
    }
    if (!wrong.empty() && solver.check({setting_.facts(), proof_.safe[q],
                                        arena.disj(std::move(wrong))}) != Truth::Unsat)
      return false;
  }
  return true;
}

/// What the labels are made of, for the file.
void InterfaceProof::complete(Solver& solver) {
  safe_labels();
  if (nodes_) proof_.nodes = nodes_->nodes();
  if (permissive_.shown() && errs_ && errs_ != safe_ && !errs_->predicates().empty() &&
      !safe_labels_suffice(solver))
    for (const auto& cubes : cube_labels(protocol_.dfa, errs_->may()).cubes)
      proof_.permissive.push_back(setting_.shorter(errs_->may().formula(cubes), solver));
  for (const auto& [head, invariant] : setting_.formulas().invariants())
    proof_.invariants[head] = setting_.shorter(invariant, solver);
  proof_.unwind = setting_.formulas().unwind();
}

/// Those that were tried, where good arguments are not known exactly: the abstractions step by
/// these alone.
void InterfaceProof::add_arguments() {
  const auto add = [&](const Call& call, const CallFormulas& above) {
    if (!above.sure) return;
    auto& tried = proof_.arguments[call.name];
    for (const Substitution& arguments : above.tried) {
      auto& named = tried.emplace_back();
      for (const FormulaInput& input : above.body.inputs)
        if (const auto found = arguments.find(input.variable); found != arguments.end())
          named[receiver_of(component_.body(call), above.body, input)->name] = found->second;
    }
  };
  const ComponentFormulas& formulas = setting_.formulas();
  for (std::size_t c = 0; c < component_.calls().size(); ++c)
    add(component_.calls()[c], formulas.call(c, Side::Above));
  for (std::size_t k = 0; k < component_.constructors().size(); ++k)
    add(component_.constructors()[k], formulas.constructor(k, Side::Above));
}

Interface InterfaceProof::written(FinishOptions options, MayOracle& runs, Solver& solver) {
  complete(solver);
  options.serial = setting_.options().serial;
  options.story = setting_.story();
  ProofLabeller labeller(proof_, component_, runs, solver);
  return finish(protocol_, runs, labeller, options);
}

Synthesis InterfaceProof::finished(const Closing& closing) {
  add_arguments();
  FinishOptions options{.engine = closing.engine, .verdict = verdict(), .disputed = disputed()};
  Synthesis result{written(std::move(options), closing.runs, closing.solver),
                   permissive_.shown() && (full_.shown() || !setting_.options().full)};
  withdraw_unproved(result);
  Interface& interface = result.interface;
  if (interface.verdict.permissive != Claim::Proved) add_bounds(interface, closing);
  if (!setting_.options().serial) add_guards(interface);
  return result;
}

void InterfaceProof::add_bounds(Interface& interface, const Closing& closing) const {
  const Strategy& strategy = setting_.strategy();
  auto first = closing.bound_predicates;
  if (first.size() > strategy.most_bound_predicates) first.resize(strategy.most_bound_predicates);
  MayMust abstraction(setting_.formulas(), setting_.goals(), std::move(first), closing.solver);
  setting_.story().tell("what is certain: the interface is safe; one that is permissive follows");
  Budget budget({.seconds = strategy.bound_seconds,
                 .memory_bytes = {},
                 .queries = {},
                 .steps = strategy.bound_steps});
  PermissiveBound upper = permissive_bound(abstraction, protocol_, budget);
  interface.permissive_bound = std::make_shared<Interface>(std::move(upper.interface));
  interface.open_word = std::move(upper.word);
}

/// Where the readings of arguments differ: what a good argument is.
void InterfaceProof::add_guards(Interface& interface) const {
  TermArena& arena = setting_.arena();
  for (State q = 0; q < interface.states.size(); ++q)
    for (std::size_t c = 0; c < interface.calls.size(); ++c) {
      const CallFormulas& call = setting_.formulas().call(c, Side::Below);
      if (!interface.states[q].allows[c] || !call.good) continue;
      const Term here = arena.conj(setting_.facts(), proof_.safe[q]);
      if (setting_.solver().check({here, call.some_err}) == Truth::Unsat) continue;
      // Inputs are the client's alone; they are shown by the names that the client knows.
      std::vector<Term> under{here};
      Substitution names;
      const Procedure& body = component_.body(component_.calls()[c]);
      for (const FormulaInput& input : call.body.inputs) {
        if (input.chooser != Chooser::Client) continue;
        under.push_back(input.fact);
        const BlockCopy& copy = call.body.graph->copies[input.copy];
        const Term chosen = input.parameter
                                ? body.parameters[*input.parameter].term
                                : body.blocks[copy.block].statements[input.statement].target;
        names[input.variable] = chosen;
      }
      const Term guard =
          simplify(arena, setting_.solver(), arena.conj(std::move(under)), call.good);
      interface.guards.push_back({q, c, to_string(substitute(arena, guard, names))});
    }
}

void add_solver_figures(Interface& interface, const SolverStatistics& spent) {
  interface.stats.set("solver_queries", static_cast<std::size_t>(spent.queries));
  interface.stats.set("solver_seconds", spent.seconds);
}

} // namespace tacit
