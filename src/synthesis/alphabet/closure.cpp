#include "synthesis/alphabet/closure.h"

#include <algorithm>
#include <deque>
#include <set>

#include "abstraction/formula/arguments.h"
#include "abstraction/formula/predicates.h"
#include "logic/solver/known_models.h"
#include "logic/term/print.h"
#include "logic/term/reads.h"
#include "logic/term/size.h"
#include "synthesis/alphabet/independent.h"
#include "synthesis/alphabet/linear.h"

namespace tacit {
namespace {

using TermSet = std::set<Term, TermById>;

/// A call or constructor, with the atoms that split it.
struct Site {
  const Call* call = nullptr;
  const Procedure* body = nullptr;
  const CallFormulas* formulas = nullptr;
  bool constructor = false;
  Term passed = nullptr; // what is known of the client's inputs
  Substitution names;    // the client's inputs -> what receives them
  TermSet received;      // these receivers
  Term runs = nullptr;   // the call is not blocked: nobody passes a reference to nothing
  std::vector<Term> entry;
  std::vector<Term> domain;                         // of the arguments: what holds in every run
  std::map<std::size_t, std::vector<Term>> results; // by outcome
};

bool mentions(Term term, const TermSet& some) {
  return std::ranges::any_of(variables(term), [&](Term v) { return some.contains(v); });
}
bool mentions_result(Term term) {
  return std::ranges::any_of(variables(term), [](Term v) { return v->name == "result"; });
}

class Closure {
public:
  Closure(ComponentFormulas& formulas, Solver& solver, Budget& budget, const Story& story,
          const std::vector<Term>& untracked, Observing observing, const ClosureLimits& limits)
      : formulas_(formulas), component_(formulas.component()), arena_(formulas.arena()),
        solver_(solver), budget_(budget), story_(story), observing_(observing), limits_(limits),
        known_(std::in_place, formulas.arena(), is_state()) {
    for (const StateVariable& v : component_.module().state)
      if (!v.client) state_.insert(v.term);
    untracked_.insert(untracked.begin(), untracked.end());
  }

  ClosedAlphabet run() {
    while (!try_once()) {
    }
    ClosedAlphabet made;
    made.alphabet.tracked = known_->terms();
    for (Site& site : sites_)
      (site.constructor ? made.alphabet.constructors : made.alphabet.calls)
          .push_back(cells_of(site));
    made.questions.assign(questions_.begin(), questions_.end());
    for (const auto& [term, values] : few_)
      if (values && used_few_.contains(term)) made.few[term] = *values;
    for (Term term : made.alphabet.tracked)
      if (const auto on = depends_.find(term); on != depends_.end())
        made.decided_by[term].assign(on->second.begin(), on->second.end());
    made.not_followed.assign(not_followed_.begin(), not_followed_.end());
    made.complete = complete_;
    tell(made);
    return made;
  }

private:
  // --- the search ---

  bool try_once() {
    make_sites();
    questions_.clear();
    open_.clear();
    families_.clear();
    places_.clear();
    depends_.clear();
    blurred_.clear();
    asking_ = nullptr;
    used_few_.clear();
    again_ = false;
    asked_by_.clear();
    results_seen_.clear();
    for (Site& site : sites_) {
      asked_by_.emplace_back();
      if (out_of_time()) continue;
      const Term errs = before(site, site.formulas->errs);
      for (Term atom : atoms(arena_, errs)) look_at_error(site, atom, errs);
      if (site.constructor) ask_for_objects(site);
    }
    const std::vector<Term> tracked = known_->terms();
    for (std::size_t i = 0; i < tracked.size() && !again_; ++i) {
      asking_ = tracked[i];
      follow(tracked[i]);
    }
    while (!open_.empty() && !again_ && !out_of_time()) {
      const Term question = open_.front();
      open_.pop_front();
      asking_ = question;
      ask_everywhere(question);
    }
    asking_ = nullptr;
    if (!again_) leave_out_blurred();
    if (!again_) follow_independent();
    return !again_;
  }

