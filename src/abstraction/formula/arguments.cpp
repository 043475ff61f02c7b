#include "abstraction/formula/arguments.h"

#include <algorithm>
#include <map>
#include <set>

#include "abstraction/formula/predicates.h"
#include "program/ir/defaults.h"

namespace tacit {

namespace {

constexpr std::size_t most_values = 4, most_choices = 24, most_tried = 4, most_failures = 6;

class Search {
public:
  Search(const Component& component, const Procedure& procedure, const BodyFormula& body,
         Term facts, Solver& solver, std::vector<Substitution> known)
      : component_(component), procedure_(procedure), body_(body), facts_(facts), solver_(solver),
        arena_(component.arena()), found_(std::move(known)), known_(found_.size()) {
    for (const StateVariable& v : component.module().state) state_.insert(v.term);
    for (const FormulaInput& input : body.inputs)
      if (input.chooser == Chooser::Client) {
        clients_.push_back({&input, {}});
        owned_.insert(receiver_of(procedure, body, input));
      }
    for (Offer& offer : clients_)
      compare(receiver_of(procedure, body, *offer.input), offer.input->type, offer.values);
  }

  std::vector<Substitution> run() {
    std::vector<Term> errs;
    for (const FormulaExit& e : body_.exits)
      if (e.error) errs.push_back(e.guard);
    std::vector<Term> query{facts_, arena_.disj(std::move(errs))};
    for (const Substitution& known : found_) query.push_back(copy(known));
    // States that differ in what the body looks at, one condition after the other.
    const auto landmarks = state_atoms();
    std::vector<Term> places{arena_.truth()};
    for (const bool way : {true, false})
      for (const Term atom : landmarks) places.push_back(way ? atom : arena_.negate(atom));
    std::size_t failures = 0;
    for (const Term place : places) {
      if (found_.size() >= most_tried || failures > most_failures) break;
      query.push_back(place);
      const bool possible = solver_.check(query) == Truth::Sat;
      query.pop_back();
      if (!possible) continue;
      if (look(landmarks)) {
        failures = 0;
      } else {
        ++failures;
        query.push_back(arena_.negate(seen_)); // the next states are others
      }
      for (; known_ < found_.size(); ++known_) query.push_back(copy(found_[known_]));
    }
    return std::move(found_);
  }

private:
  Term copy(const Substitution& arguments) {
    return spoilt(arena_, procedure_, body_, arguments, std::to_string(copies_++));
  }

  /// An argument that is good in the solver's state, if any: the solver chooses one with which the
  /// call may work, and if it may also fail, another one.
  bool look(const std::vector<Term>& landmarks) {
    std::vector<Term> here{facts_};
    for (const StateVariable& v : component_.module().state)
      if (v.type.sort->kind != SortKind::Map && !owned_.contains(v.term))
        if (const auto value = solver_.value(v.term))
          here.push_back(v.type.sort->kind != SortKind::Ref
                             ? arena_.eq(v.term, to_term(arena_, *value, v.type.sort))
                         : is_null(v.term) ? arena_.eq(v.term, arena_.null())
                                           : arena_.ne(v.term, arena_.null()));
    std::vector<Term> seen;
    for (const Term atom : landmarks)
      if (const auto value = solver_.value(atom))
        seen.push_back(value->truth() ? atom : arena_.negate(atom));
    here.insert(here.end(), seen.begin(), seen.end());
    seen_ = arena_.conj(std::move(seen));
    std::vector<Term> query = here;
    query.push_back(some_choice_works());
    for (const Offer& offer : clients_) {
      std::vector<Term> one;
      for (std::size_t i = 0; i < offer.values.size(); ++i) one.push_back(is_pick(offer, i));
      query.push_back(arena_.disj(std::move(one)));
    }
    for (std::size_t tries = 0; tries < most_choices; ++tries) {
      if (!choose(query)) return false;
      Substitution chosen;
      std::vector<Term> same;
      for (const Offer& offer : clients_) {
        const std::size_t pick = chosen_of(offer);
        chosen[offer.input->variable] = offer.values[pick];
        same.push_back(is_pick(offer, pick));
      }
      here.push_back(spoilt(arena_, procedure_, body_, chosen, "t"));
      const bool works = solver_.check(here) == Truth::Unsat;
      here.pop_back();
      if (works) {
        found_.push_back(std::move(chosen));
        return true;
      }
      query.push_back(arena_.negate(arena_.conj(std::move(same))));
    }
    return false;
  }

