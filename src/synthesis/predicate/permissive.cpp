#include "synthesis/predicate/permissive.h"

#include <algorithm>
#include <set>

#include "abstraction/formula/arguments.h"
#include "abstraction/formula/predicates.h"
#include "abstraction/formula/trace.h"
#include "abstraction/maymust/may_oracle.h"
#include "abstraction/maymust/must_nodes.h"
#include "abstraction/maymust/needed.h"
#include "logic/solver/simplify.h"
#include "logic/term/print.h"
#include "logic/z3/eliminate.h"
#include "logic/z3/interpolate.h"
#include "logic/z3/z3_solver.h"
#include "synthesis/predicate/bounds.h"
#include "synthesis/predicate/predicate_labels.h"
#include "synthesis/predicate/unreachable.h"
#include "synthesis/protocol/explore.h"

namespace tacit {
namespace {

constexpr std::ptrdiff_t suspicious_repetitions = 3;
constexpr std::size_t most_iterations = 400;
constexpr std::size_t most_unreachable_tries = 40;
constexpr std::size_t most_bound_predicates = 8;
constexpr std::size_t most_unselected = 6, selection_step = 5;
/// For fullness that nobody asked for.
constexpr std::size_t most_unasked_nodes = 20;

/// A word behind which something is asked of the component.
struct Suspicion {
  Trace trace;
  State state = 0;
};

class PermissiveEngine {
public:
  PermissiveEngine(ComponentFormulas& formulas, Solver& solver, Eliminator& eliminator,
                   const SynthesisOptions& options, Budget& budget)
      : formulas_(formulas), component_(formulas.component()), options_(options), budget_(budget),
        solver_(solver), eliminator_(eliminator), safety_(formulas.arena()),
        permissiveness_(formulas.arena()) {
    for (const StateVariable& v : component_.module().state) state_.push_back(v.term);
    take(options.predicates.predicates);
    if (options.seed) take(usable_predicates(component_, options.seed->predicates));
  }

  Result<Synthesis> run() {
    while (true) {
      ++iterations_;
      tell_predicates("safety", safety_);
      if (formulas_.has_cuts())
        if (auto found = formulas_.find_invariants(safety_.all()); !found)
          return std::unexpected(found.error());
      // The abstraction of the interface at hand is kept until there is a better one.
      auto finer = std::make_unique<MayOracle>(formulas_, safety_.all(), solver_);
      if (!safe_) safe_ = std::make_unique<MayOracle>(formulas_, std::vector<Term>{}, solver_);
      if (finer->failure()) {
        blocked(finer->failure()->message);
        break;
      }
      auto explored = explore(*finer, budget_);
      // What was explored in part only says less than the interface before it.
      if (explored ? !explored->complete && protocol_ : budget_.exhausted_now()) {
        open_ = "the budget ran out: " + budget_.reason();
        break;
      }
      if (!explored) return std::unexpected(explored.error());
      safe_ = std::move(finer);
      protocol_ = minimal(explored->protocol, component_).protocol;
      forget_proof();
      options_.story.tell("step 1: an interface with {} states is safe", protocol_->dfa.states());
      if (!explored->complete) {
        open_ = "the budget ran out: " + budget_.reason();
        break;
      }
      open_.clear();
      if (!settle()) break;
      options_.story.tell("");
    }
    if (!protocol_) allow_nothing();
    if (!(full_ && options_.full) && !budget_.exhausted_now()) try_coarser();
    return finished();
  }

private:
  /// Input predicates, for both abstractions.
  void take(const std::vector<Term>& given) {
    for (Term predicate : given) {
      safety_.add_atoms(predicate, state_);
      permissiveness_.add_atoms(predicate, state_);
    }
  }

  /// When the budget ran out before anything was known.
  void allow_nothing() {
    protocol_.emplace(component_);
    const std::vector<bool> none(component_.calls().size(), false);
    const State only = protocol_->add_state(none);
    for (std::size_t k = 0; k < component_.constructors().size(); ++k)
      protocol_->dfa.add_entry(only);
    proof_.safe.push_back(formulas_.arena().truth());
  }