  /// Where groups of questions have nothing to do with each other, states multiply: beyond a limit
  /// all that they ask about is tracked instead.
  void follow_independent() {
    if (many_) return;
    IndependentQuestions independent;
    std::map<Term, Term, TermById> about; // variable -> a question; elements of maps are apart
    for (Term question : questions_) {
      independent.add(question);
      for (Term v : variables(question))
        if (v->sort->kind != SortKind::Map)
          independent.join(question, about.try_emplace(v, question).first->second);
    }
    const auto join = [&](Term question, const TermSet& others) {
      for (Term other : others)
        if (questions_.contains(question) && questions_.contains(other))
          independent.join(question, other);
    };
    for (const auto& [asked, on] : depends_) join(asked, on);
    for (const TermSet& asked : asked_by_)
      for (Term question : asked) join(question, asked);
    const auto groups = independent.groups();
    if (groups.size() < limits_.independent) return;
    story_.tell("alphabet: {} independent questions would be told by at least 2^{} states",
                questions_.size(), groups.size());
    many_ = true;
    for (const std::vector<Term>& group : groups) {
      TermSet terms;
      const bool all = std::ranges::all_of(group, [&](Term question) {
        const Term term = asked_about(question);
        return term && (terms.insert(term), true);
      });
      if (!all) continue;
      for (Term term : terms)
        if (!known_->contains(term)) add_known(term);
      again_ = true;
    }
  }

  /// What to follow to know the answer: the variable that a question is about, or the answer
  /// itself.
  Term asked_about(Term question) {
    const auto all = variables(question);
    std::vector<Term> candidates;
    if (all.size() == 1 && all[0]->sort->kind != SortKind::Map) candidates.push_back(all[0]);
    candidates.push_back(question);
    for (Term term : candidates)
      if (!untracked_.contains(term) && followable(term)) return term;
    return nullptr;
  }

  /// A value is not followed when what becomes of it depends on something that nobody knows, be it
  /// by way of the state.
  void leave_out_blurred() {
    for (bool grown = true; grown;) {
      grown = false;
      for (const auto& [asked, on] : depends_)
        if (std::ranges::any_of(on, [&](Term q) { return blurred_.contains(q); }))
          grown = blurred_.insert(asked).second || grown;
    }
    const std::vector<Term> terms = known_->terms();
    if (std::ranges::none_of(terms, [&](Term t) { return blurred_.contains(t); })) return;
    known_.emplace(arena_, is_state());
    for (Term term : terms) {
      if (!blurred_.contains(term)) {
        add_known(term);
        continue;
      }
      story_.tell("alphabet: what becomes of {} depends on what nobody knows", to_string(term));
      untracked_.insert(term);
      not_followed_.insert(term);
    }
    complete_ = false;
    again_ = true;
  }

  void add_known(Term term) {
    known_->add(term, arena_.var("followed!" + std::to_string(known_->size()), term->sort));
  }

  void make_sites() {
    sites_.clear();
    const auto add = [&](const Call& call, const CallFormulas& made, bool constructor) {
      Site site{&call, &component_.body(call), &made, constructor};
      std::vector<Term> facts;
      for (const FormulaInput& input : made.body.inputs)
        if (input.chooser == Chooser::Client) {
          facts.push_back(input.fact);
          const Term receiver = receiver_of(*site.body, made.body, input);
          site.names[input.variable] = receiver;
          site.received.insert(receiver);
        }
      site.passed = arena_.conj(std::move(facts));
      std::vector<Term> ends{made.errs};
      for (const StepFormula& step : made.outcomes) ends.push_back(step.guard);
      site.runs = before(site, arena_.disj(std::move(ends)));
      sites_.push_back(std::move(site));
    };
    for (std::size_t c = 0; c < component_.calls().size(); ++c)
      add(component_.calls()[c], formulas_.call(c, Side::Above), false);
    for (std::size_t k = 0; k < component_.constructors().size(); ++k)
      add(component_.constructors()[k], formulas_.constructor(k, Side::Above), true);
  }

