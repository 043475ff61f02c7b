#include "pipeline/synthesise.h"

#include <algorithm>

#include "base/timer.h"
#include "pipeline/make_component.h"
#include "pipeline/recheck.h"
#include "pipeline/views.h"
#include "program/text/print.h"
#include "synthesis/finish/needs.h"

namespace tacit {
namespace {

// What opaque callees have to do is asked also where the budget has run out: there the question is
// most pressing. It is many small questions; these bounds end it where it would take longer than
// the engine did.
constexpr double seconds_for_needs = 5;
constexpr double share_for_needs = 0.1; // of the time of the run, when that is over
constexpr double least_needs_seconds = 1;
constexpr std::uint64_t queries_for_needs = 2000;

// What was found before the budget ran out still deserves its proof.
constexpr double least_checking_seconds = 3, checking_share = 0.15;

class Run {
public:
  Run(const Module& module, const SynthesisRequest& request, const Engine& engine, Budget& budget)
      : module_(module), request_(request), budget_(budget),
        setup_{&engine, synthesis_options(request), request.predicates} {}

  Result<SynthesisAnswer> run() {
    auto component = make_component(module_, request_.component);
    if (!component) return std::unexpected(component.error());
    const auto whole = std::make_shared<const Component>(std::move(*component));
    phase("engine " + setup_.engine->name);
    auto found = run_engine(module_, whole, setup_, budget_);
    if (!found) return std::unexpected(found.error());
    Interface& result = found->synthesis.interface;
    if (request_.parts)
      if (auto done = add_parts(*whole, result); !done) return std::unexpected(done.error());
    // About the whole: what a view hides may be what a callee decides.
    if (request_.needs) explain(result, *whole);
    result.sources = request_.sources;
    result.tir = print_module(module_);
    for (InterfacePart& part : result.parts) part.interface.tir = result.tir;
    result.stats.set("seconds", seconds());
    result.stats.set("queries", budget_.queries());
    const bool permissive = result.verdict.permissive == Claim::Proved;
    auto report = check(result, *found->component);
    const bool settled = found->synthesis.settled && result.verdict.safe == Claim::Proved &&
                         (!permissive || result.verdict.permissive == Claim::Proved);
    return SynthesisAnswer{std::move(result), std::move(found->component), settled,
                           std::move(report)};
  }

private:
  double seconds() const { return request_.seconds_before + timer_.seconds(); }

  void phase(const std::string& text) const {
    if (request_.phase) request_.phase(text);
  }

  Result<void> add_parts(const Component& whole, Interface& result) {
    EngineSetup quiet = setup_;
    quiet.options.story = {};
    for (const PartPlan& plan : plan_parts(*request_.parts, whole)) {
      auto built = build_component(module_, plan.options);
      if (!built) return std::unexpected(built.error());
      // A property that nothing can violate has no interface.
      if (*request_.parts == Decomposition::ByErrors && !built->unmatched_errors().empty())
        continue;
      request_.story.tell("part '{}'", plan.name);
      auto found =
          run_engine(module_, std::make_shared<const Component>(std::move(*built)), quiet, budget_);
      if (!found) return std::unexpected(found.error());
      result.parts.push_back({plan.name, plan.fields, std::move(found->synthesis.interface)});
      part_components_.push_back(std::move(found->component));
    }
    compare_parts(result);
    return {};
  }

  void explain(Interface& result, const Component& whole) {
    phase("looking for what opaque callees have to do");
    const double all = budget_.limits().seconds.value_or(seconds_for_needs);
    const double on_top = std::max(least_needs_seconds, all * share_for_needs);
    const double left = budget_.seconds_left().value_or(seconds_for_needs);
    Budget explaining(BudgetLimits{.seconds = std::min(seconds_for_needs, std::max(on_top, left)),
                                   .queries = queries_for_needs});
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
    const auto allowed = budget_.limits().seconds.transform([&](double all) {
      return std::max({least_checking_seconds, checking_share * all, all - seconds()});
    });
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