  /// Keeps the interface at hand; what was being refined when it came to this is open.
  void blocked(const std::string& why) {
    std::string text = why + "; refinement goes on and on";
    auto list = [&](std::string_view what, const std::vector<std::string>& last) {
      if (last.empty()) return;
      text += fmt::format(", {} ", what);
      for (std::size_t i = 0; i < last.size(); ++i) text += (i ? ", " : "") + last[i];
    };
    list("the last words being", last_of(learnt_words_));
    const PredicateSet& most = permissiveness_.size() > safety_.size() ? permissiveness_ : safety_;
    std::vector<std::string> predicates;
    for (Term p : most.all()) predicates.push_back(to_string(p));
    list("the last predicates", last_of(predicates));
    (tightening_ ? not_full_ : open_) = std::move(text);
  }

  static std::vector<std::string> last_of(const std::vector<std::string>& all) {
    constexpr std::size_t shown = 4;
    return {all.size() > shown ? all.end() - shown : all.begin(), all.end()};
  }

  /// What became of a claim about the interface at hand.
  enum class Progress { Shown, Learnt, Stuck };

  /// For a new interface; what is known of an older one is forgotten.
  void forget_proof() {
    proof_ = {};
    must_.reset();
  }

  const std::vector<Term>& safe_labels() {
    if (proof_.safe.empty())
      for (const auto& cubes : cube_labels(protocol_->dfa, *safe_).cubes)
        proof_.safe.push_back(shorter(safe_->formula(cubes)));
    return proof_.safe;
  }

  /// Labels may be long where the time is up.
  Term shorter(Term formula) {
    const auto limit = budget_.limits().seconds;
    if (limit && budget_.seconds_spent() > 1.05 * *limit) return formula;
    return simplify(formulas_.arena(), solver_, formulas_.facts(), formula);
  }

  MustNodes& must() {
    if (!must_)
      must_ =
          std::make_unique<MustNodes>(formulas_, protocol_->dfa, safe_labels(), solver_, budget_);
    return *must_;
  }

  /// Steps 2 to 4 on the interface at hand. True when the safety abstraction has learnt something,
  /// so that there is another interface to look at.
  bool settle() {
    hard_.clear();
    full_ = tightening_ = false;
    if (show_refusals() == Progress::Learnt) return true;
    if (!open_.empty()) return false;
    options_.story.tell("step 2: every refused call errs");
    if (drop_unreachable() == Progress::Learnt) return true;
    tightening_ = options_.full;
    const Progress tight = show_outcomes(options_.full);
    full_ = tight == Progress::Shown;
    return tight == Progress::Learnt;
  }

  /// Every refused call errs: by labels of the permissiveness abstraction, or by must-nodes.
  Progress show_refusals() {
    while (true) {
      permissive_ = std::make_unique<MayOracle>(formulas_, permissiveness_.all(), solver_);
      if (permissive_->failure()) {
        blocked(permissive_->failure()->message);
        return Progress::Stuck;
      }
      const auto suspicions = check_refusals();
      if (budget_.exhausted_now()) return stuck("the budget ran out: " + budget_.reason());
      if (suspicions.empty()) break;
      if (++iterations_ > most_iterations)
        return stuck("refinement does not come to an end; the last word was " +
                     text(suspicions[0]));
      bool learnt = false;
      for (const Suspicion& suspicion : suspicions) {
        const Progress refined = refine(suspicion);
        if (refined == Progress::Stuck) return refined;
        learnt = learnt || refined == Progress::Learnt;
      }
      if (learnt) return Progress::Learnt;
    }
    std::string first_open;
    for (const auto& [place, trace] : std::map(hard_)) {
      switch (show_by_must(place.first, place.second)) {
      case Progress::Learnt: return Progress::Learnt;
      case Progress::Stuck:
        if (first_open.empty()) first_open = open_;
        break;
      case Progress::Shown: break;
      }
    }
    if (!first_open.empty()) return stuck(first_open);
    return show_constructors();
  }