  /// A constructor finds the initial values.
  Term before(const Site& site, Term formula) const {
    return site.constructor ? substitute(arena_, formula, formulas_.initial()) : formula;
  }

  /// A constructor may end without an object and without an error: what decides that. Where it is
  /// blocked there is no such run: nobody passes a reference to nothing.
  void ask_for_objects(Site& site) {
    const Term makes = before(site, site.formulas->outcomes[0].guard);
    std::vector<Term> ends{makes};
    for (const FormulaExit& exit : site.formulas->body.exits)
      if (!exit.error && site.call->outcomes[exit.outcome].starts_with("throws"))
        ends.push_back(before(site, exit.guard));
    if (ends.size() == 1) return;
    const Term runs = arena_.disj(std::move(ends));
    if (solver_.check({formulas_.facts(), site.passed, runs, arena_.negate(makes)}) != Truth::Sat)
      return;
    for (Term atom : atoms(arena_, makes)) look(site, atom, {}, runs);
  }

  /// Whether a formula depends on an atom where there are runs; facts that bodies assume put atoms
  /// into it that it holds without.
  bool decides(Term atom, Term formula, Term runs) {
    const Term with = replaced(arena_, formula, atom, arena_.truth());
    const Term without = replaced(arena_, formula, atom, arena_.falsehood());
    if (with == formula || without == formula) return true; // it is not there as such
    return !never(runs, arena_.ne(with, without));
  }

  /// The same where `runs` holds, without atoms about what the client does not choose that are
  /// decided where they matter: that a new object is not null, where one is made.
  Term without_idle(const Site& site, Term term, Term runs) {
    if (!hidden(site, term)) return term;
    for (Term atom : conditions_in(term)) {
      if (out_of_time()) break;
      if (!hidden(site, atom)) continue;
      for (Term constant : {arena_.falsehood(), arena_.truth()}) {
        const Term without = replaced(arena_, term, atom, constant);
        if (without == term || !never(runs, arena_.ne(term, without))) continue;
        term = without;
        break;
      }
    }
    return term;
  }

  /// The atoms of a formula, or those that decide what a term is.
  std::vector<Term> conditions_in(Term term) {
    if (term->sort == arena_.bool_sort()) return atoms(arena_, term);
    const Term value = arena_.var("value!", term->sort);
    auto found = atoms(arena_, arena_.eq(value, term));
    std::erase_if(found, [&](Term a) { return std::ranges::count(variables(a), value) > 0; });
    return found;
  }

  template <class Do> void each_step(Do&& visit) {
    for (Site& site : sites_)
      for (std::size_t o = 0; o < site.formulas->outcomes.size() && !again_; ++o) {
        if (out_of_time()) return;
        const StepFormula& step = site.formulas->outcomes[o];
        if (!is_false(step.guard)) visit(site, o, step);
      }
  }

  /// What every call does to a question about the state.
  void ask_everywhere(Term question) {
    each_step([&](Site& site, std::size_t outcome, const StepFormula& step) {
      const Term guard = before(site, step.guard);
      Term earlier = before(site, substitute(arena_, question, step.after));
      if (earlier != question) earlier = without_idle(site, earlier, guard);
      if (observing_ == Observing::Knowledge && !site.constructor)
        learn(site, question, earlier, outcome, step);
      if (earlier == question) return;
      for (Term atom : atoms(arena_, earlier)) look(site, atom, outcome, guard);
      look_at_values(site, earlier, outcome, guard);
    });
  }

