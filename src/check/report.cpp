#include "check/report.h"

#include <algorithm>

namespace tacit {

std::string to_string(const Finding& finding) {
  std::string text = finding.obligation + ": " + finding.message;
  if (!finding.detail.empty()) text += " (" + finding.detail + ")";
  return text;
}

ClaimSet claimed(const Verdict& verdict) {
  return {verdict.safe == Claim::Proved, verdict.permissive == Claim::Proved,
          verdict.full == Claim::Proved};
}

void Findings::drop(ClaimSet touched) {
  if (touched.safe) report_.safe = Claim::Unknown;
  if (touched.permissive) report_.permissive = Claim::Unknown;
  if (touched.full) report_.full = Claim::Unknown;
}

void Findings::reject(ClaimSet touched, std::string obligation, std::string message,
                      std::string detail) {
  drop(touched);
  if (report_.rejected.size() < options_.max_findings)
    report_.rejected.push_back({prefix + obligation, std::move(message), std::move(detail)});
}

void Findings::undecided(ClaimSet touched, std::string obligation, std::string message,
                         std::string detail) {
  drop(touched);
  if (report_.unknown.size() < options_.max_findings)
    report_.unknown.push_back({prefix + obligation, std::move(message), std::move(detail)});
}

void Findings::unchecked(std::string what) {
  what = prefix + what;
  if (std::ranges::find(report_.unchecked, what) == report_.unchecked.end())
    report_.unchecked.push_back(std::move(what));
}

bool Findings::stop() {
  if (report_.stopped) return true;
  if (options_.budget != nullptr && options_.budget->exhausted()) {
    report_.unknown.push_back(
        {prefix + "check", "stopped before everything was checked", options_.budget->reason()});
    report_.stopped = true;
  }
  if (report_.rejected.size() >= options_.max_findings ||
      report_.unknown.size() >= options_.max_findings)
    report_.stopped = true;
  if (report_.stopped) drop(ClaimSet::all());
  return report_.stopped;
}

} // namespace tacit