  /// A refused constructor errs whatever is hidden.
  Progress show_constructors() {
    TermArena& arena = formulas_.arena();
    for (std::size_t k = 0; k < component_.constructors().size(); ++k) {
      if (protocol_->dfa.entries()[k] != no_state || !safe_->constructor_errs(k)) continue;
      const CallFormulas& below = formulas_.constructor(k, Side::Below);
      Term errs = substitute(arena, below.errs, formulas_.initial());
      if (below.body.approximate())
        errs = formulas_.surely(below.body, errs, true).value_or(arena.falsehood());
      if (solver_.check({formulas_.facts(), errs}) != Truth::Sat)
        return stuck(fmt::format("the constructor '{}' may err, but only by values that are hidden "
                                 "behind an approximation or a loop without a bound",
                                 component_.constructors()[k].name));
    }
    return Progress::Shown;
  }

  /// Every state of the cube errs on the call, for some choices.
  bool surely_errs(Cube cube, std::size_t call) {
    auto [at, fresh] = sure_.try_emplace({cube, call}, false);
    if (fresh) at->second = surely_errs(permissive_->literals(cube), call);
    return at->second;
  }

  /// Every state in which all of that holds.
  bool surely_errs(std::vector<Term> assumptions, std::size_t call) {
    assumptions.push_back(formulas_.facts());
    if (const auto errs = errs_goal(call)) {
      assumptions.push_back(formulas_.arena().negate(*errs));
      return solver_.check(assumptions) == Truth::Unsat;
    }
    if (formulas_.approximate(call)) return false;
    const CallFormulas& below = formulas_.call(call, Side::Below);
    return solver_.refute_forall_exists(assumptions, below.errs, choices(below.body)) ==
           Truth::Unsat;
  }

  /// The states in which a call surely errs, when there is a formula for them.
  std::optional<Term> errs_goal(std::size_t call) {
    auto [at, fresh] = goals_.try_emplace(call);
    if (fresh) {
      const auto errs = formulas_.surely_errs(call);
      if (errs) at->second = simplify(formulas_.arena(), solver_, formulas_.facts(), *errs);
    }
    return at->second;
  }

  /// Words after which a refused call may not err, by the permissiveness abstraction: the first for
  /// each call.
  std::vector<Suspicion> check_refusals() {
    sure_.clear();
    if (formulas_.has_cuts()) goals_.clear();
    const CubeLabels labels = cube_labels(protocol_->dfa, *permissive_);
    std::vector<Suspicion> found;
    std::vector<bool> done(component_.calls().size(), false);
    for (const auto& [q, cube] : labels.order)
      for (std::size_t c = 0; c < component_.calls().size(); ++c) {
        if (done[c] || protocol_->allows(q, c) || hard_.contains({q, c}) || surely_errs(cube, c))
          continue;
        done[c] = true;
        found.push_back({{labels.origins.at({q, cube}).constructor, labels.word(q, cube), c}, q});
      }
    return found;
  }

  /// Step 3.
  Progress refine(const Suspicion& suspicion) {
    if (const auto safe = learn_if_legal(suspicion)) return *safe;
    const std::pair place{suspicion.state, *suspicion.trace.call};
    Path path(formulas_, suspicion.trace.constructor, Side::Below);
    for (std::size_t l : suspicion.trace.letters) path.extend(l);
    const CallFormulas& last = formulas_.call(*suspicion.trace.call, Side::Below);
    const Term errs = path.at_end(last.errs, &last.body);
    auto conditions = path.conditions();
    conditions.push_back(errs);
    // What is hidden on the way only adds runs: if all of them err whatever is hidden, predicates
    // can say so.
    if (solver_.check(conditions) == Truth::Sat && !also_works(path, last, errs)) {
      options_.story.tell("step 3: {} is illegal (CXPERM)", text(suspicion));
      learnt_words_.push_back(text(suspicion));
      if (learn(suspicion.trace, permissiveness_, *permissive_)) return Progress::Shown;
    } else {
      options_.story.tell("step 3: {} errs in one run and not in another (CXBOTH)",
                          text(suspicion));
    }
    hard_.try_emplace(place, suspicion.trace);
    return Progress::Shown;
  }

  /// Some run along the path ends where no choice makes the last call err.
  bool also_works(const Path& path, const CallFormulas& last, Term errs) {
    std::vector<Term> bound;
    for (Term input : choices(last.body)) bound.push_back(path.at_end(input, &last.body));
    const auto mentioned = variables(errs);
    std::erase_if(bound, [&](Term v) { return std::ranges::count(mentioned, v) == 0; });
    auto conditions = path.conditions();
    if (!bound.empty())
      return solver_.refute_forall_exists(conditions, errs, bound) != Truth::Unsat;
    conditions.push_back(formulas_.arena().negate(errs));
    return solver_.check(conditions) != Truth::Unsat;
  }

