#include "synthesis/alphabet/guarded.h"

#include "logic/z3/eliminate.h"
#include "logic/z3/z3_solver.h"
#include "synthesis/alphabet/closure.h"
#include "synthesis/alphabet/fold.h"

namespace tacit {
namespace {

/// A refusal needs a run.
void withdraw_without_run(Synthesis& result) {
  Interface& interface = result.interface;
  if (interface.verdict.permissive != Claim::Proved) return;
  for (const Refusal& refusal : interface.forbidden) {
    if (refusal.error != not_shown_safe) continue;
    const std::string why =
        "no run was found that ends in the error of '" + interface.refused_name(refusal) + "'";
    interface.verdict.permissive = interface.verdict.full = Claim::Unknown;
    interface.verdict.details["permissive"] = interface.verdict.details["full"] = why;
    result.settled = false;
    return;
  }
}

Result<Synthesis> with_runs(Result<Synthesis> result) {
  if (result) withdraw_without_run(*result);
  return result;
}

} // namespace

Result<Synthesis> synthesise_guarded(const Component& component, const Engine& engine,
                                     const SynthesisOptions& options, Budget& budget) {
  const auto solver = make_z3_solver({.budget = &budget});
  Eliminator eliminator(component.arena(), {.budget = &budget});
  auto formulas = ComponentFormulas::create(component, *solver, eliminator);
  if (!formulas) return with_runs(engine.run(component, options, budget));
  const ClosedAlphabet closed = close_alphabet(**formulas, *solver, budget, options.story);
  if (!closed.alphabet.splits()) return with_runs(engine.run(component, options, budget));
  const RefinedComponent refined = refine(component, closed.alphabet);
  auto fine = engine.run(refined.component, options, budget);
  if (!fine) return fine;
  auto folded = fold(fine->interface, {refined, closed.alphabet, **formulas, *solver});
  if (!folded) return std::unexpected(folded.error());
  return with_runs(Synthesis{std::move(*folded), fine->settled});
}

} // namespace tacit
