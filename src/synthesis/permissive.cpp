#include "synthesis/permissive.h"

#include <algorithm>
#include <deque>
#include <set>

#include "abstraction/may_oracle.h"
#include "abstraction/predicates.h"
#include "logic/solver/simplify.h"
#include "logic/term/print.h"
#include "logic/z3/z3_solver.h"
#include "synthesis/explore.h"
#include "synthesis/finish.h"

namespace tacit {
namespace {

using Cube = MayOracle::Cube;

constexpr std::size_t most_iterations = 200;

/// For each state of an automaton, the cubes that words into it reach.
struct AbstractLabels {
  std::vector<std::vector<Cube>> cubes;
  // How each pair was reached first, for counterexamples.
  struct Origin {
    State state = no_state;
    Cube cube = 0;
    std::size_t letter = 0;
    std::size_t constructor = 0;
  };
  std::map<std::pair<State, Cube>, Origin> origins;
  std::vector<std::pair<State, Cube>> order; // breadth first
};

AbstractLabels abstract_labels(const Dfa& dfa, MayOracle& oracle) {
  AbstractLabels labels;
  labels.cubes.resize(dfa.states());
  auto offer = [&](State q, Cube cube, AbstractLabels::Origin origin) {
    if (!labels.origins.try_emplace({q, cube}, origin).second) return;
    labels.cubes[q].push_back(cube);
    labels.order.push_back({q, cube});
  };
  for (std::size_t k = 0; k < dfa.entries().size(); ++k)
    if (dfa.entries()[k] != no_state)
      for (Cube c : oracle.cubes(oracle.start(k))) offer(dfa.entries()[k], c, {no_state, 0, 0, k});
  for (std::size_t i = 0; i < labels.order.size() && !oracle.failure(); ++i) {
    const auto [q, cube] = labels.order[i];
    const std::size_t constructor = labels.origins.at({q, cube}).constructor;
    for (Letter l = 0; l < dfa.letters(); ++l)
      if (const State to = dfa.next(q, l); to != no_state)
        for (Cube next : oracle.post_cubes(cube, l)) offer(to, next, {q, cube, l, constructor});
  }
  return labels;
}

/// A word after which a refused call may not err, by the permissiveness abstraction.
struct Suspicion {
  std::size_t constructor = 0;
  std::vector<std::size_t> letters;
  State state = 0;
  std::size_t call = 0;
};

class PermissiveEngine {
public:
  PermissiveEngine(const ComponentFormulas& formulas, const SynthesisOptions& options,
                   Budget& budget)
      : formulas_(formulas), component_(formulas.component()), options_(options), budget_(budget),
        solver_(make_z3_solver({.budget = &budget})), safety_(formulas.arena()),
        permissiveness_(formulas.arena()) {
    for (const StateVariable& v : component_.module().state) state_.push_back(v.term);
  }

  Result<Synthesis> run() {
    std::string open; // why permissiveness is not proved, if it is not
    while (true) {
      ++iterations_;
      tell_predicates("safety", safety_);
      safe_ = std::make_unique<MayOracle>(formulas_, safety_.all(), *solver_);
      if (safe_->failure()) return std::unexpected(*safe_->failure());
      auto explored = explore(*safe_, budget_);
      if (!explored) return std::unexpected(explored.error());
      protocol_ = minimal(explored->protocol, component_).protocol;
      options_.story.tell("step 1: an interface with {} states is safe", protocol_->dfa.states());
      if (!explored->complete) {
        open = "the budget ran out: " + budget_.reason();
        break;
      }
      const Verdict_ verdict = settle_permissiveness(open);
      if (verdict != Verdict_::LearnedSafety) break;
    }
    full_ = is_tight();
    if (open.empty() && !full_) try_coarser();
    return finished(open);
  }

private:
  enum class Verdict_ { Settled, LearnedSafety, Open };

