#include "synthesis/alphabet/guarded.h"

#include "logic/z3/eliminate.h"
#include "logic/z3/z3_solver.h"
#include "synthesis/alphabet/closure.h"
#include "synthesis/alphabet/fold.h"

namespace tacit {
namespace {

constexpr std::uint64_t few_values = 8; // of one variable: states can follow it

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

/// Whether clients pass or see anything but calls and outcomes.
bool observes_values(const Component& component) {
  for (const Procedure& p : component.module().procedures) {
    if (!p.parameters.empty()) return true;
    for (const Block& b : p.blocks) {
      for (const Statement& s : b.statements)
        if (s.kind == StatementKind::Havoc && s.chooser == Chooser::Client) return true;
      if (b.end.kind == TerminatorKind::Return && b.end.value && !is_constant(b.end.value))
        return true;
    }
  }
  // A counter is followed whatever is passed.
  return std::ranges::any_of(component.module().state, [](const StateVariable& v) {
    const auto values = domain_size(v.type);
    return !values || *values > few_values;
  });
}

} // namespace

Result<Synthesis> synthesise_guarded(const Component& component, const GuardedEngines& engines,
                                     const SynthesisOptions& options, Budget& budget) {
  if (!observes_values(component))
    return engines.plain.run(component.read_as(Arguments::Demonic), options, budget);
  const auto whole = [&] { return with_runs(engines.plain.run(component, options, budget)); };
  const auto solver = make_z3_solver({.budget = &budget});
  Eliminator eliminator(component.arena(), {.budget = &budget});
  auto formulas = ComponentFormulas::create(component, *solver, eliminator);
  if (!formulas) return whole();
  std::vector<Term> untracked;
  while (true) {
    const ClosedAlphabet closed =
        close_alphabet(**formulas, *solver, budget, options.story, untracked);
    if (!closed.alphabet.splits()) return whole();
    const RefinedComponent refined = refine(component, closed.alphabet);
    const Engine& engine = closed.alphabet.tracked.empty() ? engines.plain : engines.tracking;
    auto fine = engine.run(refined.component, options, budget);
    if (!fine) return fine;
    Folding by{refined, closed.alphabet, **formulas, *solver};
    auto folded = fold(fine->interface, by);
    if (folded) return with_runs(Synthesis{std::move(*folded), fine->settled});
    options.story.tell("alphabet: {}", folded.error().message);
    if (!by.lost) return std::unexpected(folded.error());
    untracked.push_back(by.lost);
  }
}

} // namespace tacit