  /// A result of few values may tell what becomes of a question, whatever was chosen besides: an
  /// out-parameter that gets the mode that the call has found.
  void look_at_values(Site& site, Term earlier, std::size_t outcome, Term guard) {
    const Term value = hidden(site, earlier) ? returned_value(site, outcome) : nullptr;
    if (!value || value->sort->kind != SortKind::Enum ||
        value->sort->decl->values.size() > limits_.atoms_of_result)
      return;
    Substitution other;
    for (const FormulaInput& input : site.formulas->body.inputs)
      if (input.chooser != Chooser::Client)
        other[input.variable] =
            arena_.var(input.variable->name + " otherwise", input.variable->sort);
    for (std::size_t i = 0; i < value->sort->decl->values.size(); ++i) {
      const Term constant = arena_.enumerator(value->sort, i);
      const Term seen = arena_.conj(guard, arena_.eq(value, constant));
      if (solver_.check({formulas_.facts(), site.passed, seen}) != Truth::Sat) continue;
      const Term differs = arena_.ne(earlier, substitute(arena_, earlier, other));
      if (solver_.check({formulas_.facts(), site.passed, seen, substitute(arena_, seen, other),
                         differs}) == Truth::Unsat)
        add_atom(site, arena_.eq(result_variable(arena_, value->sort), constant), outcome, true);
    }
  }

  /// What an outcome and its result tell of a question: the result where it speaks of the same, and
  /// what the outcome depends on.
  void learn(Site& site, Term question, Term earlier, std::size_t outcome,
             const StepFormula& step) {
    const Term under = arena_.conj(site.passed, step.guard);
    if (const Term value = returned_value(site, outcome))
      for (Term atom : atoms(arena_, earlier)) {
        if (decided(atom, under)) continue; // by the outcome
        const Term result = result_variable(arena_, value->sort);
        const Term seen = replaced(arena_, atom, value, result);
        if (seen != atom && !hidden(site, seen) && parts_of(seen).empty())
          add_atom(site, substitute(arena_, seen, site.names), outcome, true);
      }
    look_at_results(site, outcome, under);
    const auto asked = variables(question), told = variables(step.guard);
    if (std::ranges::none_of(asked, [&](Term v) { return std::ranges::count(told, v) > 0; }))
      return;
    for (Term atom : atoms(arena_, step.guard)) look(site, atom, {}, arena_.truth());
  }

  /// A result of few values that speaks of the state: what holds there together with it may be what
  /// is asked.
  void look_at_results(Site& site, std::size_t outcome, Term under) {
    const Term value = returned_value(site, outcome);
    if (!value || !mentions(value, state_) || !results_seen_.insert({&site, outcome}).second)
      return;
    std::vector<Term> values;
    while (true) {
      if (solver_.check({formulas_.facts(), under, arena_.negate(one_of(value, values))}) !=
          Truth::Sat)
        break;
      const auto next = solver_.value(value);
      if (!next || next->map || values.size() == limits_.atoms_of_result) return;
      values.push_back(arena_.constant(value->sort, next->number));
    }
    for (std::size_t i = 0; i + 1 < values.size(); ++i)
      add_atom(site, arena_.eq(result_variable(arena_, value->sort), values[i]), outcome, true);
  }

  /// What every call does to a tracked value, and what decides that.
  void follow(Term tracked) {
    each_step([&](Site& site, std::size_t outcome, const StepFormula& step) {
      const Term guard = before(site, step.guard);
      Term value = where(guard, before(site, substitute(arena_, tracked, step.after)));
      if (value == tracked) return;
      value = without_idle(site, value, guard);
      const Term fresh = arena_.var("tracked!", value->sort);
      for (Term atom : atoms(arena_, arena_.eq(fresh, value))) {
        if (std::ranges::count(variables(atom), fresh) == 0)
          look(site, atom, outcome, guard);
        else if (const auto seen = as_seen(site, atom, outcome))
          for (Term part : parts_of(*seen)) require(part);
      }
    });
  }

  /// What holds in every run splits nothing, but what the client passes has to fulfil it: only that
  /// is split further.
  void look_at_error(Site& site, Term atom, Term errs) {
    for (Term literal : {atom, arena_.negate(atom)}) {
      if (!never(arena_.conj(site.passed, site.runs), literal)) continue;
      const auto seen = as_seen(site, arena_.negate(literal), {});
      if (seen && mentions(*seen, site.received) && parts_of(*seen).empty())
        site.domain.push_back(*seen);
      return;
    }
    if (decides(atom, errs, site.runs)) look(site, atom, {}, site.runs);
  }