  /// Steps 2 and 3 until the interface is shown permissive, or a legal word is found that it
  /// refuses.
  Verdict_ settle_permissiveness(std::string& open) {
    both_.clear();
    while (true) {
      permissive_ = std::make_unique<MayOracle>(formulas_, permissiveness_.all(), *solver_);
      if (permissive_->failure()) {
        open = permissive_->failure()->message;
        return Verdict_::Open;
      }
      const auto suspicion = check_permissive();
      if (budget_.exhausted_now()) {
        open = "the budget ran out: " + budget_.reason();
        return Verdict_::Open;
      }
      if (!suspicion) {
        options_.story.tell("step 2: every refused call errs");
        if (!both_.empty() && open.empty())
          open = "a refused call errs or not by the component's own choices (" + both_word_ + ")";
        return Verdict_::Settled;
      }
      if (++iterations_ > most_iterations) {
        open = "refinement does not come to an end; the last word was " + text(*suspicion);
        return Verdict_::Open;
      }
      switch (refine(*suspicion, open)) {
      case Refined::Safety: return Verdict_::LearnedSafety;
      case Refined::Permissiveness: break;
      case Refined::Both: break;
      case Refined::Stuck: return Verdict_::Open;
      }
    }
  }

  /// Every state of the cube errs on the call, for some inputs.
  bool surely_errs(Cube cube, std::size_t call) {
    auto [at, fresh] = sure_.try_emplace({cube, call}, false);
    if (fresh) {
      auto assumptions = permissive_->literals(cube);
      assumptions.push_back(formulas_.facts());
      at->second =
          refute(assumptions, formulas_.errs(call), choices(formulas_.body(call))) == Truth::Unsat;
    }
    return at->second;
  }

  /// Whether under the assumptions no choice makes the goal true: Unsat means that some choice
  /// always does.
  Truth refute(const std::vector<Term>& assumptions, Term goal, std::vector<Term> bound) {
    const auto mentioned = variables(goal);
    std::erase_if(bound,
                  [&](Term v) { return std::ranges::find(mentioned, v) == mentioned.end(); });
    if (!bound.empty()) return solver_->refute_forall_exists(assumptions, goal, bound);
    auto all = assumptions;
    all.push_back(formulas_.arena().negate(goal));
    return solver_->check(all);
  }

  /// What client and environment may choose to make something happen.
  std::vector<Term> choices(const BodyFormula& body) const {
    std::vector<Term> all;
    for (const FormulaInput& input : body.inputs)
      if (input.chooser != Chooser::Unknown) all.push_back(input.variable);
    return all;
  }

  std::optional<Suspicion> check_permissive() {
    sure_.clear();
    const AbstractLabels labels = abstract_labels(protocol_->dfa, *permissive_);
    for (const auto& [q, cube] : labels.order)
      for (std::size_t c = 0; c < component_.calls().size(); ++c) {
        if (protocol_->allows(q, c) || both_.contains({q, c}) || surely_errs(cube, c)) continue;
        Suspicion found{labels.origins.at({q, cube}).constructor, {}, q, c};
        for (auto at = std::pair(q, cube);;) {
          const auto& origin = labels.origins.at(at);
          if (origin.state == no_state) break;
          found.letters.push_back(origin.letter);
          at = {origin.state, origin.cube};
        }
        std::ranges::reverse(found.letters);
        return found;
      }
    return std::nullopt;
  }

  enum class Refined { Safety, Permissiveness, Both, Stuck };

  Refined refine(const Suspicion& suspicion, std::string& open) {
    Path path(formulas_, suspicion.constructor);
    for (std::size_t l : suspicion.letters) path.extend(l);
    const BodyFormula& body = formulas_.body(suspicion.call);
    Term errs = path.at_end(formulas_.errs(suspicion.call), &body);
    auto conditions = path.conditions();
    conditions.push_back(errs);
    const Truth can_err = solver_->check(conditions);
    if (can_err == Truth::Unknown) return stuck(suspicion, open, "the solver cannot decide it");
    if (can_err == Truth::Unsat) {
      options_.story.tell("step 3: {} is legal (CXSAFE)", text(suspicion));
      if (learn(suspicion, safety_)) return Refined::Safety;
      return stuck(suspicion, open, "no predicate was found that shows it legal");
    }
    // Bound inputs of the last call are renamed like those of the step after the path.
    std::vector<Term> bound;
    for (Term input : choices(body)) bound.push_back(path.at_end(input, &body));
    switch (refute(path.conditions(), errs, bound)) {
    case Truth::Unsat:
      options_.story.tell("step 3: {} is illegal (CXPERM)", text(suspicion));
      if (learn(suspicion, permissiveness_)) return Refined::Permissiveness;
      return stuck(suspicion, open, "no predicate was found that shows it illegal");
    case Truth::Sat:
      options_.story.tell("step 3: {} errs in one run and not in another (CXBOTH)",
                          text(suspicion));
      both_.insert({suspicion.state, suspicion.call});
      both_word_ = text(suspicion);
      return Refined::Both;
    case Truth::Unknown: break;
    }
    return stuck(suspicion, open, "the solver cannot decide it");
  }

