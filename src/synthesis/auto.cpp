#include "synthesis/auto.h"

#include <algorithm>
#include <cmath>

#include "synthesis/finite/cegar.h"
#include "synthesis/finite/direct.h"
#include "synthesis/finite/learn.h"
#include "synthesis/predicate/permissive.h"

namespace tacit {
namespace {

constexpr std::uint64_t first_slice = 100'000; // steps: states, pairs, questions
constexpr int slices = 8;
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

// Few variables that matter are the commonest case of a large space (paper 002, section 5), so
// CEGAR goes before learning.
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

/// How much there is to look at.
std::size_t weight(const Component& component) {
  std::size_t sum = component.module().state.size();
  for (const Procedure& p : component.module().procedures)
    for (const Block& b : p.blocks) sum += 1 + b.statements.size();
  return sum;
}

// What is not too large is looked at whole for a while; then come coarser components
// (program/reduce/coarsen.h), each with a share of the time that is left, and then the whole again.
constexpr double coarse_share = 0.3, whole_share = 0.7; // the latter for angelic arguments
constexpr double quick_seconds = 8;
constexpr std::size_t quick_weight = 5000;
constexpr std::string_view ran_out = "the budget ran out: ";

struct Level {
  Detail detail;
  const char* name;
};
constexpr Level levels[] = {{Detail::Flags, "the conditions of errors"},
                            {Detail::Guards, "what flows into the conditions of errors"},
                            {Detail::Slice, "what decides whether errors happen"}};

Result<Synthesis> whole(const Component& component, const SynthesisOptions& options,
                        Budget& budget);

/// The share of calls that are allowed somewhere and everywhere; more is better.
double allowance(const Interface& interface) {
  std::size_t allowed = 0, all = 0;
  for (const InterfaceState& state : interface.states) {
    all += state.allows.size();
    allowed += static_cast<std::size_t>(std::ranges::count(state.allows, true));
  }
  return all == 0 ? 0 : static_cast<double>(allowed) / static_cast<double>(all);
}

/// Of two answers that are not settled, the one that says more.
bool says_more(const Interface& a, const Interface& b) {
  if (a.verdict.safe != b.verdict.safe) return a.verdict.safe == Claim::Proved;
  return allowance(a) > allowance(b);
}

/// Shares of the budget are not what the user asked for.
Synthesis told(Synthesis result, const Budget& budget) {
  for (auto& [claim, why] : result.interface.verdict.details)
    if (why.starts_with(ran_out) && !budget.reason().empty())
      why = std::string(ran_out) + budget.reason();
  return result;
}

/// Lowered code, from coarse to fine.
Result<Synthesis> by_levels(const Component& component, const SynthesisOptions& options,
                            Budget& budget) {
  std::optional<Synthesis> best;
  std::size_t before = weight(component);
  const std::size_t all = before;
  const auto with_share = [&](double part, std::optional<double> most,
                              const auto& run) -> Result<Synthesis> {
    BudgetLimits limits = budget.limits();
    if (const auto left = budget.seconds_left()) limits.seconds = std::ceil(*left * part);
    if (most) limits.seconds = std::min(limits.seconds.value_or(*most), *most);
    Budget share(limits);
    auto result = run(share);
    budget.count_queries(share.queries());
    return result;
  };
  if (all <= quick_weight) {
    // Which arguments are good often depends on what coarser components leave out.
    const bool long_look = component.options().arguments == Arguments::Angelic;
    options.story.tell("auto: everything, for {}",
                       long_look ? "most of the time" : fmt::format("{} s at most", quick_seconds));
    auto quick = with_share(long_look ? whole_share : coarse_share,
                            long_look ? std::nullopt : std::optional(quick_seconds),
                            [&](Budget& share) { return whole(component, options, share); });
    if (quick && quick->settled) return quick;
    if (quick) best = std::move(*quick);
  }
  for (const Level& level : levels) {
    ComponentOptions coarse = component.options();
    coarse.detail = level.detail;
    auto view = build_component(*options.source, coarse);
    if (!view) return std::unexpected(view.error());
    const std::size_t size = weight(*view);
    if (size >= all || (best && size == before)) continue;
    before = size;
    options.story.tell("auto: {} alone, {} of {} statements", level.name, size, all);
    auto result = with_share(coarse_share, std::nullopt, [&](Budget& share) {
      return synthesise_permissive(*view, options, share);
    });
    if (!result) {
      options.story.tell("auto: {}", result.error().message);
      continue;
    }
    result->interface.stats.set("auto", fmt::format("saw {} alone", level.name));
    if (!best || result->settled || says_more(result->interface, best->interface))
      best = std::move(*result);
    if (best->settled || budget.exhausted_now()) break;
  }
  if (best && budget.exhausted_now()) return told(std::move(*best), budget);
  if (best && best->settled) return std::move(*best);
  options.story.tell("auto: everything");
  auto finest = whole(component, options, budget);
  if (!finest) return best ? Result<Synthesis>(std::move(*best)) : std::move(finest);
  if (!best || finest->settled || says_more(finest->interface, best->interface)) return finest;
  return told(std::move(*best), budget);
}

} // namespace

Result<Synthesis> synthesise_auto(const Component& component, const SynthesisOptions& options,
                                  Budget& budget) {
  if (component.module().conventions.reducible && options.source != nullptr &&
      component.options().detail == Detail::All)
    return by_levels(component, options, budget);
  return whole(component, options, budget);
}

namespace {

Result<Synthesis> whole(const Component& component, const SynthesisOptions& options,
                        Budget& budget) {
  if (unbounded(component)) {
    options.story.tell("auto: the state has no bound; permissive it is");
    return synthesise_permissive(component, options, budget);
  }
  std::optional<Synthesis> best, abstract;
  std::optional<Diagnostic> refusal;
  std::uint64_t slice = first_slice;
  for (int round = 0; round < slices; ++round, slice *= 4) {
    for (const Contender& contender : contenders) {
      BudgetLimits limits{.seconds = budget.seconds_left(),
                          .memory_bytes = budget.limits().memory_bytes,
                          .steps = slice};
      if (limits.seconds && *limits.seconds <= 0) break;
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
  if (abstract) return told(std::move(*abstract), budget);
  if (best) return std::move(*best);
  return std::unexpected(*refusal);
}

} // namespace

} // namespace tacit