  /// An atom that decides something about a call: errors, or what one of its outcomes does.
  void look(Site& site, Term atom, std::optional<std::size_t> outcome, Term under) {
    if (again_) return;
    if (distinct_subterms(atom) > limits_.atom_size) {
      complete_ = false;
      return;
    }
    // What moves is taken not to get there, but a client may pass what it likes.
    if (compares_with_limit(atom) && (outcome || mentions(atom, state_))) return;
    if (decided(atom, arena_.conj(site.passed, under))) return;
    const auto seen = as_seen(site, atom, outcome);
    if (!seen) {
      if (asking_ && hidden(site, atom, Chooser::Unknown)) blurred_.insert(asking_);
      return;
    }
    const bool passed = mentions(*seen, site.received), returned = mentions_result(*seen);
    if (!passed && !returned) {
      if (followed(*seen))
        add_atom(site, *seen, outcome, false);
      else if (!site.constructor)
        question(*seen);
      return;
    }
    for (Term part : parts_of(*seen)) require(part);
    for (Term expanded : by_values(*seen)) add_atom(site, expanded, outcome, returned);
  }

  bool decided(Term atom, Term under) {
    return never(under, atom) || never(under, arena_.negate(atom));
  }

  bool never(Term under, Term what) {
    const std::vector<Term> query{formulas_.facts(), under, what};
    if (known_models_.one_shows(query)) return false;
    const Truth truth = solver_.check(query);
    if (truth == Truth::Sat) known_models_.add(solver_, variables(query));
    return truth == Truth::Unsat;
  }

  /// In terms of what the client passes and sees; nothing when it depends on what nobody sees.
  std::optional<Term> as_seen(const Site& site, Term term, std::optional<std::size_t> outcome) {
    if (outcome && hidden(site, term))
      if (const Term value = returned_value(site, *outcome))
        term = replaced(arena_, term, value, result_variable(arena_, value->sort));
    if (hidden(site, term)) return std::nullopt;
    return substitute(arena_, term, site.names);
  }

  /// Whether it depends on what the client does not choose, or on what one other does.
  bool hidden(const Site& site, Term term, std::optional<Chooser> by = {}) const {
    const auto all = variables(term);
    return std::ranges::any_of(site.formulas->body.inputs, [&](const FormulaInput& input) {
      return (by ? input.chooser == *by : input.chooser != Chooser::Client) &&
             std::ranges::count(all, input.variable) > 0;
    });
  }

  /// What all exits of an outcome return, when that is one term and no constant, and is looked at.
  Term returned_value(const Site& site, std::size_t outcome) const {
    if (site.constructor || site.call->blind) return nullptr;
    Term value = nullptr;
    for (const FormulaExit& exit : site.formulas->body.exits) {
      if (exit.error || exit.outcome != outcome) continue;
      if (!exit.value || (value && exit.value != value)) return nullptr;
      value = exit.value;
    }
    return value && !is_constant(value) && value->sort->kind != SortKind::Map ? value : nullptr;
  }

  // --- terms ---

  bool of_state(Term term) const {
    const auto all = variables(term);
    return !all.empty() && std::ranges::all_of(all, [&](Term v) { return state_.contains(v); });
  }

  std::vector<Term> parts_of(Term atom) const { return state_parts(arena_, atom, is_state()); }
  IsState is_state() const {
    return [this](Term v) { return state_.contains(v); };
  }

  /// Made of tracked values alone, as far as it speaks of the state.
  bool followed(Term term) const { return known_->named(term).has_value(); }

  /// The client has to know this part of the state, to know more than the state it is in.
  void require(Term part) {
    if (again_ || followed(part)) return;
    if (const auto* values = few_values(part)) {
      used_few_.insert(part);
      for (Term value : *values) question(arena_.eq(part, value));
      return;
    }
    track(part);
  }

