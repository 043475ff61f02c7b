#include "synthesis/auto.h"

#include <algorithm>

#include "synthesis/finite/cegar.h"
#include "synthesis/finite/direct.h"
#include "synthesis/finite/learn.h"
#include "synthesis/predicate/permissive.h"

namespace tacit {
namespace {

constexpr std::uint64_t first_slice = 100'000; // steps: states, pairs, questions
constexpr int most_rounds = 8;
// A counter of 32 bits is finite in name only: what one slice does not finish is left to predicates
// for a share of the time.
constexpr double large_space = 1e8;
constexpr double predicate_share = 0.6;
constexpr double predicate_seconds = 100; // where time has no limit

struct Contender {
  const char* name;
  Representation representation;
  Result<Synthesis> (*run)(const Component&, const SynthesisOptions&, Budget&);
};

// Few variables that matter are the commonest case of a large space (Beyer, Henzinger, Singh,
// section 5), so CEGAR goes before learning.
constexpr Contender contenders[] = {
    {"direct", Representation::Explicit, synthesise_direct},
    {"cegar", Representation::Bdd, synthesise_cegar},
    {"learn", Representation::Bdd, synthesise_learn},
};

/// Whether some variable has no end of values: then exploring may never end.
bool unbounded(const Component& component) {
  return std::ranges::any_of(component.module().state,
                             [](const StateVariable& v) { return !domain_size(v.type); });
}

/// Whether there are far more states than exploring ends with, unless few of them are reached.
bool very_large(const Component& component) {
  double states = 1;
  for (const StateVariable& v : component.module().state)
    if (const auto values = domain_size(v.type)) states *= static_cast<double>(*values);
  return states > large_space;
}

/// Values that nobody knows spoil the claim of an exact search as a whole; predicates settle each
/// refusal on its own.
std::optional<Synthesis> pair_by_pair(const Component& component, const SynthesisOptions& options,
                                      const Synthesis& found, Budget& budget) {
  if (!component.has_unknowns() || found.interface.verdict.permissive == Claim::Proved)
    return std::nullopt;
  options.story.tell("auto: some values are not known; permissive settles the rest");
  auto result = synthesise_permissive(component, options, budget);
  if (!result || result->interface.verdict.safe != Claim::Proved) return std::nullopt;
  return std::move(*result);
}

} // namespace

Result<Synthesis> synthesise_auto(const Component& component, const SynthesisOptions& options,
                                  Budget& budget) {
  if (unbounded(component)) {
    options.story.tell("auto: the state has no bound; permissive it is");
    return synthesise_permissive(component, options, budget);
  }
  std::optional<Synthesis> best, abstract;
  std::optional<Diagnostic> refusal;
  std::uint64_t slice = first_slice;
  for (int round = 0; round < most_rounds; ++round, slice *= 4) {
    for (const Contender& contender : contenders) {
      BudgetLimits limits{.seconds = budget.seconds_left(),
                          .memory_bytes = budget.limits().memory_bytes,
                          .steps = slice};
      if (limits.seconds && *limits.seconds <= 0 && (best || refusal)) break;
      Budget share(limits);
      SynthesisOptions chosen = options;
      chosen.representation = contender.representation;
      options.story.tell("auto: {} for {} steps", contender.name, slice);
      auto result = contender.run(component, chosen, share);
      if (!result && round == 0 && contender.run == synthesise_direct) {
        // Not a finite component: the engine for unbounded state has it to itself.
        options.story.tell("auto: {}; permissive it is", result.error().message);
        return synthesise_permissive(component, options, budget);
      }
      if (!result) {
        refusal = result.error();
        continue;
      }
      const bool out_of_steps = !result->settled && share.exhausted_now();
      if (!out_of_steps || share.steps() < slice) {
        if (auto finer = pair_by_pair(component, options, *result, budget)) return *finer;
        result->interface.stats.set("auto",
                                    fmt::format("{} finished first, in slice {} of {} steps",
                                                contender.name, round + 1, slice));
        return result;
      }
      if (!best || contender.representation == Representation::Explicit) best = std::move(*result);
      if (round == 0 && contender.run == synthesise_direct && very_large(component)) {
        options.story.tell("auto: the state is very large; permissive for a while");
        BudgetLimits part = budget.limits();
        part.seconds = budget.seconds_left().value_or(predicate_seconds) * predicate_share;
        Budget some(part);
        auto by_predicates = synthesise_permissive(component, options, some);
        budget.count_queries(some.queries());
        if (by_predicates && by_predicates->settled) return by_predicates;
        if (by_predicates) abstract = std::move(*by_predicates);
      }
    }
    if (budget.exhausted_now()) break;
  }
  if (abstract) return in_terms_of(budget, std::move(*abstract));
  if (best) return std::move(*best);
  return std::unexpected(*refusal);
}

} // namespace tacit
