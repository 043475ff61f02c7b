#include "synthesis/alphabet/merge.h"

#include <algorithm>
#include <set>

#include "logic/solver/simplify.h"
#include "logic/term/parse.h"
#include "logic/term/print.h"
#include "program/ir/scope.h"

namespace tacit {
namespace {

constexpr std::size_t most_states = 200; // pairs are tried one by one

/// A partition that can be put back to what it was.
class Classes {
public:
  explicit Classes(std::size_t states) : of_(states) {
    for (State q = 0; q < states; ++q) of_[q] = q;
  }
  State of(State q) const { return of_[q]; }
  void join(State a, State b) {
    const State from = of_[b], to = of_[a];
    for (State& q : of_)
      if (q == from) q = to;
  }
  std::size_t count() const { return std::set<State>(of_.begin(), of_.end()).size(); }
  std::vector<State> members(State representative) const {
    std::vector<State> made;
    for (State q = 0; q < of_.size(); ++q)
      if (of_[q] == representative) made.push_back(q);
    return made;
  }

private:
  std::vector<State> of_;
};

class Merge {
public:
  Merge(const Interface& fine, const Merging& by)
      : fine_(fine), by_(by), component_(by.formulas.component()), arena_(by.formulas.arena()),
        classes_(fine.states.size()) {}

  std::optional<Interface> run() {
    const std::size_t states = fine_.states.size();
    if (states < 2 || states > most_states || fine_.evidence.safe.size() != states ||
        !(fine_.evidence.permissive.empty() || fine_.evidence.permissive.size() == states))
      return std::nullopt;
    if (!read(fine_.evidence.safe, safe_) || !read(fine_.evidence.permissive, permissive_))
      return std::nullopt;
    find_moves();
    find_frozen();
    find_possible();
    find_said();
    for (State a = 0; a < states; ++a)
      for (State b = a + 1; b < states; ++b)
        if (classes_.of(a) != classes_.of(b)) try_to_join(a, b);
    if (classes_.count() == states) return std::nullopt;
    return written();
  }

private:
  bool read(const std::vector<std::string>& texts, std::vector<Term>& into) const {
    const ModuleScope scope(component_.module());
    for (const std::string& text : texts) {
      const auto term = parse_expression(text, "label", arena_, scope, arena_.bool_sort());
      if (!term) return false;
      into.push_back(*term);
    }
    return true;
  }

  void find_moves() {
    moves_.resize(fine_.states.size());
    for (const InterfaceTransition& t : fine_.transitions)
      moves_[t.from][{t.call, t.outcome}] = t.to;
  }

  void find_frozen() {
    for (const MustNode& node : fine_.evidence.must) {
      frozen_.insert(node.state);
      for (const MustNode::Incoming& in : node.incoming)
        frozen_.insert(fine_.transitions[in.transition].from);
    }
  }

  /// Which letters can happen in which state: none where nothing gets to.
  void find_possible() {
    for (State q = 0; q < fine_.states.size(); ++q) {
      std::vector<bool> row;
      empty_.push_back(by_.solver.check({by_.formulas.facts(), safe_[q]}) == Truth::Unsat);
      if (empty_[q]) {
        possible_.emplace_back(by_.refined.calls.size(), false);
        continue;
      }
      for (const CallVariant& variant : by_.refined.calls) {
        std::vector<Term> facts{by_.formulas.facts(),
                                without_clients_values(component_.module(), safe_[q]),
                                variant.when};
        for (const Variable& p : component_.body(component_.calls()[variant.call]).parameters)
          facts.push_back(value_facts(arena_, p.type, p.term));
        row.push_back(is_true(variant.when) || by_.solver.check(facts) != Truth::Unsat);
      }
      possible_.push_back(std::move(row));
    }
  }