  /// Parts with few values are put in, value by value.
  std::vector<Term> by_values(Term atom) {
    std::vector<Term> made{atom};
    for (Term part : parts_of(atom)) {
      if (followed(part)) continue;
      const auto* values = few_values(part);
      if (!values) return {};
      std::vector<Term> next;
      for (Term one : made)
        for (Term value : *values) next.push_back(replaced(arena_, one, part, value));
      made = std::move(next);
    }
    return made;
  }

  /// In other words, too: `n >= 7` and `n - 7 >= 0`, or one where the other is not.
  bool asks_the_same(Term a, Term b) {
    if (a == b || a == arena_.negate(b)) return true;
    const auto of_a = variables(a), of_b = variables(b);
    if (std::set<Term, TermById>(of_a.begin(), of_a.end()) !=
        std::set<Term, TermById>(of_b.begin(), of_b.end()))
      return false;
    const Term facts = formulas_.facts();
    if (solver_.check({facts, a, arena_.negate(b)}) == Truth::Unsat)
      return solver_.check({facts, arena_.negate(a), b}) == Truth::Unsat;
    return solver_.check({facts, a, b}) == Truth::Unsat &&
           solver_.check({facts, arena_.negate(a), arena_.negate(b)}) == Truth::Unsat;
  }

  void add_atom(Site& site, Term atom, std::optional<std::size_t> outcome, bool returned) {
    if (atom->op == Op::BoolConst) return;
    if (atom->op == Op::Not) atom = atom->args[0];
    auto& into = returned ? site.results[*outcome] : site.entry;
    if (std::ranges::any_of(into, [&](Term known) { return asks_the_same(known, atom); })) return;
    if (into.size() >= (returned ? limits_.atoms_of_result : limits_.atoms_of_call)) {
      complete_ = false;
      return;
    }
    into.push_back(atom);
  }

  // --- questions and values ---

  void question(Term atom) {
    if (atom->op == Op::Not) atom = atom->args[0];
    if (atom->op == Op::Lt) atom = arena_.negate(atom);
    if (atom->op == Op::BoolConst) return;
    if (asking_)
      depends_[asking_].insert(atom);
    else if (!asked_by_.empty())
      asked_by_.back().insert(atom);
    if (questions_.contains(atom)) return;
    if (questions_.size() >= limits_.questions) {
      complete_ = false;
      return;
    }
    if (const auto number = compared_number(arena_, atom); number && !is_one_of_few(*number, atom))
      return;
    if (!is_one_of_few_places(atom)) return;
    questions_.insert(atom);
    open_.push_back(atom);
  }

  /// Whether to go on with a question about a number. One with few values gets a question for each;
  /// one about which ever more is asked is tracked.
  bool is_one_of_few(Term number, Term atom) {
    if (const auto* values = few_values(number)) {
      used_few_.insert(number);
      if (atom->op == Op::Eq &&
          std::ranges::any_of(*values, [&](Term v) { return atom == arena_.eq(number, v); }))
        return true;
      for (Term value : *values) question(arena_.eq(number, value));
      return false;
    }
    auto& family = families_[number];
    // What cannot be followed has no end of questions: engines find those that they need.
    if (untracked_.contains(number) && family.size() > limits_.family && !family.contains(atom)) {
      complete_ = false;
      return false;
    }
    family.insert(atom);
    if (family.size() >= limits_.family) track(number);
    return true;
  }

  /// The same for a question about what is at a place that moves: `has[at + 1]`, `has[at + 2]`, …
  bool is_one_of_few_places(Term atom) {
    const Term still = with_still_places(arena_, atom);
    if (still == atom && !places_.contains(still)) return true;
    auto& family = places_[still];
    if (family.size() >= limits_.family && !family.contains(atom)) {
      complete_ = false;
      return false;
    }
    family.insert(atom);
    if (family.size() < limits_.family) return true;
    for (Term v : variables(still))
      if (!few_values(v)) track(v);
    return true;
  }