  Refined stuck(const Suspicion& suspicion, std::string& open, std::string_view why) {
    open = fmt::format("{}: {}", text(suspicion), why);
    return Refined::Stuck;
  }

  /// GetNewPreds: the atoms of the weakest preconditions of the error, backwards along the word.
  bool learn(const Suspicion& suspicion, PredicateSet& predicates) {
    TermArena& arena = formulas_.arena();
    std::size_t added = 0;
    Term condition = formulas_.errs(suspicion.call);
    added += predicates.add_atoms(condition, state_);
    for (std::size_t i = suspicion.letters.size(); i-- > 0;) {
      const StepFormula& step = formulas_.letter(suspicion.letters[i]);
      condition = arena.conj(step.guard, substitute(arena, condition, step.after));
      added += predicates.add_atoms(condition, state_);
    }
    return added > 0;
  }

  std::string text(const Suspicion& suspicion) const {
    std::string word;
    for (std::size_t l : suspicion.letters) word += component_.letter_name(l) + " ";
    return "'" + word + component_.calls()[suspicion.call].name + "'";
  }

  void tell_predicates(std::string_view which, const PredicateSet& predicates) const {
    if (!options_.story.told()) return;
    std::string names;
    for (Term p : predicates.all()) names += (names.empty() ? "" : ", ") + to_string(p);
    options_.story.tell("{} predicates: {}", which, names.empty() ? "none" : names);
  }

  /// Every outcome that has a transition can happen in every state of the label.
  bool is_tight() {
    const Dfa& dfa = protocol_->dfa;
    const AbstractLabels labels = abstract_labels(dfa, *safe_);
    for (State q = 0; q < dfa.states(); ++q)
      for (Letter l = 0; l < dfa.letters(); ++l) {
        if (dfa.next(q, l) == no_state) continue;
        const BodyFormula& body = formulas_.body(component_.letter(l).call);
        for (Cube cube : labels.cubes[q]) {
          auto assumptions = safe_->literals(cube);
          assumptions.push_back(formulas_.facts());
          if (refute(assumptions, formulas_.letter(l).guard, choices(body)) != Truth::Unsat)
            return false;
        }
      }
    return true;
  }

  /// An interface that is not full may have fewer states; it is taken when both abstractions still
  /// prove it.
  void try_coarser() {
    const Protocol before = *protocol_;
    Protocol fewer = coarsened(before, component_);
    if (fewer.dfa.states() >= before.dfa.states()) return;
    *protocol_ = std::move(fewer);
    both_.clear();
    const AbstractLabels labels = abstract_labels(protocol_->dfa, *safe_);
    bool holds = !check_permissive();
    for (State q = 0; q < protocol_->dfa.states() && holds; ++q)
      for (std::size_t c = 0; c < component_.calls().size() && holds; ++c)
        if (protocol_->allows(q, c)) holds = !safe_->errs(safe_->intern(labels.cubes[q]), c);
    options_.story.tell("outcomes that cannot happen are not told apart: {} states {}",
                        protocol_->dfa.states(),
                        holds ? "suffice" : "would do, but are not proved");
    if (!holds) *protocol_ = before;
  }

  class PredicateLabeller;
  Result<Synthesis> finished(const std::string& open);

