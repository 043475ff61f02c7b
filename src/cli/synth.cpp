#include <algorithm>
#include <iostream>
#include <optional>

#include "base/timer.h"
#include "check/check.h"
#include "cli/commands.h"
#include "cli/component_options.h"
#include "cli/console.h"
#include "cli/files.h"
#include "cli/summary.h"
#include "export/text.h"
#include "interface/json.h"
#include "logic/term/parse.h"
#include "program/text/print.h"
#include "synthesis/decompose.h"
#include "synthesis/engines.h"
#include "synthesis/finish/needs.h"

namespace tacit {
namespace {

/// Without --time or --queries.
constexpr double default_seconds = 60;
/// For the second solver, when the engine has spent all its time.
constexpr double seconds_for_needs = 5;
constexpr double share_for_needs = 0.1; // of the time of the run, when that is over
constexpr std::uint64_t queries_for_needs = 2000;
constexpr double least_checking_seconds = 3, checking_share = 0.15;

Result<const Engine*> chosen_engine(const CommandLine& line) {
  const std::string name = line.one("--engine").value_or("auto");
  if (const Engine* engine = find_engine(name)) return engine;
  std::vector<std::string> names;
  for (const Engine& e : engines()) names.push_back(e.name);
  std::string all;
  for (const std::string& n : names) all += (all.empty() ? "" : ", ") + n;
  return fail("--engine: there is no engine '{}'{} (engines: {})", name, suggestion(name, names),
              all);
}

Result<Refinement> chosen_refinement(const CommandLine& line) {
  const std::string name = line.one("--refine").value_or("learn-reuse");
  std::vector<std::string> names;
  std::string all;
  for (const auto& [refinement, known] : refinements) {
    if (name == known) return refinement;
    names.emplace_back(known);
    all += (all.empty() ? "" : ", ") + std::string(known);
  }
  return fail("--refine: there is no refinement '{}'{} (refinements: {})", name,
              suggestion(name, names), all);
}

Result<SynthesisOptions> synthesis_options(const CommandLine& line) {
  SynthesisOptions how;
  how.serial = line.has("--serial");
  how.full = line.has("--full");
  auto representation = one_of(line, "--representation", "explicit", Representation::Explicit,
                               "bdd", Representation::Bdd);
  if (!representation) return std::unexpected(representation.error());
  how.representation = *representation;
  auto learner = one_of(line, "--learner", "tree", LearnerKind::Tree, "table", LearnerKind::Table);
  if (!learner) return std::unexpected(learner.error());
  if (line.has("--learner")) how.learner = *learner;
  auto refinement = chosen_refinement(line);
  if (!refinement) return std::unexpected(refinement.error());
  how.refinement = *refinement;
  if (const auto old = line.one("--seed")) {
    auto seed = load_result(*old);
    if (!seed) return std::unexpected(seed.error());
    how.seed = std::make_shared<const Interface>(std::move(*seed));
  }
  how.predicates = line.all("--predicate");
  how.must_allow = line.all("--must-allow");
  if (line.has("--explain")) how.story = Story(&std::cerr);
  return how;
}

/// Claims that the second solver does not confirm are not made.
void recheck(Interface& result, const Component& component, bool skip, Budget& budget) {
  Verdict& verdict = result.verdict;
  auto withdraw = [&](Claim& claim, const char* name, const std::string& why) {
    if (claim != Claim::Proved) return;
    claim = Claim::Unknown;
    verdict.details[name] = why;
  };
  auto withdraw_all = [&](const std::string& why) {
    withdraw(verdict.safe, "safe", why);
    withdraw(verdict.permissive, "permissive", why);
    withdraw(verdict.full, "full", why);
  };
  if (skip) return withdraw_all("the evidence was not re-checked (--no-check)");
  if (result.evidence.omitted ||
      (result.before_pruning && result.before_pruning->evidence.omitted)) {
    verdict.details["evidence"] = "left out for size: the claims rest on exhaustive exploration "
                                  "and were not checked a second time";
    return;
  }
  const CheckReport report = check_evidence(result, component, {.budget = &budget});
  result.stats.set("check_seconds", report.seconds);
  result.stats.set("check_queries", report.queries);
  result.stats.set("check_obligations", report.obligations);
  if (report.accepted()) return;
  const Finding& first = report.rejected.empty() ? report.unknown.front() : report.rejected.front();
  const std::string why =
      "not confirmed by the second solver: " + first.obligation + ": " + first.message;
  if (report.safe != Claim::Proved) withdraw(verdict.safe, "safe", why);
  if (report.permissive != Claim::Proved) withdraw(verdict.permissive, "permissive", why);
  if (report.full != Claim::Proved) withdraw(verdict.full, "full", why);
  if (!report.rejected.empty()) withdraw_all(why);
}

} // namespace

Result<int> run_synth(const CommandLine& line) {
  const Timer timer;
  auto engine = chosen_engine(line);
  if (!engine) return std::unexpected(engine.error());
  auto options = component_options(line);
  if (!options) return std::unexpected(options.error());
  auto limits = budget_limits(line);
  if (!limits) return std::unexpected(limits.error());
  if (!limits->seconds && !limits->queries) limits->seconds = default_seconds;
  auto how = synthesis_options(line);
  if (!how) return std::unexpected(how.error());
  auto module = load_sources(line);
  if (!module) return std::unexpected(module.error());
  auto component = make_component(*module, *options);
  if (!component) return std::unexpected(component.error());
  how->source = &*module;

  Budget budget(*limits);
  std::optional<ProgressLine> progress;
  progress.emplace(!line.has("--quiet") && !line.has("--explain"), budget);
  progress->phase("engine " + (*engine)->name);
  if (progress->shown()) how->story = Story(&progress->story());
  auto synthesis = (*engine)->run(*component, *how, budget);
  if (!synthesis) return std::unexpected(synthesis.error());
  Interface& result = synthesis->interface;
  for (const auto& [option, by] : {std::pair("--decompose", Decomposition::ByErrors),
                                   std::pair("--partition", Decomposition::BySlices)})
    if (line.has(option)) {
      if (line.has("--decompose") && line.has("--partition"))
        return fail("--decompose and --partition do not go together");
      auto done = decompose(by, *module, *component, **engine, *how, budget, result);
      if (!done) return std::unexpected(done.error());
    }
  progress->phase("looking for what opaque callees have to do");
  // Also where the budget has run out: there the question is most pressing.
  const double on_top =
      std::max(1.0, limits->seconds.value_or(seconds_for_needs) * share_for_needs);
  Budget explaining(BudgetLimits{
      .seconds = std::min(seconds_for_needs,
                          std::max(on_top, budget.seconds_left().value_or(seconds_for_needs))),
      .queries = queries_for_needs});
  explain_needs(result, *component, explaining);
  budget.count_queries(explaining.queries());
  result.sources = line.positional;
  result.hash = hash_sources(line.positional);
  result.tir = print_module(*module);
  result.stats.set("seconds", timer.seconds());
  result.stats.set("queries", budget.queries());
  progress->phase("checking the evidence with the second solver");
  // What was found before the budget ran out still deserves its proof.
  Budget checking(BudgetLimits{.seconds = limits->seconds.transform([&](double all) {
                                 return std::max({least_checking_seconds, checking_share * all,
                                                  all - timer.seconds()});
                               }),
                               .memory_bytes = limits->memory_bytes});
  const bool permissive = result.verdict.permissive == Claim::Proved;
  // The engine may have looked at a coarser component.
  std::optional<Component> viewed;
  if (result.options.detail != component->options().detail) {
    auto built = build_component(*module, result.options);
    if (!built) return std::unexpected(built.error());
    viewed.emplace(std::move(*built));
  }
  recheck(result, viewed ? *viewed : *component, line.has("--no-check"), checking);
  for (InterfacePart& part : result.parts) {
    part.interface.tir = result.tir;
    auto rebuilt = component_of(part.interface);
    if (!rebuilt) return std::unexpected(rebuilt.error());
    recheck(part.interface, *rebuilt, line.has("--no-check"), checking);
  }
  progress.reset();

  if (line.has("--output")) {
    if (auto written = write_output(line, [&](std::ostream& out) { write_interface(out, result); });
        !written)
      return std::unexpected(written.error());
    if (!line.has("--quiet")) std::cout << painted_words(summary(result)) << "\n";
  } else {
    std::cout << painted_words(show_text(result, {}));
  }
  if (!line.has("--quiet")) std::cerr << figures(result) << "\n";
  const bool settled = synthesis->settled && result.verdict.safe == Claim::Proved &&
                       (!permissive || result.verdict.permissive == Claim::Proved);
  return settled ? exit_status::done : exit_status::unsettled;
}

} // namespace tacit