  void track(Term term) {
    if (again_ || untracked_.contains(term) || known_->contains(term)) return;
    const bool too_many = known_->size() >= limits_.tracked && !many_;
    if (too_many || !followable(term)) {
      story_.tell("alphabet: {} cannot be followed", to_string(term));
      untracked_.insert(term);
      if (!too_many && !out_of_time()) not_followed_.insert(term);
      complete_ = false;
      return;
    }
    story_.tell("alphabet: {} is tracked", to_string(term));
    add_known(term);
    again_ = true;
  }

  /// What becomes of it can be said in terms of what the client passes and sees.
  bool followable(Term term) {
    bool can = true;
    each_step([&](Site& site, std::size_t outcome, const StepFormula& step) {
      const Term guard = before(site, step.guard);
      const Term after = before(site, substitute(arena_, term, step.after));
      const Term value = without_idle(site, where(guard, push_reads(arena_, after)), guard);
      can = can && as_seen(site, value, site.constructor ? std::nullopt : std::optional(outcome));
    });
    return can && !out_of_time();
  }

  /// Then all that is left to find is left out.
  bool out_of_time() {
    if (!budget_.exhausted_now()) return false;
    complete_ = false;
    return true;
  }

  /// A value without the cases that cannot be where a step is taken.
  Term where(Term guard, Term value) {
    if (value->op != Op::Ite || out_of_time()) return value;
    const Term condition = value->args[0];
    if (never(guard, condition)) return where(guard, value->args[2]);
    if (never(guard, arena_.negate(condition))) return where(guard, value->args[1]);
    return arena_.ite(condition, where(arena_.conj(guard, condition), value->args[1]),
                      where(arena_.conj(guard, arena_.negate(condition)), value->args[2]));
  }

  /// All values that calls can give it, when these are few; null otherwise.
  const std::vector<Term>* few_values(Term term) {
    auto [at, fresh] = few_.try_emplace(term);
    if (fresh) at->second = find_few(term);
    return at->second ? &*at->second : nullptr;
  }

  std::optional<std::vector<Term>> find_few(Term term) {
    if (term->sort->kind == SortKind::Bool) return std::vector{arena_.falsehood(), arena_.truth()};
    if (term->sort->kind == SortKind::Ref || term->sort->kind == SortKind::Map) return std::nullopt;
    std::vector<Term> values;
    for (bool grown = true; grown;) {
      grown = false;
      for (const Site& site : sites_)
        for (const StepFormula& step : site.formulas->outcomes)
          while (const Term value = another_value(site, step, term, values)) {
            if (values.size() == limits_.few_values) return std::nullopt;
            values.push_back(value);
            grown = true;
          }
      if (unclear_) return std::nullopt;
    }
    return values;
  }

  Term another_value(const Site& site, const StepFormula& step, Term term,
                     const std::vector<Term>& values) {
    const Term after = before(site, substitute(arena_, term, step.after));
    // What no constructor sets has any value at first.
    if (is_false(step.guard) || (after == term && !site.constructor)) return nullptr;
    std::vector<Term> query{formulas_.facts(), before(site, step.guard)};
    if (!site.constructor) query.push_back(one_of(term, values));
    query.push_back(arena_.negate(one_of(after, values)));
    unclear_ = false;
    switch (solver_.check(query)) {
    case Truth::Unsat: return nullptr;
    case Truth::Unknown: unclear_ = true; return nullptr;
    case Truth::Sat: break;
    }
    const auto value = solver_.value(after);
    if (!value || value->map) {
      unclear_ = true;
      return nullptr;
    }
    return arena_.constant(term->sort, value->number);
  }

  Term one_of(Term term, const std::vector<Term>& values) {
    std::vector<Term> equal;
    for (Term value : values) equal.push_back(arena_.eq(term, value));
    return arena_.disj(std::move(equal));
  }

  // --- the result ---