  /// CXSAFE, or a word that cannot happen at all: the safety abstraction has to know. nullopt when
  /// neither is the case.
  std::optional<Progress> learn_if_legal(const Suspicion& suspicion) {
    Path path(formulas_, suspicion.trace.constructor, Side::Above);
    for (std::size_t l : suspicion.trace.letters) path.extend(l);
    auto conditions = path.conditions();
    if (suspicion.trace.call) {
      const CallFormulas& last = formulas_.call(*suspicion.trace.call, Side::Above);
      conditions.push_back(path.at_end(last.errs, &last.body));
    }
    if (solver_.check(conditions) != Truth::Unsat) return std::nullopt;
    options_.story.tell("step 3: {} {} (CXSAFE)", text(suspicion),
                        suspicion.trace.call ? "is legal or cannot happen" : "cannot happen");
    learnt_words_.push_back(text(suspicion));
    if (learn(suspicion.trace, safety_, *safe_)) return Progress::Learnt;
    return stuck(text(suspicion) + ": no predicate was found that shows it legal");
  }

  Progress show_by_must(State q, std::size_t call) {
    const auto goal = errs_goal(call);
    const Suspicion about{{0, {}, call}, q};
    if (!goal)
      return stuck(fmt::format("whether '{}' errs depends on choices that could not be eliminated",
                               component_.calls()[call].name));
    auto node = must().show(q, *goal);
    if (node) {
      if (*node) proof_.refusals[{q, call}] = **node;
      return Progress::Shown;
    }
    return learn_from(node.error(), q, call,
                      "the refusal of '" + component_.calls()[call].name + "'");
  }

  /// From a gap in a must-proof.
  Progress learn_from(const MustNodes::Gap& gap, State q, std::optional<std::size_t> call,
                      const std::string& what) {
    if (!gap.constructor) return stuck(what + " could not be shown: " + gap.reason);
    const Suspicion suspicion{{*gap.constructor, gap.letters, call}, q};
    if (++iterations_ > most_iterations)
      return stuck("refinement does not come to an end; the last word was " + text(suspicion));
    if (const auto learnt = learn_if_legal(suspicion)) return *learnt;
    return stuck(fmt::format("{} {}, but only by values that are hidden behind an approximation or "
                             "a loop without a bound",
                             text(suspicion), call ? "may err" : "may be possible"));
  }

  /// A state that no word reaches in truth has refusals that no run can show: the safety
  /// abstraction learns why its shortest word cannot happen.
  Progress drop_unreachable() {
    if (unreachable_tries_ >= most_unreachable_tries) return Progress::Shown;
    for (const Trace& trace : unreachable_states(formulas_, solver_, protocol_->dfa)) {
      options_.story.tell("step 3: {} cannot happen, and nothing else leads to its state",
                          to_text(component_, trace));
      ++unreachable_tries_;
      if (learn(trace, safety_, *safe_)) return Progress::Learnt;
    }
    return Progress::Shown;
  }

  /// Step 4: whatever outcome has a transition can happen after every word into the state. Learns
  /// only when told to.
  Progress show_outcomes(bool refine) {
    const Dfa& dfa = protocol_->dfa;
    proof_.outcomes.clear();
    for (State q = 0; q < dfa.states(); ++q)
      for (Letter l = 0; l < dfa.letters(); ++l) {
        if (dfa.next(q, l) == no_state) continue;
        const auto can = formulas_.surely_leads(l, formulas_.arena().truth());
        if (!can) return not_full(can.error().message);
        auto node = refine ? must().show(q, *can) : must().show(q, *can, most_unasked_nodes);
        if (node) {
          if (*node) proof_.outcomes[{q, l}] = **node;
          continue;
        }
        if (!refine)
          return not_full("not every outcome was shown to be possible wherever it is "
                          "listed (see --full)");
        MustNodes::Gap gap = std::move(node.error());
        const std::string what = "that '" + component_.letter_name(l) + "' is possible";
        if (gap.constructor) gap.letters.push_back(l);
        const Progress learnt = learn_from(gap, q, std::nullopt, what);
        if (learnt == Progress::Learnt) {
          options_.story.tell("step 4: it should not be listed (tighten)");
          return learnt;
        }
        return not_full(std::exchange(open_, ""));
      }
    return Progress::Shown;
  }