  /// What may be tried for an input.
  struct Offer {
    const FormulaInput* input;
    std::vector<Term> values;
  };

  Term is_pick(const Offer& offer, std::size_t pick) const {
    return arena_.eq(arena_.var(offer.input->variable->name + "!pick", arena_.int_sort()),
                     arena_.integer(static_cast<std::int64_t>(pick)));
  }

  /// Leaves the solver with a choice, of first values as far as that is possible.
  bool choose(std::vector<Term> query) {
    if (solver_.check(query) != Truth::Sat) return false;
    for (const Offer& offer : clients_) {
      const bool is_first = chosen_of(offer) == 0;
      query.push_back(is_pick(offer, 0));
      if (!is_first && solver_.check(query) != Truth::Sat) {
        query.pop_back();
        if (solver_.check(query) != Truth::Sat) return false;
      }
    }
    return true;
  }

  std::size_t chosen_of(const Offer& offer) const {
    for (std::size_t i = 1; i < offer.values.size(); ++i)
      if (const auto value = solver_.value(is_pick(offer, i)); value && value->truth()) return i;
    return 0;
  }

  /// With one value of each offer, picked by the solver, the call may come to a good end.
  Term some_choice_works() const {
    Substitution by;
    for (const Offer& offer : clients_) {
      Term value = offer.values[0];
      for (std::size_t i = 1; i < offer.values.size(); ++i)
        value = arena_.ite(is_pick(offer, i), offer.values[i], value);
      by[offer.input->variable] = value;
    }
    const Term taken = substitute(arena_, accepted(arena_, procedure_, body_), by);
    for (const FormulaInput& input : body_.inputs)
      if (input.chooser != Chooser::Client)
        by[input.variable] = arena_.var(input.variable->name + "!w", input.variable->sort);
    std::vector<Term> ends;
    for (const FormulaExit& e : body_.exits)
      if (!e.error && !e.rejecting) ends.push_back(substitute(arena_, e.guard, by));
    return arena_.conj(taken, arena_.disj(std::move(ends)));
  }

  bool is_null(Term reference) const {
    const auto value = solver_.value(arena_.eq(reference, arena_.null()));
    return value && value->truth();
  }

  bool tested_for_null(Term reference) const {
    const Term null = arena_.eq(reference, arena_.null());
    return std::ranges::any_of(procedure_.blocks, [&](const Block& block) {
      return std::ranges::any_of(block.statements, [&](const Statement& s) {
        return s.kind == StatementKind::Assume && s.value == arena_.negate(null);
      });
    });
  }

  /// Conditions of the body about the state that no argument is part of.
  std::vector<Term> state_atoms() const {
    std::set<Term, TermById> found;
    for (const Block& block : procedure_.blocks)
      if (block.end.kind == TerminatorKind::Branch)
        for (const Term atom : atoms(arena_, block.end.value))
          if (std::ranges::all_of(variables(atom), [&](Term v) {
                return state_.contains(v) && !owned_.contains(v);
              }))
            found.insert(atom);
    return {found.begin(), found.end()};
  }

