#include "pipeline/synthesise.h"

#include <algorithm>
#include <set>

#include <fmt/ranges.h>

#include "base/timer.h"
#include "pipeline/looked_at.h"
#include "pipeline/make_component.h"
#include "pipeline/recheck.h"
#include "pipeline/views.h"
#include "program/text/print.h"
#include "synthesis/aside.h"
#include "synthesis/finish/needs.h"

namespace tacit {
namespace {

// What was found before the time ran out still deserves its explanation and its proof: that part of
// the time is kept for them.
constexpr double kept_share = 0.25, most_kept_seconds = 8;

// What opaque callees have to do is asked also where the search has not ended: there the question
// is most pressing. It is many small questions; these bounds end it where it would take longer than
// the engine did.
constexpr double seconds_for_needs = 5;
constexpr double share_for_needs = 0.3; // of what is left
constexpr std::uint64_t queries_for_needs = 2000;

// Parts are there to be small where the whole is large: what it does not settle, they may.
constexpr double share_for_whole = 0.5;

// Each round sets sites aside that stood in the way of all others, so that few are needed.
constexpr std::size_t most_aside_rounds = 6;
// The search for them is many small questions as well.
constexpr double seconds_for_aside = 5, share_for_aside = 0.3;

class Run {
public:
  Run(const Module& module, const SynthesisRequest& request, const Engine& engine, Budget& budget)
      : module_(module), request_(request), budget_(budget),
        search_(for_search(budget, request.parts ? share_for_whole : 1)),
        setup_{&engine, synthesis_options(request), request.predicates} {}

  Result<SynthesisAnswer> run() {
    const Timer building;
    auto component = make_component(module_, request_.component, request_.nothing);
    if (!component) return std::unexpected(component.error());
    setup_.build_seconds = building.seconds();
    if (auto nothing = nothing_to_prove(*component, module_); nothing && !request_.nothing)
      return std::unexpected(*nothing);
    auto whole = std::make_shared<const Component>(std::move(*component));
    phase("engine " + setup_.engine->name);
    auto found =
        sets_aside() ? with_sites_aside(whole) : run_engine(module_, whole, setup_, search_);
    if (!found) return std::unexpected(found.error());
    found->synthesis = in_terms_of(budget_, std::move(found->synthesis));
    Interface& result = found->synthesis.interface;
    if (request_.parts)
      if (auto done = add_parts(*whole, result); !done) return std::unexpected(done.error());
    // About the whole: what a view hides may be what a callee decides.
    if (request_.needs) explain(result, *whole);
    tell_what_was_looked_at(result, *found->component, module_);
    result.sources = request_.sources;
    result.tir = print_module(module_);
    for (InterfacePart& part : result.parts) part.interface.tir = result.tir;
    result.stats.set("seconds", seconds());
    budget_.count_queries(search_.queries());
    result.stats.set("queries", budget_.queries());
    const bool permissive = result.verdict.permissive == Claim::Proved;
    auto report = check(result, *found->component);
    leave_undecided_open(result);
    const bool settled = found->synthesis.settled && result.verdict.safe == Claim::Proved &&
                         (!permissive || result.verdict.permissive == Claim::Proved) &&
                         std::ranges::all_of(result.aside, &SetAside::decided);
    return SynthesisAnswer{std::move(result), std::move(found->component), settled,
                           std::move(report)};
  }

private:
  double seconds() const { return request_.seconds_before + timer_.seconds(); }

  static BudgetLimits for_search(const Budget& budget, double share) {
    BudgetLimits limits = budget.share(1);
    if (limits.seconds) {
      *limits.seconds -= std::min(most_kept_seconds, kept_share * *limits.seconds);
      *limits.seconds *= share;
    }
    if (limits.queries)
      limits.queries = static_cast<std::uint64_t>(share * static_cast<double>(*limits.queries));
    return limits;
  }

  void phase(const std::string& text) const {
    if (request_.phase) request_.phase(text);
  }

  bool sets_aside() const {
    return !request_.all_errors && request_.component.arguments == Arguments::Guarded &&
           request_.component.aside.empty();
  }

  /// Sites that no protocol decides, round by round: what one of them hides may be another. Those
  /// that are plain to see before any search are not searched with.
  Result<ViewedSynthesis> with_sites_aside(std::shared_ptr<const Component>& whole) {
    const std::shared_ptr<const Component> counting = whole;
    std::vector<SetAside> aside;
    if (whole->has_unknowns())
      searching([&](Budget& some) { aside = sites_to_set_aside(*whole, some); });
    auto first = run_without(aside, whole);
    if (!first) return first;
    ViewedSynthesis found = std::move(*first);
    std::set<std::string> in_vain; // no client meets them, or the call is never allowed either
    for (std::size_t round = 0; round < most_aside_rounds && can_build(); ++round) {
      // What the time did not suffice for says nothing about sites.
      if (cut_short(found.synthesis.interface)) break;
      std::vector<SetAside> next;
      searching([&](Budget& some) {
        next = sites_that_matter(aside, found.synthesis.interface, *counting, some);
      });
      const bool fewer = next.size() < aside.size();
      std::set<std::string> kept;
      for (const SetAside& site : next) kept.insert(spelt(site));
      for (const SetAside& site : aside)
        if (!kept.contains(spelt(site))) in_vain.insert(spelt(site));
      searching([&](Budget& some) {
        for (SetAside& site : sites_to_set_aside(found.synthesis.interface, *whole, some))
          if (!in_vain.contains(spelt(site))) next.push_back(std::move(site));
      });
      if (!fewer && next.size() == aside.size()) break;
      if (!can_build()) break;
      const std::shared_ptr<const Component> before = whole;
      auto again = run_without(next, whole);
      if (!again) break;
      // What the time did not suffice for is no better.
      if (!again->synthesis.settled && search_.exhausted_now()) {
        whole = before;
        break;
      }
      found = std::move(*again);
      aside = std::move(next);
    }
    Interface& result = found.synthesis.interface;
    searching([&](Budget& some) { withdraw_decided(result.aside, result, *counting, some); });
    return found;
  }