  Progress not_full(const std::string& why) {
    not_full_ = why;
    proof_.outcomes.clear();
    return Progress::Stuck;
  }

  Progress stuck(std::string why) {
    open_ = std::move(why);
    return Progress::Stuck;
  }

  /// What client and environment may choose to make something happen.
  static std::vector<Term> choices(const BodyFormula& body) {
    std::vector<Term> all;
    for (const FormulaInput& input : body.inputs)
      if (input.chooser != Chooser::Unknown) all.push_back(input.variable);
    return all;
  }

  static bool repeats(const Trace& trace) {
    return std::ranges::any_of(trace.letters, [&](std::size_t letter) {
      return std::ranges::count(trace.letters, letter) >= suspicious_repetitions;
    });
  }

  /// GetNewPreds: the atoms of weakest preconditions backwards along the word. When there is
  /// nothing new among them, and no other word of the round has brought anything, those of
  /// interpolants, provided that the word cannot happen.
  bool learn(const Trace& trace, PredicateSet& predicates, const MayOracle& known) {
    std::size_t added = 0;
    if (repeats(trace)) {
      // Equality with one value after the other would go on and on.
      for (Term order : orders(formulas_.arena(), std::vector(predicates.all())))
        if (tells(order)) added += predicates.add(order);
      if (added > 0) return true;
    }
    PredicateSet all(formulas_.arena());
    for (Term p : predicates.all()) all.add(p);
    for (Term condition : preconditions(formulas_, eliminator_, trace))
      for (Term atom : atoms(formulas_.arena(), condition))
        if (tells(atom)) all.add_atoms(atom, state_);
    std::vector<Term> fresh(all.all().begin() + static_cast<std::ptrdiff_t>(predicates.size()),
                            all.all().end());
    if (fresh.size() > most_unselected) fresh = selected(trace, predicates, fresh);
    for (Term p : fresh) added += predicates.add(p);
    if (predicates.size() > known.predicates().size()) return true;
    if (&predicates != &safety_) return false;
    const auto steps = step_formulas(formulas_, trace);
    if (!interpolator_)
      interpolator_ = std::make_unique<Interpolator>(SolverOptions{.budget = &budget_});
    const auto cuts = interpolator_->sequence(formulas_.arena(), steps);
    if (!cuts) return false;
    for (std::size_t i = 0; i < cuts->size(); ++i)
      added += predicates.add_atoms(without_copy(formulas_, (*cuts)[i], i), state_);
    if (added > 0) options_.story.tell("  by interpolation");
    return added > 0;
  }

  /// Of many new predicates, some that show what is to be learnt from the word: the first ones that
  /// do, without those that are not needed for it.
  std::vector<Term> selected(const Trace& trace, const PredicateSet& known,
                             const std::vector<Term>& fresh) {
    const bool legal = &known == &safety_; // else illegal
    std::optional<Term> goal = formulas_.arena().truth();
    if (trace.call && legal) goal = formulas_.call(*trace.call, Side::Above).errs;
    if (trace.call && !legal) {
      goal = errs_goal(*trace.call);
      if (goal) goal = formulas_.arena().negate(*goal);
    }
    if (goal)
      if (auto few = needed(formulas_, trace, *goal, known.all(), fresh, solver_);
          few && !few->empty())
        return *few;
    std::vector<Term> taken;
    const auto shows = [&](const std::vector<Term>& some) {
      std::vector<Term> predicates = known.all();
      predicates.insert(predicates.end(), some.begin(), some.end());
      MayOracle oracle(formulas_, std::move(predicates), solver_);
      Region region = oracle.start(trace.constructor);
      for (std::size_t l : trace.letters) region = oracle.post(region, l);
      if (oracle.failure()) return false;
      if (region == empty_region || !trace.call) return true;
      if (legal) return !oracle.errs(region, *trace.call);
      return std::ranges::all_of(oracle.cubes(region), [&](Cube cube) {
        return surely_errs(oracle.literals(cube), *trace.call);
      });
    };
    std::size_t size = 0;
    do {
      size = std::min(fresh.size(), size + selection_step);
      taken.assign(fresh.begin(), fresh.begin() + static_cast<std::ptrdiff_t>(size));
      if (budget_.exhausted_now()) return taken;
    } while (size < fresh.size() && !shows(taken));
    for (std::size_t i = taken.size(); i-- > 0 && !budget_.exhausted_now();) {
      const Term left_out = taken[i];
      taken.erase(taken.begin() + static_cast<std::ptrdiff_t>(i));
      if (!shows(taken)) taken.insert(taken.begin() + static_cast<std::ptrdiff_t>(i), left_out);
    }
    return taken;
  }