  /// Every combination of atoms that is possible is a condition.
  CallCells cells_of(Site& site) {
    CallCells made;
    std::vector<Term> facts{formulas_.facts()};
    for (const FormulaInput& input : site.formulas->body.inputs)
      if (input.chooser == Chooser::Client)
        facts.push_back(substitute(arena_, input.fact, site.names));
    if (!site.entry.empty()) made.entry = within_domain(site, facts);
    for (const auto& [outcome, atoms_of] : site.results)
      if (auto found = combinations(facts, atoms_of); found.size() > 1)
        made.results[outcome] = std::move(found);
    return made;
  }

  std::vector<Term> within_domain(const Site& site, std::vector<Term> facts) {
    const Term domain = arena_.conj(site.domain);
    const bool outside = solver_.check([&] {
      std::vector<Term> query = facts;
      query.push_back(arena_.negate(domain));
      return query;
    }()) != Truth::Unsat;
    if (!outside) return combinations(facts, site.entry);
    facts.push_back(domain);
    std::vector<Term> made = combinations(facts, site.entry);
    if (made.empty()) return made;
    for (Term& cell : made) cell = arena_.conj(domain, cell);
    made.push_back(arena_.negate(domain));
    return made;
  }

  std::vector<Term> combinations(const std::vector<Term>& facts, const std::vector<Term>& some) {
    std::vector<Term> made;
    const auto how = solver_.all_sat(facts, some, [&](const std::vector<bool>& holds) {
      std::vector<Term> literals;
      for (std::size_t i = 0; i < some.size(); ++i)
        literals.push_back(holds[i] ? some[i] : arena_.negate(some[i]));
      made.push_back(arena_.conj(std::move(literals)));
      return true;
    });
    if (how != Enumeration::Complete) {
      complete_ = false;
      return {};
    }
    std::ranges::sort(made, TermById());
    return made;
  }

  void tell(const ClosedAlphabet& made) const {
    if (!story_.told()) return;
    for (const Site& site : sites_) {
      for (Term atom : site.entry)
        story_.tell("alphabet: {} is split by {}", site.call->name, to_string(atom));
      for (const auto& [outcome, all] : site.results)
        for (Term atom : all)
          story_.tell("alphabet: {}:{} is split by {}", site.call->name,
                      site.call->outcomes[outcome], to_string(atom));
    }
    for (Term question : made.questions)
      story_.tell("alphabet: a question about the state: {}", to_string(question));
  }

  ComponentFormulas& formulas_;
  const Component& component_;
  TermArena& arena_;
  Solver& solver_;
  Budget& budget_;
  const Story& story_;
  const Observing observing_;
  const ClosureLimits limits_;
  TermSet state_;
  std::vector<Site> sites_;
  TermSet questions_, untracked_, used_few_;
  std::deque<Term> open_;
  std::map<Term, TermSet, TermById> families_; // questions about one number
  std::map<Term, TermSet, TermById> places_;   // questions that differ in how far a place has moved
  std::map<Term, std::optional<std::vector<Term>>, TermById> few_;
  std::optional<TrackedTerms> known_;
  KnownModels known_models_;
  Term asking_ = nullptr;                     // the question or tracked value at hand
  std::map<Term, TermSet, TermById> depends_; // of these, on questions
  std::vector<TermSet> asked_by_;             // by the errors of each call
  std::set<std::pair<const Site*, std::size_t>> results_seen_;
  bool many_ = false;    // more is tracked than states could tell
  TermSet not_followed_; // for the reader: found missing on the way
  TermSet blurred_;      // of these: nobody knows what becomes of it
  bool again_ = false;   // a value was found that has to be followed
  bool unclear_ = false, complete_ = true;
};

} // namespace

ClosedAlphabet close_alphabet(ComponentFormulas& formulas, Solver& solver, Budget& budget,
                              const Story& story, const std::vector<Term>& untracked,
                              Observing observing, const ClosureLimits& limits) {
  return Closure(formulas, solver, budget, story, untracked, observing, limits).run();
}

} // namespace tacit
