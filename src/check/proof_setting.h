// What every set of proof obligations needs: the component's calls as formulas, a prover, and a way
// to say in the component's words what went wrong.
//
// obligations.h and epa.h derive from it. Must: call `read_invariants` before the first `runs`.
// Beware: terms over the state are erased (erasure.h).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check/prover.h"
#include "check/readings.h"
#include "check/report.h"
#include "component/component.h"
#include "interface/interface.h"

namespace tacit {

/// After what fails for runs through a loop whose values are not known.
inline constexpr const char* loop_remark = ", as far as can be told with a loop that has no bound";

class ProofSetting {
public:
  ProofSetting(const ProofSetting&) = delete;
  ProofSetting& operator=(const ProofSetting&) = delete;

protected:
  /// All references outlive this. The budget may be null.
  ProofSetting(const Interface& interface, const Component& component, Budget* budget,
               Findings& findings, ClaimSet claims);
  ~ProofSetting() = default;

  struct Failure {
    std::string message;
    bool unknown = false; // the formula is an approximation, so that a failure decides nothing
    const CallRuns* runs = nullptr;
    std::optional<std::size_t> outcome = std::nullopt; // of the run in the model
  };

  /// Invariants of loops, which speak of parameters and locals too. False after a complaint.
  bool read_invariants();

  /// Null when the body cannot be encoded, which has been reported then.
  CallRuns* runs(std::size_t call);
  CallRuns* constructor_runs(std::size_t constructor);

  /// Reports unless the formula, the negation of a claim, is unsatisfiable.
  bool refute(const std::string& obligation, const Formula& formula, const Failure& failure,
              ClaimSet touched);
  /// Reports unless the formula is satisfiable.
  bool witness(const std::string& obligation, const Formula& formula, const Failure& failure,
               ClaimSet touched);

  Formula both(Formula a, Formula b) { return all_of(arena_, {std::move(a), std::move(b)}); }

  /// "from state == SIGN, data == 3 with n == 4".
  std::string describe(const TermModel& model) const;
  /// Where the run that a model describes ends; with any outcome when none is named.
  std::string describe_end(const CallRuns& runs, const TermModel& model,
                           std::optional<std::size_t> outcome) const;

  const Interface& interface_;
  const Component& component_;
  Findings& findings_;
  TermArena& arena_;
  Erasure erasure_;
  SecondSolver solver_;
  Prover prover_;
  Encoder::Invariants invariants_;
  Encoder encoder_;
  ClaimSet claims_;
  Substitution initial_; // erased state variables that have initial values

private:
  struct Lazy {
    std::optional<CallRuns> runs;
    bool failed = false;
  };

  CallRuns* encoded(const Call& call, Lazy& place, const Substitution& before);
  /// Invariants hold whenever their heads are met, from any state.
  void check_invariants(const CallRuns& runs, const Call& call);

  std::vector<Lazy> runs_, constructor_runs_;
  std::map<Term, std::pair<std::string, Sort>, TermById> choice_names_;
};

} // namespace tacit