  /// Whether it divides the states at all.
  bool tells(Term atom) {
    if (std::ranges::any_of(variables(atom),
                            [&](Term v) { return std::ranges::find(state_, v) == state_.end(); }))
      return false;
    return solver_.check({formulas_.facts(), atom}) != Truth::Unsat &&
           solver_.check({formulas_.facts(), formulas_.arena().negate(atom)}) != Truth::Unsat;
  }

  std::string text(const Suspicion& suspicion) const {
    return to_text(component_, suspicion.trace);
  }

  void tell_predicates(std::string_view which, const PredicateSet& predicates) const {
    if (!options_.story.told()) return;
    std::string names;
    for (Term p : predicates.all()) names += (names.empty() ? "" : ", ") + to_string(p);
    options_.story.tell("{} predicates: {}", which, names.empty() ? "none" : names);
  }

  /// An interface that is not full may have fewer states; it is taken when it is still proved as
  /// far as this one is.
  void try_coarser() {
    const Protocol before = *protocol_;
    Protocol fewer = minimal(coarsened(before, component_), component_).protocol;
    if (fewer.dfa.states() >= before.dfa.states()) return;
    PredicateProof kept = std::move(proof_);
    auto kept_must = std::move(must_);
    auto kept_hard = hard_;
    *protocol_ = std::move(fewer);
    forget_proof();
    const CubeLabels labels = cube_labels(protocol_->dfa, *safe_);
    bool holds = !safe_->failure();
    for (State q = 0; q < protocol_->dfa.states() && holds; ++q)
      for (std::size_t c = 0; c < component_.calls().size() && holds; ++c)
        if (protocol_->allows(q, c)) holds = !safe_->errs(safe_->intern(labels.cubes[q]), c);
    if (holds && open_.empty()) holds = refusals_hold();
    options_.story.tell("outcomes that cannot happen are not told apart: {} states {}",
                        protocol_->dfa.states(),
                        holds ? "suffice" : "would do, but are not proved");
    if (holds) {
      if (full_) not_full_ = "fewer states suffice to say which calls are allowed (see --full)";
      full_ = false;
      return;
    }
    *protocol_ = before;
    proof_ = std::move(kept);
    must_ = std::move(kept_must);
    hard_ = std::move(kept_hard);
  }

  /// Every refusal of the interface at hand is shown by what has been learnt already.
  bool refusals_hold() {
    hard_.clear();
    const CubeLabels weak = cube_labels(protocol_->dfa, *permissive_);
    for (const auto& [q, cube] : weak.order)
      for (std::size_t c = 0; c < component_.calls().size(); ++c) {
        if (protocol_->allows(q, c) || hard_.contains({q, c}) || surely_errs(cube, c)) continue;
        hard_.try_emplace({q, c});
        const auto goal = errs_goal(c);
        const auto node = goal ? must().show(q, *goal) : std::unexpected(MustNodes::Gap{});
        if (!node) return false;
        if (*node) proof_.refusals[{q, c}] = **node;
      }
    return true;
  }

  Result<Synthesis> finished();
  void complete_proof();
  void add_bounds(Interface& interface);
  void add_guards(Interface& interface);

