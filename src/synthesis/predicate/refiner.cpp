#include "synthesis/predicate/refiner.h"

#include <algorithm>

#include "abstraction/formula/predicates.h"
#include "abstraction/maymust/needed.h"
#include "logic/term/print.h"

namespace tacit {
namespace {

/// The last few, as a list behind what they are; nothing without any.
std::string last_of(std::string_view what, const std::vector<std::string>& all) {
  constexpr std::size_t shown = 4; // enough to see how they go on
  std::string text;
  const std::size_t from = all.size() > shown ? all.size() - shown : 0;
  for (std::size_t i = from; i < all.size(); ++i)
    text += (i == from ? fmt::format(", {} ", what) : ", ") + all[i];
  return text;
}

} // namespace

Lesson Refiner::learn(const Trace& trace, Fact truth, PredicateSet& set, std::size_t judged_with) {
  if (truth == Fact::Both) return {Lesson::Kind::Disagrees, ""};
  words_.push_back(setting_.text(trace));
  for (const Source source : sources(trace, truth)) {
    add_from(source, trace, truth, set);
    if (set.size() > judged_with)
      return {Lesson::Kind::Learnt, source == Source::Orders          ? "orders"
                                    : source == Source::Preconditions ? "wp"
                                                                      : "craig"};
  }
  return {};
}

std::vector<Refiner::Source> Refiner::sources(const Trace& trace, Fact truth) const {
  std::vector<Source> made{Source::Preconditions};
  const Strategy& strategy = setting_.strategy();
  // There is something to interpolate only where steps contradict each other.
  if (truth == Fact::No)
    made.insert(strategy.interpolants_first ? made.begin() : made.end(), Source::Interpolants);
  const std::size_t many = strategy.suspicious_repetitions;
  if (many > 0 && std::ranges::any_of(trace.letters, [&](std::size_t letter) {
        return static_cast<std::size_t>(std::ranges::count(trace.letters, letter)) >= many;
      }))
    made.insert(made.begin(), Source::Orders);
  return made;
}

void Refiner::add_from(Source source, const Trace& trace, Fact truth, PredicateSet& set) {
  auto fresh = news(found_by(source, trace, set), set);
  // That a number stays within its type is seldom what a word is about.
  if (!std::ranges::all_of(fresh, compares_with_limit)) std::erase_if(fresh, compares_with_limit);
  const auto most = setting_.strategy().most_unselected;
  if (source == Source::Preconditions && most && fresh.size() > *most)
    fresh = selected(trace, truth, set, fresh);
  for (Term p : fresh) set.add(p);
}

std::vector<Term> Refiner::found_by(Source source, const Trace& trace, const PredicateSet& set) {
  TermArena& arena = setting_.arena();
  ComponentFormulas& formulas = setting_.formulas();
  PredicateSet found(arena);
  switch (source) {
  case Source::Orders: return orders(arena, set.all());
  case Source::Preconditions:
    // Elimination leaves atoms that say nothing given the ranges of the state, or given the others.
    for (Term condition : preconditions(formulas, setting_.eliminator(), trace,
                                        setting_.strategy().shorten ? &setting_.solver() : nullptr))
      found.add_atoms(condition, setting_.state());
    break;
  case Source::Interpolants: {
    if (!interpolator_)
      interpolator_ = std::make_unique<Interpolator>(SolverOptions{.budget = &setting_.budget()});
    const auto cuts = interpolator_->sequence(arena, step_formulas(formulas, trace));
    if (!cuts) break;
    for (std::size_t i = 0; i < cuts->size(); ++i)
      found.add_atoms(without_copy(formulas, (*cuts)[i], i), setting_.state());
    break;
  }
  }
  return found.all();
}

/// Those that say something that the set does not.
std::vector<Term> Refiner::news(const std::vector<Term>& found, const PredicateSet& set) {
  PredicateSet all = set;
  for (Term p : found) {
    if (all.contains(p) || known_.contains({&set, p})) continue;
    if (setting_.out_of_budget()) break;
    if (!divides(p)) continue;
    if (setting_.strategy().novelty == Strategy::Novelty::Differs && !differs(p, all))
      known_.insert({&set, p});
    else
      all.add(p);
  }
  return {all.all().begin() + static_cast<std::ptrdiff_t>(set.size()), all.all().end()};
}

/// True in some states and false in others.
bool Refiner::divides(Term predicate) {
  auto [at, fresh] = divides_.try_emplace(predicate, false);
  if (fresh) {
    Solver& solver = setting_.solver();
    const Term facts = setting_.facts();
    at->second = solver.check({facts, predicate}) != Truth::Unsat &&
                 solver.check({facts, setting_.arena().negate(predicate)}) != Truth::Unsat;
  }
  return at->second;
}

/// From each of them and its negation.
bool Refiner::differs(Term predicate, const PredicateSet& from) {
  TermArena& arena = setting_.arena();
  const auto never = [&](Term a, Term b) {
    return setting_.solver().check({setting_.facts(), arena.conj(a, b)}) == Truth::Unsat;
  };
  const Term opposite = arena.negate(predicate);
  return std::ranges::none_of(from.all(), [&](Term q) {
    const Term not_q = arena.negate(q);
    return (never(predicate, not_q) && never(q, opposite)) ||
           (never(predicate, q) && never(not_q, opposite));
  });
}

void Refiner::adopt(const PredicateSet& from, PredicateSet& into) {
  for (Term p : news(from.all(), into)) into.add(p);
}

/// Some of the new predicates with which abstraction sees what the word is about: the first ones
/// that do, without those that are not needed for it.
std::vector<Term> Refiner::selected(const Trace& trace, Fact truth, const PredicateSet& known,
                                    const std::vector<Term>& fresh) {
  TermArena& arena = setting_.arena();
  std::optional<Term> goal = arena.truth();
  if (trace.call && truth == Fact::No)
    goal = setting_.formulas().call(*trace.call, Side::Above).errs;
  else if (trace.call && (goal = setting_.goals().errs_if_at_all(*trace.call)))
    goal = arena.negate(*goal);
  if (goal)
    if (auto few = needed(setting_.formulas(), trace, *goal, known.all(), fresh, setting_.solver());
        few && !few->empty())
      return *few;
  std::vector<Term> taken;
  for (std::size_t size = 0; size < fresh.size();) {
    size = std::min(fresh.size(), size + setting_.strategy().selection_step);
    taken.assign(fresh.begin(), fresh.begin() + static_cast<std::ptrdiff_t>(size));
    if (setting_.out_of_budget()) return taken;
    if (size < fresh.size() && shows(trace, truth, known, taken)) break;
  }
  for (std::size_t i = taken.size(); i-- > 0 && !setting_.out_of_budget();) {
    std::vector<Term> less = taken;
    less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
    if (shows(trace, truth, known, less)) taken = std::move(less);
  }
  return taken;
}

bool Refiner::shows(const Trace& trace, Fact truth, const PredicateSet& known,
                    const std::vector<Term>& some) {
  std::vector<Term> predicates = known.all();
  predicates.insert(predicates.end(), some.begin(), some.end());
  MayMust abstraction(setting_.formulas(), setting_.goals(), std::move(predicates),
                      setting_.solver());
  const Region region = abstraction.region(trace.constructor, trace.letters);
  if (abstraction.may().failure()) return false;
  if (region == empty_region || !trace.call) return true;
  if (truth == Fact::No) return !abstraction.may().errs(region, *trace.call);
  return abstraction.must_err(region, *trace.call);
}

void Refiner::suggest(const Trace& trace, const std::vector<Term>& known, PredicateSet& suggested) {
  PredicateSet set(setting_.arena());
  for (Term p : known) set.add(p);
  for (Term p : found_by(Source::Preconditions, trace, set)) {
    if (suggested.size() >= setting_.strategy().most_suggested) return;
    if (!set.contains(p) && !suggested.contains(p) && divides(p)) suggested.add(p);
  }
}

std::string Refiner::run_away_text(const std::string& why, const PredicateSet& predicates) const {
  std::vector<std::string> texts;
  for (Term p : predicates.all()) texts.push_back(to_string(p));
  return why + "; refinement goes on and on" + last_of("the last words being", words_) +
         last_of("the last predicates", texts);
}

void Refiner::start_over() {
  known_.clear();
  words_.clear();
}

SolverStatistics Refiner::spent() const {
  SolverStatistics spent = setting_.solver().statistics();
  const auto add = [&](const SolverStatistics& more) {
    spent.queries += more.queries;
    spent.seconds += more.seconds;
  };
  add(setting_.eliminator().statistics());
  if (interpolator_) add(interpolator_->statistics());
  return spent;
}

} // namespace tacit
