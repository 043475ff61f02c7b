#include "synthesis/alphabet/guarded.h"

#include <algorithm>
#include <span>

#include <fmt/ranges.h>

#include "abstraction/formula/written_predicates.h"
#include "logic/term/print.h"
#include "logic/z3/eliminate.h"
#include "logic/z3/z3_solver.h"
#include "synthesis/alphabet/closure.h"
#include "synthesis/alphabet/fold.h"
#include "synthesis/alphabet/merge.h"
#include "synthesis/alphabet/strengthen.h"

namespace tacit {
namespace {

constexpr std::uint64_t few_values = 8; // of one variable: states can follow it
constexpr double many_states = 1 << 9;  // of the component: nobody reads so many
constexpr std::size_t most_named = 4;   // values that cannot be followed
constexpr double engine_share = 0.85;   // of the time: what it has found is made readable then
constexpr double fewer_share = 0.2;     // of the time: whether one tracked value less will do
constexpr std::uint64_t fewer_queries = 3000; // the same

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
  // A counter is followed whatever is passed; and what is independent, where there is much of it.
  double states = 1;
  for (const StateVariable& v : component.module().state) {
    const auto values = domain_size(v.type);
    if (!values || *values > few_values) return true;
    states *= static_cast<double>(*values);
  }
  return states > many_states;
}

constexpr int worth_proved = 3;

int worth(const Synthesis& s) {
  const Verdict& v = s.interface.verdict;
  return (v.safe == Claim::Proved ? 2 : 0) + (v.permissive == Claim::Proved ? 1 : 0);
}

class GuardedSearch {
public:
  GuardedSearch(const Component& component, const GuardedEngines& engines,
                const SynthesisOptions& options, Budget& budget, ComponentFormulas& formulas,
                Solver& solver)
      : component_(component), engines_(engines), options_(options), budget_(budget),
        formulas_(formulas), solver_(solver) {}

  /// A tracked term that turns out not to be followed is left out where a short search does without
  /// it; else states that answer the questions it depends on may follow it, and if they do not
  /// either, the search begins anew without. An error when looking closer shows nothing more.
  Result<Synthesis> run(Observing observing) { return run(observing, {}, budget_); }

private:
  Result<Synthesis> run(Observing observing, std::vector<Term> untracked, Budget& budget) {
    while (true) {
      const ClosedAlphabet closed =
          close_alphabet(formulas_, solver_, budget, options_.story, untracked, observing);
      if (!closed.alphabet.splits() && observing == Observing::Knowledge)
        return fail("outcomes tell nothing more");
      if (!closed.alphabet.splits()) {
        auto found = with_runs(engines_.plain.run(component_, options_, budget));
        if (found) say_what_is_missing(*found, closed.not_followed);
        return found;
      }
      const RefinedComponent refined = refine(component_, closed.alphabet);
      tell_letters(refined);
      Folding by{refined, closed.alphabet, formulas_, solver_};
      auto found = on_letters(closed.alphabet, by, {}, budget);
      if (found) say_what_is_missing(*found, closed.not_followed);
      if (found || !by.lost) return found;
      options_.story.tell("alphabet: {}", found.error().message);
      untracked.push_back(by.lost);
      const auto on = closed.decided_by.find(by.lost);
      if (on == closed.decided_by.end()) continue;
      if (auto fewer = run_shortly(observing, untracked, budget)) return std::move(*fewer);
      options_.story.tell("alphabet: states that answer what it depends on may do");
      found = on_letters(closed.alphabet, by, on->second, budget);
      if (found) say_what_is_missing(*found, closed.not_followed);
      if (found || !by.lost) return found;
    }
  }

  /// Why a search had no end: more time would not help.
  void say_what_is_missing(Synthesis& found, const std::vector<Term>& not_followed) const {
    if (found.interface.verdict.permissive == Claim::Proved || not_followed.empty()) return;
    std::vector<std::string> shown;
    for (Term term : std::span(not_followed).first(std::min(not_followed.size(), most_named))) {
      const auto at = component_.module().state_index(term);
      shown.push_back(at ? component_.module().state[*at].shown_name() : to_string(term));
    }
    std::string& why = found.interface.verdict.details["permissive"];
    why += fmt::format("{}what is asked of {} has no guard: what becomes of {} after some call "
                       "cannot be said in terms of what clients pass and see",
                       why.empty() ? "" : "; ", fmt::join(shown, ", "),
                       shown.size() == 1 ? "it" : "them");
  }