  void compare(Term variable, const Type& type, std::vector<Term>& values) const {
    const auto add = [&](Term t) {
      if (values.size() < most_values + !is_constant(t) &&
          std::ranges::find(values, t) == values.end())
        values.push_back(t);
    };
    const auto add_number = [&](Integer n) {
      if ((!type.low || n >= *type.low) && (!type.high || n <= *type.high)) add(arena_.integer(n));
    };
    const auto see = [&](Term condition) {
      for (const Term atom : atoms(arena_, condition)) {
        if (atom->op != Op::Eq && atom->op != Op::Le && atom->op != Op::Lt) continue;
        for (int side = 0; side < 2; ++side) {
          if (atom->args[static_cast<std::size_t>(side)] != variable) continue;
          const Term other = atom->args[static_cast<std::size_t>(1 - side)];
          if (other->op == Op::IntConst) {
            add_number(other->number + 1);
            add_number(other->number);
            add_number(other->number - 1);
          } else if (is_constant(other) || (state_.contains(other) && !owned_.contains(other))) {
            add(other);
          }
        }
      }
    };
    // What the call demands from the start leaves no choice.
    for (const Statement& s : procedure_.blocks[0].statements)
      if (s.kind == StatementKind::Assume && s.value->op == Op::Eq)
        for (int side = 0; side < 2; ++side)
          if (s.value->args[static_cast<std::size_t>(side)] == variable &&
              is_constant(s.value->args[static_cast<std::size_t>(1 - side)])) {
            values.push_back(s.value->args[static_cast<std::size_t>(1 - side)]);
            return;
          }
    for (const Block& block : procedure_.blocks) {
      for (const Statement& s : block.statements)
        if (s.kind == StatementKind::Assume) see(s.value);
      if (block.end.kind == TerminatorKind::Branch) see(block.end.value);
    }
    // What the state says fits in more states than a constant does.
    if (type.sort->kind != SortKind::Ref)
      std::ranges::stable_partition(values, [&](Term t) { return !is_constant(t); });
    if (type.sort->kind == SortKind::Bool) values = {arena_.truth(), arena_.falsehood()};
    // An address that is not null, whichever.
    if (type.sort->kind == SortKind::Ref)
      for (const StateVariable& v : component_.module().state)
        if (v.type.sort->kind == SortKind::Ref && !owned_.contains(v.term) &&
            tested_for_null(v.term))
          add(v.term);
    if (values.empty()) values.push_back(default_term(arena_, type));
  }

  const Component& component_;
  const Procedure& procedure_;
  const BodyFormula& body_;
  Term facts_;
  Solver& solver_;
  TermArena& arena_;
  std::set<Term, TermById> state_, owned_;
  std::vector<Offer> clients_;
  std::vector<Substitution> found_;
  std::size_t known_, copies_ = 0;
  Term seen_ = nullptr; // the landmarks where arguments were looked for last
};

} // namespace

Term receiver_of(const Procedure& procedure, const BodyFormula& body, const FormulaInput& input) {
  if (input.parameter) return procedure.parameters[*input.parameter].term;
  const BlockCopy& copy = body.graph->copies[input.copy];
  return procedure.blocks[copy.block].statements[input.statement].target;
}

namespace {

Term demands(TermArena& arena, const Procedure& procedure, const BodyFormula& body,
             bool of_the_state_too) {
  Substitution chosen;
  std::vector<Term> taken;
  for (const FormulaInput& input : body.inputs)
    if (input.chooser == Chooser::Client) {
      chosen[receiver_of(procedure, body, input)] = input.variable;
      taken.push_back(input.fact);
    }
  for (const Statement& s : procedure.blocks[0].statements) {
    if (s.kind == StatementKind::Havoc && s.chooser == Chooser::Client) continue;
    if (s.kind != StatementKind::Assume) break;
    if (of_the_state_too ||
        std::ranges::any_of(variables(s.value), [&](Term v) { return chosen.contains(v); }))
      taken.push_back(substitute(arena, s.value, chosen));
  }
  return arena.conj(std::move(taken));
}

} // namespace

/// What the call takes for granted of the state is no demand: without it there is no run.
Term accepted(TermArena& arena, const Procedure& procedure, const BodyFormula& body) {
  return demands(arena, procedure, body, false);
}

Term taken(TermArena& arena, const Procedure& procedure, const BodyFormula& body) {
  return demands(arena, procedure, body, true);
}

Term spoilt(TermArena& arena, const Procedure& procedure, const BodyFormula& body,
            const Substitution& arguments, const std::string& copy) {
  Substitution by = arguments;
  for (const FormulaInput& input : body.inputs)
    if (!arguments.contains(input.variable))
      by[input.variable] = arena.var(input.variable->name + "!" + copy, input.variable->sort);
  std::vector<Term> ends;
  for (const FormulaExit& e : body.exits)
    if (e.error || e.rejecting) ends.push_back(substitute(arena, e.guard, by));
  ends.push_back(arena.negate(substitute(arena, accepted(arena, procedure, body), arguments)));
  return arena.disj(std::move(ends));
}

std::vector<Substitution> good_arguments(const Component& component, const Procedure& procedure,
                                         const BodyFormula& body, Term facts, Solver& solver,
                                         std::vector<Substitution> known) {
  return Search(component, procedure, body, facts, solver, std::move(known)).run();
}

} // namespace tacit