  static bool cut_short(const Interface& found) {
    const auto why = found.verdict.details.find("permissive");
    return why != found.verdict.details.end() && why->second.starts_with("the budget ran out");
  }

  static std::string spelt(const SetAside& site) { return site.call + "@" + site.site; }

  void searching(const auto& search) {
    Budget some(search_.share(share_for_aside, seconds_for_aside));
    search(some);
    search_.count_queries(some.queries());
  }

  /// Whether there is time to build another component; that has no limit of its own.
  bool can_build() {
    const auto left = search_.seconds_left();
    return !search_.exhausted_now() && (!left || *left > setup_.build_seconds);
  }

  /// The answer for the errors of the other sites; `whole` is the component with these.
  Result<ViewedSynthesis> run_without(const std::vector<SetAside>& aside,
                                      std::shared_ptr<const Component>& whole) {
    const bool same = aside.empty() && whole->options().aside.empty();
    if (same || !can_build()) return run_engine(module_, whole, setup_, search_);
    ComponentOptions options = request_.component;
    for (const SetAside& site : aside) {
      request_.story.tell("{} is set aside: {}", spelt(site), site.because);
      options.aside.push_back(spelt(site));
    }
    auto built = build_component(module_, options);
    if (!built) return std::unexpected(built.error());
    auto others = std::make_shared<const Component>(std::move(*built));
    auto found = run_engine(module_, others, setup_, search_);
    if (!found) return found;
    found->synthesis.interface.aside = aside;
    whole = std::move(others);
    return found;
  }

  Result<void> add_parts(const Component& whole, Interface& result) {
    EngineSetup quiet = setup_;
    quiet.options.story = {};
    BudgetLimits limits = for_search(budget_, 1);
    if (limits.queries) *limits.queries -= std::min(*limits.queries, search_.queries());
    Budget left(limits);
    const std::vector<PartPlan> plans = plan_parts(*request_.parts, whole);
    for (std::size_t i = 0; i < plans.size(); ++i) {
      const PartPlan& plan = plans[i];
      auto built = build_component(module_, plan.options);
      if (!built) return std::unexpected(built.error());
      // A property that nothing can violate has no interface.
      if (*request_.parts == Decomposition::ByErrors && !built->unmatched_errors().empty())
        continue;
      request_.story.tell("part '{}'", plan.name);
      Budget fair(left.share(1.0 / static_cast<double>(plans.size() - i)));
      auto found =
          run_engine(module_, std::make_shared<const Component>(std::move(*built)), quiet, fair);
      left.count_queries(fair.queries());
      if (!found) return std::unexpected(found.error());
      result.parts.push_back({plan.name, plan.fields, std::move(found->synthesis.interface)});
      part_components_.push_back(std::move(found->component));
    }
    search_.count_queries(left.queries());
    compare_parts(result);
    return {};
  }

  void explain(Interface& result, const Component& whole) {
    phase("looking for what opaque callees have to do");
    BudgetLimits limits = budget_.share(share_for_needs, seconds_for_needs);
    limits.queries = queries_for_needs;
    Budget explaining(limits);
    explain_needs(result, whole, explaining);
    budget_.count_queries(explaining.queries());
  }

  std::optional<CheckReport> check(Interface& result, const Component& component) {
    if (!request_.check) {
      const std::string why = "the evidence was not re-checked (--no-check)";
      withdraw_claims(result, why);
      for (InterfacePart& part : result.parts) withdraw_claims(part.interface, why);
      return std::nullopt;
    }
    phase("checking the evidence with the second solver");
    const auto allowed = budget_.seconds_left().transform(
        [](double left) { return std::max(least_checking_seconds, left); });
    Budget checking(
        BudgetLimits{.seconds = allowed, .memory_bytes = budget_.limits().memory_bytes});
    auto report = recheck(result, component, checking);
    for (std::size_t i = 0; i < result.parts.size(); ++i)
      recheck(result.parts[i].interface, *part_components_[i], checking);
    return report;
  }

  const Module& module_;
  const SynthesisRequest& request_;
  Budget& budget_;
  Budget search_; // the part of it that is for engines
  EngineSetup setup_;
  Timer timer_;
  std::vector<std::shared_ptr<const Component>> part_components_; // as result.parts
};

} // namespace

Result<SynthesisAnswer> synthesise(const Module& module, const SynthesisRequest& request,
                                   Budget& budget) {
  auto engine = check_request(request);
  if (!engine) return std::unexpected(engine.error());
  return Run(module, request, **engine, budget).run();
}

} // namespace tacit
