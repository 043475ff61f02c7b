// Algorithm 1 of Enabledness-based Abstractions: a breadth-first search of the sets of enabled
// calls, by questions to a solver.
//
// The candidates of lines 6 and 16 are either enumerated one by one, as in the paper, or asked of
// the solver as valuations of "call b is enabled afterwards" (All-SAT), which takes one query for
// each successor and one more to know that there is no other. Both give the same graph. What a
// query does not settle stays in the graph as uncertain (Theorem 4.2).
//
// Threads: each call has a solver of its own, whoever uses it, and meets its states in the order of
// the search; so what is found does not depend on the number of workers. No term is built while
// workers run.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "abstraction/actions/action_system.h"
#include "base/budget.h"
#include "base/story.h"
#include "component/run.h"
#include "oracle/oracle.h"

namespace tacit {

using CallSet = std::vector<bool>; // per call

enum class EpaSearch {
  Models,     // All-SAT
  Candidates, // the paper's: one query per candidate
};

struct EpaEdge {
  std::size_t from = 0, call = 0, to = 0; // states are indices into EpaGraph::sets
  bool certain = false;
  bool may_break = false;
  std::optional<LetterExample> example; // confirmed by the interpreter
  std::optional<ConcreteRun> run;       // of epa_reachable.h: from a constructor, this step last
};

struct EpaStart {
  std::size_t constructor = 0, state = 0;
  bool certain = false;
  std::optional<ConcreteRun> run; // confirmed likewise
};

struct EpaGraph {
  std::vector<CallSet> sets;
  std::vector<EpaStart> starts;
  std::vector<EpaEdge> edges;               // in the order of the search
  std::vector<std::size_t> breaking_starts; // constructors that may break the invariant
  /// Not explored to the end: whatever is not listed may be there as well (Theorem 4.2).
  std::set<std::pair<std::size_t, std::size_t>> open; // state, call
  std::set<std::size_t> open_starts;                  // constructors
  std::string reason;                                 // when something is open
  bool complete() const { return open.empty() && open_starts.empty(); }

  std::optional<std::size_t> find(const CallSet& set) const;

  std::map<CallSet, std::size_t> index;
};

struct ExploreOptions {
  EpaSearch search = EpaSearch::Models;
  bool pruning = true; // A+/A-, B+/B-; of Candidates only
  std::size_t workers = 1;
  Story story;
};

/// A step with what it leads to, as terms over the state before: prepared once, read by workers.
struct EpaPost {
  Term guard = nullptr;
  Term invariant = nullptr, broken = nullptr; // after the step
  std::vector<Term> above, below;             // each call's enabledness after the step
  std::vector<Term> not_above, not_below;
};
EpaPost post_of(const ActionSystem& system, const StepFormula& step);

/// Whether a hidden value (Chooser::Unknown, other than a fresh address) decides where a body
/// leads, from below. No claim that something can happen may rest on picking one, so a run is no
/// proof.
bool hidden_decides(const BodyFormula& body, const EpaPost& post);

/// The literals of pred_A (Definition 3.9) over the state: from above, or from below.
class SetLiterals {
public:
  explicit SetLiterals(const ActionSystem& system);
  std::vector<Term> above(const CallSet& set) const;
  std::vector<Term> below(const CallSet& set) const;
  static std::vector<Term> above(const CallSet& set, const EpaPost& post);
  static std::vector<Term> below(const CallSet& set, const EpaPost& post);

  /// Whether a concrete state surely satisfies the invariant and enables exactly these calls.
  bool holds(const CallSet& set, const ConcreteState& state) const;

private:
  const ActionSystem& system_;
  std::vector<Term> not_above_, not_below_;
};

/// A step from a concrete state as the solver's valuation has it, if the interpreter confirms that
/// it leads from `from` to `to`.
std::optional<LetterExample> confirmed_step(const ActionSystem& system, const SetLiterals& literals,
                                            std::size_t call, Side side, const CallSet& from,
                                            const CallSet& to, Solver& solver);

/// The budget ends the search; the graph is then not complete.
EpaGraph explore_epa(const ActionSystem& system, const ExploreOptions& options, Budget& budget);

std::string to_string(const ActionSystem& system, const CallSet& set);

} // namespace tacit