  const ComponentFormulas& formulas_;
  const Component& component_;
  const SynthesisOptions& options_;
  Budget& budget_;
  std::unique_ptr<Solver> solver_;
  PredicateSet safety_, permissiveness_;
  std::vector<Term> state_;
  std::unique_ptr<MayOracle> safe_, permissive_;
  std::optional<Protocol> protocol_;
  std::set<std::pair<State, std::size_t>> both_;
  std::string both_word_;
  std::map<std::pair<Cube, std::size_t>, bool> sure_;
  std::size_t iterations_ = 0;
  bool full_ = false;
};

/// Labels from the two abstractions.
class PermissiveEngine::PredicateLabeller : public Labeller {
public:
  explicit PredicateLabeller(PermissiveEngine& engine) : engine_(engine) {}

  bool label(Interface& interface, const Protocol& protocol) override {
    safe_ = terms(protocol, *engine_.safe_);
    if (engine_.safe_->failure()) return false;
    for (State q = 0; q < interface.states.size(); ++q) {
      interface.states[q].label = to_string(safe_[q]);
      interface.evidence.safe.push_back(interface.states[q].label);
    }
    if (engine_.permissive_ && interface.verdict.permissive == Claim::Proved)
      for (Term t : terms(protocol, *engine_.permissive_))
        interface.evidence.permissive.push_back(to_string(t));
    return true;
  }

  void label_pruned(Interface& interface, const Protocol& protocol) override {
    const auto labels = terms(protocol, *engine_.safe_);
    for (State q = 0; q < interface.states.size(); ++q)
      interface.states[q].label = to_string(labels[q]);
  }

  std::optional<LetterExample> example(State, std::size_t) override { return std::nullopt; }

private:
  std::vector<Term> terms(const Protocol& protocol, MayOracle& oracle) {
    const AbstractLabels labels = abstract_labels(protocol.dfa, oracle);
    std::vector<Term> made;
    for (auto cubes : labels.cubes)
      made.push_back(simplify(engine_.formulas_.arena(), *engine_.solver_,
                              engine_.formulas_.facts(), oracle.formula(cubes)));
    return made;
  }

  PermissiveEngine& engine_;
  std::vector<Term> safe_;
};

Result<Synthesis> PermissiveEngine::finished(const std::string& open) {
  FinishOptions finishing{
      .engine = "permissive", .serial = options_.serial, .story = options_.story};
  Verdict& verdict = finishing.verdict;
  verdict.assumptions = component_.assumptions();
  verdict.safe = Claim::Proved;
  verdict.permissive = open.empty() ? Claim::Proved : Claim::Unknown;
  if (!open.empty()) verdict.details["permissive"] = open;
  verdict.full = full_ ? Claim::Proved : Claim::Unknown;
  if (!full_)
    verdict.details["full"] = "not every outcome was shown to be possible wherever it is listed";
  PredicateLabeller labeller(*this);
  Synthesis result{finish(*protocol_, *safe_, labeller, finishing), open.empty()};
  Interface& interface = result.interface;
  // Unlike those of an exhaustive exploration, these claims are nothing without their labels.
  if (interface.evidence.omitted) {
    Verdict& claims = interface.verdict;
    claims.safe = claims.permissive = claims.full = Claim::Unknown;
    claims.details["safe"] = claims.details["permissive"] = claims.details["full"] =
        "the labels that would prove it were not found";
    result.settled = false;
  }
  for (const PredicateSet* set : {&std::as_const(safety_), &std::as_const(permissiveness_)})
    for (Term p : set->all())
      if (const std::string text = to_string(p);
          std::ranges::find(interface.predicates, text) == interface.predicates.end())
        interface.predicates.push_back(text);
  interface.stats.set("iterations", iterations_);
  interface.stats.set("solver_queries", static_cast<std::size_t>(solver_->statistics().queries));
  interface.stats.set("solver_seconds", solver_->statistics().seconds);
  return result;
}

} // namespace

Result<Synthesis> synthesise_permissive(const Component& component, const SynthesisOptions& options,
                                        Budget& budget) {
  auto formulas = ComponentFormulas::create(component);
  if (!formulas) return std::unexpected(formulas.error());
  return PermissiveEngine(**formulas, options, budget).run();
}

} // namespace tacit
