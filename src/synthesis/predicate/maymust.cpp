#include "synthesis/predicate/maymust.h"

#include "logic/z3/z3_solver.h"
#include "synthesis/predicate/maymust_learners.h"

namespace tacit {

Result<Synthesis> synthesise_maymust(const Component& component, const SynthesisOptions& options,
                                     Budget& budget) {
  const auto solver = make_z3_solver({.budget = &budget});
  Eliminator eliminator(component.arena(), {.budget = &budget});
  auto formulas = ComponentFormulas::create(component, *solver, eliminator);
  if (!formulas) return std::unexpected(formulas.error());
  MayMustContext context(**formulas, *solver, eliminator, options, budget);
  if (options.refinement != Refinement::LearnReuse) {
    build_interface(context);
  } else if (!learn_reuse(context)) {
    options.story.tell("which outcomes are possible is not settled: the interface need not know, "
                       "and is built anew");
    context.start_over();
    build_interface(context);
  }
  return context.finished();
}

} // namespace tacit