  ComponentFormulas& formulas_;
  const Component& component_;
  const SynthesisOptions& options_;
  Budget& budget_;
  Solver& solver_;
  Eliminator& eliminator_;
  std::unique_ptr<Interpolator> interpolator_; // made when it is first needed
  PredicateSet safety_, permissiveness_;
  std::vector<Term> state_;
  std::unique_ptr<MayOracle> safe_, permissive_;
  std::unique_ptr<MustNodes> must_; // on the labels of the safety abstraction
  std::optional<Protocol> protocol_;
  PredicateProof proof_;
  std::map<std::pair<State, std::size_t>, Trace> hard_; // refusals that labels do not show, and why
  std::map<std::pair<Cube, std::size_t>, bool> sure_;
  std::map<std::size_t, std::optional<Term>> goals_;
  std::size_t iterations_ = 0, unreachable_tries_ = 0;
  bool full_ = false;
  bool tightening_ = false; // permissiveness was shown, fullness is looked for
  std::vector<std::string> learnt_words_;
  std::string open_, not_full_; // why permissiveness, fullness is not shown
};

/// What the labels are made of, for the file.
void PermissiveEngine::complete_proof() {
  safe_labels();
  if (must_) proof_.nodes = must_->nodes();
  if (open_.empty() && !permissiveness_.all().empty()) {
    const CubeLabels labels = cube_labels(protocol_->dfa, *permissive_);
    for (const auto& cubes : labels.cubes)
      proof_.permissive.push_back(shorter(permissive_->formula(cubes)));
  }
  for (const auto& [head, invariant] : formulas_.invariants())
    proof_.invariants[head] = shorter(invariant);
  proof_.unwind = formulas_.unwind();
  const auto add = [&](const Call& call, const CallFormulas& above) {
    if (!above.sure) return;
    auto& tried = proof_.arguments[call.name];
    for (const Substitution& arguments : above.tried) {
      auto& named = tried.emplace_back();
      for (const FormulaInput& input : above.body.inputs)
        if (const auto found = arguments.find(input.variable); found != arguments.end())
          named[receiver_of(component_.body(call), above.body, input)->name] = found->second;
    }
  };
  for (std::size_t c = 0; c < component_.calls().size(); ++c)
    add(component_.calls()[c], formulas_.call(c, Side::Above));
  for (std::size_t k = 0; k < component_.constructors().size(); ++k)
    add(component_.constructors()[k], formulas_.constructor(k, Side::Above));
}

void PermissiveEngine::add_bounds(Interface& interface) {
  // The first predicates matter most; those that came when refinement ran away would only make the
  // bound large.
  std::vector<Term> first = permissiveness_.all();
  if (first.size() > most_bound_predicates) first.resize(most_bound_predicates);
  permissive_ = std::make_unique<MayOracle>(formulas_, std::move(first), solver_);
  options_.story.tell("what is certain: the interface is safe; one that is permissive follows");
  auto surely = [this](Cube cube, std::size_t call) { return surely_errs(cube, call); };
  sure_.clear();
  PermissiveBound upper = permissive_bound(*permissive_, surely, *protocol_);
  interface.permissive_bound = std::make_shared<Interface>(std::move(upper.interface));
  interface.open_word = std::move(upper.word);
}

/// Where the readings of arguments differ: what a good argument is.
void PermissiveEngine::add_guards(Interface& interface) {
  TermArena& arena = formulas_.arena();
  for (State q = 0; q < interface.states.size(); ++q)
    for (std::size_t c = 0; c < interface.calls.size(); ++c) {
      const CallFormulas& call = formulas_.call(c, Side::Below);
      if (!interface.states[q].allows[c] || !call.good) continue;
      const Term here = arena.conj(formulas_.facts(), proof_.safe[q]);
      if (solver_.check({here, call.some_err}) == Truth::Unsat) continue;
      // Inputs are the client's alone; they are shown by the names that the client knows.
      std::vector<Term> under{here};
      Substitution names;
      const Procedure& body = component_.body(component_.calls()[c]);
      for (const FormulaInput& input : call.body.inputs) {
        if (input.chooser != Chooser::Client) continue;
        under.push_back(input.fact);
        const BlockCopy& copy = call.body.graph->copies[input.copy];
        const Term chosen = input.parameter
                                ? body.parameters[*input.parameter].term
                                : body.blocks[copy.block].statements[input.statement].target;
        names[input.variable] = chosen;
      }
      const Term guard = simplify(arena, solver_, arena.conj(std::move(under)), call.good);
      interface.guards.push_back({q, c, to_string(substitute(arena, guard, names))});
    }
}

Result<Synthesis> PermissiveEngine::finished() {
  FinishOptions finishing{
      .engine = "permissive", .serial = options_.serial, .story = options_.story};
  Verdict& verdict = finishing.verdict;
  verdict.assumptions = component_.assumptions();
  verdict.safe = Claim::Proved;
  verdict.permissive = open_.empty() ? Claim::Proved : Claim::Unknown;
  if (!open_.empty()) verdict.details["permissive"] = open_;
  verdict.full = full_ ? Claim::Proved : Claim::Unknown;
  if (!full_)
    verdict.details["full"] =
        !not_full_.empty() ? not_full_ : "permissiveness comes first, and that is open";
  if (!open_.empty())
    for (const auto& [place, trace] : hard_) {
      State at = protocol_->dfa.entries()[trace.constructor];
      for (std::size_t l : trace.letters)
        if (at != no_state) at = protocol_->dfa.next(at, static_cast<Letter>(l));
      if (at != no_state && !protocol_->allows(at, place.second))
        finishing.disputed.push_back({at, trace.constructor, trace.letters, place.second});
    }
  complete_proof();
  ProofLabeller labeller(proof_, component_, *safe_, solver_);
  Synthesis result{finish(*protocol_, *safe_, labeller, finishing),
                   open_.empty() && (full_ || !options_.full)};
  Interface& interface = result.interface;
  withdraw_unproved(result, open_);
  if (!open_.empty()) add_bounds(interface);
  if (!options_.serial) add_guards(interface);
  for (const PredicateSet* set : {&std::as_const(safety_), &std::as_const(permissiveness_)})
    for (Term p : set->all())
      if (const std::string text = to_string(p);
          std::ranges::find(interface.predicates, text) == interface.predicates.end())
        interface.predicates.push_back(text);
  interface.stats.set("iterations", iterations_);
  interface.stats.set("safety_predicates", safety_.size());
  interface.stats.set("permissiveness_predicates", permissiveness_.size());
  SolverStatistics spent = solver_.statistics();
  auto add = [&](const SolverStatistics& more) {
    spent.queries += more.queries;
    spent.seconds += more.seconds;
  };
  add(eliminator_.statistics());
  if (interpolator_) add(interpolator_->statistics());
  interface.stats.set("solver_queries", static_cast<std::size_t>(spent.queries));
  interface.stats.set("solver_seconds", spent.seconds);
  return result;
}

/// When the budget ran out before anything could be asked: refusing everything is safe.
Synthesis nothing_known(const Component& component, const std::string& why) {
  Synthesis result{{}, false};
  Interface& interface = result.interface;
  interface.component_name = component.name();
  interface.language = component.module().language;
  interface.options = component.options();
  interface.engine = "permissive";
  interface.errors = component.errors();
  for (const Call& call : component.calls()) interface.calls.push_back({call.name, {"any"}});
  for (std::size_t k = 0; k < component.constructors().size(); ++k) {
    const std::string& name = component.constructors()[k].name;
    interface.constructors.push_back(name);
    interface.forbidden.push_back({.call = k, .error = not_shown_safe, .word = {name}});
  }
  Verdict& verdict = interface.verdict;
  verdict.assumptions = component.assumptions();
  verdict.safe = Claim::Proved;
  verdict.permissive = verdict.full = Claim::Unknown;
  verdict.details["permissive"] = verdict.details["full"] = why;
  return result;
}

} // namespace

Result<Synthesis> synthesise_permissive(const Component& component, const SynthesisOptions& options,
                                        Budget& budget) {
  const auto solver = make_z3_solver({.budget = &budget});
  Eliminator eliminator(component.arena(), {.budget = &budget});
  auto formulas = ComponentFormulas::create(component, *solver, eliminator);
  if (!formulas && budget.exhausted_now())
    return nothing_known(component, "the budget ran out: " + budget.reason());
  if (!formulas) return std::unexpected(formulas.error());
  return PermissiveEngine(**formulas, *solver, eliminator, options, budget).run();
}

} // namespace tacit
