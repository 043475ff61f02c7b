#include "synthesis/predicate/maymust_context.h"

#include <algorithm>
#include <deque>
#include <set>

#include "abstraction/formula/path.h"
#include "logic/solver/simplify.h"
#include "logic/term/parse.h"
#include "logic/term/print.h"
#include "program/ir/scope.h"

namespace tacit {
namespace {

constexpr std::size_t most_refinements = 400;
/// For outcomes nobody asked about (--full): beyond, a full interface is taken not to exist.
constexpr std::size_t most_outcome_refinements = 6;
constexpr std::size_t widest_for_outcomes = 32; // cubes that one word may lead to
constexpr std::uint64_t most_queries_for_outcomes = 8'000;
constexpr std::size_t most_unasked_nodes = 20;
constexpr std::size_t most_pairs = 20'000;

} // namespace

MayMustContext::MayMustContext(ComponentFormulas& formulas, Solver& solver, Eliminator& eliminator,
                               const SynthesisOptions& options, Budget& budget)
    : formulas_(formulas), component_(formulas.component()), options_(options), budget_(budget),
      solver_(solver), eliminator_(eliminator), goals_(formulas, solver),
      may_set_(formulas.arena()), must_set_(formulas.arena()) {
  for (const StateVariable& v : component_.module().state) state_.push_back(v.term);
  seed_predicates();
  rebuild();
}

/// Those of an older result that make sense for this component.
void MayMustContext::seed_predicates() {
  if (!options_.seed) return;
  const ModuleScope scope(component_.module());
  TermArena& arena = formulas_.arena();
  for (const std::string& text : options_.seed->predicates)
    if (auto term = parse_expression(text, "seed", arena, scope, arena.bool_sort())) {
      may_set_.add_atoms(*term, state_);
      must_set_.add_atoms(*term, state_);
    }
  options_.story.tell("seed: {} of {} predicates of the older result can be used", may_set_.size(),
                      options_.seed->predicates.size());
}

void MayMustContext::rebuild() {
  if (formulas_.has_cuts()) {
    if (auto found = formulas_.find_invariants(may_set_.all()); !found && stop_.empty())
      stop_ = found.error().message;
    goals_.forget();
  }
  may_ = std::make_unique<MayMust>(formulas_, goals_, may_set_.all(), solver_);
  must_.reset();
  if (must_set_.size() != may_set_.size())
    must_ = std::make_unique<MayMust>(formulas_, goals_, must_set_.all(), solver_);
}

void MayMustContext::start_over() {
  strict_ = false;
  may_set_.clear();
  must_set_.clear();
  useless_.clear();
  refinements_ = 0;
  learnt_words_.clear();
  protocol_.reset();
  stop_.clear();
  open_.clear();
  rebuild();
}

bool MayMustContext::outcomes_run_away() const {
  if (!strict_ || options_.full || outcome_refinements_ == 0) return false;
  return outcome_refinements_ > most_outcome_refinements || may_->widest() > widest_for_outcomes ||
         solver_.statistics().queries > most_queries_for_outcomes;
}

bool MayMustContext::stopped() {
  if (!stop_.empty()) return true;
  if (budget_.exhausted_now())
    stop_ = "the budget ran out: " + budget_.reason();
  else if (const auto failure = may_->may().failure())
    stop_ = failure->message + run_away_text();
  else if (const auto other = must().may().failure())
    stop_ = other->message + run_away_text();
  else if (refinements_ > most_refinements)
    stop_ = "refinement does not come to an end" + run_away_text();
  return !stop_.empty();
}

std::string MayMustContext::run_away_text() const {
  constexpr std::size_t shown = 4;
  std::string text = "; refinement goes on and on";
  auto list = [&](std::string_view what, const std::vector<std::string>& all) {
    const std::size_t from = all.size() > shown ? all.size() - shown : 0;
    for (std::size_t i = from; i < all.size(); ++i)
      text += (i == from ? fmt::format(", {} ", what) : ", ") + all[i];
  };
  list("the last words being", learnt_words_);
  std::vector<std::string> predicates;
  for (Term p : may_set_.all()) predicates.push_back(to_string(p));
  list("the last predicates", predicates);
  return text;
}

Fact MayMustContext::judge(const Trace& trace) {
  auto possible = [&](Side side) {
    Path path(formulas_, trace.constructor, side);
    for (std::size_t l : trace.letters) path.extend(l);
    auto conditions = path.conditions();
    if (trace.call) {
      const CallFormulas& last = formulas_.call(*trace.call, side);
      conditions.push_back(path.at_end(last.errs, &last.body));
    }
    return solver_.check(conditions);
  };
  if (possible(Side::Above) == Truth::Unsat) return Fact::No;
  bool exact = !trace.call || !formulas_.approximate(*trace.call);
  for (std::size_t l : trace.letters)
    exact = exact && !formulas_.approximate(component_.letter(l).call);
  return exact && possible(Side::Below) == Truth::Sat ? Fact::Yes : Fact::Unclear;
}

/// Adds those that say something new: no tautologies, and nothing that equals a predicate or its
/// negation within the ranges of the state.
std::size_t MayMustContext::adopt(const std::vector<Term>& found, PredicateSet& set) {
  TermArena& arena = formulas_.arena();
  auto never = [&](Term t) { return solver_.check({formulas_.facts(), t}) == Truth::Unsat; };
  auto same = [&](Term p, Term q) {
    return never(arena.conj(p, arena.negate(q))) && never(arena.conj(q, arena.negate(p)));
  };
  std::size_t added = 0;
  for (Term p : found) {
    const std::vector<Term> known = set.all();
    if (std::ranges::find(known, p) != known.end() || useless_.contains(p)) continue;
    if (budget_.exhausted_now()) return added;
    if (never(p) || never(arena.negate(p)) ||
        std::ranges::any_of(known, [&](Term q) { return same(p, q) || same(p, arena.negate(q)); }))
      useless_.insert(p);
    else
      added += set.add(p);
  }
  return added;
}

std::size_t MayMustContext::add_weakest_preconditions(const Trace& trace, PredicateSet& set) {
  PredicateSet found(formulas_.arena());
  // Elimination leaves atoms that say nothing given the ranges of the state, or given the others.
  for (Term condition : preconditions(formulas_, eliminator_, trace, &solver_))
    found.add_atoms(condition, state_);
  return adopt(found.all(), set);
}

std::size_t MayMustContext::add_interpolants(const Trace& trace, PredicateSet& set) {
  const auto steps = step_formulas(formulas_, trace);
  if (!interpolator_)
    interpolator_ = std::make_unique<Interpolator>(SolverOptions{.budget = &budget_});
  const auto cuts = interpolator_->sequence(formulas_.arena(), steps);
  if (!cuts) return 0;
  PredicateSet found(formulas_.arena());
  for (std::size_t i = 0; i < cuts->size(); ++i)
    found.add_atoms(without_copy(formulas_, (*cuts)[i], i), state_);
  return adopt(found.all(), set);
}

void MayMustContext::tell_new(std::size_t before, std::string_view how) const {
  if (!options_.story.told()) return;
  std::string names;
  for (std::size_t i = before; i < may_set_.size(); ++i)
    names += (names.empty() ? "" : ", ") + to_string(may_set_.all()[i]);
  options_.story.tell("  refine ({}): {}", how, names);
}

bool MayMustContext::refine(const Trace& trace, Fact fact, Learns who) {
  ++refinements_;
  learnt_words_.push_back(text(trace));
  const std::size_t before = may_set_.size();
  const std::size_t must_before = must_set_.size();
  const bool craig = fact == Fact::No && options_.refinement != Refinement::Wp;
  std::string_view how = craig ? "craig" : "wp";
  if (craig ? add_interpolants(trace, may_set_) == 0
            : add_weakest_preconditions(trace, may_set_) == 0) {
    how = craig ? "wp" : "craig";
    if (craig)
      add_weakest_preconditions(trace, may_set_);
    else if (fact == Fact::No)
      add_interpolants(trace, may_set_);
  }
  // What is learnt from words that cannot happen or err only removes errors from the may side.
  if (options_.refinement != Refinement::RefineMay)
    for (Term p : may_set_.all()) must_set_.add(p);
  else if (useless_.clear(); fact != Fact::No) // useless to one set, not to the other
    add_weakest_preconditions(trace, must_set_);
  else if (who == Learns::Both && add_interpolants(trace, must_set_) == 0)
    add_weakest_preconditions(trace, must_set_);
  if (options_.refinement == Refinement::RefineMay) adopt(must_set_.all(), may_set_);
  if (may_set_.size() == before && must_set_.size() == must_before) return false;
  if (may_set_.size() > before) tell_new(before, how);
  rebuild();
  return true;
}

bool MayMustContext::refine_outcomes(const Trace& trace) {
  ++outcome_refinements_;
  return refine(trace, Fact::No, Learns::Both);
}

std::optional<Trace> MayMustContext::settle(Protocol protocol) {
  protocol_ = std::move(protocol);
  open_.clear();
  not_full_.clear();
  full_ = false;
  proof_ = {};
  MayOracle& oracle = may_->may();
  const CubeLabels labels = cube_labels(protocol_->dfa, oracle);
  for (const auto& cubes : labels.cubes)
    proof_.safe.push_back(
        simplify(formulas_.arena(), solver_, formulas_.facts(), oracle.formula(cubes)));
  nodes_ = std::make_unique<MustNodes>(formulas_, protocol_->dfa, proof_.safe, solver_, budget_);
  for (const auto& [q, cube] : labels.order)
    for (Letter l = 0; l < component_.letters(); ++l) {
      const std::size_t c = component_.letter(l).call;
      if (!protocol_->allows(q, c)) continue;
      if (may_->may_err(cube)[c] ||
          (protocol_->dfa.next(q, l) == no_state && !oracle.post_cubes(cube, l).empty())) {
        open_ = "'" + component_.letter_name(l) + "' was not shown to be safe";
        protocol_.reset();
        return std::nullopt;
      }
    }
  if (auto doubt = show_refusals(labels)) return doubt;
  if (!open_.empty()) return std::nullopt;
  return show_outcomes();
}

/// By labels: all cubes of a state surely err. Where they do not, by must-nodes.
std::optional<Trace> MayMustContext::show_refusals(const CubeLabels& labels) {
  std::set<std::pair<State, std::size_t>> hard;
  for (const auto& [q, cube] : labels.order)
    for (std::size_t c = 0; c < component_.calls().size(); ++c)
      if (!protocol_->allows(q, c) && !may_->must_err(cube)[c]) hard.insert({q, c});
  for (const auto& [q, call] : hard) {
    const std::string& name = component_.calls()[call].name;
    const auto goal = goals_.errs(call);
    if (!goal) {
      open_ =
          fmt::format("whether '{}' errs depends on choices that could not be eliminated", name);
      continue;
    }
    auto node = nodes_->show(q, *goal);
    if (node) {
      if (*node) proof_.refusals[{q, call}] = **node;
      continue;
    }
    const MustNodes::Gap& gap = node.error();
    if (!gap.constructor) {
      open_ = fmt::format("the refusal of '{}' could not be shown: {}", name, gap.reason);
      continue;
    }
    const Trace doubt{*gap.constructor, gap.letters, call};
    if (judge(doubt) == Fact::No) return doubt;
    open_ = text(doubt) + " may err, but only by values that are hidden behind an approximation or "
                          "a loop without a bound";
  }
  return std::nullopt;
}

std::optional<Trace> MayMustContext::show_outcomes() {
  const Dfa& dfa = protocol_->dfa;
  auto not_shown = [&](std::string why) {
    not_full_ = std::move(why);
    proof_.outcomes.clear();
    return std::nullopt;
  };
  for (State q = 0; q < dfa.states(); ++q)
    for (Letter l = 0; l < dfa.letters(); ++l) {
      if (dfa.next(q, l) == no_state) continue;
      const auto can = formulas_.surely_leads(l, formulas_.arena().truth());
      if (!can) return not_shown(can.error().message);
      auto node = strict_ ? nodes_->show(q, *can) : nodes_->show(q, *can, most_unasked_nodes);
      if (node) {
        if (*node) proof_.outcomes[{q, l}] = **node;
        continue;
      }
      if (!strict_)
        return not_shown("not every outcome was shown to be possible wherever it is listed");
      const MustNodes::Gap& gap = node.error();
      if (!gap.constructor)
        return not_shown(fmt::format("that '{}' is possible could not be shown: {}",
                                     component_.letter_name(l), gap.reason));
      Trace doubt{*gap.constructor, gap.letters, std::nullopt};
      doubt.letters.push_back(l);
      if (judge(doubt) == Fact::No) return doubt;
      return not_shown(text(doubt) + " may be possible, but only by values that are hidden behind "
                                     "an approximation or a loop without a bound");
    }
  full_ = true;
  return std::nullopt;
}

void MayMustContext::try_coarser() {
  if (!protocol_ || full_ || !open_.empty()) return;
  const Protocol before = *protocol_;
  Protocol fewer = minimal(coarsened(before, component_), component_).protocol;
  if (fewer.dfa.states() >= before.dfa.states()) return;
  const std::string reason = not_full_;
  const bool was_strict = std::exchange(strict_, false);
  const bool holds = !settle(std::move(fewer)) && open_.empty();
  options_.story.tell("outcomes that cannot happen are not told apart: {}",
                      holds ? "fewer states suffice" : "fewer states would do, but are not proved");
  if (!holds) settle(before);
  strict_ = was_strict;
  if (!full_ && !reason.empty()) not_full_ = reason;
}

/// On the interface, what must err and what may err is the same: a search of its own over pairs of
/// interface states and regions.
std::string MayMustContext::theorem_2() {
  const Dfa& dfa = protocol_->dfa;
  std::set<std::pair<State, Region>> seen;
  std::deque<std::pair<State, Region>> work;
  auto offer = [&](State q, Region region) {
    if (region != empty_region && seen.insert({q, region}).second) work.push_back({q, region});
  };
  for (std::size_t k = 0; k < dfa.entries().size(); ++k)
    if (dfa.entries()[k] != no_state) offer(dfa.entries()[k], may_->may().start(k));
  std::size_t by_nodes = 0;
  while (!work.empty()) {
    if (seen.size() > most_pairs || stopped()) return "not checked, too large";
    const auto [q, region] = work.front();
    work.pop_front();
    for (std::size_t c = 0; c < component_.calls().size(); ++c) {
      const bool allowed = protocol_->allows(q, c);
      if (allowed == may_->may_err(region, c)) return "the error languages differ";
      if (allowed || may_->must_err(region, c)) continue;
      if (!proof_.refusals.contains({q, c})) return "the error languages differ";
      ++by_nodes;
    }
    for (Letter l = 0; l < dfa.letters(); ++l)
      if (const State to = dfa.next(q, l); to != no_state) offer(to, may_->may().post(region, l));
  }
  std::string text = fmt::format("the error languages of may and must coincide{}",
                                 full_ ? "" : " on words that can happen");
  if (by_nodes)
    text += fmt::format(", {} refusal{} by must-nodes", by_nodes, by_nodes > 1 ? "s" : "");
  return text;
}

} // namespace tacit
