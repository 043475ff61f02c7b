// The result of the may-must engine, and the bounds of one that was not settled.
#include <algorithm>

#include "logic/solver/simplify.h"
#include "logic/term/print.h"
#include "logic/z3/z3_solver.h"
#include "synthesis/finish/finish.h"
#include "synthesis/predicate/bounds.h"
#include "synthesis/predicate/maymust_context.h"
#include "synthesis/protocol/explore.h"

namespace tacit {
namespace {

// The first predicates matter most; those that came when refinement ran away would only make the
// bounds large.
constexpr std::size_t most_bound_predicates = 8;
constexpr double bound_seconds = 10;
constexpr std::uint64_t bound_steps = 20'000;

} // namespace

void MayMustContext::retreat(Solver& solver) {
  nodes_.reset();
  proof_ = {};
  protocol_.reset();
  std::vector<Term> first = may_set_.all();
  if (first.size() > most_bound_predicates) first.resize(most_bound_predicates);
  may_ = std::make_unique<MayMust>(formulas_, goals_, std::move(first), solver);
  MayOracle& oracle = may_->may();
  Budget budget(
      {.seconds = bound_seconds, .memory_bytes = {}, .queries = {}, .steps = bound_steps});
  auto explored = explore(oracle, budget);
  if (explored && !oracle.failure()) {
    protocol_ = minimal(explored->protocol, component_).protocol;
    for (const auto& cubes : cube_labels(protocol_->dfa, oracle).cubes)
      proof_.safe.push_back(
          simplify(formulas_.arena(), solver, formulas_.facts(), oracle.formula(cubes)));
    return;
  }
  protocol_.emplace(component_);
  const State only = protocol_->add_state(std::vector<bool>(component_.calls().size(), false));
  for (std::size_t k = 0; k < component_.constructors().size(); ++k) protocol_->dfa.add_entry(only);
  proof_.safe.push_back(formulas_.arena().truth());
}

void MayMustContext::add_bounds(Interface& interface, Solver& solver) {
  auto surely = [this](Cube cube, std::size_t call) -> bool { return may_->must_err(cube)[call]; };
  if (may_->predicates().size() > most_bound_predicates) {
    auto first = may_->predicates();
    first.resize(most_bound_predicates);
    may_ = std::make_unique<MayMust>(formulas_, goals_, std::move(first), solver);
  }
  options_.story.tell("what is certain: the interface of the may abstraction is safe; that of the "
                      "must abstraction, which is permissive, follows");
  PermissiveBound upper = permissive_bound(may_->may(), surely, *protocol_);
  interface.permissive_bound = std::make_shared<Interface>(std::move(upper.interface));
  interface.open_word = std::move(upper.word);
}

void MayMustContext::add_figures(Interface& interface) const {
  for (Term p : may_set_.all()) interface.predicates.push_back(to_string(p));
  interface.stats.set("iterations", iterations);
  interface.stats.set("refinements", refinements_);
  interface.stats.set("outcome_refinements", outcome_refinements_);
  interface.stats.set("predicates_used", may_set_.size());
  interface.stats.set("must_predicates", must_set_.size());
  interface.stats.set("membership_queries", static_cast<std::size_t>(membership_queries));
  interface.stats.set("equivalence_queries", static_cast<std::size_t>(equivalence_queries));
  SolverStatistics spent = solver_.statistics();
  auto add = [&](const SolverStatistics& more) {
    spent.queries += more.queries;
    spent.seconds += more.seconds;
  };
  add(eliminator_.statistics());
  if (interpolator_) add(interpolator_->statistics());
  interface.stats.set("solver_queries", static_cast<std::size_t>(spent.queries));
  interface.stats.set("solver_seconds", spent.seconds);
}

Synthesis MayMustContext::finished() {
  // What is left to do when the budget ran out gets a small one of its own.
  Budget last({.seconds = bound_seconds, .memory_bytes = {}, .queries = {}, .steps = {}});
  const auto fresh = make_z3_solver({.budget = &last});
  if (!stop_.empty()) open_ = stop_;
  Solver* const solver = open_.empty() && protocol_ ? &solver_ : fresh.get();
  if (!protocol_ || !stop_.empty()) {
    if (open_.empty()) open_ = "no interface was found";
    full_ = false;
    retreat(*solver);
  }
  std::string agreement = open_.empty() ? theorem_2() : "";
  if (!agreement.empty()) options_.story.tell("Theorem 2: {}", agreement);
  FinishOptions finishing{.engine = "maymust", .serial = options_.serial, .story = options_.story};
  Verdict& verdict = finishing.verdict;
  verdict.assumptions = component_.assumptions();
  verdict.safe = Claim::Proved;
  verdict.permissive = open_.empty() ? Claim::Proved : Claim::Unknown;
  if (!open_.empty()) verdict.details["permissive"] = open_;
  verdict.full = full_ && open_.empty() ? Claim::Proved : Claim::Unknown;
  if (!full_)
    verdict.details["full"] =
        !not_full_.empty() ? not_full_ : "permissiveness comes first, and that is open";
  if (nodes_) proof_.nodes = nodes_->nodes();
  for (const auto& [head, invariant] : formulas_.invariants())
    proof_.invariants[head] = simplify(formulas_.arena(), *solver, formulas_.facts(), invariant);
  proof_.unwind = formulas_.unwind();
  MayOracle runs(formulas_, may_->predicates(), *solver);
  ProofLabeller labeller(proof_, component_, runs, *solver);
  Synthesis result{finish(*protocol_, runs, labeller, finishing),
                   open_.empty() && (full_ || !options_.full)};
  withdraw_unproved(result, open_);
  Interface& interface = result.interface;
  if (!open_.empty()) add_bounds(interface, *solver);
  add_figures(interface);
  if (!agreement.empty()) interface.stats.set("theorem_2", agreement);
  return result;
}

} // namespace tacit