  /// What labels say of the predicates that keep states apart.
  void find_said() {
    for (State q = 0; q < fine_.states.size(); ++q) {
      std::vector<Truth> row;
      for (Term predicate : by_.apart)
        for (Term side : {predicate, arena_.negate(predicate)})
          row.push_back(by_.solver.check({by_.formulas.facts(), safe_[q], side}));
      said_.push_back(std::move(row));
    }
  }

  /// With all that it entails, or not at all.
  void try_to_join(State a, State b) {
    Classes before = classes_;
    std::vector<std::pair<State, State>> work{{a, b}};
    while (!work.empty()) {
      const auto [x, y] = work.back();
      work.pop_back();
      if (classes_.of(x) == classes_.of(y)) continue;
      const auto left = classes_.members(classes_.of(x)), right = classes_.members(classes_.of(y));
      for (State p : left)
        for (State q : right)
          if (!agree(p, q, work)) {
            classes_ = std::move(before);
            return;
          }
      classes_.join(x, y);
    }
  }

  bool agree(State p, State q, std::vector<std::pair<State, State>>& follows) const {
    if (frozen_.contains(p) || frozen_.contains(q)) return false;
    if (empty_[p] || empty_[q]) return true;
    if (said_[p] != said_[q]) return false;
    for (std::size_t f = 0; f < fine_.calls.size(); ++f)
      if (possible_[p][f] && possible_[q][f] &&
          fine_.states[p].allows[f] != fine_.states[q].allows[f])
        return false;
    for (const auto& [letter, to] : moves_[p]) {
      if (!possible_[p][letter.first] || !possible_[q][letter.first]) continue;
      if (const auto there = moves_[q].find(letter); there != moves_[q].end())
        follows.emplace_back(to, there->second);
    }
    return true;
  }

  // --- the result ---

  /// Breadth first, as results are.
  void number() {
    const auto meet = [&](State q) {
      if (number_.try_emplace(classes_.of(q), order_.size()).second)
        order_.push_back(classes_.of(q));
    };
    for (const InitialState& start : fine_.initial) meet(start.state);
    for (std::size_t i = 0; i < order_.size(); ++i)
      for (const InterfaceTransition& t : fine_.transitions)
        if (classes_.of(t.from) == order_[i] && counts(t)) meet(t.to);
  }

  bool counts(const InterfaceTransition& t) const { return possible_[t.from][t.call]; }
  State renamed(State q) const { return number_.at(classes_.of(q)); }
  bool reached(State q) const { return number_.contains(classes_.of(q)); }

  Interface written() {
    number();
    Interface made = fine_;
    states(made);
    for (InitialState& start : made.initial) start.state = renamed(start.state);
    transitions(made);
    refusals(made);
    std::erase_if(made.nondeterminism, [&](const Disagreement& d) { return !reached(d.state); });
    for (Disagreement& d : made.nondeterminism) d.state = renamed(d.state);
    for (auto& [claim, text] : made.verdict.details) text = with_numbers(text);
    return made;
  }

  void states(Interface& made) {
    made.states.clear();
    made.evidence.safe.clear();
    made.evidence.permissive.clear();
    for (State representative : order_) {
      const auto members = classes_.members(representative);
      InterfaceState state = fine_.states[representative];
      for (std::size_t f = 0; f < state.allows.size(); ++f)
        for (State q : members)
          if (possible_[q][f]) state.allows[f] = fine_.states[q].allows[f];
      std::vector<Term> safe, both;
      for (State q : members) {
        safe.push_back(safe_[q]);
        if (!permissive_.empty()) both.push_back(arena_.conj(safe_[q], permissive_[q]));
      }
      const std::string label = shortest(safe);
      if (members.size() > 1) state.label = label;
      made.states.push_back(std::move(state));
      made.evidence.safe.push_back(label);
      if (!permissive_.empty()) made.evidence.permissive.push_back(shortest(both));
    }
  }

  std::string shortest(const std::vector<Term>& some) {
    return to_string(
        simplify(arena_, by_.solver, by_.formulas.facts(), arena_.disj(some), label_queries));
  }

