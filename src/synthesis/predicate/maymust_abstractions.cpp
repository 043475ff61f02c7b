#include "synthesis/predicate/maymust_abstractions.h"

#include <deque>
#include <set>

#include "logic/term/parse.h"
#include "logic/term/print.h"
#include "program/ir/scope.h"

namespace tacit {

MayMustAbstractions::MayMustAbstractions(PredicateSetting& setting)
    : setting_(setting), refiner_(setting), may_set_(setting.arena()), must_set_(setting.arena()) {
  seed_predicates();
  rebuild();
}

/// Those of an older result that make sense for this component.
void MayMustAbstractions::seed_predicates() {
  if (!options().seed) return;
  const ModuleScope scope(component().module());
  TermArena& arena = setting_.arena();
  for (const std::string& text : options().seed->predicates)
    if (auto term = parse_expression(text, "seed", arena, scope, arena.bool_sort())) {
      may_set_.add_atoms(*term, setting_.state());
      must_set_.add_atoms(*term, setting_.state());
    }
  story().tell("seed: {} of {} predicates of the older result can be used", may_set_.size(),
               options().seed->predicates.size());
}

void MayMustAbstractions::rebuild() {
  if (auto used = setting_.use_invariants(may_set_.all()); !used && stop_.empty())
    stop_ = used.error().message;
  const auto over = [&](const PredicateSet& set) {
    return std::make_shared<MayMust>(setting_.formulas(), setting_.goals(), set.all(),
                                     setting_.solver());
  };
  may_ = over(may_set_);
  must_ = must_set_.size() == may_set_.size() ? may_ : over(must_set_);
}

void MayMustAbstractions::start_over() {
  strict_ = false;
  may_set_.clear();
  must_set_.clear();
  refiner_.start_over();
  refinements_ = 0;
  stop_.clear();
  rebuild();
}

bool MayMustAbstractions::refine(const Trace& trace, Fact fact, Learns who) {
  ++refinements_;
  const std::size_t before = may_set_.size(), must_before = must_set_.size();
  const Lesson lesson = refiner_.learn(trace, fact, may_set_);
  // What is learnt from words that cannot happen or err only removes errors from the may side.
  if (options().refinement != Refinement::RefineMay)
    for (Term p : may_set_.all()) must_set_.add(p);
  else if (fact != Fact::No || who == Learns::Both)
    refiner_.learn(trace, fact, must_set_);
  if (options().refinement == Refinement::RefineMay) refiner_.adopt(must_set_, may_set_);
  if (may_set_.size() == before && must_set_.size() == must_before) return false;
  if (story().told() && may_set_.size() > before) {
    std::string names;
    for (std::size_t i = before; i < may_set_.size(); ++i)
      names += (names.empty() ? "" : ", ") + to_string(may_set_.all()[i]);
    story().tell("  refine ({}): {}", lesson.how, names);
  }
  rebuild();
  return true;
}

bool MayMustAbstractions::refine_outcomes(const Trace& trace) {
  ++outcome_refinements_;
  return refine(trace, Fact::No, Learns::Both);
}

bool MayMustAbstractions::outcomes_run_away() const {
  if (!strict_ || options().full || outcome_refinements_ == 0) return false;
  const Strategy& strategy = setting_.strategy();
  return outcome_refinements_ > strategy.most_outcome_words ||
         may_->widest() > strategy.widest_for_outcomes ||
         setting_.solver().statistics().queries > strategy.most_queries_for_outcomes;
}

bool MayMustAbstractions::stopped() {
  if (!stop_.empty()) return true;
  if (setting_.out_of_budget()) {
    stop_ = setting_.budget_text();
    return true;
  }
  std::string why;
  if (const auto failure = may_->may().failure())
    why = failure->message;
  else if (const auto other = must_->may().failure())
    why = other->message;
  else if (refinements_ > setting_.strategy().most_words)
    why = "refinement does not come to an end";
  if (!why.empty()) stop_ = refiner_.run_away_text(why, may_set_);
  return !stop_.empty();
}

std::string MayMustAbstractions::theorem_2(const InterfaceProof& proof) {
  const Protocol& protocol = proof.protocol();
  std::set<std::pair<State, Region>> seen;
  std::deque<std::pair<State, Region>> work;
  auto offer = [&](State q, Region region) {
    if (region != empty_region && seen.insert({q, region}).second) work.push_back({q, region});
  };
  for (std::size_t k = 0; k < protocol.dfa.entries().size(); ++k)
    if (protocol.dfa.entries()[k] != no_state)
      offer(protocol.dfa.entries()[k], may_->may().start(k));
  std::size_t by_nodes = 0;
  while (!work.empty()) {
    if (seen.size() > setting_.strategy().most_pairs || stopped()) return "not checked, too large";
    const auto [q, region] = work.front();
    work.pop_front();
    for (std::size_t c = 0; c < component().calls().size(); ++c) {
      const bool allowed = protocol.allows(q, c);
      if (allowed == may_->may_err(region, c)) return "the error languages differ";
      if (allowed || may_->must_err(region, c)) continue;
      if (!proof.by_node({q, c})) return "the error languages differ";
      ++by_nodes;
    }
    for (Letter l = 0; l < protocol.dfa.letters(); ++l)
      if (const State to = protocol.dfa.next(q, l); to != no_state)
        offer(to, may_->may().post(region, l));
  }
  std::string text = fmt::format("the error languages of may and must coincide{}",
                                 proof.full().shown() ? "" : " on words that can happen");
  if (by_nodes)
    text += fmt::format(", {} refusal{} by must-nodes", by_nodes, by_nodes > 1 ? "s" : "");
  return text;
}

void MayMustAbstractions::add_figures(Interface& interface) const {
  for (Term p : may_set_.all()) interface.predicates.push_back(to_string(p));
  interface.stats.set("iterations", iterations);
  interface.stats.set("refinements", refinements_);
  interface.stats.set("outcome_refinements", outcome_refinements_);
  interface.stats.set("predicates_used", may_set_.size());
  interface.stats.set("must_predicates", must_set_.size());
  interface.stats.set("membership_queries", static_cast<std::size_t>(membership_queries));
  interface.stats.set("equivalence_queries", static_cast<std::size_t>(equivalence_queries));
  add_solver_figures(interface, refiner_.spent());
}

} // namespace tacit
