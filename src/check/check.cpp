#include "check/check.h"

#include <algorithm>

#include "base/timer.h"
#include "check/epa.h"
#include "check/guarded.h"
#include "check/mergeable.h"
#include "check/obligations.h"
#include "check/replay.h"
#include "check/serial.h"
#include "check/statements.h"
#include "check/structure.h"
#include "interface/json.h"

namespace tacit {

namespace {

/// Everything about one automaton; `evidence` is off for the pruned half of a serial result.
std::optional<Alignment> check_one(const Interface& interface, const Component& component,
                                   bool evidence, const CheckOptions& options, CheckReport& report,
                                   Findings& findings) {
  auto alignment = align(interface, component, findings);
  if (!alignment) return std::nullopt;
  std::optional<ClientConditions> conditions;
  if (guarded(component)) {
    conditions = ClientConditions::read(interface, component, *alignment, findings);
    if (!conditions) return std::nullopt;
  }
  if (evidence)
    report.queries +=
        conditions
            ? check_guarded(interface, component, *alignment, *conditions, options.budget, findings)
            : check_obligations(interface, component, *alignment, options.budget, findings);
  check_refusals(interface, component, *alignment, !evidence, findings);
  check_runs(interface, component, *alignment, conditions ? &*conditions : nullptr, findings);
  if (conditions && interface.verdict.minimal) {
    report.minimal =
        check_minimal(interface, component, *alignment, *conditions, options.budget, findings);
  } else if (!conditions) {
    report.minimal = is_minimal(interface);
    if (interface.verdict.minimal && !report.minimal)
      findings.reject({}, "minimal", "an automaton with fewer states makes the same distinctions");
  }
  return alignment;
}

/// A pruned interface rests on the evidence of the one before: it may claim nothing more.
void check_inherited_claims(const Interface& interface, const Interface& before,
                            Findings& findings) {
  const ClaimSet here = claimed(interface.verdict), there = claimed(before.verdict);
  const auto claim = [&](bool mine, bool theirs, ClaimSet touched, std::string_view name) {
    if (mine && !theirs)
      findings.reject(touched, fmt::format("evidence for {}", name),
                      "claimed as proved, but not before pruning");
  };
  claim(here.safe, there.safe, {.safe = true}, "safe");
  claim(here.permissive, there.permissive, {.permissive = true}, "permissive");
  claim(here.full, there.full, {.full = true}, "full");
}

/// What the component takes for granted has to be said by whoever claims something about it.
void check_assumptions(const Interface& interface, const Component& component, Findings& findings) {
  for (const std::string& assumption : component.assumptions())
    if (std::ranges::find(interface.verdict.assumptions, assumption) ==
        interface.verdict.assumptions.end())
      findings.reject(ClaimSet::all(), "assumptions",
                      fmt::format("the result does not list '{}'", assumption));
}

/// What the result says that the second solver did not settle is not held against it.
CheckReport check_epa_result(const Interface& interface, const Component& component,
                             const CheckOptions& options) {
  const Timer timer;
  CheckReport report;
  const CheckOptions all{.max_findings = SIZE_MAX, .budget = options.budget};
  Findings findings(report, all);
  check_assumptions(interface, component, findings);
  report.queries = check_epa(interface, component, options.budget, report, findings);
  if (interface.epa)
    std::erase_if(report.unknown, [&](const Finding& finding) {
      return std::ranges::find(interface.epa->unconfirmed, finding.obligation) !=
             interface.epa->unconfirmed.end();
    });
  report.seconds = timer.seconds();
  return report;
}

} // namespace

CheckReport check_evidence(const Interface& interface, const Component& component,
                           const CheckOptions& options) {
  const Timer timer;
  CheckReport report;
  Findings findings(report, options);
  if (interface.kind == "epa") return check_epa_result(interface, component, options);
  if (interface.safe_but_for_sites()) { // the claims of the other sites
    Interface others = interface;
    others.verdict.safe = Claim::Proved;
    report = check_evidence(others, component, options);
    if (report.safe == Claim::Proved) report.safe = Claim::Bounded;
    return report;
  }
  report.safe = interface.verdict.safe == Claim::Proved ? Claim::Proved : Claim::Unknown;
  report.permissive =
      interface.verdict.permissive == Claim::Proved ? Claim::Proved : Claim::Unknown;
  report.full = interface.verdict.full == Claim::Proved ? Claim::Proved : Claim::Unknown;

  check_assumptions(interface, component, findings);
  check_statements(interface, component, findings);
  report.queries += check_aside(interface, component, options.budget, findings);

  // Without a separate record nothing was pruned away, so the interface has to be its own pruned
  // form.
  const Interface* before = interface.before_pruning.get();
  const bool pruned = interface.serial && before != nullptr;
  const auto alignment = check_one(interface, component, !pruned, options, report, findings);
  if (interface.serial && guarded(component))
    findings.undecided(ClaimSet::all(), "pruning", "with guarded arguments it cannot be checked");
  else if (pruned) {
    check_inherited_claims(interface, *before, findings);
    findings.prefix = "before pruning: ";
    const bool minimal = report.minimal;
    const auto earlier = check_one(*before, component, true, options, report, findings);
    report.minimal = minimal;
    findings.prefix.clear();
    if (alignment && earlier)
      check_pruning(*before, *earlier, interface, *alignment, component, findings);
  } else if (interface.serial && alignment) {
    check_pruning(interface, *alignment, interface, *alignment, component, findings);
  }

  report.seconds = timer.seconds();
  return report;
}

Result<CheckReport> check_evidence(const Interface& interface, const CheckOptions& options) {
  const auto component = component_of(interface);
  if (!component) return std::unexpected(component.error());
  return check_evidence(interface, *component, options);
}

} // namespace tacit
