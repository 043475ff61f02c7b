// What a check says, and the collector that the parts of the check write to.
#pragma once

#include <string>
#include <vector>

#include "base/budget.h"
#include "interface/interface.h"

namespace tacit {

/// One thing that is wrong or could not be decided.
struct Finding {
  std::string obligation; // "consecution of q2 --close--> q0"
  std::string message;    // what is the matter
  std::string detail;     // a concrete state or word, or why the solver gave up; may be empty
};

/// "obligation: message (detail)".
std::string to_string(const Finding& finding);

struct CheckReport {
  std::vector<Finding> rejected; // claims that are wrong, or whose evidence does not prove them
  std::vector<Finding> unknown;  // what the solver could not decide, or what was left out for size
  /// What the file says and this check does not look into, in words; nothing is claimed of it.
  std::vector<std::string> unchecked;
  bool stopped = false;        // too many findings or out of budget: not everything was checked
  std::size_t obligations = 0; // proof obligations that were generated
  std::size_t queries = 0;     // of the second solver
  double seconds = 0;

  // What the evidence supports: Proved, or Unknown when the claim was not made or not confirmed.
  Claim safe = Claim::Unknown, permissive = Claim::Unknown, full = Claim::Unknown;
  bool minimal = false;

  // Of an enabledness abstraction: transitions and starts that are certain by the result and were
  // not confirmed, by index.
  std::vector<std::size_t> doubtful, doubtful_starts;

  /// Everything that the verdict claims as proved was confirmed.
  bool accepted() const { return rejected.empty() && unknown.empty(); }
};

struct CheckOptions {
  std::size_t max_findings = 20;
  Budget* budget = nullptr;
};

/// Which of the three claims something matters for.
struct ClaimSet {
  bool safe = false, permissive = false, full = false;

  static ClaimSet all() { return {true, true, true}; }
  bool any() const { return safe || permissive || full; }
};

/// The claims of a verdict that say `proved`.
ClaimSet claimed(const Verdict& verdict);

/// Collects findings; a claim that a finding touches is no longer supported.
class Findings {
public:
  Findings(CheckReport& report, const CheckOptions& options) : report_(report), options_(options) {}

  void obligation() { ++report_.obligations; }
  void reject(ClaimSet touched, std::string obligation, std::string message,
              std::string detail = "");
  void undecided(ClaimSet touched, std::string obligation, std::string message,
                 std::string detail = "");
  /// Something that the file says is taken on trust.
  void unchecked(std::string what);
  /// Whether to go on; when not, no claim is supported.
  bool stop();

  /// Put before the names of obligations.
  std::string prefix;

private:
  void drop(ClaimSet touched);

  CheckReport& report_;
  const CheckOptions& options_;
};

} // namespace tacit