  void transitions(Interface& made) {
    std::map<std::tuple<State, std::size_t, std::size_t>, std::size_t> known;
    std::vector<InterfaceTransition> kept;
    std::vector<std::size_t> moved(fine_.transitions.size());
    for (std::size_t t = 0; t < fine_.transitions.size(); ++t) {
      const InterfaceTransition& one = fine_.transitions[t];
      if (!reached(one.from) || !reached(one.to) || !counts(one)) continue;
      const auto [at, fresh] =
          known.try_emplace({renamed(one.from), one.call, one.outcome}, kept.size());
      moved[t] = at->second;
      if (!fresh) continue;
      kept.push_back(one);
      kept.back().from = renamed(one.from);
      kept.back().to = renamed(one.to);
    }
    made.transitions = std::move(kept);
    for (MustNode& node : made.evidence.must) {
      node.state = renamed(node.state);
      for (MustNode::Incoming& in : node.incoming) in.transition = moved[in.transition];
    }
    made.evidence.transition_must.clear();
    made.evidence.outcome_must.clear();
  }

  void refusals(Interface& made) {
    std::map<std::pair<State, std::size_t>, std::size_t> known;
    std::vector<Refusal> kept;
    std::map<std::size_t, std::size_t> nodes;
    for (std::size_t i = 0; i < fine_.forbidden.size(); ++i) {
      Refusal one = fine_.forbidden[i];
      std::size_t at = kept.size();
      if (one.state) {
        if (!reached(*one.state) || made.states[renamed(*one.state)].allows[one.call]) continue;
        one.state = renamed(*one.state);
        at = known.try_emplace({*one.state, one.call}, kept.size()).first->second;
      }
      if (const auto node = fine_.evidence.refusal_must.find(i);
          node != fine_.evidence.refusal_must.end())
        nodes[at] = node->second;
      if (at == kept.size())
        kept.push_back(std::move(one));
      else if (better(one, kept[at]))
        kept[at] = std::move(one);
    }
    made.forbidden = std::move(kept);
    made.evidence.refusal_must = std::move(nodes);
  }

  static bool better(const Refusal& a, const Refusal& b) {
    return std::tuple(!a.run, a.word.size()) < std::tuple(!b.run, b.word.size());
  }

  /// Texts speak of states by their numbers.
  std::string with_numbers(const std::string& text) const {
    static constexpr std::string_view before = " in state ";
    std::string made;
    std::size_t at = 0;
    for (auto found = text.find(before); found != std::string::npos;
         found = text.find(before, at)) {
      const std::size_t digits = found + before.size();
      std::size_t end = digits;
      while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
      made += text.substr(at, digits - at);
      at = end;
      if (end == digits) continue;
      const State q = static_cast<State>(std::stoul(text.substr(digits, end - digits)));
      made += std::to_string(q < fine_.states.size() && reached(q) ? renamed(q) : q);
    }
    return made + text.substr(at);
  }

  const Interface& fine_;
  const Merging& by_;
  const Component& component_;
  TermArena& arena_;
  Classes classes_;
  std::vector<Term> safe_, permissive_;
  std::vector<std::map<std::pair<std::size_t, std::size_t>, State>> moves_; // by letter
  std::set<State> frozen_;
  std::vector<std::vector<bool>> possible_; // by state and letter's call
  std::vector<bool> empty_;                 // states that nothing gets to
  std::vector<std::vector<Truth>> said_;    // by state: of each predicate, and of its negation
  std::map<State, State> number_;           // of classes, by representative
  std::vector<State> order_;
};

} // namespace

Term without_clients_values(const Module& module, Term label) {
  Substitution by;
  for (const StateVariable& v : module.state)
    if (v.client) by[v.term] = module.arena->var("last!" + v.name(), v.term->sort);
  return by.empty() ? label : substitute(*module.arena, label, by);
}

std::optional<Interface> with_fewer_states(const Interface& fine, const Merging& by) {
  return Merge(fine, by).run();
}

} // namespace tacit
