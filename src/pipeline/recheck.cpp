#include "pipeline/recheck.h"

#include <algorithm>

#include <fmt/ranges.h>

namespace tacit {
namespace {

void withdraw(Verdict& verdict, Claim& claim, const char* name, const std::string& why) {
  if (claim != Claim::Proved) return;
  claim = Claim::Unknown;
  verdict.details[name] = why;
}

void count(Interface& result, const CheckReport& report) {
  result.stats.set("check_seconds", report.seconds);
  result.stats.set("check_queries", report.queries);
  result.stats.set("check_obligations", report.obligations);
}

/// Whether only obligations of these kinds were contradicted.
bool only(const CheckReport& report, std::initializer_list<std::string_view> kinds) {
  return !report.rejected.empty() && std::ranges::all_of(report.rejected, [&](const Finding& f) {
    return std::ranges::any_of(
        kinds, [&](std::string_view kind) { return f.obligation.starts_with(kind); });
  });
}

void drop_nodes(Evidence& evidence) {
  evidence.must.clear();
  evidence.refusal_must.clear();
  evidence.transition_must.clear();
  evidence.outcome_must.clear();
}

/// A contradiction weighs more than what was not settled.
const Finding& first_finding(const CheckReport& report) {
  return report.rejected.empty() ? report.unknown.front() : report.rejected.front();
}

} // namespace

void withdraw_claims(Interface& result, const std::string& why) {
  Verdict& verdict = result.verdict;
  withdraw(verdict, verdict.safe, "safe", why);
  withdraw(verdict, verdict.permissive, "permissive", why);
  withdraw(verdict, verdict.full, "full", why);
}

std::optional<CheckReport> recheck(Interface& result, const Component& component, Budget& budget) {
  Verdict& verdict = result.verdict;
  if (result.evidence.omitted ||
      (result.before_pruning && result.before_pruning->evidence.omitted)) {
    verdict.details["evidence"] = "left out for size: the claims rest on exhaustive exploration "
                                  "and were not checked a second time";
    return std::nullopt;
  }
  CheckReport report = check_evidence(result, component, {.budget = &budget});
  count(result, report);
  if (report.accepted()) return report;
  // That there is a smaller one takes nothing from the other claims.
  if (verdict.minimal && only(report, {"minimal"})) {
    verdict.minimal = false;
    return recheck(result, component, budget);
  }
  const Finding& first = first_finding(report);
  const std::string why =
      "not confirmed by the second solver: " + first.obligation + ": " + first.message;
  // Nor does it that a proof of refusals does not hold: what is left is looked at once more.
  if (only(report, {"must-node"}) ||
      (verdict.permissive == Claim::Proved && only(report, {"must-node", "refusal of"}))) {
    withdraw(verdict, verdict.permissive, "permissive", why);
    withdraw(verdict, verdict.full, "full", why);
    verdict.minimal = false;
    drop_nodes(result.evidence);
    return recheck(result, component, budget);
  }
  // Nor that an outcome cannot happen everywhere it is listed.
  if (verdict.full == Claim::Proved && only(report, {"possibility"})) {
    withdraw(verdict, verdict.full, "full", why);
    return recheck(result, component, budget);
  }
  if (report.safe != Claim::Proved) withdraw(verdict, verdict.safe, "safe", why);
  if (report.permissive != Claim::Proved) withdraw(verdict, verdict.permissive, "permissive", why);
  if (report.full != Claim::Proved) withdraw(verdict, verdict.full, "full", why);
  if (!report.rejected.empty()) {
    withdraw_claims(result, why);
    verdict.minimal = false;
  }
  return report;
}

void leave_undecided_open(Interface& result) {
  Verdict& verdict = result.verdict;
  if (result.undecided_sites() == 0 || verdict.safe != Claim::Proved) return;
  std::vector<std::string> open;
  for (const SetAside& site : result.aside)
    if (!site.decided) open.push_back(site.call + " at " + site.site);
  verdict.safe = Claim::Bounded;
  if (verdict.full == Claim::Proved) verdict.full = Claim::Unknown;
  verdict.details["safe"] =
      fmt::format("proved for all errors but those not decided: {}", fmt::join(open, ", "));
}

CheckReport recheck_enabledness(Interface& result, const Component& component, Budget& budget) {
  CheckReport report = check_evidence(result, component, {.budget = &budget});
  count(result, report);
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
    const std::size_t others = report.rejected.size() + report.unknown.size() - 1;
    result.verdict.details["check"] = fmt::format(
        "{} by the second solver: {}{}", report.rejected.empty() ? "not confirmed" : "contradicted",
        to_string(first_finding(report)), others == 0 ? "" : fmt::format(", and {} more", others));
  }
  return report;
}

} // namespace tacit