  void tell_letters(const RefinedComponent& refined) const {
    if (!options_.story.told()) return;
    for (std::size_t f = 0; f < refined.calls.size(); ++f)
      if (!is_true(refined.calls[f].when))
        options_.story.tell("alphabet: {} is {} when {}", refined.component.calls()[f].name,
                            component_.calls()[refined.calls[f].call].name,
                            to_string(refined.calls[f].when));
  }

  /// What is proved soon, if anything.
  std::optional<Synthesis> run_shortly(Observing observing, const std::vector<Term>& untracked,
                                       Budget& budget) {
    BudgetLimits limits = budget.share(fewer_share);
    limits.queries = std::min(limits.queries.value_or(fewer_queries), fewer_queries);
    Budget share(limits);
    auto found = run(observing, untracked, share);
    budget.count_queries(share.queries());
    if (!found || worth(*found) < worth_proved) return std::nullopt;
    return std::move(*found);
  }

  /// States that differ in what they say of `apart` stay apart.
  Result<Synthesis> on_letters(const CallSplits& alphabet, Folding& by,
                               const std::vector<Term>& apart, Budget& budget) {
    SynthesisOptions options = options_;
    options.apart = usable(by.refined.component, apart);
    for (Term predicate : options.apart) {
      options.predicates.predicates.push_back(predicate);
      options.predicates.texts.push_back(to_string(predicate));
    }
    options.of_parts = true;
    options.followed = !alphabet.tracked.empty();
    const Engine& engine = options.followed ? engines_.tracking : engines_.plain;
    Budget share(budget.share(engine_share));
    auto fine = engine.run(by.refined.component, options, share);
    budget.count_queries(share.queries());
    if (!fine) return fine;
    auto folded = folded_with_few_states(fine->interface, by, options);
    if (!folded) return std::unexpected(folded.error());
    return with_runs(Synthesis{std::move(*folded), fine->settled});
  }

  /// A state may refuse what cannot happen there, of which there is no run: its label has to say
  /// so.
  Result<Interface> folded_with_few_states(const Interface& fine, Folding& by,
                                           const SynthesisOptions& options) {
    std::optional<Interface> stronger;
    if (options.followed && std::ranges::any_of(fine.forbidden, [](const Refusal& refusal) {
          return refusal.state && refusal.error == not_shown_safe;
        }))
      stronger = with_stronger_labels(fine, {by.refined, by.alphabet, by.formulas, by.solver});
    const Interface& best = stronger ? *stronger : fine;
    if (options.followed)
      if (const auto fewer =
              with_fewer_states(best, {by.refined, by.formulas, by.solver, options.apart}))
        if (auto folded = fold(*fewer, by)) return folded;
    return fold(best, by);
  }

  static std::vector<Term> usable(const Component& component, const std::vector<Term>& some) {
    std::vector<std::string> texts;
    for (Term predicate : some) texts.push_back(to_string(predicate));
    return usable_predicates(component, texts);
  }

  const Component& component_;
  const GuardedEngines& engines_;
  const SynthesisOptions& options_;
  Budget& budget_;
  ComponentFormulas& formulas_;
  Solver& solver_;
};

/// Refused because of what others might have chosen: a client may have seen what they did.
bool rests_on_choices(const Interface& interface) {
  return !interface.nondeterminism.empty() || !interface.evidence.refusal_must.empty();
}

bool at_least_as_good(const Synthesis& a, const Synthesis& b) { return worth(a) >= worth(b); }

} // namespace

Result<Synthesis> synthesise_guarded(const Component& component, const GuardedEngines& engines,
                                     const SynthesisOptions& options, Budget& budget) {
  if (!observes_values(component))
    return engines.plain.run(component.read_as(Arguments::Demonic), options, budget);
  const auto solver = make_z3_solver({.budget = &budget});
  Eliminator eliminator(component.arena(), {.budget = &budget});
  auto formulas = ComponentFormulas::create(component, *solver, eliminator);
  if (!formulas) return with_runs(engines.plain.run(component, options, budget));
  GuardedSearch search(component, engines, options, budget, **formulas, *solver);
  auto found = search.run(Observing::Effects);
  // Runs of one word that disagree: what the client sees on the way may tell them apart, unless
  // they differ in what nobody knows.
  if (!found || !rests_on_choices(found->interface) || component.has_unknowns() ||
      budget.exhausted_now())
    return found;
  options.story.tell(
      "alphabet: runs of one word disagree; what outcomes tell is looked at as well");
  auto closer = search.run(Observing::Knowledge);
  return closer && at_least_as_good(*closer, *found) ? std::move(closer) : std::move(found);
}

} // namespace tacit
