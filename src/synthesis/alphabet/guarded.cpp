#include "synthesis/alphabet/guarded.h"

#include "logic/z3/eliminate.h"
#include "logic/z3/z3_solver.h"
#include "synthesis/alphabet/closure.h"
#include "synthesis/alphabet/fold.h"

namespace tacit {

Result<Synthesis> synthesise_guarded(const Component& component, const Engine& engine,
                                     const SynthesisOptions& options, Budget& budget) {
  const auto solver = make_z3_solver({.budget = &budget});
  Eliminator eliminator(component.arena(), {.budget = &budget});
  auto formulas = ComponentFormulas::create(component, *solver, eliminator);
  if (!formulas) return engine.run(component, options, budget);
  const ClosedAlphabet closed = close_alphabet(**formulas, *solver, budget, options.story);
  if (!closed.alphabet.splits()) return engine.run(component, options, budget);
  const RefinedComponent refined = refine(component, closed.alphabet);
  auto fine = engine.run(refined.component, options, budget);
  if (!fine) return fine;
  auto folded = fold(fine->interface, {refined, closed.alphabet, **formulas, *solver});
  if (!folded) return std::unexpected(folded.error());
  return Synthesis{std::move(*folded), fine->settled};
}

} // namespace tacit
