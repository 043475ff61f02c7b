#include <algorithm>
#include <fstream>
#include <iostream>
#include <optional>

#include "abstraction/formula/clause_functions.h"
#include "base/timer.h"
#include "check/check.h"
#include "cli/commands.h"
#include "cli/component_options.h"
#include "cli/console.h"
#include "cli/files.h"
#include "cli/summary.h"
#include "export/text.h"
#include "interface/json.h"
#include "program/text/print.h"
#include "synthesis/epa/epa.h"

namespace tacit {
namespace {

Result<EpaOptions> epa_options(const CommandLine& line) {
  EpaOptions how;
  if (const auto text = line.one("--requires")) {
    if (*text == "given")
      how.requires_from = RequiresFrom::Given;
    else if (*text == "mined")
      how.requires_from = RequiresFrom::Mined;
    else if (*text == "both")
      how.requires_from = RequiresFrom::Both;
    else
      return fail("--requires is 'given', 'mined' or 'both', not '{}'", *text);
  }
  auto search =
      one_of(line, "--search", "models", EpaSearch::Models, "candidates", EpaSearch::Candidates);
  if (!search) return std::unexpected(search.error());
  how.search = *search;
  how.pruning = !line.has("--no-pruning");
  if (!how.pruning && how.search == EpaSearch::Models)
    return fail("--no-pruning is about --search candidates");
  auto workers = worker_count(line);
  if (!workers) return std::unexpected(workers.error());
  how.workers = workers->value_or(1);
  how.reachable = line.has("--reachable");
  how.invariants = line.all("--invariant");
  how.facts = line.all("--fact");
  how.why_not = line.all("--why-not");
  if (line.has("--explain")) how.story = Story(&std::cerr);
  return how;
}

Result<void> annotate(const CommandLine& line, const Module& annotated) {
  const auto path = line.one("--annotate");
  if (!path) return {};
  std::ofstream out(*path);
  out << print_module(annotated);
  out.close();
  if (!out) return fail("--annotate: '{}' cannot be written", *path);
  return {};
}

/// What the second solver does not confirm is not claimed. False when it contradicts.
bool recheck(Interface& result, const Component& component, bool skip, Budget& budget) {
  if (skip) {
    result.verdict.details["check"] = "the evidence was not re-checked (--no-check)";
    return true;
  }
  CheckReport report = check_evidence(result, component, {.budget = &budget});
  result.stats.set("check_seconds", report.seconds);
  result.stats.set("check_queries", report.queries);
  result.stats.set("check_obligations", report.obligations);
  for (std::size_t i : report.doubtful) {
    InterfaceTransition& t = result.transitions[i];
    t.uncertain = true;
    t.example.reset();
    t.run.reset();
  }
  for (std::size_t i : report.doubtful_starts) {
    result.initial[i].uncertain = true;
    result.initial[i].example.reset();
  }
  const std::size_t doubtful = report.doubtful.size() + report.doubtful_starts.size();
  if (doubtful > 0 && !report.rejected.empty()) {
    // Does what is left hold?
    report = check_evidence(result, component, {.budget = &budget});
    result.verdict.details["certainty"] =
        fmt::format("{} transitions or starts were not confirmed by the second solver", doubtful);
  }
  result.stats.set("uncertain", static_cast<std::size_t>(std::ranges::count(
                                    result.transitions, true, &InterfaceTransition::uncertain)));
  for (const Finding& finding : report.unknown)
    if (std::ranges::find(result.epa->unconfirmed, finding.obligation) ==
        result.epa->unconfirmed.end())
      result.epa->unconfirmed.push_back(finding.obligation);
  if (!report.accepted()) {
    const Finding& first =
        report.rejected.empty() ? report.unknown.front() : report.rejected.front();
    const std::size_t others = report.rejected.size() + report.unknown.size() - 1;
    result.verdict.details["check"] = fmt::format(
        "{} by the second solver: {}{}", report.rejected.empty() ? "not confirmed" : "contradicted",
        to_string(first), others == 0 ? "" : fmt::format(", and {} more", others));
  }
  return report.rejected.empty();
}

} // namespace

Result<int> run_epa(const CommandLine& line) {
  const Timer timer;
  auto options = component_options(line);
  if (!options) return std::unexpected(options.error());
  auto how = epa_options(line);
  if (!how) return std::unexpected(how.error());
  auto limits = budget_limits(line);
  if (!limits) return std::unexpected(limits.error());
  auto loaded = load_sources(line);
  if (!loaded) return std::unexpected(loaded.error());
  if (auto added = add_source_clauses(*loaded, clause_texts(line, *loaded)); !added)
    return std::unexpected(added.error());
  auto module = with_clause_functions(*loaded, *options);
  if (!module) return std::unexpected(module.error());
  auto component = make_component(*module, *options);
  if (!component) return std::unexpected(component.error());
  Budget budget(*limits);
  std::optional<ProgressLine> progress;
  progress.emplace(!line.has("--quiet") && !line.has("--explain"), budget);
  progress->phase("engine epa");
  auto made = synthesise_epa(*module, *component, *how, budget);
  progress.reset();
  if (!made) return std::unexpected(made.error());
  Interface& result = made->interface;
  result.sources = line.positional;
  result.tir = print_module(*module);
  result.stats.set("seconds", timer.seconds());
  result.stats.set("queries", budget.queries());
  // What was found before the budget ran out is checked too; a check that takes too long ends.
  Budget checking(BudgetLimits{.seconds = std::max(5.0, limits->seconds.value_or(60)),
                               .memory_bytes = limits->memory_bytes});
  const bool confirmed = recheck(result, *component, line.has("--no-check"), checking);
  if (auto written = annotate(line, made->annotated); !written)
    return std::unexpected(written.error());
  if (line.has("--output")) {
    if (auto written = write_output(line, [&](std::ostream& out) { write_interface(out, result); });
        !written)
      return std::unexpected(written.error());
    if (!line.has("--quiet")) std::cout << painted_words(summary(result)) << "\n";
  } else {
    std::cout << painted_words(show_text(result, {}));
  }
  for (const std::string& answer : made->answers) std::cout << answer << "\n";
  if (!line.has("--quiet")) std::cerr << figures(result) << "\n";
  return made->settled && confirmed ? exit_status::done : exit_status::unsettled;
}

} // namespace tacit
